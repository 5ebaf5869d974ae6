#include "storage/log_reader.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace storage;

/// The formats of nginx, Apache and their kin: every documented form of a line, by the name of the
/// format or by its text, and what detection makes of them.
class TestFormatsClf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsLines_data();
    void readsLines();
    void namesFieldsAsNginx();
    void rejects_data();
    void rejects();
    void refusesTexts_data();
    void refusesTexts();
    void detects_data();
    void detects();
    void readsOddLines_data();
    void readsOddLines();
    void findsHeadersByTheirPlainNames();
    void findsTheZoneOfATime();
    void saysWhatItIsInstead_data();
    void saysWhatItIsInstead();
    void asksForUnknownLogs();
    void remembersNothing();
};

namespace {

constexpr std::int64_t kNow = 1'700'000'000'000'000'000; // 14/Nov/2023:22:13:20 +0000
const std::string kTail = R"("GET /a?b=1 HTTP/1.1" 200 5)";
const std::string kAgents = R"( "-" "curl/8.5.0")";
const std::string kLine = "192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] " + kTail;
const std::string kIngress
    = R"([14/Nov/2023:22:13:20 +0000] "GET /a?b=1 HTTP/1.1" 200 5 "-" "c d" 310 0.012 [ns-svc-80] )";

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

struct Read {
    std::vector<std::string> lines; ///< "start duration|value|..." or a reason
    std::string format;
    std::vector<std::string> notes;
    std::string failure;
    std::string help;
};

/// Times as their distance from kNow, in ns.
Read readText(const std::string& text, const LogOptions& options,
              const std::vector<std::string>& fields)
{
    const Folder folder;
    Read read;
    auto reader = LogReader::open(folder.write(text), options);
    if (!reader) {
        read.failure = reader.error().code;
        read.help = reader.error().help;
        return read;
    }
    read.format = (*reader)->format().name();
    read.notes = (*reader)->detection().notes;
    (*reader)->selectFields(fields);
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const auto& request = block.batch.requests[i];
            std::string line
                = std::to_string(request.timeNs - kNow) + " " + std::to_string(request.durationNs);
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const auto value = block.batch.valuesOf(i)[f];
                line += "|" + (value.data() == nullptr ? std::string("-") : std::string(value));
            }
            read.lines.push_back(line);
        }
        for (const auto& rejected : block.rejects) {
            read.lines.emplace_back(rejected.reason);
        }
    }
    return read;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

LogOptions formatted(const std::string& format, const std::vector<FieldMapping>& mappings = {})
{
    LogOptions options;
    options.format = format;
    options.reading.mappings = mappings;
    return options;
}

const std::vector<std::string> kFields {"client_ip", "method", "path", "query", "status"};

void addRow(const char* name, const std::string& format, const std::string& line,
            const std::string& expected, const std::string& map = {})
{
    QTest::addRow("%s", name) << QByteArray::fromStdString(format)
                              << QByteArray::fromStdString(line)
                              << QByteArray::fromStdString(expected)
                              << QByteArray::fromStdString(map);
}

void addServers()
{
    const std::string same = "192.0.2.1|GET|/a|b=1|200";
    addRow("common", "apache-common", kLine, "0 -1|" + same);
    addRow("common, no size", "apache-common",
           R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET / HTTP/1.1" 304 -)",
           "0 -1|192.0.2.1|GET|/|-|304");
    addRow("common, a host and a user of two words", "apache-common",
           R"(dsl-7.example.net - Jo Do [14/Nov/2023:15:13:20 -0700] "GET / HTTP/1.0" 200 1)",
           "0 -1|dsl-7.example.net|GET|/|-|200");
    addRow("common, HTTP/0.9", "apache-common",
           R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET /a" 200 1)",
           "0 -1|192.0.2.1|GET|/a|-|200");
    addRow("combined", "apache-combined", kLine + kAgents, "0 -1|" + same);
    addRow("combined, common row", "apache-combined", kLine, "0 -1|" + same);
    addRow("combined, timed out", "apache-combined",
           R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "-" 408 - "-" "-")",
           "0 -1|192.0.2.1|-|-|-|408");
    addRow("combined, no zone", "apache-combined",
           R"(192.0.2.1 - - [14/Nov/2023:22:13:20] "GET /a?b=1 HTTP/1.1" 200 5 "-" "-")",
           "0 -1|" + same);
    addRow("combined, no bracket", "apache-combined",
           R"(192.0.2.1 - - [14/Nov/2023:22:13:20 "GET /a?b=1 HTTP/1.1" 200 5 "-" "-")",
           "0 -1|" + same);
    addRow("combined, zone but no bracket", "nginx-combined",
           R"(192.0.2.1 - - [14/Nov/2023:23:13:20 +0100 "GET /a?b=1 HTTP/1.1" 200 5 "-" "x] ")",
           "0 -1|" + same);
    addRow(
        "combined, escaped quotes", "apache-combined",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET /a\"b\\c\x09 HTTP/1.1" 200 5 "\"" "\\")",
        "0 -1|192.0.2.1|GET|/a\"b\\c\t|-|200");
    addRow("combined, no user", "nginx-combined",
           "192.0.2.1 - [14/Nov/2023:22:13:20 +0000] " + kTail + kAgents, "0 -1|" + same);
    addRow("combined, neither user nor dash", "nginx-combined",
           "192.0.2.1 [14/Nov/2023:22:13:20 +0000] " + kTail + kAgents, "0 -1|" + same);
    addRow("combined, more behind", "nginx-combined", kLine + kAgents + " more", "0 -1|" + same);
    addRow("vhost", "apache-vhost-combined", "www.example.com:443 " + kLine + kAgents,
           "0 -1|" + same);
    addRow("vhost, v6 host", "apache-vhost-combined", "[2001:db8::1]:443 " + kLine + kAgents,
           "0 -1|" + same);
    addRow("vhost without port", "apache-vhost-combined", "www.example.com " + kLine + kAgents,
           "0 -1|" + same);
    addRow("vhost, common", "apache-vhost-combined", "www.example.com:80 " + kLine, "0 -1|" + same);
    addRow("tomcat", "tomcat", kLine, "0 -1|" + same);
    addRow("tomcat, combined", "tomcat", kLine + kAgents, "0 -1|" + same);
    addRow("tomcat, no unit no guess", "tomcat", kLine + " 20", "0 -1|" + same);
    addRow("tomcat 10.0", "tomcat", kLine + " 20", "-20000000 20000000|" + same,
           "duration=elapsed:ms");
    addRow("tomcat 10.1", "tomcat", kLine + kAgents + " 20", "-20000 20000|" + same,
           "duration=elapsed:us");
    addRow("tomcat, seconds", "tomcat", kLine + kAgents + " 0.020", "-20000000 20000000|" + same,
           "duration=elapsed:s");
    addRow("jetty", "tomcat", kLine + kAgents + R"( "sid=1" 7)", "-7000000 7000000|" + same,
           "duration=elapsed:ms");
    addRow("lighttpd", "lighttpd",
           "192.0.2.1 www.example.com - [14/Nov/2023:22:13:20 +0000] " + kTail + kAgents,
           "0 -1|" + same);
    addRow(
        "varnish", "varnish",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET http://h.example/a?b=1 HTTP/1.1" 200 5 "-" "-")",
        "0 -1|" + same);
}

void addTexts()
{
    const std::string same = "192.0.2.1|GET|/a|b=1|200";
    addRow("directive", R"(LogFormat "%h %l %u %t \"%r\" %>s %b" common)", kLine, "0 -1|" + same);
    addRow("quoted", R"("%h %l %u %t \"%r\" %>s %b")", kLine, "0 -1|" + same);
    addRow("escaped only", R"(%h %l %u %t \"%r\" %>s %b)", kLine, "0 -1|" + same);
    addRow("httpd.conf",
           "# logs\n<IfModule log_config_module>\n"
           "  LogFormat \"%h %l %u %t \\\"%r\\\" %>s %b\" common\n"
           "  LogFormat \"%a %{usec}t %m %U%q \\\n%>s\" short\n"
           "  CustomLog \"logs/access_log\" short env=!quiet\n</IfModule>\n",
           "192.0.2.1 1700000000000001 GET /a?b=1 200", "1000 -1|" + same);
    addRow("CustomLog with a format", R"(CustomLog logs/a "%a %{msec}t %m %U%q %>s")",
           "192.0.2.1 1700000000001 GET /a?b=1 200", "1000000 -1|" + same);
    addRow("usec_frac", "%{%d/%b/%Y:%H:%M:%S}t.%{usec_frac}t %{%z}t %a %m %U %q %>s",
           "14/Nov/2023:22:13:20.123456 +0000 192.0.2.1 GET /a ?b=1 200", "123456000 -1|" + same);
    addRow("msec_frac", R"(%a [%{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t%{%z}t] "%r" %>s)",
           R"(192.0.2.1 [2023-11-14T23:13:20.007+0100] "GET /a?b=1 HTTP/2.0" 200)",
           "7000000 -1|" + same);
    addRow("fraction far from the stamp", R"(%a %t "%r" %>s %{msec_frac}t)",
           R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET /a?b=1 HTTP/2.0" 200 007)",
           "7000000 -1|" + same);
    addRow("end and microseconds", R"(%a %{end:usec}t "%r" %>s %D)",
           R"(192.0.2.1 1700000000000500 "GET /a?b=1 HTTP/2.0" 200 500)", "0 500000|" + same);
    addRow("start and milliseconds", R"(%a %{begin:%s}t "%r" %>s %{ms}T)",
           R"(192.0.2.1 1700000000 "GET /a?b=1 HTTP/2.0" 200 500)", "0 500000000|" + same);
    addRow("seconds", R"(%a %t "%r" %>s %T %D)",
           kLine.substr(0, 10) + kLine.substr(14, 28) + R"( "GET /a?b=1 HTTP/2.0" 200 1 1500000)",
           "0 1500000000|" + same);
    addRow("a name of a month and a half day", R"(%a "%{%e %B %y, %I:%M:%S %p}t" %m %U%q %s)",
           R"(192.0.2.1 "14 november 23, 10:13:20 PM" GET /a?b=1 200)", "0 -1|" + same);
    addRow("day of the year", R"(%a %{%Y.%j %T}t %m %U%q %s)",
           R"(192.0.2.1 2023.318 22:13:20 GET /a?b=1 200)", "0 -1|" + same);
    addRow("java", R"(%a %{dd/MMM/yyyy:HH:mm:ss ZZZ|GMT}t %m %U%q %s)",
           R"(192.0.2.1 14/Nov/2023:22:13:20 +0000 GET /a?b=1 200)", "0 -1|" + same);
    addRow("status modifiers", R"(%a %t "%r" %s %>s "%!200,304{Referer}i" %400,501{User-Agent}i)",
           R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET /a?b=1 HTTP/2.0" 301 200 "-" -)",
           "0 -1|" + same);
    addRow("list of clients", R"(%{X-Forwarded-For}i %l %t "%r" %>s)",
           R"(203.0.113.9, 192.0.2.1 - [14/Nov/2023:22:13:20 +0000] "GET /a?b=1 HTTP/2.0" 200)",
           "0 -1|" + same);
    addRow("end by mapping", R"(%a %t "%r" %>s %D)",
           R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET /a?b=1 HTTP/2.0" 200 5)",
           "-5000 5000|" + same, "time=time_local");
    addRow("nginx.conf",
           "http {\n  log_format main '$remote_addr [$time_local] ' # one\n    '\"$request\" "
           "$status';\n"
           "  log_format short '$remote_addr|$msec|$request_method|$request_uri|$status';\n"
           "  access_log /var/log/a.log short;\n}\n",
           "192.0.2.1|1700000000.001|GET|/a?b=1|200", "1000000 -1|" + same);
}

void addIngress()
{
    const std::string same = "192.0.2.1|GET|/a|b=1|200";
    const std::string upstream = "10.0.0.1:80, 10.0.0.2:80 0, 5 0.002, 0.008 502, 200";
    const std::string times = "-12000000 12000000|" + same;
    addRow("ingress", "ingress-nginx",
           "192.0.2.1 - - " + kIngress + "[] 10.0.0.1:80 5 0.008 200 0123456789abcdef", times);
    addRow("ingress, retried", "ingress-nginx",
           "192.0.2.1 - - " + kIngress + "[] " + upstream + " 0123456789abcdef", times);
    addRow("ingress without alternative", "ingress-nginx",
           "192.0.2.1 - - " + kIngress + upstream + " 0123456789abcdef", times);
    addRow("ingress without id", "ingress-nginx", "192.0.2.1 - - " + kIngress + upstream, times);
    addRow("ingress with a list", "ingress-nginx",
           "192.0.2.1 - [192.0.2.1] - jo " + kIngress + "[] " + upstream + " 0123", times);
    addRow("old ingress with a list", "ingress-nginx",
           "192.0.2.1 - [203.0.113.1, 192.0.2.1] - jo " + kIngress + upstream, times);
    addRow("ingress, no upstream", "ingress-nginx", "192.0.2.1 - - " + kIngress + "[] - - - - 0123",
           times);
}

} // namespace

void TestFormatsClf::readsLines_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("map");
    addServers();
    addTexts();
    addIngress();
}

void TestFormatsClf::readsLines()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, map);
    std::vector<FieldMapping> mappings;
    if (!map.isEmpty()) {
        mappings.push_back(parseMapping(map.toStdString()).value());
    }
    const Read read
        = readText(line.toStdString() + "\n", formatted(format.toStdString(), mappings), kFields);
    QVERIFY2(read.failure.empty(), read.help.c_str());
    QCOMPARE(QByteArray::fromStdString(joined(read.lines)), expected);
}

void TestFormatsClf::namesFieldsAsNginx()
{
    const std::string format
        = R"(%a %t "%r" %>s "%{X-Api-Key}i" %{Via}o %{sid}C %{UNIQUE_ID}e %{n-1}n %{SSL_PROTOCOL}x %{TE}^ti %v %V %p %{remote}p %P %X %k %f %u %O %I)";
    const std::string line
        = R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET / HTTP/1.1" 200 "k 1" via sid id note TLSv1.3 te v.example h.example 443 5000 77 + 3 /srv/a jo 900 100)";
    const std::vector<std::string> fields {"api_key",
                                           "http_x_api_key",
                                           "sent_http_via",
                                           "cookie_sid",
                                           "request_id",
                                           "env_unique_id",
                                           "note_n_1",
                                           "ssl_protocol",
                                           "trailer_te",
                                           "server_name",
                                           "host",
                                           "server_port",
                                           "remote_port",
                                           "pid",
                                           "connection_status",
                                           "connection_requests",
                                           "request_filename",
                                           "user",
                                           "bytes",
                                           "request_length"};
    const Read read = readText(line + "\n", formatted(format), fields);
    QCOMPARE(read.lines,
             std::vector<std::string> {
                 "0 -1|k 1|k 1|via|sid|id|id|note|TLSv1.3|te|v.example|h.example|443|5000|77|+|3|"
                 "/srv/a|jo|900|100"});
}

void TestFormatsClf::rejects_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("reason");
    const auto add
        = [](const char* name, const char* format, const std::string& line, const char* reason) {
              QTest::addRow("%s", name)
                  << QByteArray(format) << QByteArray::fromStdString(line) << QByteArray(reason);
          };
    add("limit_req", "nginx-combined",
        R"(2023/11/14 22:13:20 [error] 7#7: *1 limiting requests, excess: 5.428 by zone "z", client: 192.0.2.1, server: , request: "GET / HTTP/1.1")",
        "error-log");
    add("apache's error log", "apache-combined",
        "[Tue Nov 14 22:13:20.203277 2023] [core:error] [pid 7005] [client 192.0.2.1:1] AH00126",
        "error-log");
    add("a host in front", "apache-common", "www.example.com " + kLine, "no-match");
    add("no such day", "apache-common",
        R"(192.0.2.1 - - [31/Nov/2023:22:13:20 +0000] "GET / HTTP/1.1" 200 1)", "bad-time");
    add("no such minute", "%a %{%Y-%m-%d %H:%M:%S}t %s", "192.0.2.1 2023-11-14 22:60:20 200",
        "bad-time");
    add("no status", "apache-common",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET / HTTP/1.1" ok 1)", "no-match");
    add("nothing of a line", "apache-common", "hello", "no-match");
}

void TestFormatsClf::rejects()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, reason);
    const Read read = readText(line.toStdString() + "\n", formatted(format.toStdString()), kFields);
    QCOMPARE(QByteArray::fromStdString(joined(read.lines)), reason);
}

void TestFormatsClf::refusesTexts_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("word");
    const auto add = [](const char* name, const char* format, const char* word) {
        QTest::addRow("%s", name) << QByteArray(format) << QByteArray(word);
    };
    add("unknown letter", "%h %y %t", "LogFormat");
    add("side by side", "%h%l %t", "blank");
    add("open brace", "%h %{User-Agent %t", "LogFormat");
    add("unreadable time", "%h %{%Y-%G}t", "%Y");
    add("two formats", "LogFormat \"%h %t\" a\nLogFormat \"%a %t\" b\n", "alone");
    add("two log_formats", "log_format a '$remote_addr';\nlog_format b '$msec';", "alone");
    add("no format", "CustomLog logs/a combined", "LogFormat");
}

void TestFormatsClf::refusesTexts()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, word);
    const auto made = logFormat(format.toStdString());
    QVERIFY(!made.has_value());
    QCOMPARE(made.error().code, std::string("log.format"));
    QVERIFY2(made.error().help.find(word.toStdString()) != std::string::npos,
             made.error().help.c_str());
}

void TestFormatsClf::detects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("note");
    const auto add = [](const char* name, const std::string& line, const std::string& format,
                        const char* note, const std::string& second = {}) {
        const std::string text
            = line + "\n" + (second.empty() ? line : second) + "\n" + line + "\n";
        QTest::addRow("%s", name) << QByteArray::fromStdString(text)
                                  << QByteArray::fromStdString(format) << QByteArray(note);
    };
    const std::string combined = kLine + kAgents;
    const std::string text
        = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent")";
    const std::string head = "192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] ";
    add("either", combined, "nginx-combined", "--log-format apache-combined");
    add("nginx by its escapes", head + R"("GET /\x22 HTTP/1.1" 200 5)" + kAgents, "nginx-combined",
        "nginx wrote this");
    add("nginx by an empty request", combined, "nginx-combined", "empty request",
        head + R"("" 400 0 "-" "-")");
    add("nginx by its zero", combined, "nginx-combined", "304",
        head + R"("GET / HTTP/1.1" 304 0 "-" "-")");
    add("apache by its escapes", head + R"("GET /\xc3 HTTP/1.1" 200 5)" + kAgents,
        "apache-combined", "escapes");
    add("apache by its dash", combined, "apache-combined", "size of 0",
        head + R"("GET / HTTP/1.1" 304 - "-" "-")");
    add("apache by a time-out", combined, "apache-combined", "408", head + R"("-" 408 0 "-" "-")");
    add("apache by its order", combined, "apache-combined", "before the one above",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:16 +0000] "GET / HTTP/1.1" 200 5 "-" "-")");
    add("common", kLine, "apache-common", "");
    add("common and combined", kLine, "apache-combined", "combined", combined);
    add("vhost", "www.example.com:443 " + combined, "apache-vhost-combined", "");
    add("vhost without a port", "www.example.com " + combined, "apache-vhost-combined", "");
    add("lighttpd", "192.0.2.1 www.example.com - [14/Nov/2023:22:13:20 +0000] " + kTail + kAgents,
        "lighttpd", "");
    add("varnish", head + R"("GET http://h.example/a HTTP/1.1" 200 5 "-" "-")", "varnish", "");
    add("main", combined + R"( "192.0.2.9")", "nginx-main", "");
    add("ingress", "192.0.2.1 - - " + kIngress + "[] 10.0.0.1:80 5 0.008 200 0123456789abcdef",
        "ingress-nginx", "");
    add("request_time", combined + " 0.012", text + " $request_time", "three decimals");
    add("request_time behind a list", combined + R"( "-" 0.012)",
        text + R"( "$http_x_forwarded_for" $request_time)", "three decimals");
    add("upstream time too", combined + " 0.012 0.010", text + " $request_time $extra_2",
        "three decimals", combined + " 0.001 -");
    add("upstream time alone", combined + " 0.012", text + " $extra_1",
        "$request_time for $extra_1", combined + " -");
    add("vhost, ident, user and more",
        "h.example:443 192.0.2.1 id jo [14/Nov/2023:22:13:20 +0000] " + kTail + kAgents + " 7",
        "apache-vhost-combined", "");
    add("keys", combined + R"( rt=0.012 uct="-" urt="0.1, 0.2")",
        text + R"( rt=$request_time uct="$upstream_connect_time" urt="$upstream_response_time")",
        "rt=");
    add("msec", combined + " 1700000000.001", text + " $msec", "$msec");
    add("a count", combined + " 512", "nginx-combined", "%D");
    add("extras", combined + R"( "k1" hit)", text + R"( "$extra_1" $extra_2)", "more than");
    add("one odd line", combined, "nginx-combined", "Apache", combined + " 0.012");
}

void TestFormatsClf::detects()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, note);
    const Read read = readText(text.toStdString(), {}, kFields);
    QCOMPARE(QByteArray::fromStdString(read.format), format);
    QCOMPARE(read.lines.size(), 3U);
    const std::string notes = joined(read.notes);
    QVERIFY2(notes.find(note.toStdString()) != std::string::npos, notes.c_str());
}

void TestFormatsClf::readsOddLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("trusted");
    QTest::addColumn<QByteArray>("expected"); // the format found, client, user, path, host, bytes
    const auto row = [](const char* name, const std::string& line, const char* expected,
                        const char* format = "", const char* trusted = "") {
        QTest::newRow(name) << QByteArray::fromStdString(line) << QByteArray(format)
                            << QByteArray(trusted) << QByteArray(expected);
    };
    const std::string head = " - - [14/Nov/2023:22:13:20 +0000] ";
    const std::string request = R"("GET /a HTTP/1.1" 200 5)";
    const std::string rest = head + request + kAgents;
    row("a list for the client", "192.0.2.7, 10.0.0.5" + rest, "nginx-combined 10.0.0.5|-|/a|-|5");
    row("a list, trusted", "192.0.2.7, 10.0.0.5" + rest, "nginx-combined 192.0.2.7|-|/a|-|5", "",
        "10.0.0.0/8");
    row("a list without blanks, trusted", "192.0.2.7,10.0.0.5" + rest,
        "nginx-combined 192.0.2.7|-|/a|-|5", "", "10.0.0.0/8");
    row("a list in quotes", "\"192.0.2.9, 10.0.0.5\"" + rest, "nginx-combined 10.0.0.5|-|/a|-|5");
    row("a list, Apache", "192.0.2.7, 10.0.0.5" + rest, "apache-combined 192.0.2.7|-|/a|-|5",
        "apache-combined", "10.0.0.0/8");
    row("a list with nothing in it", "192.0.2.7,, 10.0.0.5," + rest,
        "nginx-combined 192.0.2.7|-|/a|-|5", "", "10.0.0.0/8");
    row("a pseudonym", "q83vEjRWeJA=" + rest, "nginx-combined q83vEjRWeJA=|-|/a|-|5");
    row("what a wrapper left", "MESSAGE=192.0.2.7" + rest, "nginx-combined no-client",
        "nginx-combined");
    row("words in a list", "a b, 192.0.2.7" + rest, "nginx-combined no-client", "nginx-combined");

    const std::string jetty = "192.0.2.1 -  -  [14/Nov/2023:22:13:20 +0000] " + request;
    row("Jetty, blanks around", jetty + " ", "apache-common 192.0.2.1|-|/a|-|5");
    row("Jetty, by a name", jetty + " ", "nginx-combined 192.0.2.1|-|/a|-|5", "nginx-combined");
    const std::string common = "192.0.2.1" + head + request;
    row("Tomcat's %D", common + " 7", "apache-common 192.0.2.1|-|/a|-|5");
    row("Tomcat's %D, a blank", common + " 7 ", "apache-common 192.0.2.1|-|/a|-|5");
    row("Tomcat's %T", common + " 0.007",
        R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent $request_time 192.0.2.1|-|/a|-|5)");
    row("ids behind", common + " abc hit",
        R"(%h %l %u %t "%r" %>s %b %{extra_1}x %{extra_2}x 192.0.2.1|-|/a|-|5)");
    row("API Gateway",
        R"(192.0.2.9 - u1 [14/Nov/2023:22:13:20 +0000]"GET /a HTTP/1.1" 200 26 id ext=)",
        "apache-common 192.0.2.9|u1|/a|-|26");

    row("HAProxy's CLF",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000] "GET /a HTTP/1.1" 200 1234 "" "" 33317 655 "http-in" "static" "srv1" 10 0 30 69 109 "----" 1 1 1 1 0 0 0 "" "" "cap")",
        R"(%ci - - [%trg] %{+Q}r %ST %B "" "" %cp %ms %{+Q}ft %{+Q}b %{+Q}s %TR %Tw %Tc %Tr %Ta %{+Q}tsc %ac %fc %bc %sc %rc %sq %bq %{+Q}CC %{+Q}CS 192.0.2.1|-|/a|-|1234)");
    const std::string time = "[14/Nov/2023:22:13:20 +0000] " + request + kAgents;
    row("API Gateway's variables",
        R"(192.0.2.9 - u1 [14/Nov/2023:22:13:20 +0000]"GET /a HTTP/1.1" 200 26 id ext=)",
        R"($context.identity.sourceIp $context.identity.caller $context.identity.user [$context.requestTime]"$context.httpMethod $context.resourcePath $context.protocol" $context.status $context.responseLength $context.requestId $context.extendedRequestId 192.0.2.9|u1|/a|-|26)",
        R"($context.identity.sourceIp $context.identity.caller $context.identity.user [$context.requestTime]"$context.httpMethod $context.resourcePath $context.protocol" $context.status $context.responseLength $context.requestId $context.extendedRequestId)");
    row("no user in quotes", "192.0.2.1 - \"\" " + time, "nginx-combined 192.0.2.1|-|/a|-|5");
    row("a user with a bracket", "192.0.2.1 - u [x] " + time,
        "nginx-combined 192.0.2.1|u [x]|/a|-|5");
    row("no user, a bracket before the time", "192.0.2.1 [x] " + time, "nginx-combined bad-time",
        "nginx-combined");
    row("a user with many brackets", "192.0.2.1 - u [x [] [y] " + time,
        "apache-combined 192.0.2.1|u [x [] [y]|/a|-|5", "apache-combined");
    row("a user with a long bracket",
        "192.0.2.1 - u [0123456789012345678901234567890123456789] " + time,
        "nginx-combined 192.0.2.1|u [0123456789012345678901234567890123456789]|/a|-|5");
    row("no bracket behind the time, one in the agent",
        R"(192.0.2.1 - - [14/Nov/2023:22:13:20 +0000 "GET /a HTTP/1.1" 200 5 "-" "a [b] "c")",
        "nginx-combined 192.0.2.1|-|/a|-|5", "nginx-combined");

    row("a host in the URL", "192.0.2.1" + head + R"("GET http://e.example/a?x=1 HTTP/1.1" 200 5)",
        "apache-common 192.0.2.1|-|/a|e.example|5");
    row("its own host",
        "192.0.2.1 v.example" + head.substr(2)
            + R"("GET http://e.example/a HTTP/1.1" 200 5 "-" "-")",
        "lighttpd 192.0.2.1|-|/a|v.example|5", "lighttpd");
    row("two blanks", "192.0.2.1" + head + R"("GET  /a  HTTP/1.1" 200 5)" + kAgents,
        "nginx-combined 192.0.2.1|-|/a|-|5");
    row("$document_uri", R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] GET /a 200)",
        "$remote_addr [$time_local] $request_method $document_uri $status 192.0.2.1|-|/a|-|-",
        "$remote_addr [$time_local] $request_method $document_uri $status");
}

void TestFormatsClf::readsOddLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, trusted);
    QFETCH(QByteArray, expected);
    LogOptions options = formatted(format.toStdString());
    if (!trusted.isEmpty()) {
        options.trustedProxies = {*engine::parseNetwork(trusted.toStdString())};
    }
    const Read read = readText(line.toStdString() + "\n", options,
                               {"client_ip", "user", "path", "host", "bytes"});
    QCOMPARE(read.failure, std::string());
    QCOMPARE(read.lines.size(), 1U);
    const std::string& shown = read.lines.front();
    const std::size_t values = shown.find('|');
    QCOMPARE(QByteArray::fromStdString(read.format + " "
                                       + (values == shown.npos ? shown : shown.substr(values + 1))),
             expected);
}

/// A field that the log has not is taken from the header of that name; one with a meaning of its
/// own never is.
void TestFormatsClf::findsHeadersByTheirPlainNames()
{
    const std::string format = R"($remote_addr [$time_local] "$request" "$http_authorization" )"
                               R"("$http_cookie" "$http_user" "$http_scope")";
    const std::string line = R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET / HTTP/1.1" )"
                             R"("Bearer b" "c=1" "u" "s")";
    const Read read = readText(line + "\n", formatted(format),
                               {"authorization", "cookie", "user", "scope", "x_api_key"});
    QCOMPARE(joined(read.lines), std::string("0 -1|Bearer b|c=1|-|s|-"));
}

/// The zone of a server's time, wherever it stands.
void TestFormatsClf::findsTheZoneOfATime()
{
    const std::string format
        = R"(%a [%{end:%d/%b/%Y:%H:%M:%S}t.%{end:usec_frac}t %{%z}t] "%r" %>s %b %D)";
    const Read read = readText(
        R"(192.0.2.1 [15/Nov/2023:00:13:20.000000 +0200] "GET /a HTTP/1.1" 200 12 1000000)"
        "\n",
        formatted(format), {"status"});
    QCOMPARE(joined(read.lines), std::string("-1000000000 1000000000|200"));
    const Read skips = readText(
        R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET /a HTTP/1.1" 200 77 5 - x)"
        "\n",
        formatted(R"(%a %t "%r" %>s %^FB %F %{X}^ti %^to)"), {"status", "first_byte_time_us"});
    QCOMPARE(joined(skips.lines), std::string("0 -1|200|77"));
}

void TestFormatsClf::saysWhatItIsInstead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("word");
    const auto row = [](const char* name, const std::string& text, const char* word) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(word);
    };
    const std::string record
        = R"({"started_at":1700000000000,"request":{"method":"GET","uri":"/"},"response":{"status":200}})";
    row("a batch", "[" + record + "," + record + "]\n", "jq -c '.[]'");
    row("objects side by side", record + record + "\n", "jq -c .");
    row("objects over lines",
        "[\n  {\n    \"started_at\": 1700000000000,\n    \"status\": 200\n  }\n]\n", "jq -c 'if");
    row("the journal's export",
        "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1547939295123456\nMESSAGE=" + kLine + kAgents
            + "\n_PID=1\n\n",
        "journalctl -o json");
    std::string wide = "\xFF\xFE";
    for (const char c : kLine + "\n") {
        wide += c;
        wide += '\0';
    }
    row("UTF-16", wide, "iconv");
}

void TestFormatsClf::saysWhatItIsInstead()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, word);
    const Read read = readText(text.toStdString(), {}, {});
    QVERIFY2(read.help.find(word.toStdString()) != std::string::npos,
             (read.failure + " " + read.format + ": " + read.help).c_str());
}

void TestFormatsClf::asksForUnknownLogs()
{
    const Read read = readText("2023/11/14 22:13:20 [error] 7#7: *1 limiting requests\n", {}, {});
    QCOMPARE(read.failure, std::string("log.unknown-format"));
    QVERIFY2(read.help.find("access log") != std::string::npos, read.help.c_str());
}

/// Lines mean the same in any order and company.
void TestFormatsClf::remembersNothing()
{
    const std::string format = R"(%a %t "%r" %>s %{msec_frac}t)";
    const std::string one = R"(192.0.2.1 [14/Nov/2023:22:13:20 +0000] "GET /1 HTTP/2.0" 200 007)";
    const std::string local = R"(192.0.2.2 [14/Nov/2023:22:13:20] "GET /2 HTTP/2.0" 200 007)";
    const Read both = readText(one + "\n" + one + "\n", formatted(format), kFields);
    QCOMPARE(both.lines.size(), 2U);
    QCOMPARE(both.lines[0], both.lines[1]);
    const Read mixed
        = readText(kLine + "\n192.0.2.1 - - [14/Nov/2023:22:13:20] " + kTail
                       + "\n192.0.2.1 - - [14/Nov/2023:23:13:20 +0100] " + kTail + "\n",
                   formatted("apache-common"), kFields);
    QCOMPARE(mixed.lines, std::vector<std::string>(3, "0 -1|192.0.2.1|GET|/a|b=1|200"));
    QCOMPARE(readText(local + "\n", formatted(format), kFields).lines,
             std::vector<std::string> {"no-match"});
}

QTEST_APPLESS_MAIN(TestFormatsClf)
#include "tst_formats_clf.moc"
