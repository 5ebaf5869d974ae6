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

/// Reads three fields of a format, or for one that lines name fields in all that the log has.
Read readAll(const std::string& path, const std::string& format)
{
    LogOptions options;
    options.format = format;
    options.limits.maxRatio = SourceLimits::kNoLimit;
    Read read;
    auto reader = LogReader::open(path, options);
    if (!reader || !(*reader)->discoverFields()) {
        return read;
    }
    (*reader)->selectFields((*reader)->format().isOpenEnded()
                                ? (*reader)->allFields()
                                : std::vector<std::string> {"client_ip", "path", "status"});
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
std::uint64_t peakOf(const std::string& path, const std::string& format, bool hasRequests)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const Read read = readAll(path, format);
        ::_exit(read.ok && read.lines > 0 && (read.requests > 0) == hasRequests ? 0 : 1);
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
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("command"); // writes as many pieces as $times says
    QTest::addColumn<bool>("hasRequests");
    const auto row
        = [](const char* name, const char* format, const QByteArray& command, bool hasRequests) {
              QTest::newRow(name) << QByteArray(format) << command << hasRequests;
          };
    const auto repeated = [](const QByteArray& piece, const char* packing = "cat") {
        return piece + " > piece; for i in $(seq $times); do cat piece; done | " + packing;
    };
    const char* const combined = "nginx-combined";
    const QByteArray lines = "seq 1 12000 | sed 's|.*|192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "
                             "\"GET /& HTTP/1.1\" 200 5 \"-\" \"c\"|'";
    row("lines", combined, repeated(lines), true);
    row("lines in gzip", combined, repeated(lines, "gzip -1nc"), true);
    row("one line without an end", combined, repeated("head -c 1048576 /dev/zero | tr '\\0' x"),
        false);
    row("zeros", combined, repeated("head -c 1048576 /dev/zero"), false);
    row("zeros in gzip", combined, repeated("head -c 1048576 /dev/zero", "gzip -1nc"), false);
    row("anything at all", combined, repeated("head -c 1048576 /dev/urandom"), false);
    row("empty lines", combined, repeated("head -c 1048576 /dev/zero | tr '\\0' '\\n'"), false);
    // What names fields does not make them many: more than are kept at once, in little and in much.
    // Blank lines fill what is read ahead.
    const auto behindBlanks = [](const QByteArray& command) {
        return "head -c 5000000 /dev/zero | tr '\\0' ' ' | fold -w 1000; " + command;
    };
    const char* const json = R"({"time":1795860000,"uri":"/a","by":{"u&":1}})";
    row("fields of JSON", "json",
        behindBlanks(QByteArray("seq $((times * 300)) | sed 's|.*|") + json + "|'"), true);
    row("keys of logfmt", "logfmt",
        behindBlanks("seq $((times * 300)) | "
                     "sed 's|.*|time=2026-11-28T10:00:01Z method=GET path=/ u&=1|'"),
        true);
    row("headers", "w3c",
        repeated("(for i in $(seq 60); do "
                 "seq 900 | sed \"s|.*|x-$i-&|\" | tr '\\n' ' ' | "
                 "sed 's|^|#Fields: date time c-ip cs-method cs-uri-stem |'; echo; "
                 "echo '2026-11-28 10:00:01 192.0.2.1 GET /'; done)"),
        true);
}

void TestLogMemory::needsTheSameForMuch()
{
#ifdef WEIR_SANITIZES
    QSKIP("sanitizers keep memory of their own");
#endif
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, command);
    QFETCH(bool, hasRequests);
    const QTemporaryDir folder;
    const auto peak = [&](int times) {
        const std::string text = "cd '" + folder.path().toStdString()
            + "' && times=" + std::to_string(times) + " && (" + command.toStdString() + ") > log";
        return std::system(text.c_str()) == 0
            ? peakOf(folder.filePath(QStringLiteral("log")).toStdString(), format.toStdString(),
                     hasRequests)
            : 0;
    };
    const std::uint64_t little = peak(8);
    const std::uint64_t much = peak(96);
    QVERIFY(little > 0 && much > 0);
    QVERIFY2(much <= little + 2 * kMegabyte,
             (std::to_string(little) + " and " + std::to_string(much)).c_str());
}

QTEST_APPLESS_MAIN(TestLogMemory)
#include "tst_log_memory.moc"
