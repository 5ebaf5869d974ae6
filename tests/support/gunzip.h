#pragma once
#include <QByteArray>
#include <QString>

namespace tests::support {

/// The whole content of a file, unpacked if its name ends in .gz (by `gzip -dc`).
/// Empty if it cannot be read.
QByteArray contentOf(const QString& path);

} // namespace tests::support
