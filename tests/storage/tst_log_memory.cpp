#include "storage/log_reader.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace storage;

/// However large a log is and whatever it is made of, reading it needs the same memory.
class TestLogMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void needsTheSameForMuch_data();
    void needsTheSameForMuch();
};

namespace {

constexpr std::size_t kMegabyte = std::size_t {1} << 20;

struct Read {
    std::uint64_t lines = 0;
    std::uint64_t requests = 0;
    bool ok = false;
};

Read readAll(const std::string& path)
{
    LogOptions options;
    options.format = "nginx-combined";
    options.limits.maxRatio = SourceLimits::kNoLimit;
    Read read;
    auto reader = LogReader::open(path, options);
    if (!reader) {
        return read;
    }
    (*reader)->selectFields({"client_ip", "path", "status"});
    LogBlock block;
    for (;;) {
        const auto more = (*reader)->readBlock(block);
        if (!more) {
            return read;
        }
        if (!*more) {
            break;
        }
        (*reader)->parse(block);
        (*reader)->note(block);
    }
    read.lines = (*reader)->report().lines;
    read.requests = (*reader)->report().requests;
    read.ok = true;
    return read;
}

/// Greatest resident size of a child that reads the log; 0 if it could not.
std::uint64_t peakOf(const std::string& path, std::uint64_t leastLines)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const Read read = readAll(path);
        ::_exit(read.ok && read.lines >= leastLines ? 0 : 1);
    }
    int status = 0;
    rusage usage {};
    ::wait4(child, &status, 0, &usage);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
        ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024
        : 0;
}

} // namespace

void TestLogMemory::needsTheSameForMuch_data()
{
    QTest::addColumn<QByteArray>("command"); // writes the piece that is repeated
    QTest::addColumn<QByteArray>("packing");
    const char* const line
        = R"(printf '192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET /%s HTTP/1.1" 200 5 "-" "c"\n' )";
    const auto row = [](const char* name, const QByteArray& command, const char* packing) {
        QTest::newRow(name) << command << QByteArray(packing);
    };
    const QByteArray lines = QByteArray("seq 1 12000 | while read n; do ") + line + "$n; done";
    row("lines", lines, "cat");
    row("lines in gzip", lines, "gzip -1nc");
    row("one line without an end", "head -c 1048576 /dev/zero | tr '\\0' x", "cat");
    row("zeros", "head -c 1048576 /dev/zero", "cat");
    row("zeros in gzip", "head -c 1048576 /dev/zero", "gzip -1nc");
    row("anything at all", "head -c 1048576 /dev/urandom", "cat");
    row("empty lines", "head -c 1048576 /dev/zero | tr '\\0' '\\n'", "cat");
}

void TestLogMemory::needsTheSameForMuch()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("sanitizers keep memory of their own");
#endif
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, packing);
    const QTemporaryDir folder;
    const std::string piece = folder.filePath(QStringLiteral("piece")).toStdString();
    const std::string log = folder.filePath(QStringLiteral("log")).toStdString();
    const auto shell = [](const std::string& text) { return std::system(text.c_str()) == 0; };
    QVERIFY(shell("(" + command.toStdString() + ") > '" + piece + "'"));
    const auto peak = [&](int times) {
        const std::string repeat = "for i in $(seq " + std::to_string(times) + "); do cat '" + piece
            + "'; done | " + packing.toStdString() + " > '" + log + "'";
        return shell(repeat) ? peakOf(log, 1) : 0;
    };
    const std::uint64_t little = peak(8);
    const std::uint64_t much = peak(96);
    QVERIFY(little > 0 && much > 0);
    QVERIFY2(much <= little + 2 * kMegabyte,
             (std::to_string(little) + " and " + std::to_string(much)).c_str());
}

QTEST_APPLESS_MAIN(TestLogMemory)
#include "tst_log_memory.moc"
