#include "storage/log_reader.h"
#include "storage/logs/syslog_head.h"
#include "storage/logs/unwrap.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <random>

using namespace storage;

/// Lines inside of what a container runtime, syslog, the journal or kubectl put around them.
class TestWrappers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesHeadsOff_data();
    void takesHeadsOff();
    void leavesOtherLinesAlone_data();
    void leavesOtherLinesAlone();
    void readsWrappedLines_data();
    void readsWrappedLines();
    void readsWrappedAndPlainLinesInTurn();
    void joinsPiecesOfEachStream();
    void joinsWhatEndsWithoutANewline();
    void doesNotDependOnBlockSizes();
    void joinsAnyFragmentation();
    void countsPiecesWithoutTheirEnd();
    void countsJoinedLinesThatAreTooLong();
    void givesUpAPieceThatWaitsTooLong();
    void takesObjectsWithoutLineEndsAsWhole();
    void readsHeaderLinesInside();
    void usesTheOuterTimeWhereThereIsNoOther();
    void usesTheOuterTimeForEachKindOfLine_data();
    void usesTheOuterTimeForEachKindOfLine();
};

namespace {

const std::string kLine
    = R"(192.0.2.7 - - [19/Jan/2019:23:08:15 +0000] "GET /w HTTP/1.1" 200 612 "-" "curl/7")";

/// What a log gives: a line of text for each request and each line that is none, in order.
struct Read {
    std::vector<std::string> lines;
    LogReport report;
    Detection detection;
    std::string failure;
};

class Folder {
public:
    std::string write(const std::string& bytes) const
    {
        const std::string path = m_folder.filePath(QStringLiteral("a.log")).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

private:
    QTemporaryDir m_folder;
};

Read readAll(const std::string& bytes, const std::string& format = "nginx-combined",
             std::size_t blockBytes = 1 << 20)
{
    const Folder folder;
    LogOptions options;
    options.format = format;
    options.blockBytes = blockBytes;
    Read read;
    auto reader = LogReader::open(folder.write(bytes), options);
    if (!reader) {
        read.failure = reader.error().code;
        return read;
    }
    const std::vector<std::string> fields {"client_ip", "method", "path", "status", "user_agent"};
    (*reader)->selectFields(fields);
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        (*reader)->note(block);
        std::vector<std::pair<std::uint64_t, std::string>> texts;
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const auto& request = block.batch.requests[i];
            std::string text = std::to_string(request.line) + " " + std::to_string(request.timeNs)
                + " " + std::to_string(request.resolutionNs);
            for (std::size_t f = 0; f < fields.size(); ++f) {
                text += "|" + std::string(block.batch.valuesOf(i)[f]);
            }
            read.lines.push_back(text);
        }
        for (const LineReject& rejected : block.rejects) {
            read.lines.push_back(std::to_string(rejected.line) + " " + std::string(rejected.reason)
                                 + " " + rejected.text.substr(0, 60));
        }
    }
    read.report = (*reader)->report();
    read.detection = (*reader)->detection();
    return read;
}

/// The first line of what a log gives, or why it cannot be read.
std::string firstOf(const std::string& bytes, const std::string& format = "nginx-combined")
{
    const Read read = readAll(bytes, format);
    return read.lines.empty() ? read.failure : read.lines.front();
}

std::string jsonText(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        out += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '\n' ? "\\n" : std::string(1, c);
    }
    return out;
}

std::string docker(const std::string& text, const std::string& stream = "stdout")
{
    return R"({"log":")" + jsonText(text) + R"(","stream":")" + stream
        + R"(","time":"2019-01-19T23:08:15.210102861Z"})" + "\n";
}

std::string cri(const std::string& text, const std::string& tag = "F",
                const std::string& stream = "stdout")
{
    return "2019-01-20T00:08:15.210102861+01:00 " + stream + " " + tag + " " + text + "\n";
}

std::string byteList(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        out += (out.empty() ? "" : ",") + std::to_string(static_cast<unsigned char>(c));
    }
    return "[" + out + "]";
}

/// A line of its own for each number.
std::string access(int number, std::size_t agentBytes = 6)
{
    return "192.0.2." + std::to_string(number % 250) + " - - [19/Jan/2019:23:08:15 +0000] \"GET /"
        + std::to_string(number) + "?q=\\x22 HTTP/1.1\" 200 612 \"-\" \""
        + std::string(agentBytes, 'a') + "\"";
}

} // namespace

void TestWrappers::takesHeadsOff_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QByteArray>("time");
    const auto row = [](const char* head, const char* time) {
        QTest::newRow(head) << QByteArray(head) << QByteArray(time);
    };
    row("<190>Feb  6 12:14:14 web1 nginx: ", "Feb  6 12:14:14");
    row("Feb  6 12:14:14 web1 nginx: ", "Feb  6 12:14:14");
    row("Feb 16 12:14:14 web1 nginx[14389]: ", "Feb 16 12:14:14");
    row("feb 6 12:14:14 web1 nginx[14389]:   ", "feb 6 12:14:14");
    row("Feb  6 12:14:14 nginx[14389]: ", "Feb  6 12:14:14");
    row("Feb  6 12:14:14 192.0.2.1 docker/web.1[7]: ", "Feb  6 12:14:14");
    row("Feb  6 12:14:14 2001:db8::1 nginx: ", "Feb  6 12:14:14");
    row("Feb  6 12:14:14.123456 web1 nginx[1]: ", "Feb  6 12:14:14.123456");
    row("Feb  6 2009 12:14:14 web1 nginx: ", "Feb  6 2009 12:14:14");
    row("2009 Feb  6 12:14:14 web1 nginx: ", "2009 Feb  6 12:14:14");
    row("<13>web1 nginx: ", "");
    row("<134>2019-05-02T15:20:06Z cache-fra19123 logs[123456]: ", "2019-05-02T15:20:06Z");
    row("2019-05-02T15:20:06.123456+02:00 web1 nginx[7]: ", "2019-05-02T15:20:06.123456+02:00");
    row("2019-05-02T15:20:06+0200 web1 nginx[7]: ", "2019-05-02T15:20:06+0200");
    row("2019-05-02 15:20:06,123 web1 nginx: ", "2019-05-02 15:20:06,123");
    row("2019-05-02 15:20:06 +0200 web1 nginx: ", "2019-05-02 15:20:06 +0200");
    row("1556810406.123456 web1 nginx[7]: ", "1556810406.123456");
    row("Thu 2019-05-02 15:20:06 UTC web1 nginx[7]: ", "2019-05-02 15:20:06");
    row("Thu 2019-05-02 15:20:06 CEST web1 nginx[7]: ", "");
    row("<165>1 2019-05-02T15:20:06.003Z web1 nginx 8710 - - ", "2019-05-02T15:20:06.003Z");
    row("<165>1 2019-05-02T15:20:06.003Z web1 nginx - ID47 [a@32473 iut=\"3\" x=\"a\\\"]b\"][b@1] ",
        "2019-05-02T15:20:06.003Z");
    row("<165>1 2019-05-02T15:20:06.003Z web1 nginx - - [x p=\"C:\\\\\" q=\"\\\\\\\"]\"] ",
        "2019-05-02T15:20:06.003Z");
    row("<165>1 - - nginx - - - \xEF\xBB\xBF", "");
    row("1 2019-05-02T15:20:06Z web1 nginx - - - ", "2019-05-02T15:20:06Z");
    row("2019-05-02T15:20:06Z ", "2019-05-02T15:20:06Z"); // docker logs -t
}

void TestWrappers::takesHeadsOff()
{
    QFETCH(QByteArray, head);
    QFETCH(QByteArray, time);
    const std::string line = head.toStdString() + kLine;
    logs::SyslogHead read;
    QVERIFY(logs::readSyslogHead(line, read));
    QCOMPARE(std::string(read.message), kLine);
    QCOMPARE(std::string(read.time), time.toStdString());
}

void TestWrappers::leavesOtherLinesAlone_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row
        = [](const char* name, const char* line) { QTest::newRow(name) << QByteArray(line); };
    row("combined", kLine.c_str());
    row("envoy",
        R"([2019-04-23T11:02:56.481Z] "GET / HTTP/1.1" 200 - 0 5 3 2 "-" "-" "-" "-" "-")");
    row("alb", "https 2021-03-16T20:20:00.135052Z app/lb-b/0123 192.0.2.33:50599 10.0.0.5:80 0.0");
    row("json", R"({"time":"2019-01-19T23:08:15Z","path":"/","status":200})");
    row("log alone", R"({"log":"a\n"})");
    row("message alone", R"({"message":"a"})");
    row("squid", "1547939295.210    123 192.0.2.1 TCP_MISS/200 1 GET http://e.example/ - D/- -");
    row("month", "Marching on");
    row("priority", "<1234>a");
    row("address list", "fe80:: - - x");
    row("pipe", "| a");
    row("a number", "7");
    row("octets without a priority", "12 <a>b");
    row("iis", "192.0.2.1, -, 03/20/01, 7:55:20, W3SVC2, SERVER, 192.0.2.2, 4502");
    row("bad time", "2019-05-02T15:20 web1 nginx: a");
}

void TestWrappers::leavesOtherLinesAlone()
{
    QFETCH(QByteArray, line);
    std::string padded = line.toStdString();
    padded.append(logs::kPadding, '\0');
    logs::Arena arena;
    logs::LineScratch scratch;
    scratch.arena = &arena;
    logs::Wrapped wrapped;
    const std::string_view text(padded.data(), static_cast<std::size_t>(line.size()));
    QVERIFY(!logs::unwrap(text, {}, scratch, wrapped));
}

void TestWrappers::readsWrappedLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("wrapper");
    const auto row = [](const char* name, const std::string& line, const char* wrapper) {
        QTest::newRow(name) << QByteArray::fromStdString(line) << QByteArray(wrapper);
    };
    const char* const syslog = "a syslog head";
    const char* const stamp = "a time in front";
    const char* const prefix = "the name of a container in front";
    row("docker", docker(kLine + "\n"), "Docker's json-file");
    row("docker, CR", docker(kLine + "\r\n"), "Docker's json-file");
    row("docker, attributes",
        R"({"log":")" + jsonText(kLine) + R"(\n","stream":"stdout","attrs":{"tag":"a\n"},)"
            + R"("time":"2019-01-19T23:08:15Z"})" + "\n",
        "Docker's json-file");
    row("docker, other order",
        R"({ "stream" : "stdout", "log" : ")" + jsonText(kLine)
            + R"(\n", "kubernetes": {"pod_name": "web"} })" + "\n",
        "Docker's json-file");
    row("docker, code points", docker("X\n").replace(8, 1, "\\u0031" + jsonText(kLine.substr(1))),
        "Docker's json-file");
    row("cri", cri(kLine), "a container runtime's log (CRI)");
    row("cri, tags", cri(kLine, "F:a:b"), "a container runtime's log (CRI)");
    row("cri, error stream", cri(kLine, "F", "stderr"), "a container runtime's log (CRI)");
    row("journal",
        R"({"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1547939295210102","_COMM":"nginx","MESSAGE":")"
            + jsonText(kLine) + "\"}\n",
        "objects of the journal");
    row("journal, bytes",
        R"({"MESSAGE" : )" + byteList(kLine) + R"(,"__REALTIME_TIMESTAMP":"1547939295210102"})"
            + "\n",
        "objects of the journal");
    row("shipper",
        R"({"@timestamp":"2019-01-19T23:08:15.210Z","log":{"offset":1},"message":")"
            + jsonText(kLine) + "\"}\n",
        "objects of a log shipper");
    row("cloud",
        R"({"textPayload":")" + jsonText(kLine)
            + R"(\n","timestamp":"2019-01-19T23:08:15.210Z","resource":{"type":"container"}})"
            + "\n",
        "objects of a log shipper");
    row("syslog", "<190>Jan 19 23:08:15 web1 nginx: " + kLine + "\n", syslog);
    row("syslog, octets counted",
        "126 <190>1 2019-01-19T23:08:15.003Z web1 nginx 12 - - " + kLine + "\n", syslog);
    row("syslog, no tag", "Jan 19 23:08:15 web1 " + kLine + "\n", stamp);
    row("syslog, no host", "Jan 19 23:08:15 " + kLine + "\n", stamp);
    row("docker logs -t", "2019-01-19T23:08:15.210102861Z " + kLine + "\n", stamp);
    row("compose", "nginx_1  | " + kLine + "\n", prefix);
    row("compose, coloured", "\x1b[36;1mnginx-1  |\x1b[0m " + kLine + "\n", prefix);
    row("kubectl", "[pod/web-1/nginx] " + kLine + "\n", prefix);
    row("kubectl, times", "[pod/web-1/nginx] 2019-01-19T23:08:15.2Z " + kLine + "\n", prefix);
    row("compose, times", "nginx-1  | 2019-01-19T23:08:15.2Z " + kLine + "\n", prefix);
    row("docker behind syslog", "<13>Jan 19 23:08:15 node dockerd[7]: " + docker(kLine + "\n"),
        syslog);
    row("syslog in docker", docker("<190>Jan 19 23:08:15 web1 nginx: " + kLine + "\n"),
        "Docker's json-file");
    row("cee", "Jan 19 23:08:15 web1 nginx: @cee: " + docker(kLine + "\n"), syslog);
    row("fluentd", "2019-01-19T23:08:15+00:00\tnginx.access\t" + docker(kLine + "\n"), syslog);
}

void TestWrappers::readsWrappedLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, wrapper);
    const Read read = readAll(line.toStdString());
    QCOMPARE(read.report.requests, 1U);
    QCOMPARE(read.report.lines, 1U);
    QCOMPARE(read.lines.front(),
             std::string("1 1547939295000000000 1000000000|192.0.2.7|GET|/w|200|curl/7"));
    QCOMPARE(read.detection.wrapper, wrapper.toStdString());
    const Read found = readAll(line.toStdString(), "");
    QCOMPARE(found.lines, read.lines);
    QCOMPARE(found.detection.wrapped, 1U);
}

void TestWrappers::readsWrappedAndPlainLinesInTurn()
{
    const std::string log = access(1) + "\n" + docker(access(2) + "\n") + cri(access(3)) + "\n"
        + docker("\n") + docker("worker process 29 exited\n", "stderr")
        + "<190>Jan 19 23:08:15 web1 nginx: " + access(4) + "\r\n" + access(5) + "\n" + "junk\n";
    const Read read = readAll(log);
    QCOMPARE(read.report.lines, 9U);
    QCOMPARE(read.report.requests, 5U);
    QCOMPARE(read.report.blankLines, 2U);
    QCOMPARE(read.report.reasons.at("no-match").count, 2U);
    // A log that begins without wrappers unwraps what it cannot read otherwise.
    std::string plain;
    for (int i = 0; i < 1000; ++i) {
        plain += access(i) + "\n";
    }
    const Read late = readAll(plain + log);
    QCOMPARE(late.report.requests, 1005U);
    QVERIFY(late.detection.wrapper.empty());
}

void TestWrappers::joinsPiecesOfEachStream()
{
    const std::string out = access(1);
    const std::string err = access(2);
    const Read read = readAll(cri(out.substr(0, 20), "P") + cri(err.substr(0, 9), "P:x", "stderr")
                              + access(3) + "\n" + cri(out.substr(20, 5), "P")
                              + cri(err.substr(9), "F", "stderr") + cri(out.substr(25)));
    const std::vector<std::string> requests {
        "3 1547939295000000000 1000000000|192.0.2.3|GET|/3|200|aaaaaa",
        "5 1547939295000000000 1000000000|192.0.2.2|GET|/2|200|aaaaaa",
        "6 1547939295000000000 1000000000|192.0.2.1|GET|/1|200|aaaaaa"};
    QCOMPARE(std::vector<std::string>(read.lines.begin(), read.lines.begin() + 3), requests);
    QCOMPARE(read.report.reasons.at("partial-joined").count, 3U);
    QCOMPARE(read.report.rejected, 3U);
    QVERIFY(read.lines[3].starts_with("1 partial-joined"));
    QVERIFY(read.lines[4].starts_with("2 partial-joined"));
    QVERIFY(read.lines[5].starts_with("4 partial-joined"));
    const Read inDocker = readAll(docker(out.substr(0, 70)) + docker(err + "\n", "stderr")
                                  + docker(out.substr(70) + "\n"));
    QCOMPARE(inDocker.report.requests, 2U);
    QVERIFY(inDocker.lines[1].starts_with("3 ")); // the line that completes it
}

void TestWrappers::joinsWhatEndsWithoutANewline()
{
    std::string log = cri(access(1).substr(0, 20), "P") + cri(access(1).substr(20));
    log.pop_back();
    for (const std::size_t size : {1U, 60U, 100'000U}) {
        const Read read = readAll(log, "nginx-combined", size);
        QCOMPARE(read.report.lines, 2U);
        QCOMPARE(read.report.requests, 1U);
    }
}

namespace {

/// A log of a container as it may come: pieces of two streams, plain lines, other text.
std::string anyLog(std::mt19937& random)
{
    const auto below = [&](std::size_t limit) { return random() % limit; };
    std::array<std::string, 2> rest;
    std::string log;
    for (int i = 0; i < 120; ++i) {
        const std::size_t stream = below(2);
        const std::string name = stream == 0 ? "stdout" : "stderr";
        const bool isDocker = below(2) == 0;
        if (rest[stream].empty()) {
            rest[stream] = below(8) == 0 ? "text of no request"
                                         : access(i, below(12) == 0 ? below(40'000) : below(30));
        }
        const std::size_t size = below(3) == 0 ? below(rest[stream].size()) : rest[stream].size();
        const std::string piece = rest[stream].substr(0, size);
        rest[stream].erase(0, size);
        const bool ends = rest[stream].empty();
        log += isDocker ? docker(piece + (ends ? "\n" : ""), name)
                        : cri(piece, ends ? "F" : "P", name);
        if (below(10) == 0) {
            log += access(i) + "\n";
        }
        if (below(60) == 0) {
            log += std::string(below(80'000), 'x') + "\n";
        }
    }
    return log;
}

} // namespace

void TestWrappers::doesNotDependOnBlockSizes()
{
    const auto seed = static_cast<unsigned>(QDateTime::currentMSecsSinceEpoch());
    std::mt19937 random(seed);
    for (int round = 0; round < 12; ++round) {
        std::string log = anyLog(random);
        if (round % 2 == 0) {
            log.resize(random() % log.size() + 1);
        }
        const Read whole = readAll(log);
        QCOMPARE(whole.failure, std::string());
        for (const std::size_t size : {48U, 1'000U, 50'000U}) {
            const Read cut = readAll(log, "nginx-combined", size);
            const auto sorted = [](std::vector<std::string> lines) {
                std::sort(lines.begin(), lines.end());
                return lines;
            };
            QVERIFY2(sorted(cut.lines) == sorted(whole.lines),
                     ("seed " + std::to_string(seed) + ", block " + std::to_string(size)).c_str());
            QCOMPARE(cut.report.lines, whole.report.lines);
            const auto rejects = [](const std::vector<std::string>& lines) {
                std::vector<std::string> found;
                std::copy_if(
                    lines.begin(), lines.end(), std::back_inserter(found),
                    [](const std::string& line) { return line.find('|') == std::string::npos; });
                return found;
            };
            QCOMPARE(rejects(cut.lines), rejects(whole.lines)); // in one order, too
        }
        QCOMPARE(whole.report.lines,
                 whole.report.requests + whole.report.rejected + whole.report.blankLines);
    }
}

void TestWrappers::joinsAnyFragmentation()
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const std::string line = access(round, random() % 2000);
        std::string log;
        std::size_t pieces = 0;
        const bool isDocker = round % 2 == 0;
        for (std::size_t at = 0; at < line.size(); ++pieces) {
            const std::size_t size = 1 + random() % line.size();
            const std::string piece = line.substr(at, size);
            at += piece.size();
            const bool ends = at == line.size();
            log += isDocker ? docker(piece + (ends ? "\n" : "")) : cri(piece, ends ? "F" : "P");
            if (random() % 3 == 0) {
                log += isDocker ? docker("oops\n", "stderr") : cri("oops", "F", "stderr");
            }
        }
        log += isDocker ? docker(access(1) + "\n") : cri(access(1));
        const Read read = readAll(log);
        QCOMPARE(read.report.requests, 2U);
        const std::string expected = readAll(line + "\n").lines.front();
        const std::string got = read.lines.front();
        QCOMPARE(got.substr(got.find(' ')), expected.substr(expected.find(' ')));
        const auto joined = read.report.reasons.find("partial-joined");
        QCOMPARE(joined == read.report.reasons.end() ? 0U : joined->second.count, pieces - 1);
    }
}

void TestWrappers::countsPiecesWithoutTheirEnd()
{
    const std::string line = access(1);
    const Read read
        = readAll(cri(access(2)) + cri(line.substr(0, 20), "P") + cri(line.substr(20, 10), "P"));
    QCOMPARE(read.report.requests, 1U);
    QCOMPARE(read.report.reasons.at("truncated").count, 1U);
    QCOMPARE(read.report.reasons.at("partial-joined").count, 1U);
    QVERIFY(read.lines[1].starts_with("2 partial-joined"));
    QVERIFY(read.lines[2].starts_with("3 truncated"));
    // Complete in what matters: as a last line without a newline.
    const Read enough = readAll(cri(access(2)) + cri(line.substr(0, line.size() - 4), "P"));
    QCOMPARE(enough.report.requests, 2U);
}

void TestWrappers::countsJoinedLinesThatAreTooLong()
{
    std::string log = cri(access(1));
    for (int i = 0; i < 6; ++i) {
        log += cri(std::string(16'384, 'a'), "P");
    }
    log += cri("b", "F") + cri(access(2));
    const Read read = readAll(log);
    QCOMPARE(read.report.requests, 2U);
    QCOMPARE(read.report.reasons.at("partial-joined").count, 3U);
    QCOMPARE(read.report.reasons.at("line-too-long").count, 1U);
    QCOMPARE(read.report.reasons.at("truncated").count, 3U);
}

void TestWrappers::givesUpAPieceThatWaitsTooLong()
{
    std::string log = cri(access(1)) + cri(access(2).substr(0, 30), "P");
    for (int i = 0; i < 20; ++i) {
        log += cri(std::string(60'000, 'e'), "F", "stderr");
    }
    log += cri(access(2).substr(30)) + cri(access(3));
    const Read read = readAll(log);
    QCOMPARE(read.report.requests, 2U);
    QCOMPARE(read.report.reasons.at("truncated").count, 2U);
    QCOMPARE(read.report.reasons.at("no-match").count, 20U);
    QCOMPARE(readAll(log, "nginx-combined", 100).report.reasons.at("truncated").count, 2U);
}

void TestWrappers::takesObjectsWithoutLineEndsAsWhole()
{
    const Read read = readAll(docker(access(1)) + docker(access(2)));
    QCOMPARE(read.report.requests, 2U);
    QCOMPARE(read.report.rejected, 0U);
}

void TestWrappers::readsHeaderLinesInside()
{
    const auto w3c = logFormat("w3c");
    if (!w3c) {
        QSKIP("this version has no format with header lines");
    }
    std::string log = docker("#Fields: date time c-ip cs-method cs-uri-stem sc-status\n");
    for (int i = 0; i < 50; ++i) {
        log += docker("2022-01-01 00:01:25 192.0.2.1 GET /a 200\n");
    }
    for (const std::size_t size : {100U, 1'000'000U}) {
        const Read read = readAll(log, "w3c", size);
        QCOMPARE(read.report.requests, 50U);
        QCOMPARE(read.report.directiveLines, 1U);
    }
}

void TestWrappers::usesTheOuterTimeWhereThereIsNoOther()
{
    const std::string format = R"($remote_addr "$request" $status $request_time)";
    const std::string line = R"(192.0.2.7 "GET /w HTTP/1.1" 200 0.250)";
    const std::string ends = "|192.0.2.7|GET|/w|200|";
    QCOMPARE(firstOf(cri(line), format), "1 1547939294960102861 0" + ends);
    QCOMPARE(firstOf(docker(line + "\n"), format), "1 1547939294960102861 0" + ends);
    QCOMPARE(firstOf("Feb  6 2009 12:14:14 web1 nginx: " + line + "\n", format),
             "1 1233922453750000000 1000000000" + ends);
    QCOMPARE(firstOf("2009-02-06 12:14:14 +0100 web1 nginx: " + line + "\n", format),
             "1 1233918853750000000 1000000000" + ends);
    QCOMPARE(firstOf(R"({"MESSAGE":")" + jsonText(line)
                         + R"(","__REALTIME_TIMESTAMP":"1547939295210102"})" + "\n",
                     format),
             "1 1547939294960102000 0" + ends);
    // Without a year, of the year of the file, which was written just now.
    const QDateTime now = QDateTime::currentDateTimeUtc().addSecs(-3600);
    const std::string stamp
        = QLocale::c().toString(now, QStringLiteral("MMM dd HH:mm:ss")).toStdString();
    QCOMPARE(firstOf(stamp + " web1 nginx: " + line + "\n", format),
             "1 " + std::to_string(now.toSecsSinceEpoch() * 1'000'000'000 - 250'000'000)
                 + " 1000000000" + ends);
    // A time of its own counts, also a bad one.
    const Read timed = readAll(cri(line + " [19/Jan/2019:23:08:15 +0000]") + cri(line + " [x]"),
                               format + " [$time_local]");
    QCOMPARE(timed.report.outerTimes, 0U);
    QVERIFY(timed.lines.back().starts_with("2 bad-time"));
    QCOMPARE(readAll(cri(line), format).report.outerTimes, 1U);
    // Nothing has a time.
    QVERIFY(logFormat("$remote_addr $status").value()->missingTime().find("$msec")
            != std::string::npos);
    QVERIFY(logFormat("%h %>s").value()->missingTime().find("%t") != std::string::npos);
    QCOMPARE(readAll(line + "\n", format).failure, std::string("log.format"));
}

void TestWrappers::usesTheOuterTimeForEachKindOfLine_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line"); // without a time
    QTest::addColumn<QByteArray>("bad"); // what makes a time of its own that cannot be read of it
    const auto row = [](const char* format, const char* line, const char* bad) {
        QTest::newRow(format) << QByteArray(format) << QByteArray(line) << QByteArray(bad);
    };
    row("logfmt", "method=GET path=/w status=200 remote_addr=192.0.2.7", " time=x");
    row("ltsv", "method:GET\turi:/w\tstatus:200\thost:192.0.2.7", "\ttime:x");
    row("json", R"({"method":"GET","path":"/w","status":200,"remote_addr":"192.0.2.7"})", "time");
}

void TestWrappers::usesTheOuterTimeForEachKindOfLine()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, bad);
    const std::string text = line.toStdString();
    const std::string ends = "|192.0.2.7|GET|/w|200|";
    const auto read = [&](const std::string& wrapped, const std::string& stamp) {
        const Read found = readAll(wrapped, format.toStdString());
        QCOMPARE(found.lines.size(), std::size_t {1});
        QCOMPARE(found.lines.front(), "1 " + stamp + ends);
        QCOMPARE(found.report.outerTimes, 1U);
    };
    read("<134>Feb  6 2009 12:14:14 web1 app[7]: " + text + "\n", "1233922454000000000 1000000000");
    read(cri(text), "1547939295210102861 0");
    read(docker(text + "\n"), "1547939295210102861 0");
    const std::string timed
        = bad == "time" ? R"({"time":"x",)" + text.substr(1) : text + bad.toStdString();
    const Read refused = readAll(docker(text) + docker(timed), format.toStdString());
    QVERIFY(refused.lines.back().starts_with("2 bad-time"));
    QCOMPARE(refused.report.outerTimes, 1U);
}

QTEST_APPLESS_MAIN(TestWrappers)
#include "tst_wrappers.moc"
