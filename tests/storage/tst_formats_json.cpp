#include "storage/log_reader.h"
#include "storage/logs/json_scan.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace storage;

/// The kinds of JSON logs: what of a line is when, who and what, what is no request and why, and
/// that no line means something else because of the lines before it.
class TestFormatsJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_data();
    void reads();
    void givesAttributes_data();
    void givesAttributes();
    void refuses_data();
    void refuses();
    void detects_data();
    void detects();
    void tellsKinds_data();
    void tellsKinds();
    void collectsFields();
    void followsMappings();
    void findsHeadersByTheirPlainNames();
    void saysWhatItIsOf();
    void forgetsTheLineBefore();
    void keepsTheFirstOfTwoKeys();
    void joinsLists_data();
    void joinsLists();
    void readsRealFiles_data();
    void readsRealFiles();
};

namespace {

/// A log of these lines, in memory for as long as the object lives.
class Log {
public:
    explicit Log(const std::string& text) { std::ofstream(path(), std::ios::binary) << text; }

    [[nodiscard]] std::string path() const
    {
        return m_folder.filePath(QStringLiteral("a.jsonl")).toStdString();
    }

private:
    QTemporaryDir m_folder;
};

/// One text for a request or a reject: "stamp start duration resolution|value|value".
std::vector<std::string> readLines(const std::string& text, const std::string& format,
                                   const std::vector<std::string>& fields,
                                   const std::vector<FieldMapping>& mappings = {},
                                   std::size_t blockBytes = std::size_t {1} << 20)
{
    const Log log(text);
    LogOptions options;
    options.format = format;
    options.blockBytes = blockBytes;
    options.reading.mappings = mappings;
    auto reader = LogReader::open(log.path(), options);
    if (!reader) {
        return {reader.error().code};
    }
    (*reader)->selectFields(fields);
    std::vector<std::pair<std::uint64_t, std::string>> lines;
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const engine::Request& request = block.batch.requests[i];
            std::string line = std::to_string(request.stampNs) + " "
                + std::to_string(request.timeNs) + " " + std::to_string(request.durationNs) + " "
                + std::to_string(request.resolutionNs);
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const std::string_view value = block.batch.valuesOf(i)[f];
                line.append("|").append(value.data() == nullptr ? "(none)" : value);
            }
            lines.emplace_back(request.line, line);
        }
        for (const LineReject& rejected : block.rejects) {
            lines.emplace_back(rejected.line, rejected.reason);
        }
    }
    std::sort(lines.begin(), lines.end());
    std::vector<std::string> texts;
    for (auto& [number, line] : lines) {
        texts.push_back(std::move(line));
    }
    return texts;
}

std::string readOne(const std::string& line, const std::string& format,
                    const std::vector<std::string>& fields,
                    const std::vector<FieldMapping>& mappings = {})
{
    const auto lines = readLines(line + "\n", format, fields, mappings);
    return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " lines";
}

const std::vector<std::string> kMain {"client_ip", "method", "path", "query", "host", "status"};

void addRow(const char* name, const char* format, const char* line, const char* expected)
{
    QTest::newRow(name) << QByteArray(format) << QByteArray(line) << QByteArray(expected);
}

} // namespace

void TestFormatsJson::reads_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");

    // nginx: stamp at the end, numbers as texts, nothing as "" or -
    addRow(
        "nginx escape=json", "nginx-json",
        R"({"time":"2026-11-28T10:00:01+01:00","remote_addr":"192.0.2.1","request":"GET /a?b=1 HTTP/1.1","status":200,"request_time":0.250})",
        "1795856401000000000 1795856400750000000 250000000 "
        "1000000000|192.0.2.1|GET|/a|b=1|(none)|200");
    addRow(
        "nginx msec is best", "nginx-json",
        R"({"time_local":"28/Nov/2026:10:00:01 +0000","msec":"1795860001.123","remote_addr":"2001:db8::1","request_method":"PUT","request_uri":"/x?y","status":"204","request_time":"0.001","host":"h.example"})",
        "1795860001123000000 1795860001122000000 1000000 0|2001:db8::1|PUT|/x|y|h.example|204");
    addRow(
        "nginx default escape", "nginx-json",
        R"({"time_iso8601":"2026-11-28T10:00:01+00:00","remote_addr":"192.0.2.1","request":"GET /\x22q\x22 HTTP/1.1","status":400,"request_time":-,"upstream_response_time":-})",
        R"(1795860001000000000 1795860001000000000 -1 1000000000|192.0.2.1|GET|/"q"|(none)|(none)|400)");
    addRow(
        "nginx literal prefix", "nginx-json",
        R"(escape=json {"time_iso8601":"2026-11-28T10:00:01+00:00","remote_addr":"192.0.2.1","request":"","status":400,"request_time":})",
        "1795860001000000000 1795860001000000000 -1 "
        "1000000000|192.0.2.1|(none)|(none)|(none)|(none)|400");
    addRow(
        "nginx XFF alone", "nginx-json",
        R"({"time_iso8601":"2026-11-28T10:00:01+00:00","http_x_forwarded_for":"192.0.2.7, 198.51.100.2","request":"GET / HTTP/1.1","status":200})",
        "1795860001000000000 1795860001000000000 -1 1000000000|(none)|GET|/|(none)|(none)|200");

    // Caddy
    addRow(
        "caddy 2.7", "caddy",
        R"({"level":"info","ts":1795860001.1234567,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"198.51.100.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"h.example:8443","uri":"/a?b","headers":{"User-Agent":["curl"]}},"bytes_read":0,"user_id":"","duration":0.000177845,"size":5,"status":200,"resp_headers":{"Server":["Caddy"]}})",
        "1795860001123456700 1795860001123278855 177845 0|192.0.2.1|GET|/a|b|h.example:8443|200");
    addRow(
        "caddy 2.4", "caddy",
        R"({"ts":1795860001.5,"logger":"http.log.access","request":{"remote_addr":"[2001:db8::9]:443","method":"GET","uri":"/"},"duration":1.5e-5,"status":0})",
        "1795860001500000000 1795860001499985000 15000 "
        "0|[2001:db8::9]:443|GET|/|(none)|(none)|(none)");
    addRow(
        "caddy remote_ip", "caddy",
        R"({"ts":1795860001.5,"request":{"remote_ip":"192.0.2.3","client_ip":"","method":"GET","uri":"/"},"duration":2,"status":200})",
        "1795860001500000000 1795859999500000000 2000000000 0|192.0.2.3|GET|/|(none)|(none)|200");
    addRow(
        "caddy text forms", "caddy",
        R"({"ts":"2026-11-28T10:00:01.250Z","request":{"remote_ip":"192.0.2.3","method":"GET","uri":"/"},"duration":"1.5ms","status":200})",
        "1795860001250000000 1795860001248500000 1500000 0|192.0.2.3|GET|/|(none)|(none)|200");
    addRow(
        "caddy long text", "caddy",
        R"({"ts":1795860061.5,"request":{"remote_ip":"192.0.2.3","method":"GET","uri":"/"},"duration":"1m2.5s","status":200})",
        "1795860061500000000 1795859999000000000 62500000000 0|192.0.2.3|GET|/|(none)|(none)|200");
    addRow(
        "caddy wall clock", "caddy",
        R"({"ts":"2026/11/28 10:00:01.250","request":{"remote_ip":"192.0.2.3","method":"GET","uri":"/"},"duration":"177.845\u00b5s","status":200})",
        "1795860001250000000 1795860001249822155 177845 0|192.0.2.3|GET|/|(none)|(none)|200");
    addRow(
        "caddy milliseconds", "caddy",
        R"({"ts":1795860001123.4567,"request":{"remote_ip":"192.0.2.3","method":"GET","uri":"/"},"status":200})",
        "1795860001123456700 1795860001123456700 -1 0|192.0.2.3|GET|/|(none)|(none)|200");

    // Traefik: start, nanoseconds, any digits
    addRow(
        "traefik", "traefik-json",
        R"({"ClientAddr":"192.0.2.1:5000","ClientHost":"192.0.2.1","DownstreamStatus":200,"Duration":24534228,"RequestHost":"h.example","RequestMethod":"GET","RequestPath":"/a?b=c","StartLocal":"2026-11-28T11:00:01.5+01:00","StartUTC":"2026-11-28T10:00:01.43197025Z","time":"2026-11-28T10:00:09Z"})",
        "1795860001431970250 1795860001431970250 24534228 0|192.0.2.1|GET|/a|b=c|h.example|200");
    addRow(
        "traefik text status", "traefik-json",
        R"({"ClientAddr":"[2001:db8::1]:5000","DownstreamStatus":"504","Duration":10002425284,"RequestMethod":"GET","RequestPath":"/","StartUTC":"2026-11-28T10:00:01Z","time":"2026-11-28T10:00:11Z"})",
        "1795860001000000000 1795860001000000000 10002425284 "
        "1000000000|[2001:db8::1]:5000|GET|/|(none)|(none)|504");
    addRow(
        "traefik end only", "traefik-json",
        R"({"ClientHost":"192.0.2.1","DownstreamStatus":200,"Duration":500000000,"RequestMethod":"GET","RequestPath":"/","time":"2026-11-28T10:00:01Z"})",
        "1795860001000000000 1795860000500000000 500000000 "
        "1000000000|192.0.2.1|GET|/|(none)|(none)|200");

    // Kong
    addRow(
        "kong", "kong",
        R"({"latencies":{"request":515,"kong":58,"proxy":457},"service":{"host":"h"},"request":{"querystring":{"a":"1"},"size":138,"uri":"/get?a=1","url":"http://h.example:8000/get?a=1","headers":{"host":"h.example:8000"},"method":"GET"},"tries":[{"ip":"10.0.0.1","port":80}],"client_ip":"192.0.2.1","response":{"status":200,"size":434},"started_at":1795860001123})",
        "1795860001123000000 1795860001123000000 515000000 "
        "0|192.0.2.1|GET|/get|a=1|h.example:8000|200");
    addRow(
        "kong batch of one", "kong",
        R"([{"latencies":{"request":5},"request":{"url":"https://h.example/x?y","method":"GET"},"client_ip":"192.0.2.1","response":{"status":200},"started_at":1795860001123}])",
        "1795860001123000000 1795860001123000000 5000000 0|192.0.2.1|GET|/x|y|h.example|200");
    addRow(
        "list, a record a line", "kong",
        R"([{"latencies":{"request":-1},"request":{"uri":"/","method":"GET"},"client_ip":"192.0.2.1","response":{"status":200},"started_at":1795860001123},)",
        "1795860001123000000 1795860001123000000 -1 0|192.0.2.1|GET|/|(none)|(none)|200");

    // Google
    addRow(
        "gcp", "gcp-lb",
        R"({"httpRequest":{"latency":"1.500000s","remoteIp":"192.0.2.1:443","requestMethod":"GET","requestUrl":"https://h.example/a?b","status":200,"userAgent":"x"},"insertId":"i","receiveTimestamp":"2026-11-28T10:00:09Z","timestamp":"2026-11-28T10:00:01.123456789Z"})",
        "1795860001123456789 1795860001123456789 1500000000 "
        "0|192.0.2.1:443|GET|/a|b|h.example|200");
    addRow(
        "gcp without latency", "gcp-lb",
        R"({"httpRequest":{"remoteIp":"192.0.2.1","requestMethod":"GET","requestUrl":"https://h.example","status":404},"timestamp":"2026-11-28T10:00:01.123456Z"})",
        "1795860001123456000 1795860001123456000 -1 0|192.0.2.1|GET|/|(none)|h.example|404");

    // Cloudflare: five forms, never through floating point
    const auto cloudflare = [](const char* name, const char* start, const char* end,
                               const char* expected) {
        const std::string line
            = R"({"ClientIP":"192.0.2.1","ClientRequestHost":"h.example","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","EdgeResponseStatus":200,"EdgeStartTimestamp":)"
            + std::string(start) + R"(,"EdgeEndTimestamp":)" + end + "}";
        addRow(name, "cloudflare", line.c_str(),
               (std::string(expected) + "|192.0.2.1|GET|/a|b|h.example|200").c_str());
    };
    cloudflare("cloudflare ns", "1795860001123456789", "1795860001223456789",
               "1795860001123456789 1795860001123456789 100000000 0");
    cloudflare("cloudflare ns text", R"("1795860001123456789")", R"("1795860001123456790")",
               "1795860001123456789 1795860001123456789 1 0");
    cloudflare("cloudflare s", "1795860001", "1795860007",
               "1795860001000000000 1795860001000000000 6000000000 1000000000");
    cloudflare("cloudflare rfc3339", R"("2026-11-28T10:00:01Z")", R"("2026-11-28T10:00:01Z")",
               "1795860001000000000 1795860001000000000 0 1000000000");
    cloudflare("cloudflare rfc3339ms", R"("2026-11-28T10:00:01.123Z")",
               R"("2026-11-28T10:00:01.120Z")", "1795860001123000000 1795860001123000000 -1 0");
    addRow(
        "cloudflare path", "cloudflare",
        R"({"ClientIP":"2001:db8::1","ClientRequestMethod":"GET","ClientRequestPath":"/p","EdgeStartTimestamp":1795860001123456789})",
        "1795860001123456789 1795860001123456789 -1 0|2001:db8::1|GET|/p|(none)|(none)|(none)");

    // Envoy, Istio
    addRow(
        "envoy gateway", "envoy-json",
        R"({":authority":"h.example","bytes_received":0,"bytes_sent":5,"downstream_remote_address":"[2001:db8::1]:60000","duration":12,"method":"GET","protocol":"HTTP/1.1","response_code":200,"response_flags":"-","start_time":"2026-11-28T10:00:01.123Z","upstream_cluster":"c","x-envoy-origin-path":"/a?b","x-forwarded-for":"192.0.2.7"})",
        "1795860001123000000 1795860001123000000 12000000 "
        "0|[2001:db8::1]:60000|GET|/a|b|h.example|200");
    addRow(
        "istio", "envoy-json",
        R"({"authority":"h.example:80","bytes_received":"0","downstream_local_address":"10.0.0.1:80","downstream_remote_address":null,"duration":"7","method":"GET","path":"/a","protocol":"HTTP/1.1","response_code":"503","response_flags":"UF","start_time":"2026-11-28T10:00:01.123Z","upstream_cluster":"c","x_forwarded_for":"198.51.100.1, 192.0.2.7"})",
        "1795860001123000000 1795860001123000000 7000000 "
        "0|192.0.2.7|GET|/a|(none)|h.example:80|503");
    addRow(
        "envoy bad request", "envoy-json",
        R"({"start_time":"2026-11-28T10:00:01.123Z","method":null,"x-envoy-origin-path":null,"protocol":null,"response_code":400,"response_flags":"DPE","duration":0,"downstream_remote_address":"192.0.2.1:5"})",
        "1795860001123000000 1795860001123000000 0 0|192.0.2.1:5|(none)|(none)|(none)|(none)|400");

    // API Gateway
    addRow(
        "api gateway epoch", "api-gateway",
        R"({"requestId":"r","ip":"192.0.2.1","caller":"-","user":"-","requestTime":"28/Nov/2026:10:00:01 +0000","requestTimeEpoch":1795860001123,"httpMethod":"GET","resourcePath":"/a/{id}","status":"200","protocol":"HTTP/1.1","responseLength":"2","responseLatency":"45"})",
        "1795860001123000000 1795860001123000000 45000000 "
        "0|192.0.2.1|GET|/a/{id}|(none)|(none)|200");
    addRow(
        "api gateway route key", "api-gateway",
        R"({"requestId":"r","ip":"192.0.2.1","requestTime":"28/Nov/2026:10:00:01 +0000","routeKey":"GET /a/{id}","status":"200","protocol":"HTTP/1.1","responseLength":"2"})",
        "1795860001000000000 1795860001000000000 -1 "
        "1000000000|192.0.2.1|GET|/a/{id}|(none)|(none)|200");
    addRow(
        "api gateway default route", "api-gateway",
        R"({"requestId":"r","ip":"192.0.2.1","requestTime":"28/Nov/2026:10:00:01 +0000","httpMethod":"GET","routeKey":"$default","status":"404"})",
        "1795860001000000000 1795860001000000000 -1 "
        "1000000000|192.0.2.1|GET|(none)|(none)|(none)|404");

    // Azure
    addRow(
        "front door", "azure",
        R"({"time":"2026-11-28T10:00:01.7383427Z","category":"FrontdoorAccessLog","properties":{"trackingReference":"t","httpMethod":"GET","httpVersion":"2.0","requestUri":"https://h.example:443/a?b","userAgent":"x","clientIp":"192.0.2.1","timeTaken":"0.125","httpStatusCode":"200"}})",
        "1795860001738342700 1795860001613342700 125000000 0|192.0.2.1|GET|/a|b|h.example:443|200");
    addRow(
        "application gateway", "azure",
        R"({"timeStamp":"2026-11-28T10:00:01+00:00","operationName":"ApplicationGatewayAccess","properties":{"instanceId":"i","clientIP":"192.0.2.1","clientPort":5,"httpMethod":"GET","originalRequestUriWithArgs":"/a?b=1","requestUri":"/rewritten","requestQuery":"SERVER-STATUS=200","httpStatus":200,"timeTaken":0.205,"host":"h.example"}})",
        "1795860001000000000 1795860000795000000 205000000 "
        "1000000000|192.0.2.1|GET|/a|b=1|h.example|200");

    // ALB as JSON
    addRow(
        "alb", "alb-json",
        R"({"type":"https","time":"2026-11-28T10:00:01.135052Z","elb":"app/x","client_ip":"192.0.2.1","request_processing_time":0.001,"target_processing_time":0.052,"response_processing_time":0.0,"elb_status_code":"200","request_verb":"GET","request_url":"https://h.example:443/a?b","request_creation_time":"2026-11-28T10:00:01.081000Z"})",
        "1795860001081000000 1795860001081000000 54052000 0|192.0.2.1|GET|/a|b|h.example:443|200");
    addRow(
        "alb implausible creation", "alb-json",
        R"({"time":"2026-11-28T10:00:01.5Z","elb":"app/x","client:port":"192.0.2.1:9","request_processing_time":0.25,"target_processing_time":-1,"response_processing_time":0.5,"elb_status_code":502,"request":"GET https://h.example:443/a HTTP/1.1","request_creation_time":"2022-11-28T10:00:01.081000Z"})",
        "1795860001500000000 1795860000750000000 750000000 "
        "0|192.0.2.1:9|GET|/a|(none)|h.example:443|502");

    addRow(
        "alb not forwarded", "alb-json",
        R"({"time":"2026-11-28T10:00:01.5Z","elb":"app/x","client_ip":"192.0.2.1","request_processing_time":-1,"target_processing_time":-1,"response_processing_time":0,"elb_status_code":503,"request":"GET / HTTP/1.1"})",
        "1795860001500000000 1795860001500000000 -1 0|192.0.2.1|GET|/|(none)|(none)|503");

    // Zeek
    addRow(
        "zeek", "zeek-json",
        R"({"ts":1795860001.305988,"uid":"u","id.orig_h":"192.0.2.1","id.orig_p":1,"id.resp_h":"198.51.100.1","id.resp_p":80,"trans_depth":1,"method":"GET","host":"h.example","uri":"/a?b","status_code":200})",
        "1795860001305988000 1795860001305988000 -1 0|192.0.2.1|GET|/a|b|h.example|200");
    addRow(
        "zeek nested", "zeek-json",
        R"({"ts":"2026-11-28T10:00:01.305988Z","uid":"u","id":{"orig_h":"192.0.2.1","resp_h":"198.51.100.1"},"method":"GET","uri":"/"})",
        "1795860001305988000 1795860001305988000 -1 0|192.0.2.1|GET|/|(none)|(none)|(none)");

    // names of the operator
    addRow(
        "ecs", "json",
        R"({"@timestamp":"2026-11-28T10:00:01.5Z","client":{"ip":"192.0.2.1"},"http":{"request":{"method":"GET"},"response":{"status_code":200}},"url":{"path":"/a","query":"b","domain":"h.example"},"event":{"duration":1500}})",
        "1795860001500000000 1795860001499998500 1500 0|192.0.2.1|GET|/a|b|h.example|200");
    addRow(
        "pino", "json",
        R"({"level":30,"time":1795860001123,"req":{"id":1,"method":"GET","url":"/a?b","headers":{"Host":"h.example"},"remoteAddress":"192.0.2.1"},"res":{"statusCode":200},"responseTime":12.5,"msg":"request completed"})",
        "1795860001123000000 1795860001110500000 12500000 0|192.0.2.1|GET|/a|b|h.example|200");
    addRow(
        "akamai", "json",
        R"({"version":1,"reqTimeSec":"1795860001.123","cliIP":"192.0.2.1","statusCode":"206","reqHost":"h.example","reqMethod":"GET","reqPath":"/a","queryStr":"b","transferTimeMSec":"125"})",
        "1795860001123000000 1795860001123000000 125000000 0|192.0.2.1|GET|/a|b|h.example|206");
    addRow(
        "fastly", "json",
        R"({"timestamp":"2026-11-28T10:00:01+0000","client_ip":"192.0.2.1","host":"h.example","url":"/a?b","request_method":"GET","request_user_agent":"x","response_status":200})",
        "1795860001000000000 1795860001000000000 -1 1000000000|192.0.2.1|GET|/a|b|h.example|200");
    addRow(
        "unit by the text only", "json",
        R"({"time":"2026-11-28T10:00:01.5Z","ip":"192.0.2.1","path":"/","latency":"12ms","elapsed":3})",
        "1795860001500000000 1795860001488000000 12000000 "
        "0|192.0.2.1|(none)|/|(none)|(none)|(none)");
    addRow("last of two keys", "json",
           R"({"time":"2026-11-28T10:00:01.5Z","ip":"192.0.2.1","path":"/a","path":"/b"})",
           "1795860001500000000 1795860001500000000 -1 0|192.0.2.1|(none)|/b|(none)|(none)|(none)");
}

void TestFormatsJson::reads()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(readOne(line.toStdString(), format.toStdString(), kMain)),
             expected);
}

void TestFormatsJson::givesAttributes_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected"); // attribute=value, by blanks
    addRow(
        "caddy headers", "caddy",
        R"({"ts":1.5,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/","headers":{"X-Api-Key":["k1"],"User-Agent":["u"],"X-Forwarded-For":["192.0.2.7","192.0.2.8"],"x-tenant":["t"]}}})",
        "api_key=k1 http_x_api_key=k1 request.headers.X-Api-Key[0]=k1 request.headers.x-api-key=k1 "
        "user_agent=u x_forwarded_for=192.0.2.7,+192.0.2.8 "
        "request.headers.X-Forwarded-For[1]=192.0.2.8 "
        "http_x_tenant=t http_x_other=(none)");
    addRow(
        "traefik headers", "traefik-json",
        R"({"ClientHost":"192.0.2.1","ClientUsername":"-","RequestMethod":"GET","RequestPath":"/","request_X-Api-Key":"k1","request_User-Agent":"u","StartUTC":"2026-11-28T10:00:01Z"})",
        "api_key=k1 http_x_api_key=k1 user_agent=u user=(none)");
    addRow(
        "kong", "kong",
        R"({"request":{"method":"GET","uri":"/","headers":{"apikey":"k1","x-tenant":"t"}},"consumer":{"id":"c","username":"alice"},"tries":[{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}],"started_at":1795860001123})",
        "api_key=k1 user=alice http_x_tenant=t tries[1].ip=10.0.0.2 consumer.id=c");
    addRow(
        "kong without consumer", "kong",
        R"({"request":{"method":"GET","uri":"/"},"authenticated_entity":{"id":"e"},"started_at":1795860001123})",
        "api_key=(none) user=e");
    addRow(
        "cloudflare", "cloudflare",
        R"({"ClientIP":"192.0.2.1","ClientRequestURI":"/","RayID":"r","RequestHeaders":{"x-api-key":"k1"},"SampleInterval":10,"EdgeStartTimestamp":1795860001})",
        "api_key=k1 request_id=r SampleInterval=10 http_x_api_key=k1");
    addRow(
        "envoy", "envoy-json",
        R"({"start_time":"2026-11-28T10:00:01Z","method":"GET","path":"/","x-api-key":"k1","x-request-id":"r","response_flags":"RL","response_code":429})",
        "api_key=k1 http_x_api_key=k1 request_id=r response_flags=RL status=429");
    addRow(
        "api gateway", "api-gateway",
        R"({"requestTimeEpoch":1795860001123,"httpMethod":"GET","identity":{"sourceIp":"192.0.2.1","apiKey":"k1","userAgent":"u"},"authorizer":{"principalId":"p"},"user":"-","status":200})",
        "client_ip=192.0.2.1 api_key=k1 user_agent=u user=p");
    addRow(
        "keys with dots", "json",
        R"({"time":"2026-11-28T10:00:01Z","ip":"192.0.2.1","a.b":"1","c":{"d.e":"2","f":{"g":true}},"h":[[1,2],[3]],"n":null})",
        "a.b=1 c.d.e=2 c.f.g=true h[0][1]=2 h[1][0]=3 n=(none)");
    addRow(
        "escapes", "json",
        R"({"time":"2026-11-28T10:00:01Z","ip":"192.0.2.1","a":"\u00e4\ud83d\ude00\n","b\u0031":"2","c":["x\"y","z"]})",
        "a=\xC3\xA4\xF0\x9F\x98\x80\n b1=2 c=x\"y,+z");
}

void TestFormatsJson::givesAttributes()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    const auto wanted = expected.split(' ');
    std::vector<std::string> names;
    std::string values;
    for (QByteArray one : wanted) {
        const auto mark = one.indexOf('=');
        names.push_back(one.left(mark).toStdString());
        values += "|" + one.mid(mark + 1).replace('+', ' ').toStdString();
    }
    const std::string got = readOne(line.toStdString(), format.toStdString(), names);
    QCOMPARE(QByteArray::fromStdString(got.substr(std::min(got.find('|'), got.size()))),
             QByteArray::fromStdString(values));
}

void TestFormatsJson::refuses_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    addRow("caddy admin", "caddy",
           R"({"level":"info","ts":1622830000.5,"logger":"admin","msg":"admin endpoint started"})",
           "no-match");
    addRow(
        "caddy error repeats", "caddy",
        R"({"level":"error","ts":1795860001.5,"logger":"http.log.error.log0","msg":"dial tcp","request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"},"duration":0.1,"status":502})",
        "no-match");
    addRow(
        "caddy free text", "caddy",
        R"({"ts":1795860001.5,"request":{"remote_ip":"not an address","method":"GET","uri":"/"}})",
        "no-client");
    addRow("caddy without ts", "caddy",
           R"({"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"}})", "bad-time");
    addRow("caddy nothing of a request", "caddy", R"({"ts":1795860001.5,"request":"GET /"})",
           "no-match");
    addRow("traefik app log", "traefik-json",
           R"({"level":"debug","msg":"Configuration received","time":"2026-11-28T10:00:01Z"})",
           "no-match");
    addRow(
        "envoy tcp", "envoy-json",
        R"({"start_time":"2026-11-28T10:00:01.123Z","method":null,"path":null,"protocol":null,"response_code":0,"response_flags":"-","upstream_host":"10.0.0.1:1","downstream_remote_address":"192.0.2.1:5"})",
        "not-http");
    addRow("zeek connection", "zeek-json",
           R"({"_path":"conn","ts":1795860001.3,"uid":"u","id.orig_h":"192.0.2.1","method":"x"})",
           "no-match");
    addRow(
        "kong batch", "kong",
        R"([{"request":{"method":"GET","uri":"/"},"started_at":1795860001123},{"request":{"method":"GET","uri":"/"},"started_at":1795860001123}])",
        "several");
    addRow("kong bad time", "kong", R"({"request":{"method":"GET","uri":"/"},"started_at":"soon"})",
           "bad-time");
    addRow("gcp application log", "gcp-lb",
           R"({"textPayload":"x","timestamp":"2026-11-28T10:00:01Z"})", "no-match");
    addRow(
        "cloudflare firewall", "cloudflare",
        R"({"Action":"block","ClientIP":"192.0.2.1","Datetime":"2026-11-28T10:00:01Z","EdgeResponseStatus":403})",
        "bad-time");
    addRow("json of something else", "json",
           R"({"time":"2026-11-28T10:00:01Z","level":"info","msg":"started"})", "no-match");
    addRow("text", "json", "192.0.2.1 - - x", "not-json");
    addRow("list of texts", "json", R"(["a","b"])", "not-json");
    addRow("empty list", "json", "[]", "not-json");
    addRow("two objects", "json", R"({"time":1} {"time":2})", "not-json");
    addRow("two objects and a comma", "json", R"({"time":1},{"time":2})", "several");
    addRow("cut in a text", "json",
           R"({"time":"2026-11-28T10:00:01Z","ip":"192.0.2.1","path":"/aaaa)", "truncated");
    addRow("cut behind an object", "json", R"({"time":"2026-11-28T10:00:01Z","a":{"b":1})",
           "truncated");
    addRow("cut in a word", "json", R"({"time":"2026-11-28T10:00:01Z","a":tr)", "truncated");
    addRow("cut in an escape", "json", R"({"time":"2026-11-28T10:00:01Z","a":"x\)", "truncated");
    addRow("cut in a key", "json", R"({"time":"2026-11-28T10:00:01Z","a)", "truncated");
    addRow("wrong word", "json", R"({"time":"2026-11-28T10:00:01Z","a":trux})", "not-json");
    addRow("missing comma", "json", R"({"time":"2026-11-28T10:00:01Z" "a":1})", "not-json");
    addRow("comma at the end", "json", R"({"time":"2026-11-28T10:00:01Z","a":1,})", "not-json");
    addRow("far year", "json", R"({"time":"2999-11-28T10:00:01Z","path":"/"})", "bad-time");
}

void TestFormatsJson::refuses()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(readOne(line.toStdString(), format.toStdString(), {})),
             expected);
}

void TestFormatsJson::detects_data()
{
    reads_data();
}

/// Every line that a format reads is also known for one of that format.
void TestFormatsJson::detects()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, line);
    const std::string text = line.toStdString() + "\n";
    const auto found = detectLogFormat(text + text + text);
    QVERIFY(found.has_value());
    QCOMPARE(QByteArray::fromStdString(found->format->name()), format);
}

void TestFormatsJson::tellsKinds_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<QByteArray>("expected");

    const auto row = [](const char* name, const std::string& lines, const char* expected) {
        QTest::newRow(name) << QByteArray::fromStdString(lines) << QByteArray(expected);
    };
    const std::string nginx
        = R"({"time":"2026-11-28T10:00:01+00:00","remote_addr":"192.0.2.4","request":"GET /n HTTP/1.1","status":200,"request_time":0.25})"
          "\n";
    const std::string app
        = R"({"level":"info","ts":1795860001.5,"method":"GET","path":"/healthz","status":200,"duration":0.001,"remote_addr":"10.0.0.1"})"
          "\n";
    const std::string stamped
        = R"({"timestamp":"2026-11-28T10:00:01.5Z","method":"GET","path":"/t","status":200,"duration":0.5,"client_ip":"192.0.2.8"})"
          "\n";
    const std::string caddy
        = R"({"level":"info","ts":1795860001.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.152","proto":"HTTP/2.0","method":"GET","host":"e.example","uri":"/c"},"duration":0.0001,"size":0,"status":304})"
          "\n";
    const std::string kong
        = R"({"client_ip":"192.0.2.5","started_at":1795860001123,"latencies":{"request":515,"kong":58,"proxy":1},"request":{"uri":"/k","method":"GET","headers":{}},"response":{"status":429,"size":434},"consumer":{"username":"bob"}})"
          "\n";
    const std::string envoy
        = R"({"start_time":"2026-11-28T10:00:01.481Z","method":"GET","path":"/j","response_code":200,"duration":7,"downstream_remote_address":"192.0.2.3:4300"})"
          "\n";
    const std::string traefik
        = R"({"ClientHost":"192.0.2.6","DownstreamStatus":200,"Duration":5000000,"RequestMethod":"GET","RequestPath":"/t","StartUTC":"2026-11-28T10:00:01Z","time":"2026-11-28T10:00:01Z"})"
          "\n";
    const std::string cloudflare
        = R"({"ClientIP":"192.0.2.7","ClientRequestMethod":"GET","ClientRequestURI":"/f","EdgeStartTimestamp":1795860001000000000,"EdgeEndTimestamp":1795860001005000000,"EdgeResponseStatus":200})"
          "\n";
    const std::string google
        = R"({"httpRequest":{"requestMethod":"GET","requestUrl":"http://g.example/g","status":200,"remoteIp":"192.0.2.9","latency":"0.005s"},"timestamp":"2026-11-28T10:00:01Z"})"
          "\n";

    row("time and client_ip, a request line",
        R"({"time":"2026-11-28T11:00:01+01:00","client_ip":"192.0.2.1","request":"GET /a?x=1 HTTP/1.1","status":200,"request_time":0.25,"body_bytes_sent":5})",
        "json: 1795860000750000000 250000000|192.0.2.1|GET|/a|x=1|200");
    row("time and client_ip, milliseconds",
        R"({"time":"2026-11-28T10:00:01.123456Z","client_ip":"192.0.2.9","method":"GET","path":"/app?x=1","status":200,"duration_ms":250,"level":"info"})",
        "json: 1795860000873456000 250000000|192.0.2.9|GET|/app|x=1|200");
    row("time and client_ip, a target with its query",
        R"({"time":"2026-11-28T10:00:01Z","client_ip":"192.0.2.9","method":"GET","path":"/app?x=1","status":200})",
        "json: 1795860001000000000 -1|192.0.2.9|GET|/app|x=1|200");
    row("time and client_ip, a text status",
        R"({"time":"2026-11-28T10:00:01Z","client_ip":"192.0.2.9","method":"GET","path":"/app","status":"200"})",
        "json: 1795860001000000000 -1|192.0.2.9|GET|/app|(none)|200");
    row("a unit in brackets",
        R"x({"timestamp(ms)":1795860001123,"ip":"192.0.2.1","path":"/a","status":200})x",
        "json: 1795860001123000000 -1|192.0.2.1|(none)|/a|(none)|200");
    row("neutral with time",
        R"({"time":"2026-11-28T10:00:01Z","client_ip":"192.0.2.9","status":200})",
        "weir: 1795860001000000000 -1|192.0.2.9|(none)|(none)|(none)|200");
    row("neutral with what others have",
        R"({"time_ns":1795860001000000000,"client_ip":"192.0.2.9","path":"/a?b","request_time":"0.5"})",
        "weir: 1795860001000000000 -1|192.0.2.9|(none)|/a?b|(none)|(none)");

    const std::string nginxRead = "1795860000750000000 250000000|192.0.2.4|GET|/n|(none)|200\n";
    const auto with = [&](const char* name, const std::string& lines, const std::string& read) {
        row(name, lines, read.c_str());
    };
    with("nginx and Caddy", nginx + nginx + caddy,
         "caddy,nginx-json: " + nginxRead + nginxRead
             + "1795860001499900000 100000|192.0.2.152|GET|/c|(none)|304");
    with("nginx and Kong", nginx + nginx + kong,
         "kong,nginx-json: " + nginxRead + nginxRead
             + "1795860001123000000 515000000|192.0.2.5|GET|/k|(none)|429");
    with("nginx and Envoy", nginx + nginx + envoy,
         "envoy-json,nginx-json: " + nginxRead + nginxRead
             + "1795860001481000000 7000000|192.0.2.3:4300|GET|/j|(none)|200");
    const std::string appRead = "1795860001499000000 1000000|10.0.0.1|GET|/healthz|(none)|200\n";
    const std::string apps = app + app + app;
    const std::string appsRead = appRead + appRead + appRead;
    with("an application and Envoy", apps + envoy + envoy,
         "envoy-json,json: " + appsRead
             + "1795860001481000000 7000000|192.0.2.3:4300|GET|/j|(none)|200\n"
               "1795860001481000000 7000000|192.0.2.3:4300|GET|/j|(none)|200");
    with("an application and Caddy", apps + caddy + caddy,
         "caddy,json: " + appsRead
             + "1795860001499900000 100000|192.0.2.152|GET|/c|(none)|304\n"
               "1795860001499900000 100000|192.0.2.152|GET|/c|(none)|304");
    with("an application and Kong", apps + kong + kong,
         "kong,json: " + appsRead
             + "1795860001123000000 515000000|192.0.2.5|GET|/k|(none)|429\n"
               "1795860001123000000 515000000|192.0.2.5|GET|/k|(none)|429");
    with("an application and Traefik", apps + traefik + traefik,
         "traefik-json,json: " + appsRead
             + "1795860001000000000 5000000|192.0.2.6|GET|/t|(none)|200\n"
               "1795860001000000000 5000000|192.0.2.6|GET|/t|(none)|200");
    with("an application and Cloudflare", apps + cloudflare + cloudflare,
         "cloudflare,json: " + appsRead
             + "1795860001000000000 5000000|192.0.2.7|GET|/f|(none)|200\n"
               "1795860001000000000 5000000|192.0.2.7|GET|/f|(none)|200");
    with("an application and Google", apps + google + google,
         "gcp-lb,json: " + appsRead
             + "1795860001000000000 5000000|192.0.2.9|GET|/g|(none)|200\n"
               "1795860001000000000 5000000|192.0.2.9|GET|/g|(none)|200");
    with("names that Envoy has, too", stamped + stamped + envoy,
         "envoy-json,json: 1795860001000000000 500000000|192.0.2.8|GET|/t|(none)|200\n"
         "1795860001000000000 500000000|192.0.2.8|GET|/t|(none)|200\n"
         "1795860001481000000 7000000|192.0.2.3:4300|GET|/j|(none)|200");
    row("what Caddy's error logger repeats",
        caddy
            + R"({"level":"error","ts":1795860001.5,"logger":"http.log.error","msg":"dial","request":{"remote_ip":"192.0.2.152","method":"GET","uri":"/c"},"duration":0.1,"status":502})",
        "caddy: 1795860001499900000 100000|192.0.2.152|GET|/c|(none)|304\nno-match");

    row("Envoy without start_time (Contour)",
        R"({"@timestamp":"2026-11-28T10:00:01.409Z","authority":"h","bytes_received":0,"bytes_sent":135,"downstream_remote_address":"192.0.2.3:37652","duration":40,"method":"GET","path":"/s","protocol":"HTTP/1.1","response_code":200,"response_flags":"-","upstream_service_time":"4","user_agent":"curl","x_forwarded_for":"198.51.100.1"})",
        "envoy-json: 1795860001409000000 40000000|192.0.2.3:37652|GET|/s|(none)|200");
    row("Envoy by start_time and response_code",
        R"({"start_time":"2026-11-28T10:00:01.409Z","method":"GET","path":"/s","response_code":200,"duration":40,"x_forwarded_for":"198.51.100.1"})",
        "envoy-json: 1795860001409000000 40000000|198.51.100.1|GET|/s|(none)|200");
    row("not Envoy: seconds with a fraction",
        R"({"start_time":"2026-11-28T10:00:01.409Z","method":"GET","path":"/s","response_code":200,"duration":0.25,"client_ip":"192.0.2.1"})",
        "json: 1795860001409000000 250000000|192.0.2.1|GET|/s|(none)|200");
}

/// Each line is read by the kind that it is of, whatever lines stand beside it.
void TestFormatsJson::tellsKinds()
{
    QFETCH(QByteArray, lines);
    QFETCH(QByteArray, expected);
    const std::string text = lines.toStdString() + "\n";
    const auto found = detectLogFormat(text);
    QVERIFY(found.has_value());
    std::string read = found->format->name() + ": ";
    bool isFirst = true;
    for (const std::string& line :
         readLines(text, "", {"client_ip", "method", "path", "query", "status"})) {
        // "stamp start duration resolution|..." as "start duration|..."
        std::string shown = line;
        const auto bar = line.find('|');
        if (bar != std::string::npos) {
            const auto start = line.find(' ') + 1;
            shown = line.substr(start, line.rfind(' ', bar) - start) + line.substr(bar);
        }
        read.append(isFirst ? "" : "\n").append(shown);
        isFirst = false;
    }
    QCOMPARE(QByteArray::fromStdString(read), expected);
}

void TestFormatsJson::collectsFields()
{
    const auto fieldsOf = [](const char* name, const std::string& line) {
        FieldNames names;
        logFormat(name).value()->collectFields(line, names);
        return names.list();
    };
    QCOMPARE(
        fieldsOf(
            "caddy",
            R"({"level":"info","ts":1.5,"request":{"remote_ip":"192.0.2.1","uri":"/","tls":{"version":772},"headers":{"X-Tenant":["t"],"Accept":["*/*"],"User-Agent":["u"]}},"status":200})"),
        (std::vector<std::string> {"level", "request.tls.version", "http_x_tenant",
                                   "http_accept"}));
    QCOMPARE(
        fieldsOf(
            "traefik-json",
            R"({"ClientHost":"192.0.2.1","RouterName":"r","request_X-Tenant":"t","StartUTC":"x","Duration":1})"),
        (std::vector<std::string> {"RouterName", "http_x_tenant"}));
    QCOMPARE(fieldsOf("json",
                      R"({"time":1,"x_forwarded_for":"192.0.2.1","a":{"b":1,"c":null},"d":[1]})"),
             (std::vector<std::string> {"x_forwarded_for", "a.b", "d"}));
}

void TestFormatsJson::followsMappings()
{
    const std::string line
        = R"({"when":"2026-11-28T10:00:01.5Z","t":{"ms":250},"who":["192.0.2.1","198.51.100.1"],"xff":"192.0.2.7, 198.51.100.9","call":"PUT","where":"/a?b"})";
    QCOMPARE(readOne(line, "json", kMain,
                     {{"time", "when"},
                      {"duration", "t.ms:ms"},
                      {"client_ip", "who[1]"},
                      {"method", "call"},
                      {"path", "where"}}),
             std::string("1795860001500000000 1795860001250000000 250000000 "
                         "0|198.51.100.1|PUT|/a|b|(none)|(none)"));
    QCOMPARE(
        readOne(line, "json", {"client_ip", "key"},
                {{"start", "when"},
                 {"duration", "t.ms:us"},
                 {"client_ip", "nobody"},
                 {"client_ip", "xff"},
                 {"key", "who[0]"}}),
        std::string("1795860001500000000 1795860001500000000 250000 0|198.51.100.9|192.0.2.1"));
    const std::string whole
        = R"({"client_ip":"192.0.2.4","t":1795860001123,"line":"GET /a?x=1 HTTP/1.1","s":200})";
    const std::string isRead = "1795860001123000000 1795860001123000000 -1 "
                               "0|192.0.2.4|GET|/a|x=1|(none)|200";
    for (const char* name : {"request", "path"}) { // a request line by either name
        QCOMPARE(readOne(whole, "json", kMain, {{name, "line"}, {"time", "t"}, {"status", "s"}}),
                 isRead);
    }
    const auto fields
        = logFormat("json", FormatOptions {{{"request", "line"}}, nullptr}).value()->fields();
    QVERIFY(std::find(fields.begin(), fields.end(), "request") == fields.end());
    const std::string caddy
        = R"({"ts":1795860001.5,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"},"duration":17.5})";
    QCOMPARE(readOne(caddy, "caddy", {}, {{"duration", "duration:ms"}}),
             std::string("1795860001500000000 1795860001482500000 17500000 0"));
}

/// A field that the log has not is taken from the header of that name.
void TestFormatsJson::findsHeadersByTheirPlainNames()
{
    QCOMPARE(
        readOne(
            R"({"time":"2026-11-28T10:00:01Z","remote_addr":"192.0.2.4","request":"GET /a HTTP/1.1","http_authorization":"Bearer b"})",
            "nginx-json", {"authorization", "cookie"}),
        std::string("1795860001000000000 1795860001000000000 -1 1000000000|Bearer b|(none)"));
    QCOMPARE(
        readOne(
            R"({"ts":1795860001.5,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/","headers":{"Authorization":["Bearer b"]}}})",
            "caddy", {"authorization"}),
        std::string("1795860001500000000 1795860001500000000 -1 0|Bearer b"));
    QCOMPARE(
        readOne(
            R"({"time":"2026-11-28T10:00:01Z","remote_addr":"192.0.2.4","request":"GET /a HTTP/1.1","tenant":"t","http_tenant":"h"})",
            "nginx-json", {"tenant"}),
        std::string("1795860001000000000 1795860001000000000 -1 1000000000|t"));
}

void TestFormatsJson::saysWhatItIsOf()
{
    const auto says = [](const char* name, const char* word) {
        const auto remarks = logFormat(name).value()->remarks();
        return std::any_of(remarks.begin(), remarks.end(), [&](const std::string& remark) {
            return remark.find(word) != std::string::npos;
        });
    };
    QVERIFY(says("gcp-lb", "sampleRate"));
    QVERIFY(says("api-gateway", "template of a route"));
    QVERIFY(says("kong", "jq -c '.[]'"));
    QVERIFY(says("caddy", "end"));
    QVERIFY(says("cloudflare", "SampleInterval"));
}

/// What is remembered of the line before is never seen in another: lines of changing shapes, in
/// one block and in blocks of a line each, give what each gives alone.
void TestFormatsJson::forgetsTheLineBefore()
{
    const std::vector<std::string> shapes {
        R"({"time":1795860001,"ip":"192.0.2.1","path":"/a","status":200,"x":{"y":"1"},"l":["p","q"]})",
        R"({"time":1795860002,"ip":"192.0.2.2","path":"/b","status":201,"x":{"y":"2"},"l":["r"]})",
        R"({"time":1795860003,"ip":"192.0.2.3","path":"/c","status":null,"x":{"y":null},"l":[]})",
        R"({"time":1795860004,"ip":"192.0.2.4","path":"/d"})",
        R"({"time":1795860005,"ip":"192.0.2.5","path":"/e","status":"404","x":"plain","l":"text"})",
        R"({"time":1795860006,"path":"/f","ip":"192.0.2.6","status":202,"x":{"z":1},"l":{"m":1}})",
        R"({"time":1795860007,"ip":"192.0.2.7","path":"/g","path":"/h","status":203})",
        R"({"time":1795860008,"ip":"192.0.2.8","path":"/i","status":203})",
        R"({"time":1795860009,"ip":"192.0.2.9","path":"/j","status":2)",
        R"({"time": 1795860010, "ip": "192.0.2.10", "path": "/k\"", "status": 205, "x": {"y": "3"}})",
        R"([{"time":1795860011,"ip":"192.0.2.11","path":"/l"}])",
        R"({"time":1795860012,"ip":"192.0.2.12","path":"/m","x":[{"y":"4"}],"l":[["s"]]})",
        R"({"x":{"y":"5","w":{}},"time":1795860013,"ip":"192.0.2.13","path":"/n"})",
        R"({"x":{"y":"6"},"time":1795860014,"ip":"192.0.2.14","path":"/o"}  )",
        R"({})",
        R"({"time":1795860015,"ip":"192.0.2.15","path":"/p","status":206,"x":{"y":"7"},"l":["t","u"]})"};
    const std::vector<std::string> fields {"client_ip", "path", "status", "x.y", "l", "l[1]", "x"};
    std::vector<std::string> alone;
    for (const auto& shape : shapes) {
        alone.push_back(readOne(shape, "json", fields));
    }
    std::string text;
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t j = 0; j < shapes.size(); ++j) { // every shape behind every other
            text += shapes[i] + "\n" + shapes[j] + "\n" + shapes[j] + "\n";
            expected.insert(expected.end(), {alone[i], alone[j], alone[j]});
        }
    }
    const auto together = readLines(text, "json", fields);
    QCOMPARE(together.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(QByteArray::fromStdString(std::to_string(i) + " " + together[i]),
                 QByteArray::fromStdString(std::to_string(i) + " " + expected[i]));
    }
    QVERIFY(readLines(text, "json", fields, {}, 48) == expected);
    // The same bytes are another value where they are of another kind.
    for (const auto& [number, word] :
         {std::pair("17e8", "\"17e8\""), std::pair("\"1795860001\\u0020\"", "\"1795860001\"")}) {
        const auto line
            = [](const char* stamp) { return R"({"path":"/a","ts":)" + std::string(stamp) + "}"; };
        const auto pair = readLines(line(number) + "\n" + line(word) + "\n", "json", {});
        QCOMPARE(pair[0], readOne(line(number), "json", {}));
        QCOMPARE(pair[1], readOne(line(word), "json", {}));
        const auto turned = readLines(line(word) + "\n" + line(number) + "\n", "json", {});
        QCOMPARE(turned[0], pair[1]);
        QCOMPARE(turned[1], pair[0]);
    }
    QCOMPARE(alone[2],
             std::string("1795860003000000000 1795860003000000000 -1 "
                         "1000000000|192.0.2.3|/c|(none)|(none)|(none)|(none)|(none)"));
    QCOMPARE(alone[0],
             std::string("1795860001000000000 1795860001000000000 -1 "
                         "1000000000|192.0.2.1|/a|200|1|p, q|q|(none)"));
    QCOMPARE(alone[11],
             std::string("1795860012000000000 1795860012000000000 -1 "
                         "1000000000|192.0.2.12|/m|(none)|(none)|(none)|(none)|(none)"));
}

/// More values than the memory has room for are read all the same.
void TestFormatsJson::keepsTheFirstOfTwoKeys()
{
    std::string wide = R"({"time":1795860001)";
    for (int i = 0; i < 700; ++i) {
        wide += ",\"k" + std::to_string(i) + "\":{\"v\":\"" + std::to_string(i) + "\"}";
    }
    wide += R"(,"ip":"192.0.2.1","path":"/a"})";
    const std::vector<std::string> fields {"client_ip", "path", "k0.v", "k699.v"};
    const std::string one = readOne(wide, "json", fields);
    QCOMPARE(
        one,
        std::string("1795860001000000000 1795860001000000000 -1 1000000000|192.0.2.1|/a|0|699"));
    const auto twice = readLines(wide + "\n" + wide + "\n", "json", fields);
    QVERIFY(twice == (std::vector<std::string> {one, one}));
    std::string deep = R"({"time":1795860001,"ip":"192.0.2.1","a":)";
    deep += std::string(200, '[') + std::string(200, ']') + "}";
    QCOMPARE(readOne(deep, "json", {}), std::string("not-json"));

    // The neutral format refuses equal keys, however far apart and however written.
    std::string neutral = R"({"time_ns":1)";
    for (int i = 0; i < 100; ++i) {
        neutral += ",\"k" + std::to_string(i) + "\":1";
    }
    QVERIFY(readOne(neutral + "}", "weir", {}).starts_with("1 1 "));
    QCOMPARE(readOne(neutral + R"(,"k3":1})", "weir", {}), std::string("not-json"));
    QCOMPARE(readOne(neutral + R"(,"k99":1})", "weir", {}), std::string("not-json"));
    QCOMPARE(readOne(neutral + R"(,"k\u0039\u0039":1})", "weir", {}), std::string("not-json"));
    QCOMPARE(readOne(R"({"time_ns":1,"a":1,"\u0061":2})", "weir", {}), std::string("not-json"));
    QCOMPARE(readOne(R"({"time_ns":1,"\u0061":1,"a":2})", "weir", {}), std::string("not-json"));
    const std::string good = R"({"time_ns":1,"x":{"a":1},"a":1})";
    const std::string bad = R"({"time_ns":1,"x":{"a":1},"a":1,"x":2})";
    const auto mixed = readLines(good + "\n" + bad + "\n" + good + "\n" + bad + "\n", "weir", {});
    QVERIFY(mixed == (std::vector<std::string> {"1 1 -1 0", "not-json", "1 1 -1 0", "not-json"}));
}

void TestFormatsJson::joinsLists_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* list, const char* expected) {
        QTest::newRow(list) << QByteArray(list) << QByteArray(expected);
    };
    row(R"([])", "");
    row(R"(["a"])", "a");
    row(R"([ "a" , "b" ])", "a, b");
    row(R"([1,2.5,true,null,"",{"x":1},["y"],"z"])", "1, 2.5, true, z");
    row(R"(["a\"b","\u0041"])", "a\"b, A");
}

void TestFormatsJson::joinsLists()
{
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, expected);
    logs::Arena arena;
    std::string padded = list.toStdString();
    const std::size_t size = padded.size();
    padded.append(logs::kPadding, '\0');
    const std::string_view joined
        = logs::joinJsonList(std::string_view(padded).substr(0, size), arena);
    QCOMPARE(QByteArray::fromStdString(std::string(joined)), expected);
}

void TestFormatsJson::readsRealFiles_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<int>("requests");
    const auto row = [](const char* file, const char* format, int requests) {
        QTest::newRow(file) << QByteArray(file) << QByteArray(format) << requests;
    };
    row("traefik_json.crowdsec-base-http-scenario.jsonl", "traefik-json", 80);
    row("tstack__logfile_caddy_log.1", "caddy", 4);
    row("tstack__logfile_cloudflare.json", "cloudflare", 1);
    row("tkuchiki__json_access.log", "json", 14);
}

void TestFormatsJson::readsRealFiles()
{
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, format);
    QFETCH(int, requests);
    const std::string path
        = std::string(WEIR_SOURCE_DIR) + "/../shared/logs/real/" + file.toStdString();
    if (!std::ifstream(path).good()) {
        QSKIP("shared/logs/real is not here");
    }
    auto reader = LogReader::open(path, {});
    QVERIFY(reader.has_value());
    QCOMPARE(QByteArray::fromStdString((*reader)->format().name()), format);
    (*reader)->selectFields({"path", "status"});
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        (*reader)->note(block);
    }
    QCOMPARE((*reader)->report().requests, static_cast<std::uint64_t>(requests));
    QCOMPARE((*reader)->report().rejected, std::uint64_t {0});
    QCOMPARE((*reader)->report().filled,
             (std::vector<std::uint64_t>(2, static_cast<std::uint64_t>(requests))));
}

QTEST_APPLESS_MAIN(TestFormatsJson)
#include "tst_formats_json.moc"
