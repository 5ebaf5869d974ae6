#include "engine/attributes.h"
#include "storage/log_reader.h"
#include "storage/neutral.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace storage;

/// What LogSource, LogFormat and LogReader promise, beyond the public reports of tst_log_cases.
class TestLogReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doesNotDependOnBlockSizes_data();
    void doesNotDependOnBlockSizes();
    void readsGzipMembersJunkAndDamage();
    void refusesABomb();
    void refusesWhatIsNoLog();
    void readsAPipe();
    void skipsEndlessLines();
    void detectsBehindWhatIsNoLine_data();
    void detectsBehindWhatIsNoLine();
    void knowsNoFormatOfLinesThatAreTooLong();
    void namesTheMappingThatNoFormatFollows();
    void readsNeutralLinesAmongOthers();
    void survivesHostileLines();
    void splitsRequests_data();
    void splitsRequests();
    void readsTimes_data();
    void readsTimes();
    void readsNeutralLines_data();
    void readsNeutralLines();
    void writesWhatItReads();
    void readsFormatTexts();
    void refusesFormatTexts_data();
    void refusesFormatTexts();
    void detects();
    void keepsNeutralDespiteBadLines();
    void refusesLinesThatEndWithReturns();
    void countsBlankLinesOfTheNeutralFormat();
    void readsExponentsOfJson_data();
    void readsExponentsOfJson();
    void writesNothingUnseen();
    void saysThatAnUnknownLogIsDamaged();
    void findsFieldsOfJson();
    void listsSoManyFieldsAndNoMore();
    void countsNulsBeforeLines();
    void readsASecondTime();
    void stopsWhileAPipeStalls();
    void readsWhatALogWas();
};

namespace {

class Folder {
public:
    std::string write(const std::string& name, const std::string& bytes) const
    {
        const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

    [[nodiscard]] std::string path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

private:
    QTemporaryDir m_folder;
};

/// Everything that a log gives, as text: one line for a request, one for a reject.
struct Read {
    std::vector<std::string> lines;
    LogReport report;
    bool partial = false;
    std::vector<std::string> warnings;
    std::string failure;
};

Read readAll(const std::string& path, LogOptions options, const std::vector<std::string>& fields)
{
    Read read;
    auto reader = LogReader::open(path, options);
    if (!reader) {
        read.failure = reader.error().code;
        return read;
    }
    (*reader)->selectFields(fields);
    LogBlock block;
    for (;;) {
        const auto more = (*reader)->readBlock(block);
        if (!more) {
            read.failure = more.error().code;
            break;
        }
        if (!*more) {
            break;
        }
        (*reader)->parse(block);
        (*reader)->note(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const auto& request = block.batch.requests[i];
            std::string text = std::to_string(request.line) + " " + std::to_string(request.timeNs)
                + " " + std::to_string(request.stampNs) + " " + std::to_string(request.durationNs)
                + " " + std::to_string(request.resolutionNs);
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const auto value = block.batch.valuesOf(i)[f];
                text
                    += "|" + (value.data() == nullptr ? std::string("(none)") : std::string(value));
            }
            read.lines.push_back(text);
        }
        for (const auto& rejected : block.rejects) {
            read.lines.push_back(std::to_string(rejected.line) + " "
                                 + std::string(rejected.reason));
        }
    }
    std::sort(read.lines.begin(), read.lines.end());
    read.report = (*reader)->report();
    read.partial = (*reader)->source().isPartial();
    for (const auto& warning : (*reader)->source().warnings()) {
        read.warnings.push_back(warning.code);
    }
    return read;
}

LogOptions formatted(const std::string& format)
{
    LogOptions options;
    options.format = format;
    return options;
}

/// The values of the only line of a log.
std::string readLine(const std::string& line, const LogOptions& options,
                     const std::vector<std::string>& fields)
{
    const Folder folder;
    const Read read = readAll(folder.write("a.log", line + "\n"), options, fields);
    return read.failure.empty() ? (read.lines.size() == 1 ? read.lines.front() : "not one line")
                                : read.failure;
}

std::string combined(const std::string& request, int second = 0)
{
    std::array<char, 8> digits {};
    std::snprintf(digits.data(), digits.size(), "%02d", second % 60);
    return "192.0.2.1 - - [28/Nov/2026:10:00:" + std::string(digits.data()) + " +0000] \"" + request
        + "\" 200 5 \"-\" \"curl/8\"\n";
}

std::string manyLines(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += combined("GET /" + std::string(static_cast<std::size_t>(i * 37 % 900), 'a')
                             + "?n=" + std::to_string(i) + " HTTP/1.1",
                         i / 20);
        if (i % 97 == 0) {
            text += "\n";
        }
        if (i % 101 == 0) {
            text += "no log line at all\n";
        }
        if (i % 331 == 5) {
            text += std::string(65'536 + static_cast<std::size_t>(i % 3), 'x') + "\n";
        }
    }
    return text;
}

/// `text` compressed by the system's gzip.
std::string gzipped(const Folder& folder, const std::string& text)
{
    const std::string path = folder.write("plain", text);
    const std::string command = "gzip -nc '" + path + "' > '" + path + ".out'";
    if (std::system(command.c_str()) != 0) {
        return {};
    }
    std::ifstream file(path + ".out", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

void TestLogReader::doesNotDependOnBlockSizes_data()
{
    QTest::addColumn<int>("bytes");
    for (const int bytes : {1, 100, 1'024, 10'000, 65'536, 300'000, 1 << 20}) {
        QTest::addRow("%d", bytes) << bytes;
    }
}

void TestLogReader::doesNotDependOnBlockSizes()
{
    QFETCH(int, bytes);
    const Folder folder;
    const std::string path = folder.write("a.log",
                                          "\xEF\xBB\xBF" + manyLines(bytes < 100 ? 300 : 2'000)
                                              + "192.0.2.1 - - [28/Nov/2026:10:0");
    const std::vector<std::string> fields {"client_ip", "path", "query", "status", "user_agent"};
    LogOptions options;
    options.blockBytes = std::size_t {4} << 20;
    const Read whole = readAll(path, options, fields);
    options.blockBytes = static_cast<std::size_t>(bytes);
    const Read cut = readAll(path, options, fields);
    QVERIFY(whole.report.requests >= 300);
    QVERIFY(cut.lines == whole.lines);
    QCOMPARE(cut.report.lines, whole.report.lines);
    QCOMPARE(cut.report.lines, cut.report.requests + cut.report.rejected + cut.report.blankLines);
    QCOMPARE(cut.report.stepsBack, whole.report.stepsBack);
    QCOMPARE(cut.report.firstNs, whole.report.firstNs);
    QCOMPARE(cut.report.reasons.at("truncated").count, std::uint64_t {1});
    QVERIFY(cut.report.reasons.at("line-too-long").count > 0);
}

void TestLogReader::readsGzipMembersJunkAndDamage()
{
    const Folder folder;
    const std::string first = manyLines(700);
    const std::string second = combined("GET /second HTTP/1.1");
    const std::string a = gzipped(folder, first);
    const std::string b = gzipped(folder, second);
    QVERIFY(!a.empty());
    const std::vector<std::string> fields {"path"};
    const Read plain = readAll(folder.write("plain.log", first + second), {}, fields);

    const Read members = readAll(folder.write("odd-name.txt", a + b), {}, fields);
    QVERIFY(members.lines == plain.lines);
    QVERIFY(!members.partial && members.warnings.empty());

    QVERIFY(readAll(folder.write("zeros.gz", a + b + std::string(600, '\0')), {}, fields)
                .warnings.empty());
    QVERIFY(readAll(folder.write("padded.gz", a + std::string(3, '\0') + b), {}, fields).lines
            == plain.lines);

    const Read junk = readAll(folder.write("junk.gz", a + b + "\x1fjunk"), {}, fields);
    QVERIFY(junk.lines == plain.lines);
    QCOMPARE(junk.warnings, std::vector<std::string> {"log.trailing-bytes"});
    QVERIFY(junk.partial);

    const Read cut = readAll(folder.write("cut.gz", a.substr(0, a.size() / 2)), {}, fields);
    QVERIFY(cut.partial);
    QCOMPARE(cut.warnings, std::vector<std::string> {"log.damaged"});
    QVERIFY(cut.report.requests > 50 && cut.report.requests < plain.report.requests);

    QVERIFY(readAll(folder.write("trailer.gz", a.substr(0, a.size() - 3)), {}, fields).partial);
    std::string wrong = a;
    wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
    const Read checksum = readAll(folder.write("wrong.gz", wrong), {}, fields);
    QVERIFY(checksum.partial);
    QCOMPARE(checksum.warnings, std::vector<std::string> {"log.damaged"});
}

void TestLogReader::refusesABomb()
{
    const Folder folder;
    const std::string bomb
        = gzipped(folder, combined("GET / HTTP/1.1") + std::string(std::size_t {80} << 20, '\n'));
    QCOMPARE(readAll(folder.write("bomb.gz", bomb), {}, {}).failure, std::string("log.bomb"));
    LogOptions options;
    options.limits.maxBytes = 1'000;
    QCOMPARE(readAll(folder.write("long.gz", gzipped(folder, manyLines(100))), options, {}).failure,
             std::string("log.bomb"));
}

void TestLogReader::refusesWhatIsNoLog()
{
    const Folder folder;
    const auto failureOf = [](const std::string& path) { return readAll(path, {}, {}).failure; };
    QCOMPARE(failureOf(folder.path("missing.log")), std::string("log.missing"));
    QCOMPARE(failureOf(folder.path("")), std::string("log.folder"));
    QCOMPARE(failureOf("/dev/null"), std::string("log.device"));
    const std::string fifo = folder.path("fifo");
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    QCOMPARE(failureOf(fifo), std::string("log.no-writer"));
    QCOMPARE(
        failureOf(folder.write("a.xz", std::string("\xfd\x37\x7a\x58\x5a\0", 6) + "0123456789")),
        std::string("log.compression"));
    QCOMPARE(failureOf(folder.write("prose.txt", "This is\nno log.\n")),
             std::string("log.unknown-format"));
    const Read empty = readAll(folder.write("empty.log", ""), {}, {});
    QVERIFY(empty.failure.empty());
    QCOMPARE(empty.report.lines, std::uint64_t {0});
    if (::geteuid() != 0) {
        const std::string secret = folder.write("secret.log", "x");
        QCOMPARE(::chmod(secret.c_str(), 0), 0);
        QCOMPARE(failureOf(secret), std::string("log.permission"));
    }
}

void TestLogReader::readsAPipe()
{
    const Folder folder;
    const std::string fifo = folder.path("fifo");
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    const std::string text = manyLines(400);
    const Read plain = readAll(folder.write("a.log", text), {}, {"path"});
    const std::string packed = gzipped(folder, text);
    for (const std::string& bytes : {text, packed}) {
        const int held = ::open(fifo.c_str(), O_RDWR); // a writer, so that the reader finds one
        QVERIFY(held >= 0);
        std::thread writer([&] {
            for (std::size_t at = 0; at < bytes.size(); at += 777) {
                const std::size_t size = std::min<std::size_t>(777, bytes.size() - at);
                QCOMPARE(::write(held, bytes.data() + at, size), static_cast<ssize_t>(size));
            }
            // Closed before the reader has opened it, the pipe would lose what is in it.
            for (int unread = 1; ::ioctl(held, FIONREAD, &unread) == 0 && unread > 0;) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            ::close(held);
        });
        const Read streamed = readAll(fifo, {}, {"path"});
        writer.join();
        QVERIFY(streamed.lines == plain.lines);
    }
}

void TestLogReader::skipsEndlessLines()
{
    const Folder folder;
    const std::string path
        = folder.write("a.log",
                       combined("GET /1 HTTP/1.1") + std::string(3'000'000, 'x') + "\n"
                           + combined("GET /2 HTTP/1.1") + std::string(100'000, 'y'));
    const Read read = readAll(path, {}, {"path"});
    QCOMPARE(read.report.requests, std::uint64_t {2});
    QCOMPARE(read.report.reasons.at("line-too-long").count, std::uint64_t {2});
    QCOMPARE(read.report.reasons.at("line-too-long").examples.front().line, std::uint64_t {2});
    QCOMPARE(read.report.reasons.at("line-too-long").examples.front().text.size(),
             std::size_t {200});
    QCOMPARE(read.report.lines, std::uint64_t {4});
}

void TestLogReader::detectsBehindWhatIsNoLine_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<std::string>("before");
    QTest::addColumn<int>("linesBefore");
    for (const int bytes : {100, 65'536, 1 << 20}) {
        const auto row = [bytes](const char* name, const std::string& before, int lines) {
            QTest::addRow("%s, %d", name, bytes) << bytes << before << lines;
        };
        row("zeros", std::string(5'000'000, '\0'), 0);
        row("few zeros", std::string(70'000, '\0'), 0);
        row("blank", std::string(5'000, '\n'), 5'000);
        row("blanks",
            std::string(2'000, '\n') + " \t\r\n\xEF\xBB\xBF\n" + std::string(10, '\0') + "\n",
            2'003);
        row("long", std::string(9'000'000, 'a') + "\n", 1);
        row("all", "\n\n" + std::string(200'000, 'a') + "\n\n" + std::string(200'000, '\0'), 4);
    }
}

void TestLogReader::detectsBehindWhatIsNoLine()
{
    QFETCH(int, bytes);
    QFETCH(std::string, before);
    QFETCH(int, linesBefore);
    const Folder folder;
    const std::string path
        = folder.write("a.log", before + combined("GET /a HTTP/1.1") + combined("GET /b HTTP/1.1"));
    LogOptions options;
    options.blockBytes = static_cast<std::size_t>(bytes);
    const Read read = readAll(path, options, {"path"});
    QCOMPARE(read.failure, std::string());
    QCOMPARE(read.report.requests, std::uint64_t {2});
    QCOMPARE(read.report.lines, static_cast<std::uint64_t>(linesBefore) + 2);
    const auto number = [&](int n) { return std::to_string(linesBefore + n) + " "; };
    QVERIFY2(std::any_of(read.lines.begin(), read.lines.end(),
                         [&](const std::string& line) {
                             return line.starts_with(number(1)) && line.ends_with("|/a");
                         }),
             read.lines.front().c_str());
}

void TestLogReader::knowsNoFormatOfLinesThatAreTooLong()
{
    const Folder folder;
    const std::string path = folder.write("a.log", std::string(5'000'000, 'a'));
    QCOMPARE(readAll(path, {}, {}).failure, std::string("log.unknown-format"));
    const Read empty = readAll(folder.write("b.log", "\n \n"), {}, {});
    QCOMPARE(empty.failure, std::string());
    QCOMPARE(empty.report.blankLines + empty.report.rejected, std::uint64_t {2});
}

void TestLogReader::namesTheMappingThatNoFormatFollows()
{
    FormatOptions options;
    options.mappings = {{"api_key", "http_refere", {"d.logs.yaml", 4, 7}}};
    const auto found = detectLogFormat(combined("GET / HTTP/1.1"), options);
    QVERIFY(!found);
    QCOMPARE(found.error().code, std::string("log.map"));
    QVERIFY2(found.error().message.find("http_refere") != std::string::npos,
             found.error().message.c_str());
    QVERIFY2(found.error().help.starts_with("did you mean http_referer?"),
             found.error().help.c_str());
    QCOMPARE(found.error().place.line, std::int64_t {4});
}

void TestLogReader::readsNeutralLinesAmongOthers()
{
    const Folder folder;
    std::string text;
    for (int i = 0; i < 50; ++i) {
        text += combined("GET /a HTTP/1.1", i);
        text
            += "time:28/Nov/2026:10:00:00 +0000\thost:192.0.2.1\treq:GET /b HTTP/1.1\tstatus:200\n";
        text += R"({"time_ns": 1700000000000000000, "client_ip": "192.0.2.1", "path": "/c"})"
                "\n";
    }
    const Read read = readAll(folder.write("a.log", text + "\n"), {}, {"path"});
    QCOMPARE(read.report.requests, std::uint64_t {150});
    QCOMPARE(read.report.blankLines, std::uint64_t {1});
    const auto found = detectLogFormat(text);
    QVERIFY2(found->format->name().find("weir") != std::string::npos,
             found->format->name().c_str());
}

void TestLogReader::survivesHostileLines()
{
    const Folder folder;
    const std::string zeros(300, '\0');
    const std::string text = zeros + combined("GET /a HTTP/1.1")
        + combined(std::string("GET /\x1b]0;x\x07\xff\0 HTTP/1.1", 22)) + "\r\n   \t\r\n" + zeros
        + "\n" + std::string("\x80\xfe\n");
    const Read read = readAll(folder.write("a.log", text), formatted("nginx-combined"), {"path"});
    QCOMPARE(read.report.requests, std::uint64_t {2});
    QCOMPARE(read.report.blankLines, std::uint64_t {3});
    QCOMPARE(read.report.reasons.at("no-match").count, std::uint64_t {1});
    QVERIFY(read.lines[1].ends_with(std::string("|/\x1b]0;x\x07\xff\0", 10)));
}

void TestLogReader::splitsRequests_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* request, const char* expected) {
        QTest::newRow(request) << QByteArray(request) << QByteArray(expected);
    };
    row("GET /a?b=c HTTP/1.1", "GET|/a|b=c|(none)");
    row("GET  /a  HTTP/1.1", "GET|/a|(none)|(none)");
    row("GET   /a", "GET|/a|(none)|(none)");
    row("GET /a? HTTP/1.1", "GET|/a|(none)|(none)");
    row("GET /a b HTTP/1.1", "GET|/a b|(none)|(none)");
    row("GET /", "GET|/|(none)|(none)");
    row("GET http://e.example:8080/p?q HTTP/1.1", "GET|/p|q|e.example:8080");
    row("GET http://e.example HTTP/1.1", "GET|/|(none)|e.example");
    row("GET http://e.example?q HTTP/1.1", "GET|/|q|e.example");
    row("OPTIONS * HTTP/1.1", "OPTIONS|*|(none)|(none)");
    row("get /a HTTP/1.1", "get|/a|(none)|(none)");
    row("CONNECT e.example:443 HTTP/1.1", "CONNECT|e.example:443|(none)|(none)");
    row("", "(none)|(none)|(none)|(none)");
    row("-", "(none)|(none)|(none)|(none)");
    row("\\x16\\x03\\x01\\x02\\x00", "(none)|(none)|(none)|(none)");
    row("hello world", "(none)|(none)|(none)|(none)");
    row("GET /\\x22\\x5Cx\\xE4 HTTP/1.1", "GET|/\"\\x\xE4|(none)|(none)");
    row("GET", "(none)|(none)|(none)|(none)");
    row("GET  HTTP/1.1", "(none)|(none)|(none)|(none)");
}

void TestLogReader::splitsRequests()
{
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, expected);
    std::string line = combined(request.toStdString());
    line.pop_back();
    const std::string got
        = readLine(line, formatted("nginx-combined"), {"method", "path", "query", "host"});
    QCOMPARE(QByteArray::fromStdString(got.substr(got.find('|') + 1)), expected);
}

void TestLogReader::readsTimes_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    const auto row
        = [](const char* name, const char* format, const char* line, const char* expected) {
              QTest::newRow(name) << QByteArray(format) << QByteArray(line) << QByteArray(expected);
          };
    constexpr const char* kLocal = "$remote_addr [$time_local] $request_time $status";
    row("end minus duration", kLocal, "a [28/Nov/2026:10:00:00 +0000] 0.250 200",
        "1 1795859999750000000 1795860000000000000 250000000 1000000000");
    row("no duration", kLocal, "a [28/Nov/2026:10:00:00 +0000] - 200",
        "1 1795860000000000000 1795860000000000000 -1 1000000000");
    row("zone", kLocal, "a [28/NOV/2026:15:30:00 +0530] 0 200",
        "1 1795860000000000000 1795860000000000000 0 1000000000");
    row("no such day", kLocal, "a [31/Nov/2026:10:00:00 +0000] 0 200", "1 bad-time");
    row("before 1970", kLocal, "a [31/Dec/1969:23:59:59 +0000] 0 200", "1 bad-time");
    row("after 2200", kLocal, "a [01/Jan/2201:00:00:00 +0000] 0 200", "1 bad-time");
    row("leap day", kLocal, "a [29/Feb/2000:00:00:00 +0000] 0 200",
        "1 951782400000000000 951782400000000000 0 1000000000");
    row("second 61", kLocal, "a [28/Nov/2026:10:00:61 +0000] 0 200", "1 bad-time");
    constexpr const char* kMsec = "$remote_addr $msec $request_time $status";
    row("msec", kMsec, "a 1795860000.123 0.001 200",
        "1 1795860000122000000 1795860000123000000 1000000 0");
    row("msec that a double would bend", kMsec, "a 1795860000.001 1.999 200",
        "1 1795859998002000000 1795860000001000000 1999000000 0");
    row("msec 19 digits", kMsec, "a 1795860000123456789 0 200",
        "1 1795860000123456789 1795860000123456789 0 0");
    row("no msec", kMsec, "a - 0.1 200", "1 bad-time");
    constexpr const char* kIso = "$remote_addr $time_iso8601 $status";
    row("iso", kIso, "a 2026-11-28T11:00:00+01:00 200",
        "1 1795860000000000000 1795860000000000000 -1 1000000000");
    row("iso, long fraction", kIso, "a 2026-11-28T10:00:00.12345678999Z 200",
        "1 1795860000123456789 1795860000123456789 -1 0");
    row("iso, no such month", kIso, "a 2026-13-28T10:00:00Z 200", "1 bad-time");
    row("status", kIso, "a 2026-11-28T10:00:00Z 2x0", "1 no-match");
    row("free text for a client", "[$remote_addr] $time_iso8601 $status",
        "[edge id=1] 2026-11-28T10:00:00Z 200", "1 no-client");
}

void TestLogReader::readsTimes()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(
                 readLine(line.toStdString(), formatted(format.toStdString()), {})),
             expected);
}

void TestLogReader::readsNeutralLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* line, const char* expected) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(expected);
    };
    // line, then client_ip, path, status, extra, duration
    row(R"({"time_ns": 1, "client_ip": "192.0.2.1", "path": "/a?b", "status": 200, "extra": 7})",
        "1 1 1 -1 0|192.0.2.1|/a?b|200|7|(none)");
    row(R"({"time_ns":-5,"duration_ns":0})", "1 -5 -5 0 0|(none)|(none)|(none)|(none)|0");
    row(R"({"time":"2026-11-28T10:00:00.5Z"})",
        "1 1795860000500000000 1795860000500000000 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":7,"time":"2026-11-28T10:00:00Z"})",
        "1 7 7 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time":"2026-11-28T10:00:00"})", "1 bad-time");
    row(R"({"time":"1677-09-21T00:12:43.145224192Z"})",
        "1 -9223372036854775808 -9223372036854775808 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time":"1677-09-21T00:12:43.145224191Z"})", "1 bad-time");
    row(R"({"time":"2262-04-11T23:47:16.854775808Z"})", "1 bad-time");
    row(R"({"time_ns":1.0})", "1 bad-time");
    row(R"({"time_ns":"1"})", "1 bad-time");
    row(R"({"time_ns":9223372036854775807})",
        "1 9223372036854775807 9223372036854775807 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":9223372036854775808})", "1 bad-time");
    row(R"({"time_ns":1,"duration_ns":-1,"extra":null})",
        "1 1 1 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":1,"extra":1.5,"path":true,"status":[1,{"a":"]"}]})",
        "1 1 1 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":1,"extra":"","status":0})", "1 1 1 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":1,"extra":"\\xFF\\\\x\u00e9\ud83d\ude00\\q\n"})",
        "1 1 1 -1 0|(none)|(none)|(none)|\xFF\\x\xC3\xA9\xF0\x9F\x98\x80\\q\n|(none)");
    row(R"({"time_ns":3,"stamp_ns":2,"resolution_ns":1000000000,"logged_ns":9})",
        "1 3 2 -1 1000000000|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":3,"logged_ns":9,"file":1,"line":5})",
        "1 3 9 -1 0|(none)|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":1,"client_ip":"free text"})", "1 no-client");
    row(R"({"time_ns":1,"client_ip":" unknown "})",
        "1 1 1 -1 0|unknown|(none)|(none)|(none)|(none)");
    row(R"({"time_ns":1} x)", "1 not-json");
    row(R"({"time_ns":1}{"time_ns":2})", "1 not-json");
    row(R"({"time_ns":1,"a":1,"a":2})", "1 not-json");
    row(R"({"time_ns":1,"a":"\q"})", "1 not-json");
    row(R"({"time_ns":1,"a":"\ud800"})", "1 not-json");
    row(R"({"time_ns":01})", "1 not-json");
    row(R"({"time_ns":1,})", "1 not-json");
    row(R"([{"time_ns":1}])", "1 not-json");
    row("{\"time_ns\":1,\"a\":\"\t\"}", "1 not-json");
    row(R"({"time_ns":1,"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]})",
        "1 not-json");
}

void TestLogReader::readsNeutralLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    const std::string got = readLine(line.toStdString(), formatted("weir"),
                                     {"client_ip", "path", "status", "extra", "duration"});
    QCOMPARE(QByteArray::fromStdString(got), expected);
}

void TestLogReader::writesWhatItReads()
{
    const Folder folder;
    std::string bytes;
    for (int c = 1; c < 256; ++c) {
        bytes += static_cast<char>(c);
    }
    bytes += "\\x41\\\\ \xE2\x82\xAC \xED\xA0\x80 \xF4\x90\x80\x80 \xC0\xAF";
    const std::vector<std::string> fields {"client_ip", "path", "status", "bytes", "odd \"name"};
    const std::vector<std::string_view> values {"192.0.2.1", bytes, "200", "007", "x"};
    engine::Request request;
    request.timeNs = -7;
    request.stampNs = 1'000'000'000;
    request.durationNs = 1'500'000;
    request.resolutionNs = 1'000'000'000;
    request.file = 2;
    request.line = 9;
    const NeutralWriter writer(fields);
    std::string line;
    writer.append(request, values.data(), line);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), std::ptrdiff_t {1});
    const std::string path = folder.write("a.jsonl", line);
    auto reader = LogReader::open(path, {});
    QVERIFY(reader.has_value());
    QCOMPARE((*reader)->format().name(), std::string("weir"));
    (*reader)->selectFields(fields);
    LogBlock block;
    QVERIFY((*reader)->readBlock(block).value());
    (*reader)->parse(block);
    QCOMPARE(block.batch.requests.size(), std::size_t {1});
    const auto& got = block.batch.requests.front();
    QCOMPARE(got.timeNs, request.timeNs);
    QCOMPARE(got.stampNs, request.stampNs);
    QCOMPARE(got.durationNs, request.durationNs);
    QCOMPARE(got.resolutionNs, request.resolutionNs);
    QCOMPARE(got.originalFile, std::uint32_t {2});
    QCOMPARE(got.originalLine, std::uint64_t {9});
    for (std::size_t i = 0; i < values.size(); ++i) {
        QVERIFY2(block.batch.valuesOf(0)[i] == values[i], fields[i].c_str());
    }
    // Writing what was read gives the same bytes again.
    std::string again;
    writer.append(got, block.batch.valuesOf(0), again);
    QCOMPARE(again, line);
}

void TestLogReader::readsFormatTexts()
{
    const std::string directive
        = "log_format api escape=json '{\"t\":\"$msec\",\"ip\":\"$remote_addr\",' "
          "'\"rq\":\"$request\",\"key\":\"$http_x_api_key\",\"s\":$status}';";
    QCOMPARE(
        readLine(
            R"({"t":"1795860000.5","ip":"192.0.2.1","rq":"GET /\"q\" HTTP/1.1","key":"k\u00e9","s":200})",
            formatted(directive), {"path", "api_key", "status"}),
        std::string("1 1795860000500000000 1795860000500000000 -1 0|/\"q\"|k\xC3\xA9|200"));
    QCOMPARE(
        readLine(
            "2001:db8::1:443 2026-11-28T10:00:00Z https e.example/a?b 200",
            formatted("$remote_addr:$remote_port $time_iso8601 $scheme $host$request_uri $status"),
            {"client_ip", "remote_port", "host", "path", "query", "scheme"}),
        std::string("1 1795860000000000000 1795860000000000000 -1 "
                    "1000000000|2001:db8::1|443|e.example|/a|b|https"));
    QCOMPARE(
        readLine("10.0.0.1, 192.0.2.7 1795860000 GET /x y 200",
                 formatted("$http_x_forwarded_for $msec $request_method $uri$is_args$args $status"),
                 {"client_ip", "path"}),
        std::string("1 1795860000000000000 1795860000000000000 -1 1000000000|192.0.2.7|/x y"));
    LogOptions mapped = formatted("$remote_addr $msec $status $http_x_key $upstream_response_time");
    mapped.reading.mappings = {parseMapping("api_key=http_x_key").value(),
                               parseMapping("duration=upstream_response_time").value()};
    QCOMPARE(readLine("192.0.2.1 1795860000.000 200 k1 0.5", mapped, {"api_key", "duration"}),
             std::string("1 1795859999500000000 1795860000000000000 500000000 0|k1|500000000"));
}

void TestLogReader::refusesFormatTexts_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("word");
    QTest::addRow("near name") << QByteArray("nginx-combine") << QByteArray("nginx-combined");
    QTest::addRow("side by side") << QByteArray("$remote_addr$status $msec") << QByteArray("blank");
    QTest::addRow("no name") << QByteArray("$ $msec") << QByteArray("log_format");
    QTest::addRow("apache") << QByteArray("%h %l %y %t") << QByteArray("LogFormat");
}

void TestLogReader::refusesFormatTexts()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, word);
    const auto made = logFormat(format.toStdString());
    QVERIFY(!made.has_value());
    QCOMPARE(made.error().code, std::string("log.format"));
    QVERIFY2(made.error().help.find(word.toStdString()) != std::string::npos,
             made.error().help.c_str());
}

void TestLogReader::detects()
{
    const auto nameOf
        = [](const std::string& head) { return detectLogFormat(head).value().format->name(); };
    std::string line = combined("GET / HTTP/1.1");
    QCOMPARE(nameOf(line), std::string("nginx-combined"));
    line.pop_back();
    QCOMPARE(nameOf(line + " \"192.0.2.9\"\n"), std::string("nginx-main"));
    QCOMPARE(
        nameOf(
            R"({"time":"2026-11-28T10:00:00Z","remote_addr":"192.0.2.1","request":"GET / HTTP/1.1"})"),
        std::string("nginx-json"));
    QCOMPARE(nameOf(R"({"time":"2026-11-28T10:00:00Z","uri":"/a"})"), std::string("json"));
    QCOMPARE(nameOf(R"({"time":"2026-11-28T10:00:00Z","client_ip":"192.0.2.1","path":"/a"})"),
             std::string("weir"));
    QCOMPARE(nameOf(R"({"time_ns":1,"client_ip":"192.0.2.1"})"), std::string("weir"));
    QCOMPARE(detectLogFormat("").value().lines, std::uint64_t {0});
    const auto mixed = detectLogFormat(combined("GET / HTTP/1.1") + "junk\n");
    QCOMPARE(mixed->percent(), 50);
    QVERIFY(mixed->notes.size() >= 2);
    FormatOptions mapped;
    mapped.mappings = {parseMapping("time=$t0").value(), parseMapping("duration=$rt:ms").value()};
    const auto other = detectLogFormat(combined("GET / HTTP/1.1"), mapped);
    QVERIFY(!other.has_value());
    QCOMPARE(other.error().code, std::string("log.map"));
    QCOMPARE(detectLogFormat("t0=2026-11-28T10:00:01Z method=GET path=/ rt=5\n", mapped)
                 .value()
                 .format->name(),
             std::string("logfmt"));
}

/// One bad line among neutral ones must not turn them into `json`, which reads other times.
void TestLogReader::keepsNeutralDespiteBadLines()
{
    const std::string good
        = R"({"time_ns":1795860000000000007,"time":"2026-11-28T09:00:00Z","client_ip":"192.0.2.1","path":"/a"})"
          "\n";
    const std::string twice
        = R"({"time_ns":1795860000000000007,"time":"2026-11-28T09:00:00Z","client_ip":"192.0.2.1","path":"/a","path":"/b"})"
          "\n";
    const auto nameOf = [](const std::string& head) {
        const auto found = detectLogFormat(head);
        return found ? found->format->name() : found.error().code;
    };
    std::string head = twice;
    for (int i = 0; i < 20; ++i) {
        head += good;
    }
    QCOMPARE(nameOf(head), std::string("weir"));
    const auto found = detectLogFormat(head);
    QCOMPARE(found->fit, std::uint64_t {20});
    QVERIFY(
        std::find(found->notes.begin(), found->notes.end(), "1 of the first 21 lines do not fit")
        != found->notes.end());
    QCOMPARE(nameOf(good + twice), std::string("weir")); // half of them
    QCOMPARE(nameOf(good + twice + twice), std::string("json"));
    // A time alone is no neutral line: Traefik's, and what is no access log at all.
    QCOMPARE(
        nameOf(
            R"({"ClientAddr":"192.0.2.1:5000","Duration":1500,"RequestMethod":"GET","RequestPath":"/","StartUTC":"2023-11-28T10:00:00.1Z","time":"2023-11-28T10:00:00Z"})")
            == "weir",
        false);
    QCOMPARE(nameOf(R"({"level":"info","time":"2023-11-28T10:00:00Z"})"),
             std::string("log.unknown-format"));
    QCOMPARE(nameOf(R"({"time":"2023-11-28T10:00:00Z","duration_ns":5})"), std::string("weir"));
}

/// Lines that end with CR alone are one line for everybody else: a reject, no request of the first.
void TestLogReader::refusesLinesThatEndWithReturns()
{
    const Folder folder;
    std::string text;
    for (int i = 0; i < 50; ++i) {
        text += combined("GET /more HTTP/1.1");
    }
    std::replace(text.begin(), text.end(), '\n', '\r');
    const std::string whole = combined("GET /whole HTTP/1.1");
    for (const std::vector<std::string>& fields :
         {std::vector<std::string> {}, {"path", "user_agent"}}) {
        const Read read = readAll(folder.write("cr.log", whole + text), {}, fields);
        QCOMPARE(read.report.requests, std::uint64_t {1});
        QCOMPARE(read.report.rejected, std::uint64_t {1});
        QCOMPARE(read.report.reasons.at("no-match").count, std::uint64_t {1});
    }
    std::string crlf = whole;
    crlf.insert(crlf.size() - 1, "\r\r");
    QCOMPARE(readAll(folder.write("crcrlf.log", crlf), {}, {}).report.requests, std::uint64_t {1});
}

void TestLogReader::countsBlankLinesOfTheNeutralFormat()
{
    const Folder folder;
    const Read neutral
        = readAll(folder.write("a.jsonl", "{\"time_ns\":1}\n\n \t\r\n{\"time_ns\":2}\n"), {}, {});
    QCOMPARE(neutral.report.requests, std::uint64_t {2});
    QCOMPARE(neutral.report.blankLines, std::uint64_t {0});
    QCOMPARE(neutral.report.reasons.at("blank-line").count, std::uint64_t {2});
    QCOMPARE(neutral.report.lines, std::uint64_t {4});
    const Read other = readAll(folder.write("a.log", combined("GET / HTTP/1.1") + "\n\n"), {}, {});
    QCOMPARE(other.report.blankLines, std::uint64_t {2});
    QCOMPARE(other.report.rejected, std::uint64_t {0});
}

void TestLogReader::readsExponentsOfJson_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* members, const char* expected) {
        QTest::newRow(members) << QByteArray(members) << QByteArray(expected);
    };
    // stamp, duration in ns
    row(R"("time":1795860000.5,"duration":5e-7)", "1795860000500000000 500");
    row(R"("time":1795860000.5,"duration":1.5e0)", "1795860000500000000 1500000000");
    row(R"("time":1795860000.5,"duration":12.34E+1)", "1795860000500000000 123400000000");
    row(R"("time":1795860000.5,"duration":0e0)", "1795860000500000000 0");
    row(R"("time":1795860000.5,"duration":1e-10)", "1795860000500000000 0");
    row(R"("time":1795860000.5,"duration":5e-2000)", "1795860000500000000 -1");
    row(R"("time":1795860000.5,"duration":5e40)", "1795860000500000000 -1");
    row(R"("time":1795860000.5,"duration":-5e-7)", "1795860000500000000 -1");
    row(R"("time":1.7958600005e9)", "1795860000500000000 -1");
    row(R"("time":1.795860000123456789e9)", "1795860000123456789 -1");
    row(R"("time":1.79586e9)", "1795860000000000000 -1");
    row(R"("time":1.79586e99)", "bad-time");
}

void TestLogReader::readsExponentsOfJson()
{
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, expected);
    const Folder folder;
    const std::string line
        = "{" + members.toStdString() + R"(,"remote_addr":"192.0.2.1","uri":"/a"})" + "\n";
    auto reader = LogReader::open(folder.write("a.jsonl", line), formatted("json"));
    (*reader)->selectFields({});
    LogBlock block;
    QVERIFY((*reader)->readBlock(block).value());
    (*reader)->parse(block);
    const std::string got = block.batch.requests.empty()
        ? std::string(block.rejects.at(0).reason)
        : std::to_string(block.batch.requests[0].stampNs) + " "
            + std::to_string(block.batch.requests[0].durationNs);
    QCOMPARE(QByteArray::fromStdString(got), expected);
}

/// Characters that are invisible or turn a text's direction are written as bytes, and read back.
void TestLogReader::writesNothingUnseen()
{
    std::string text;
    appendNeutralText("\xE2\x80\xAE\xE2\x80\x8B\xE2\x81\xA9\xEF\xBB\xBF\xD8\x9C\xC2\x85", text);
    QCOMPARE(QByteArray::fromStdString(text),
             QByteArray(R"(\\xE2\\x80\\xAE\\xE2\\x80\\x8B\\xE2\\x81\\xA9\\xEF\\xBB\\xBF)"
                        R"(\\xD8\\x9C\\xC2\\x85)"));
    const std::string neighbours = "\xE2\x80\x8A\xE2\x80\x90\xE2\x80\xA7\xE2\x80\xAF\xE2\x81\x9F"
                                   "\xE2\x81\xAA\xEF\xBB\xBE\xD8\x9B";
    text.clear();
    appendNeutralText(neighbours, text);
    QCOMPARE(text, neighbours);
    QCOMPARE(readLine(R"({"time_ns":1,"extra":"\\xE2\\x80\\xAE"})", formatted("weir"), {"extra"}),
             std::string("1 1 1 -1 0|\xE2\x80\xAE"));
}

void TestLogReader::saysThatAnUnknownLogIsDamaged()
{
    const Folder folder;
    std::string prose;
    for (int i = 0; i < 400; ++i) {
        prose += "line " + std::to_string(i * 7919) + " is of no format\n";
    }
    const std::string packed = gzipped(folder, prose);
    const auto whole = LogReader::open(folder.write("whole.gz", packed), {});
    QVERIFY(!whole && whole.error().message.find("damaged") == std::string::npos);
    const auto cut
        = LogReader::open(folder.write("cut.gz", packed.substr(0, packed.size() / 2)), {});
    QVERIFY(!cut);
    QCOMPARE(cut.error().code, std::string("log.unknown-format"));
    QVERIFY2(cut.error().message.find("damaged") != std::string::npos, cut.error().message.c_str());
}

void TestLogReader::findsFieldsOfJson()
{
    const Folder folder;
    std::string text;
    for (int i = 0; i < 1'200; ++i) {
        text
            += R"({"time":1795860000.5,"remote_addr":"192.0.2.1","uri":"/a","tenant":"t","geo":{"country":"DE"})"
            + std::string(i == 1'100 ? R"(,"rare":"r"})" : "}") + "\n";
    }
    auto reader = LogReader::open(folder.write("a.jsonl", text), {});
    const auto has = [&](const char* name) {
        const auto& fields = (*reader)->allFields();
        return std::find(fields.begin(), fields.end(), name) != fields.end();
    };
    QVERIFY(has("tenant") && has("geo.country") && has("client_ip") && !has("remote_addr")
            && !has("rare"));
    QVERIFY((*reader)->discoverFields().has_value());
    QVERIFY(has("rare"));
    (*reader)->selectFields({"geo.country", "rare"});
    LogBlock block;
    QVERIFY((*reader)->readBlock(block).value());
    (*reader)->parse(block);
    QCOMPARE(block.filled, (std::vector<std::uint64_t> {1'200, 1}));
}

/// Names that are data do not grow what a reader keeps, and nothing is left out in silence.
void TestLogReader::listsSoManyFieldsAndNoMore()
{
    const Folder folder;
    std::string text;
    for (int i = 0; i < 3'000; ++i) {
        text += R"({"time":1795860000.5,"uri":"/a","flags":{"u)" + std::to_string(i) + "\":1}}\n";
    }
    const std::string longName(2'000, 'n');
    text += R"({"time":1795860000.5,"uri":"/a",")" + longName + "\":1}\n";
    auto reader = LogReader::open(folder.write("a.jsonl", text), {});
    QVERIFY((*reader)->discoverFields().has_value());
    const std::size_t most = FieldNames::kMost;
    QCOMPARE((*reader)->allFields().size(), most);
    const std::size_t builtIn = (*reader)->format().fields().size();
    QCOMPARE((*reader)->fieldsLeftOut(), 3'001 - (most - builtIn));
    QVERIFY((*reader)->fieldsNote().find("1024") != std::string::npos);
    QVERIFY((*reader)->discoverFields().has_value()); // the same lines are not counted again
    QCOMPARE((*reader)->fieldsLeftOut(), 3'001 - (most - builtIn));
    // What is not listed is read where it is named, and all fields give the same requests.
    auto fields = (*reader)->allFields();
    fields.emplace_back("flags.u2999");
    (*reader)->selectFields(fields);
    std::uint64_t requests = 0;
    std::uint64_t blocks = 0;
    LogBlock block;
    for (; (*reader)->readBlock(block).value(); ++blocks) {
        (*reader)->parse(block);
        (*reader)->note(block);
        requests += block.batch.requests.size();
    }
    QCOMPARE(requests, std::uint64_t {3'001});
    QCOMPARE((*reader)->report().filled.back(), std::uint64_t {1});
    QVERIFY(blocks > 1);
    auto few = LogReader::open(folder.path("a.jsonl"), {});
    QVERIFY((*few)->fieldsLeftOut() == 0 && (*few)->fieldsNote().empty());
}

void TestLogReader::countsNulsBeforeLines()
{
    const Folder folder;
    const std::string line = combined("GET / HTTP/1.1");
    const std::string nuls(300, '\0');
    auto reader = LogReader::open(folder.write("a.log", nuls + line + line + nuls + "\n"), {});
    LogBlock block;
    QVERIFY((*reader)->readBlock(block).value());
    (*reader)->parse(block);
    (*reader)->note(block);
    QCOMPARE((*reader)->report().requests, std::uint64_t {2});
    QCOMPARE((*reader)->report().linesBehindNuls, std::uint64_t {2});
}

void TestLogReader::readsASecondTime()
{
    const Folder folder;
    const std::string path = folder.write("a.log", manyLines(500));
    auto reader = LogReader::open(path, {});
    (*reader)->selectFields({"path"});
    const auto pass = [&] {
        LogBlock block;
        while ((*reader)->readBlock(block).value()) {
            (*reader)->parse(block);
            (*reader)->note(block);
        }
        return (*reader)->report().requests;
    };
    const auto first = pass();
    const auto fingerprint = (*reader)->source().fingerprint();
    QVERIFY((*reader)->reopen().has_value());
    QCOMPARE(pass(), first);
    QVERIFY((*reader)->source().fingerprint() == fingerprint);
    QVERIFY((*reader)->hasCoarseStamps());
    std::ofstream(path, std::ios::app) << combined("GET /more HTTP/1.1");
    QVERIFY((*reader)->reopen().has_value());
    QCOMPARE(pass(), first); // as many bytes as there were when it was opened
}

/// A pipe that stalls ends when it is stopped; what came before counts, and is not called damaged.
void TestLogReader::stopsWhileAPipeStalls()
{
    const Folder folder;
    std::string text; // fits in the pipe
    for (int i = 0; i < 20; ++i) {
        text += combined("GET /" + std::to_string(i * 7919) + " HTTP/1.1");
    }
    const Read plain = readAll(folder.write("plain.log", text), {}, {"path"});
    const std::string packed = gzipped(folder, text);
    const std::string half = packed.substr(0, packed.size() / 2);
    for (const std::string& bytes : {text, packed, half}) {
        const std::string fifo = folder.path("stalled");
        ::unlink(fifo.c_str());
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        const int held = ::open(fifo.c_str(), O_RDWR); // never closed before the reader ends
        QVERIFY(held >= 0);
        QCOMPARE(::write(held, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        std::atomic<bool> stop {false};
        LogOptions options;
        options.stop = &stop;
        std::atomic<bool> done {false};
        Read read;
        std::thread reading([&] {
            read = readAll(fifo, options, {"path"});
            done = true;
        });
        for (int left = 1; left > 0 && !done;) { // until all of it was taken
            QCOMPARE(::ioctl(held, FIONREAD, &left), 0);
            std::this_thread::yield();
        }
        const bool waited = !done;
        stop = true;
        reading.join();
        ::close(held);
        QVERIFY(waited);
        QVERIFY(bytes == half || read.lines == plain.lines);
        QVERIFY2(read.failure.empty(), read.failure.c_str());
        QVERIFY(read.warnings.empty() && !read.partial);
    }
    // A file is read to its end all the same; only the look for fields ends early.
    std::atomic<bool> stop {true};
    LogOptions options;
    options.stop = &stop;
    options.blockBytes = 100;
    std::string json;
    for (int i = 0; i < 1'200; ++i) {
        json += R"({"time":1795860000.5,"remote_addr":"192.0.2.1","uri":"/a")"
            + std::string(i == 1'100 ? R"(,"rare":"r"})" : "}") + "\n";
    }
    auto reader = LogReader::open(folder.write("a.jsonl", json), options);
    QVERIFY((*reader)->discoverFields().has_value());
    const auto& fields = (*reader)->allFields();
    QVERIFY(std::find(fields.begin(), fields.end(), "rare") == fields.end());
    QCOMPARE(readAll(folder.path("a.jsonl"), options, {}).report.requests, std::uint64_t {1'200});
}

/// A log that grew since: only the bytes of then, by the fingerprint of then.
void TestLogReader::readsWhatALogWas()
{
    const Folder folder;
    const std::string old = manyLines(300);
    const std::string path = folder.write("a.log", old);
    const auto before = fingerprintFile(path);
    const Read whole = readAll(path, {}, {"path"});
    QCOMPARE(before->bytes, old.size());
    std::ofstream(path, std::ios::app) << combined("GET /more HTTP/1.1");
    const auto grown = fingerprintFile(path);
    QVERIFY(!(grown->fingerprint == before->fingerprint));
    const auto then = fingerprintFile(path, before->bytes);
    QVERIFY(then->fingerprint == before->fingerprint);
    QCOMPARE(then->bytes, grown->bytes);
    LogOptions options;
    options.storedBytes = before->bytes;
    QVERIFY(readAll(path, options, {"path"}).lines == whole.lines);
    auto reader = LogReader::open(path, options);
    QCOMPARE((*reader)->source().bytesTotal(), before->bytes);

    folder.write("a.log", old.substr(0, old.size() / 2));
    const auto shorter = fingerprintFile(path, before->bytes);
    QVERIFY(!shorter);
    QCOMPARE(shorter.error().code, std::string("log.short"));
    const Read half = readAll(path, options, {"path"});
    QVERIFY(half.failure.empty() && half.partial);
    QCOMPARE(half.warnings, std::vector<std::string> {"log.shrunk"});
}

QTEST_APPLESS_MAIN(TestLogReader)
#include "tst_log_reader.moc"
