#include "app/workbench/log_choice.h"

namespace app {

engine::Result<std::unique_ptr<storage::LogReader>>
openLog(const LogChoice& log, const StopFlag* stop, std::size_t blockBytes, std::uint32_t file)
{
    storage::LogOptions options;
    options.format = log.format;
    options.reading.mappings = log.mappings;
    options.reading.zone = log.zone;
    options.trustedProxies = log.trustedProxies;
    options.clockNs = log.clockNs;
    options.limits = log.limits;
    options.file = file;
    options.blockBytes = blockBytes;
    options.storedBytes = log.storedBytes;
    options.stop = stop;
    auto reader = storage::LogReader::open(log.path, options);
    if (!reader && reader.error().code == "log.format" && !log.formatPlace.file.empty()) {
        engine::Diagnostic diagnostic = reader.error();
        diagnostic.place = log.formatPlace;
        return engine::fail(std::move(diagnostic));
    }
    return reader;
}

} // namespace app
