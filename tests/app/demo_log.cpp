#include "tests/app/demo_log.h"

#include "tests/support/gunzip.h"

namespace tests {

app::LogChoice demoLog()
{
    app::LogChoice log;
    log.path = WEIR_SOURCE_DIR "/app/demo/access.log.gz";
    log.format = support::contentOf(QStringLiteral(WEIR_SOURCE_DIR "/app/demo/log_format.txt"))
                     .trimmed()
                     .toStdString();
    return log;
}

} // namespace tests
