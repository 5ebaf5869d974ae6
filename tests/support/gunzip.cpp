#include "tests/support/gunzip.h"

#include <QFile>
#include <QProcess>

namespace tests::support {

QByteArray contentOf(const QString& path)
{
    if (!path.endsWith(QLatin1String(".gz"))) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QProcess gzip;
    gzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc"), path});
    if (!gzip.waitForFinished(60000) || gzip.exitCode() != 0) {
        return {};
    }
    return gzip.readAllStandardOutput();
}

} // namespace tests::support
