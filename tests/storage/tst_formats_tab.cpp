#include "engine/attributes.h"
#include "storage/log_reader.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/written_times.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <ctime>
#include <fstream>
#include <sstream>

using namespace storage;

/// Formats with headers, delimiters or named values: w3c, cloudfront, zeek, iis, squid,
/// trafficserver, csv, tsv, logfmt, ltsv.
class TestFormatsTab : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_data();
    void reads();

    void doesNotDependOnBlockSizes_data() { reads_data(); }

    void doesNotDependOnBlockSizes();
    void writtenTimes_data();
    void writtenTimes();
    void durations_data();
    void durations();
    void namesColumns();
    void takesNoNamesFromRows();
    void listsFields();
};

namespace {

std::string shownTime(std::int64_t ns)
{
    const auto seconds = static_cast<time_t>(ns / 1'000'000'000);
    std::tm parts {};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> out {};
    std::strftime(out.data(), out.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::string text = out.data();
    std::string fraction = std::to_string(1'000'000'000 + ns % 1'000'000'000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return fraction.empty() ? text : text + "." + fraction;
}

/// A header with 1,025 columns and more.
std::string wideHeader(const std::string& first, char delimiter)
{
    std::string header = first;
    for (int i = 0; i < 1'025; ++i) {
        header += delimiter + std::to_string(i);
    }
    return header + "\n";
}

struct Case {
    const char* name;
    const char* format; ///< to be found; with `!` before it, as given
    std::vector<const char*> mappings;
    std::string log;
    std::vector<const char*> attributes; ///< shown behind
    std::vector<const char*> expected;
};

std::vector<FieldMapping> mappingsOf(const Case& test)
{
    std::vector<FieldMapping> mappings;
    for (const char* text : test.mappings) {
        mappings.push_back(*parseMapping(text));
    }
    return mappings;
}

/// "LINE client method target status start duration [attributes]", "LINE reason"; first the
/// format.
std::vector<std::string> readAll(const Case& test, std::size_t blockBytes)
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("log")).toStdString();
    std::ofstream(path, std::ios::binary) << test.log;
    LogOptions options;
    options.format = *test.format == '!' ? test.format + 1 : "";
    options.reading.mappings = mappingsOf(test);
    options.blockBytes = blockBytes;
    auto reader = LogReader::open(path, options);
    if (!reader) {
        return {reader.error().code};
    }
    std::vector<std::string> lines {(*reader)->format().name()};
    std::vector<std::string> fields {"client_ip", "method", "path", "query", "status"};
    fields.insert(fields.end(), test.attributes.begin(), test.attributes.end());
    (*reader)->selectFields(fields);
    std::map<std::uint64_t, std::string> byLine;
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        (*reader)->note(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const engine::Request& request = block.batch.requests[i];
            const auto* values = block.batch.valuesOf(i);
            const auto value = [&](std::size_t f) {
                return values[f].data() == nullptr ? std::string("-") : std::string(values[f]);
            };
            std::string text = value(0) + ' ' + value(1) + ' ' + value(2)
                + (values[3].data() == nullptr ? "" : '?' + value(3)) + ' ' + value(4) + ' '
                + shownTime(request.timeNs) + ' '
                + (request.durationNs < 0 ? "-" : std::to_string(request.durationNs));
            for (std::size_t f = 5; f < fields.size(); ++f) {
                text += '|' + value(f);
            }
            byLine[request.line] = text;
        }
        for (const LineReject& rejected : block.rejects) {
            byLine[rejected.line] = rejected.reason;
        }
    }
    for (const auto& [line, text] : byLine) {
        lines.push_back(std::to_string(line) + ' ' + text);
    }
    return lines;
}

const std::string kIis = "#Software: Microsoft Internet Information Services 10.0\r\n"
                         "#Version: 1.0\r\n#Date: 2026-11-28 23:59:58\r\n";

const std::vector<Case>& cases()
{
    static const std::vector<Case> kCases {
        {"w3c: fields in any order, again after a restart with others",
         "w3c",
         {},
         kIis
             + "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip "
               "cs(User-Agent) cs(X-Api-Key) sc-status sc-substatus sc-win32-status time-taken\r\n"
               "2026-11-28 23:59:59 192.0.2.9 GET /a+b q=1+2 443 DOM\\me 192.0.2.1 "
               "Agent/1.0+(X;+Y) k1 200 0 0 1500\r\n"
             + kIis
             + "#Fields: c-ip time date sc-status cs-method cs-uri-stem\r\n"
               "2001:db8::1%3 00:00:01 2026-11-29 404 POST /c\r\n",
         {"user_agent", "user", "api_key", "http_x_api_key"},
         {"5 192.0.2.1 GET /a+b?q=1+2 200 2026-11-28T23:59:57.5 1500000000|Agent/1.0 (X; "
          "Y)|DOM\\me|k1|k1",
          "10 2001:db8::1%3 POST /c 404 2026-11-29T00:00:01 -|-|-|-|-"}},
        {"w3c: rows with a time only, over midnight",
         "w3c",
         {},
         kIis
             + "#Fields: time c-ip cs-method cs-uri-stem sc-status\n"
               "23:59:58 192.0.2.1 GET /1 200\n23:59:57 192.0.2.1 GET /2 200\n"
               "00:00:03 192.0.2.1 GET /3 200\n"
               "#Date: 2026-11-30 10:00:00\n10:00:01 192.0.2.1 GET /4 200\n",
         {},
         {"5 192.0.2.1 GET /1 200 2026-11-28T23:59:58 -",
          "6 192.0.2.1 GET /2 200 2026-11-28T23:59:57 -",
          "7 192.0.2.1 GET /3 200 2026-11-29T00:00:03 -",
          "9 192.0.2.1 GET /4 200 2026-11-30T10:00:01 -"}},
        {"w3c: seconds elsewhere, quotes, runs of blanks, absolute URIs",
         "w3c",
         {},
         "#Version: 1.0\n#Software: Some Server 1\n"
         "#Fields: date  time  c-ip  cs-method  cs-uri  sc-status  time-taken  cs(User-Agent)\n"
         "2026-11-28   10:00:00.25  192.0.2.1   GET  http://e.example/p?x  200  0.125  "
         "\"A \"\"b\"\" c\"\n"
         "2026-11-28\t10:00:01\t192.0.2.1\tGET\t/q\t200\t2\t\"A b\"\n",
         {"user_agent", "host"},
         {"4 192.0.2.1 GET /p?x 200 2026-11-28T10:00:00.125 125000000|A \"b\" c|e.example",
          "5 192.0.2.1 GET /q 200 2026-11-28T09:59:59 2000000000|A b|-"}},
        {"w3c: ProxySG",
         "w3c",
         {},
         "#Software: SGOS 6.5\n#Fields: date time time-taken c-ip sc-status cs-method "
         "cs-uri-scheme "
         "cs-host cs-uri-path cs-uri-query cs(User-Agent)\n"
         "2026-11-28 10:00:01 250 192.0.2.1 200 GET https e.example /s ?q=1 \"A b\"\n",
         {"scheme", "host"},
         {"3 192.0.2.1 GET /s?q=1 200 2026-11-28T10:00:00.75 250000000|https|e.example"}},
        {"w3c: Exchange, with commas",
         "w3c",
         {},
         "#Software: Microsoft Exchange Server\n#Log-type: HttpProxy Logs\n"
         "#Fields: DateTime,RequestId,Method,UrlHost,UrlStem,ClientIpAddress,HttpStatus,"
         "TotalRequestTime,UserAgent\n"
         "2026-11-28T10:00:01.250Z,r1,POST,m.example,/EWS/Exchange.asmx,192.0.2.1,200,50,"
         "\"A, \"\"b\"\"\"\n",
         {"request_id", "host", "user_agent"},
         {"4 192.0.2.1 POST /EWS/Exchange.asmx 200 2026-11-28T10:00:01.2 "
          "50000000|r1|m.example|A, \"b\""}},
        {"w3c: no row without its header",
         "!w3c",
         {},
         "2026-11-28 10:00:00 192.0.2.1 GET / 200\n",
         {},
         {"1 no-match"}},
        {"w3c: mail, file transfer, connections that never asked",
         "w3c",
         {},
         kIis
             + "#Fields: date time c-ip s-sitename cs-method cs-uri-stem sc-status\n"
               "2026-11-28 10:00:00 192.0.2.1 SMTPSVC1 EHLO - 250\n"
               "2026-11-28 10:00:00 192.0.2.1 MSFTPSVC1 [2]USER anonymous 331\n"
               "2026-11-28 10:00:00 192.0.2.1 X RETR /a 226\n"
               "2026-11-28 10:00:00 192.0.2.1 X - - -\n"
               "2026-11-28 10:00:00 192.0.2.1 W3SVC1 HELP /a 405\n"
               "2026-11-28 10:00:00 192.0.2.1 W3SVC1 GET /a too many values 405\n"
               "2026-11-28 10:00:00 192.0.2.1 W3SVC1 GET\n"
               "2026-13-28 10:00:00 192.0.2.1 W3SVC1 GET / 200\n",
         {},
         {"5 not-http", "6 not-http", "7 not-http", "8 not-http",
          "9 192.0.2.1 HELP /a 405 2026-11-28T10:00:00 -", "10 no-match", "11 truncated",
          "12 bad-time"}},
        {"w3c: a firewall's",
         "!w3c",
         {},
         "#Version: 1.5\n#Software: Microsoft Windows Firewall\n#Time Format: Local\n"
         "#Fields: date time action protocol src-ip dst-ip src-port dst-port size tcpflags\n\n"
         "2026-11-28 10:00:00 DROP TCP 192.0.2.1 192.0.2.2 1 2 3 S\n",
         {},
         {"6 not-http"}},
        {"cloudfront: decoded once or twice, by the time it took",
         "cloudfront",
         {},
         "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) "
         "cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) "
         "x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken "
         "x-forwarded-for\n"
         "2026-11-28\t10:00:01\tLHR\t392\t2001:db8::1\tGET\td.cloudfront.net\t/a%2520b%7Ec\t200"
         "\t-\tAgent%2520(X%253B)\tq=%257B&r=%20\t-\tHit\tid1\te.example\thttps\t23\t0.251"
         "\t198.51.100.1,%20192.0.2.9\n"
         "2026-11-28\t10:00:01\tLHR\t0\t192.0.2.2\tGET\td.cloudfront.net\t/\t000\t-\tA%20b\t-\t-"
         "\tError\tid2\te.example\thttp\t23\t30.000\t-\n",
         {"user_agent", "host", "scheme", "request_id", "x_forwarded_for"},
         {"3 2001:db8::1 GET /a%20b~c?q=%7B&r=%20 200 2026-11-28T10:00:00.749 251000000|Agent "
          "(X;)|e.example|https|id1|198.51.100.1, 192.0.2.9",
          "4 192.0.2.2 GET / - 2026-11-28T09:59:31 30000000000|A b|e.example|http|id2|-"}},
        {"cloudfront: without a header, the documented fields",
         "cloudfront",
         {},
         "2026-11-28\t10:00:01\tLHR\t392\t192.0.2.1\tGET\td.cloudfront.net\t/a\t200\t-\tA%20b\tq=1"
         "\t-\tHit\tid1\te.example\thttps\t23\t0.001\t-\tTLSv1.3\tX\tHit\tHTTP/2.0\t-\t-\t11040"
         "\t0.001\tHit\ttext/html\t78\t-\t-\n",
         {"c-port"},
         {"1 192.0.2.1 GET /a?q=1 200 2026-11-28T10:00:00.999 1000000|11040"}},
        {"zeek",
         "zeek",
         {},
         "#separator \\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n"
         "#path\thttp\n#open\t2026-11-28-10-00-00\n"
         "#fields\tts\tuid\tid.orig_h\tid.orig_p\tmethod\thost\turi\tuser_agent\tstatus_"
         "code\ttags\n"
         "#types\ttime\tstring\taddr\tport\tstring\tstring\tstring\tstring\tcount\tset[enum]\n"
         "1795860000.000001\tC1\t192.0.2.1\t5\tGET\te.example\t/a?b\tA \\x09b\t200\t(empty)\n"
         "1795860001.250000\tC2\t2001:db8::1\t5\tPOST\t-\t/c\t-\t-\t(empty)\n"
         "#close\t2026-11-28-11-00-00\n",
         {"user_agent", "host", "tags", "request_id"},
         {"9 192.0.2.1 GET /a?b 200 2026-11-28T10:00:00.000001 -|A \tb|e.example|-|C1",
          "10 2001:db8::1 POST /c - 2026-11-28T10:00:01.25 -|-|-|-|C2"}},
        {"zeek: connections",
         "!zeek",
         {},
         "#separator \\x09\n#path\tconn\n#fields\tts\tuid\tid.orig_h\tproto\tduration\n"
         "1795860000.000001\tC1\t192.0.2.1\ttcp\t1.5\n",
         {},
         {"4 not-http"}},
        {"iis",
         "iis",
         {},
         "192.0.2.1, -, 11/28/26, 7:55:20, W3SVC2, SERVER, 192.0.2.9, 4502, 163, 3223, 200, 0, "
         "GET, /a,b.gif, q=1,\r\n"
         "192.0.2.2, me, 11/28/2026, 17:55:20, W3SVC2, SERVER, 192.0.2.9, 0, 163, 3223, 404, 2, "
         "GET, /x, -,\r\n"
         "192.0.2.2, me, 28/11/2026, 17:55:20, W3SVC2, SERVER, 192.0.2.9, 0, 163, 3223, 404, 2, "
         "GET, /x, -,\r\n"
         "192.0.2.2, me, 11/28/2026, 17:55:20, MSFTPSVC1, SERVER, 192.0.2.9, 0, 1, 3, 331, 0, "
         "[3]USER, anonymous, -,\r\n",
         {"user", "bytes"},
         {"1 192.0.2.1 GET /a,b.gif?q=1 200 2026-11-28T07:55:15.498 4502000000|-|3223",
          "2 192.0.2.2 GET /x 404 2026-11-28T17:55:20 0|me|3223", "3 bad-time", "4 not-http"}},
        {"iis: the day first, as told",
         "!iis",
         {"time=time:dmy"},
         "192.0.2.1, -, 03/11/26, 7:55:20, W3SVC2, S, 192.0.2.9, 0, 1, 2, 200, 0, GET, /, -,\n",
         {},
         {"1 192.0.2.1 GET / 200 2026-11-03T07:55:20 0"}},
        {"squid",
         "squid",
         {},
         "1795860000.123    250 192.0.2.1 TCP_MISS/200 512 GET http://e.example/a?b - "
         "HIER_DIRECT/192.0.2.9 text/html\n"
         "1795860001.000 119999 192.0.2.1 TCP_TUNNEL/200 512 CONNECT e.example:443 me "
         "HIER_DIRECT/192.0.2.9 -\n"
         "1795860002.000      0 192.0.2.1 NONE_NONE/400 512 NONE error:invalid-request - "
         "HIER_NONE/- text/html\n"
         "1795860003.000      1 192.0.2.1 TCP_DENIED/403 512 GET http://e.example/a b c - "
         "HIER_NONE/- text/html\n"
         "1795860003.000      1 192.0.2.1 TCP_DENIED/000 512 GET http://e.example - HIER_NONE/- -\n"
         "not a line of it\n",
         {"host", "user", "result"},
         {"1 192.0.2.1 GET /a?b 200 2026-11-28T09:59:59.873 250000000|e.example|-|TCP_MISS",
          "2 192.0.2.1 CONNECT e.example:443 200 2026-11-28T09:58:01.001 "
          "119999000000|-|me|TCP_TUNNEL",
          "3 192.0.2.1 - - 400 2026-11-28T10:00:02 0|-|-|NONE_NONE",
          "4 192.0.2.1 GET /a b c 403 2026-11-28T10:00:02.999 1000000|e.example|-|TCP_DENIED",
          "5 192.0.2.1 GET / - 2026-11-28T10:00:02.999 1000000|e.example|-|TCP_DENIED",
          "6 no-match"}},
        {"trafficserver: stamps of the start",
         "!trafficserver",
         {},
         "1795860000.123 250 192.0.2.1 TCP_MISS/200 512 GET http://e.example/a - "
         "DIRECT/e.example text/html\n",
         {},
         {"1 192.0.2.1 GET /a 200 2026-11-28T10:00:00.123 250000000"}},
        {"csv: names of many kinds, quotes, empty columns at the end",
         "csv",
         {},
         "Timestamp,\"Client IP\",Request Method,URL,Status Code,\"Latency (ms)\",User Agent,,\n"
         "2026-11-28 10:00:01.5 UTC,192.0.2.1,GET,https://e.example/a?b=\"c\",200,250,"
         "\"A \"\"b\"\", c\",,\n"
         "11/28/2026 10:00:01 PM,192.0.2.1,GET,\"/a,b\",200,\"1,5\",NULL,,,,\n"
         "\"Nov 28, 2026 @ 10:00:01.123\",192.0.2.1,GET,/c,-,,x\n"
         "2026-11-28 10:00:01 UTC,192.0.2.1,GET,\"/a\n"
         "b\",200,250,x\n",
         {"user_agent", "host"},
         {"2 192.0.2.1 GET /a?b=\"c\" 200 2026-11-28T10:00:01.25 250000000|A \"b\", c|e.example",
          "3 192.0.2.1 GET /a,b 200 2026-11-28T22:00:00.9985 1500000|-|-",
          "4 192.0.2.1 GET /c - 2026-11-28T10:00:01.123 -|x|-", "5 truncated", "6 no-match"}},
        {"csv: values that have no column",
         "csv",
         {},
         "time,ip,method,path,status,ua\n"
         "2026-11-28T10:00:01Z,192.0.2.1,GET,/a,200,x\n"
         "2026-11-28T10:00:01Z,192.0.2.1,GET,/a,b,200,x\n"
         "2026-11-28T10:00:01Z,192.0.2.1,GET,\"/a\"b,200,x\n"
         "2026-11-28T10:00:01Z,192.0.2.1,GET,\"/a\" ,200,x,,\"\"\n",
         {"ua"},
         {"2 192.0.2.1 GET /a 200 2026-11-28T10:00:01 -|x", "3 no-match", "4 no-match",
          "5 192.0.2.1 GET /a 200 2026-11-28T10:00:01 -|x"}},
        {"tsv: values that have no column, quotes as they came",
         "tsv",
         {},
         "time\tip\tmethod\tpath\tstatus\tua\n"
         "2026-11-28T10:00:01Z\t192.0.2.1\tGET\t/a\t200\tx\ty\n"
         "2026-11-28T10:00:01Z\t192.0.2.1\tGET\t/a\t200\t\"x\" y\n"
         "2026-11-28T10:00:01Z\t192.0.2.1\tGET\t\"/a\tb\"\t200\tx\t\n",
         {"ua"},
         {"2 no-match", "3 192.0.2.1 GET /a 200 2026-11-28T10:00:01 -|\"x\" y",
          "4 192.0.2.1 GET /a\tb 200 2026-11-28T10:00:01 -|x"}},
        {"w3c: commas, values that have no column",
         "w3c",
         {},
         "#Fields: DateTime,Method,UrlStem,ClientIpAddress,HttpStatus\n"
         "2026-11-28T10:00:01Z,GET,/a,192.0.2.1,200\n"
         "2026-11-28T10:00:01Z,GET,/a,b,192.0.2.1,200\n"
         "2026-11-28T10:00:01Z,GET,\"/a\"b,192.0.2.1,200\n",
         {},
         {"2 192.0.2.1 GET /a 200 2026-11-28T10:00:01 -", "3 no-match", "4 no-match"}},
        {"w3c: more columns than anybody has",
         "!w3c",
         {},
         "#Fields: date time c-ip cs-method cs-uri-stem sc-status\n"
         "2026-11-28 10:00:01 192.0.2.1 GET /a 200\n"
             + wideHeader("#Fields: date time c-ip cs-method cs-uri-stem sc-status", ' ')
             + "2026-11-28 10:00:01 192.0.2.1 GET /a 200\n",
         {},
         {"2 192.0.2.1 GET /a 200 2026-11-28T10:00:01 -", "4 wide-header"}},
        {"csv: more columns than anybody has",
         "!csv",
         {},
         wideHeader("time,ip,method,path,status", ',')
             + "2026-11-28T10:00:01Z,192.0.2.1,GET,/a,200\n",
         {},
         {"2 wide-header"}},
        {"csv: semicolons, the day first, decimal commas",
         "csv",
         {"time=Datum:dmy", "client_ip=Adresse", "status=Antwort", "path=Pfad",
          "duration=Dauer:ms"},
         "Datum;Adresse;Pfad;Antwort;Dauer\n03/11/2026 10:00:00;192.0.2.1;/a?b;200;12,5\n",
         {},
         {"2 192.0.2.1 - /a?b 200 2026-11-03T09:59:59.9875 12500000"}},
        {"csv: a date and a clock",
         "csv",
         {},
         "Date,Time,IP,Method,Path,Status\n11/28/26,7:48:40 PM,192.0.2.1,GET,/a,200\n",
         {},
         {"2 192.0.2.1 GET /a 200 2026-11-28T19:48:40 -"}},
        {"csv: by position, no header",
         "!csv",
         {"time=1", "client_ip=2", "method=3", "path=4", "status=5", "duration=6:us"},
         "1795860000000000,192.0.2.1,GET,/a,200,1500\n1795860000000001,192.0.2.1,GET,/b,200,1\n",
         {},
         {"1 192.0.2.1 GET /a 200 2026-11-28T09:59:59.9985 1500000",
          "2 192.0.2.1 GET /b 200 2026-11-28T10:00:00 1000"}},
        {"csv: a console's nested names",
         "csv",
         {},
         "httpRequest.requestMethod,httpRequest.requestUrl,httpRequest.status,"
         "httpRequest.remoteIp,httpRequest.latency,timestamp,destination.ip\n"
         "GET,https://e.example/a,200,192.0.2.1,0.250s,2026-11-28T10:00:01Z,192.0.2.9\n",
         {},
         {"2 192.0.2.1 GET /a 200 2026-11-28T10:00:00.75 250000000"}},
        {"tsv",
         "tsv",
         {},
         "start_time\tclient_ip\tmethod\tpath\tstatus\tduration_ms\tua\n"
         "1795860000123\t192.0.2.1\tGET\t/a\t200\t5\t\"x\n",
         {"user_agent"},
         {"2 192.0.2.1 GET /a 200 2026-11-28T10:00:00.123 5000000|\"x"}},
        {"logfmt",
         "logfmt",
         {},
         "time=2026-11-28T10:00:01Z level=info msg=\"done \\\"x\\\" = y\" method=GET path=/a?b "
         "status=200 duration=18ms remote_addr=192.0.2.1:5 user=DOM\\bob ua=\"A \\\"b\\\"\"\n"
         "time=[28/Nov/2026:10:00:01 +0000] method=GET path=\"/c d\" status=- duration=1m0.5s\n"
         "time=2026-11-28T10:00:01Z level=info msg=started\n"
         "time=2026-11-28T10:00:01Z method=GET path=\"/cut\n",
         {"user", "user_agent", "level"},
         {"1 192.0.2.1:5 GET /a?b 200 2026-11-28T10:00:00.982 18000000|DOM\\bob|A \"b\"|info",
          "2 - GET /c d - 2026-11-28T09:59:00.5 60500000000|-|-|-", "3 no-match", "4 truncated"}},
        {"logfmt: Heroku's router",
         "logfmt",
         {},
         "2026-11-28T10:00:01.250000+00:00 heroku[router]: at=info method=GET path=\"/x?y=z\" "
         "host=e.example request_id=r1 fwd=\"198.51.100.1, 192.0.2.1\" dyno=web.1 connect=1ms "
         "service=18ms status=200 bytes=13 protocol=https\n"
         "2026-11-28T10:00:01.250000+00:00 heroku[router]: at=error code=H12 desc=\"Request "
         "timeout\" method=GET path=\"/x\" host=e.example fwd=\"192.0.2.1\" dyno=web.1 connect=1ms "
         "service=30000ms status=503 bytes=0\n",
         {"host", "request_id", "x_forwarded_for", "dyno"},
         {"1 192.0.2.1 GET /x?y=z 200 2026-11-28T10:00:01.231 19000000|e.example|r1|198.51.100.1, "
          "192.0.2.1|web.1",
          "2 192.0.2.1 GET /x 503 2026-11-28T09:59:31.249 30001000000|e.example|-|192.0.2.1|web."
          "1"}},
        {"logfmt: key=\"value\"",
         "logfmt",
         {},
         "time_local=\"11/JAN/2022:15:38:20 +0000\" http_method=\"GET\" site=\"a.example\" "
         "src=\"192.0.2.62\" user=\"-\" status=\"200\" uri_path=\"/p\" request_time=\"0.005\"\n",
         {"host", "user"},
         {"1 192.0.2.62 GET /p 200 2022-01-11T15:38:19.995 5000000|a.example|-"}},
        {"logfmt: mapped as nginx writes fields",
         "!logfmt",
         {"time=$t0", "duration=$rt:ms"},
         "t0=2026-11-28T10:00:01Z method=GET path=/a status=200 rt=250\n",
         {},
         {"1 - GET /a 200 2026-11-28T10:00:00.75 250000000"}},
        {"logfmt: two times that are too long together leave one",
         "!logfmt",
         {},
         "time=2026-11-28T10:00:01Z method=GET path=/a status=200 connect=9000000000s "
         "service=9000000000s\n",
         {},
         {"1 - GET /a 200 1741-09-16T18:00:01 9000000000000000000"}},
        {"ltsv: any order, colons in values",
         "ltsv",
         {},
         "host:192.0.2.1\ttime:[28/Nov/2026:10:00:01 +0000]\treq:GET /a:b?c HTTP/1.1\tstatus:200"
         "\tsize:12\treferer:-\tua:A: b\tvhost:e.example\treqtime:0.250\tapptime:0.1\n"
         "uri:/x\tmethod:POST\ttime:2026-11-28T10:00:01+09:00\tstatus:400\tapptime:-"
         "\tforwardedfor:198.51.100.1, 2001:db8::1\n"
         "remote_addr:192.0.2.3\thost:e.example\ttime:2026-11-28T10:00:01Z\tmethod:GET\turi:/y"
         "\tstatus:200\treqtime_microsec:1500\tua:q\\x22\n"
         "label:value\n",
         {"host", "user_agent", "bytes"},
         {"1 192.0.2.1 GET /a:b?c 200 2026-11-28T10:00:00.75 250000000|e.example|A: b|12",
          "2 2001:db8::1 POST /x 400 2026-11-28T01:00:01 -|-|-|-",
          "3 192.0.2.3 GET /y 200 2026-11-28T10:00:00.9985 1500000|e.example|q\"|-", "4 no-match"}},
        {"squid: the host of a URL",
         "squid",
         {},
         "1795860000.123    250 192.0.2.1 TCP_MISS/200 512 GET http://e.example/a?b - "
         "HIER_DIRECT/192.0.2.9 text/html\n",
         {"host", "scheme"},
         {"1 192.0.2.1 GET /a?b 200 2026-11-28T09:59:59.873 250000000|e.example|http"}},
        {"w3c: the host of a URL",
         "w3c",
         {},
         "#Fields: date time c-ip cs-method cs-uri sc-status\n"
         "2026-11-28 10:00:00 192.0.2.1 GET http://e.example/a?b 200\n",
         {"host", "scheme"},
         {"2 192.0.2.1 GET /a?b 200 2026-11-28T10:00:00 -|e.example|http"}},
        {"iis: a comma without a blank is part of a value",
         "iis",
         {},
         "192.0.2.1, -, 11/28/2026, 23:59:59, W3SVC2, SERVER, 172.21.13.45, 60, 163, 3223, 200, 0, "
         "GET, /x, ids=1,2,\n"
         "192.0.2.1, -, 11/28/2026, 23:59:59, W3SVC2, SERVER, 172.21.13.45, 60, 163, 3223, 200, 0, "
         "GET, /x,y, -,\n",
         {},
         {"1 192.0.2.1 GET /x?ids=1,2 200 2026-11-28T23:59:58.94 60000000",
          "2 192.0.2.1 GET /x,y 200 2026-11-28T23:59:58.94 60000000"}},
        {"csv: a bracket of the time alone, request lines in a column of paths",
         "csv",
         {},
         "IP,Time,URL,Staus\n10.128.2.1,[29/Nov/2026:06:58:55,GET /login.php HTTP/1.1,200\n"
         "10.128.2.1,[29/Nov/2026:06:59:02 +0100,POST /process.php?a=1 HTTP/1.1,302\n"
         "10.128.2.1,[29/Nov/2026:06:59:02 +0000],/plain,302\n",
         {},
         {"2 10.128.2.1 GET /login.php 200 2026-11-29T06:58:55 -",
          "3 10.128.2.1 POST /process.php?a=1 302 2026-11-29T05:59:02 -",
          "4 10.128.2.1 - /plain 302 2026-11-29T06:59:02 -"}},
        {"csv: the same without a header",
         "!csv",
         {"client_ip=1", "time=2", "path=3", "status=4"},
         "10.128.2.1,[29/Nov/2026:06:58:55,GET /login.php HTTP/1.1,200\n"
         "10.128.2.1,[29/Nov/2026:06:59:02,POST /process.php HTTP/1.1,302\n",
         {},
         {"1 10.128.2.1 GET /login.php 200 2026-11-29T06:58:55 -",
          "2 10.128.2.1 POST /process.php 302 2026-11-29T06:59:02 -"}},
        {"csv: a load balancer's columns",
         "csv",
         {},
         "type,time,client_ip,elb_status_code,request_verb,request_url,request_creation_time\n"
         "h2,2026-11-28T10:00:01Z,192.0.2.1,429,GET,https://e.example/a,2026-11-28T10:00:00.5Z\n",
         {"host"},
         {"2 192.0.2.1 GET /a 429 2026-11-28T10:00:00.5 -|e.example"}},
        {"csv: a mapped request line",
         "csv",
         {"request=what"},
         "time,ip,what\n2026-11-28T10:00:00Z,192.0.2.1,PUT /a?b HTTP/1.1\n",
         {},
         {"2 192.0.2.1 PUT /a?b - 2026-11-28T10:00:00 -"}},
    };
    return kCases;
}

} // namespace

void TestFormatsTab::reads_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases().size(); ++i) {
        QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
}

void TestFormatsTab::reads()
{
    QFETCH(int, index);
    const Case& test = cases()[static_cast<std::size_t>(index)];
    const auto lines = readAll(test, std::size_t {1} << 20);
    const std::string format = *test.format == '!' ? test.format + 1 : test.format;
    QCOMPARE(lines.front(), format);
    for (std::size_t i = 0; i < test.expected.size() && i + 1 < lines.size(); ++i) {
        QCOMPARE(lines[i + 1], std::string(test.expected[i]));
    }
    QCOMPARE(lines.size(), test.expected.size() + 1);
}

void TestFormatsTab::doesNotDependOnBlockSizes()
{
    QFETCH(int, index);
    const Case& test = cases()[static_cast<std::size_t>(index)];
    const auto whole = readAll(test, std::size_t {1} << 20);
    for (const std::size_t size : {1U, 64U, 200U}) {
        QCOMPARE(readAll(test, size), whole);
    }
}

void TestFormatsTab::writtenTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected"); // empty: it is none
    QTest::addColumn<bool>("isLocal");
    const auto row = [](const char* text, const char* expected, bool isLocal = false) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(expected) << isLocal;
    };
    row("04/12/2018 07:48:40 PM", "2018-04-12T19:48:40", true);
    row("4/12/2018 12:00:00 AM", "2018-04-12T00:00:00", true);
    row("4/12/2018, 12:00:00 p.m.", "2018-04-12T12:00:00", true);
    row("04/12/18 7:48:40.125 am", "2018-04-12T07:48:40.125", true);
    row("13/12/2018 07:48:40", "");
    row("04/12/2018 13:48:40 PM", "");
    row("4/12/2018 7:48", "");
    row("12.04.2018 07:48:40", "2018-04-12T07:48:40", true);
    row("2018/04/12 07:48:40,5", "2018-04-12T07:48:40.5", true);
    row("2018-04-12 07:48:40 UTC", "2018-04-12T07:48:40");
    row("2018-04-12 07:48:40.123456789 +0200", "2018-04-12T05:48:40.123456789");
    row("Apr 12, 2018 @ 07:48:40.123", "2018-04-12T07:48:40.123", true);
    row("Thu, 12 Apr 2018 07:48:40 GMT", "2018-04-12T07:48:40");
    row("Thu Apr 12 07:48:40 2018", "2018-04-12T07:48:40", true);
    row("Thu Apr 12 07:48:40 UTC 2018", "2018-04-12T07:48:40");
    row("Thu Apr 12 2018 07:48:40 GMT+0200 (Somewhere Summer Time)", "2018-04-12T05:48:40");
    row("12/Apr/2018:07:48:40", "2018-04-12T07:48:40", true);
    row("12-Apr-18 07:48:40", "2018-04-12T07:48:40", true);
    row("20180412T074840Z", "2018-04-12T07:48:40");
    row("20180412074840", "2018-04-12T07:48:40", true);
    row("20180412T074840.25+0200", "2018-04-12T05:48:40.25");
    row("1523519320,5", "2018-04-12T07:48:40.5");
    row("1523519320", "2018-04-12T07:48:40");
    row("1523519320123", "2018-04-12T07:48:40.123");
    row("1523519320123456", "2018-04-12T07:48:40.123456");
    row("1523519320123456789", "2018-04-12T07:48:40.123456789");
    row("2018-04-12T07:48:40 CEST", "");
    row("Thu Apr 12 07:48:40", "");
    row("2018-02-30 07:48:40", "");
    row("1523519320,5,5", "");
    row("12:30:00", "");
    row("", "");
}

void TestFormatsTab::writtenTimes()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QFETCH(bool, isLocal);
    logs::StampCache cache;
    logs::Stamp stamp;
    const std::string padded = text.toStdString() + std::string(logs::kPadding, '\0');
    const bool isRead = logs::readAnyTime(
        std::string_view(padded).substr(0, static_cast<std::size_t>(text.size())), cache, stamp);
    QCOMPARE(isRead ? shownTime(stamp.ns) : std::string(), expected.toStdString());
    if (isRead) {
        QCOMPARE(stamp.isLocal, isLocal);
        QCOMPARE(stamp.resolutionNs == 0, expected.contains('.'));
    }
}

void TestFormatsTab::durations_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("unit");
    QTest::addColumn<qint64>("expected"); // -1: it is none
    const auto row = [](const char* text, qint64 unit, qint64 expected) {
        QTest::addRow("%s in %lld", text, unit) << QByteArray(text) << unit << expected;
    };
    row("0.250", 1'000'000'000, 250'000'000);
    row("0,250", 1'000'000'000, 250'000'000);
    row("18ms", 1'000'000'000, 18'000'000);
    row("18ms", 0, 18'000'000);
    row("18", 0, -1);
    row("1.5 s", 0, 1'500'000'000);
    row("12.5\xC2\xB5s", 0, 12'500);
    row("12.5\xCE\xBCs", 0, 12'500);
    row("1m2.5s", 0, 62'500'000'000);
    row("1h0m0.000000001s", 0, 3'600'000'000'001);
    row("00:00:01.5", 0, 1'500'000'000);
    row("0.1234567891s", 0, 123'456'789);
    row("1.5h", 0, -1);
    row("9223372037s", 0, -1);
    row("3 apples", 0, -1);
    row("-1", 1'000'000, -1);
    row("-", 1'000'000, -1);
    row("", 1'000'000, -1);
    row("0.000, 0.004", 1'000'000'000, -1);
    row("1e3ms", 0, -1);
}

void TestFormatsTab::durations()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, unit);
    QFETCH(qint64, expected);
    const std::string padded = text.toStdString() + std::string(logs::kPadding, '\0');
    const auto read = logs::readDuration(
        std::string_view(padded).substr(0, static_cast<std::size_t>(text.size())), unit);
    QCOMPARE(static_cast<qint64>(read.value_or(-1)), expected);
}

void TestFormatsTab::namesColumns()
{
    const auto attributesOf = [](const std::string& log) {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("log")).toStdString();
        std::ofstream(path, std::ios::binary) << log;
        auto reader = LogReader::open(path, {});
        return reader ? (*reader)->allFields() : std::vector<std::string> {};
    };
    const std::vector<std::string> csv {"client_ip", "method", "path",     "query", "host",
                                        "scheme",    "status", "duration", "url",   "tenant id"};
    QCOMPARE(attributesOf("time,ip,verb,url,code,took_ms,tenant id\n"
                          "2026-11-28T10:00:00Z,192.0.2.1,GET,/,200,5,t\n"),
             csv);
}

/// The first row of a table without a header says no names.
void TestFormatsTab::takesNoNamesFromRows()
{
    const FormatOptions options {{{"time", "1"}, {"client_ip", "2"}, {"path", "3"}}, nullptr};
    FieldNames names;
    const auto csv = logFormat("csv", options).value();
    csv->collectFields("12/Apr/2026:09:48:40 +0000,192.0.2.1,/a,odd", names);
    QVERIFY(names.has("column_4"));
    QVERIFY(!names.has("odd"));
    names = {};
    csv->collectFields("when,who,what,extra", names);
    QVERIFY(names.has("extra"));
}

void TestFormatsTab::listsFields()
{
    for (const char* name : {"w3c", "cloudfront", "zeek", "iis", "squid", "trafficserver", "csv",
                             "tsv", "ltsv", "logfmt"}) {
        const auto format = logFormat(name);
        QVERIFY2(format.has_value(), name);
        QCOMPARE((*format)->name(), std::string(name));
        QVERIFY2(!(*format)->remarks().empty(), name);
        const auto parser = (*format)->parser({"client_ip", "x"});
        QVERIFY(parser != nullptr);
    }
}

QTEST_APPLESS_MAIN(TestFormatsTab)
#include "tst_formats_tab.moc"
