#include "storage/log_reader.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace storage;

/// Text formats of load balancers and gateways: what each documented kind of line gives.
class TestFormatsLb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsLines_data();
    void readsLines();
    void mapsTimes_data();
    void mapsTimes();
    void detects_data();
    void detects();
};

namespace {

/// Requests as "start stamp duration client method path?query status", each of the further fields
/// behind a blank; rejects as their reason. Times count in ms (us with a remainder) from 2024-05-01
/// 10:00 UTC.
class Reader {
public:
    QByteArrayList read(const QByteArray& text, LogOptions options,
                        const std::vector<std::string>& further)
    {
        const std::string path = m_folder.filePath(QStringLiteral("a.log")).toStdString();
        std::ofstream(path, std::ios::binary) << text.toStdString();
        auto reader = LogReader::open(path, options);
        if (!reader) {
            return {QByteArray::fromStdString(reader.error().code)};
        }
        m_format = QByteArray::fromStdString((*reader)->format().name());
        std::vector<std::string> fields {"client_ip", "method", "path", "query", "status"};
        fields.insert(fields.end(), further.begin(), further.end());
        (*reader)->selectFields(fields);
        QByteArrayList lines;
        LogBlock block;
        while ((*reader)->readBlock(block).value()) {
            (*reader)->parse(block);
            for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
                lines << shown(block.batch.requests[i], block.batch.valuesOf(i), fields.size());
            }
            for (const LineReject& rejected : block.rejects) {
                lines << QByteArray(rejected.reason.data(),
                                    static_cast<qsizetype>(rejected.reason.size()));
            }
        }
        return lines;
    }

    [[nodiscard]] QByteArray format() const { return m_format; }

private:
    static QByteArray count(std::int64_t ns)
    {
        return ns % 1'000'000 == 0 ? QByteArray::number(static_cast<qlonglong>(ns / 1'000'000))
            : ns % 1'000 == 0      ? QByteArray::number(static_cast<qlonglong>(ns / 1'000)) + "us"
                                   : QByteArray::number(static_cast<qlonglong>(ns)) + "ns";
    }

    static QByteArray shown(const engine::Request& request, const std::string_view* values,
                            std::size_t size)
    {
        constexpr std::int64_t kEpoch = 1'714'557'600'000'000'000;
        QByteArray line = count(request.timeNs - kEpoch) + ' ' + count(request.stampNs - kEpoch)
            + ' ' + (request.durationNs < 0 ? QByteArray("-") : count(request.durationNs))
            + (request.resolutionNs > 0 ? "~" : "");
        for (std::size_t i = 0; i < size; ++i) {
            const QByteArray value(values[i].data(), static_cast<qsizetype>(values[i].size()));
            if (i != 3 || !value.isEmpty()) {
                line += (i == 3 ? "?" : " ") + (value.isEmpty() ? QByteArray("-") : value);
            }
        }
        return line;
    }

    QTemporaryDir m_folder;
    QByteArray m_format;
};

struct Row {
    const char* name;
    QByteArray format;
    QByteArray fields;
    QByteArray line;
    QByteArray expected;
};

using Rows = std::vector<Row>;

void addRow(Rows& rows, const char* name, const char* format, const char* fields,
            const QByteArray& line, const QByteArray& expected)
{
    rows.push_back({name, format, fields, line, expected});
}

// What stands behind the request in an ALB row, up to its creation time.
#define ALB_TAIL                                                                                   \
    R"( ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:t "Root=1-a" "a.example" "arn:aws:c" 0 )"
#define ALB_END R"( "forward" "-" "-" "10.0.0.1:80" "200" "-" "-")"

void addAlbRows(Rows& rows)
{
    addRow(
        rows, "alb", "alb", "host scheme bytes user_agent request_id type",
        "https 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 "
        "200 200 0 57 \"GET https://a.example:443/p?q=1 HTTP/1.1\" \"curl/8\"" ALB_TAIL
        "2024-05-01T10:00:00.767000Z" ALB_END,
        "767 1500 733 192.0.2.1 GET /p?q=1 200 a.example:443 https 57 curl/8 Root=1-a https");
    addRow(rows, "alb v6 brackets", "alb", "client_port",
           "h2 2024-05-01T10:00:01.500000Z app/lb/1 [2001:db8::1]:2817 - -1 -1 -1 "
           "404 - 0 57 \"GET https://a.example:443/ HTTP/2.0\" \"-\"" ALB_TAIL
           "2024-05-01T10:00:01.499000Z" ALB_END,
           "1499 1500 1 2001:db8::1 GET / 404 2817");
    addRow(rows, "alb v6 bare", "alb", "client_port",
           "grpcs 2024-05-01T10:00:01.500000Z app/lb/1 2001:db8::1:443 - -1 -1 -1 "
           "404 - 0 57 \"POST https://a.example:443/s/m HTTP/2.0\" \"-\"" ALB_TAIL
           "2024-05-01T10:00:01.499000Z" ALB_END,
           "1499 1500 1 2001:db8::1 POST /s/m 404 443");
    addRow(rows, "alb creation too far back", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 "
           "200 200 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"curl/8\"" ALB_TAIL
           "2024-05-01T08:59:59.000000Z" ALB_END,
           "1329 1500 171 192.0.2.1 GET / 200");
    addRow(rows, "alb creation behind its time", "alb", "",
           "ws 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.001 0.003 0.000 "
           "101 101 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"-\"" ALB_TAIL
           "2024-05-01T10:00:01.501000Z" ALB_END,
           "1496 1500 4 192.0.2.1 GET / 101");
    addRow(rows, "alb half an hour of a websocket", "alb", "",
           "wss 2024-05-01T10:30:00.000000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.001 0.003 0.000 "
           "101 101 0 57 \"GET https://a.example:443/ws HTTP/1.1\" \"-\"" ALB_TAIL
           "2024-05-01T10:00:00.000000Z" ALB_END,
           "0 1800000 1800000 192.0.2.1 GET /ws 101");
    addRow(rows, "alb without creation, nothing forwarded", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 - -1 -1 -1 "
           "460 - 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"-\" - - - \"-\"",
           "1500 1500 - 192.0.2.1 GET / 460");
    addRow(rows, "alb without creation, target gone", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.001 1.001 -1 "
           "504 - 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"-\" - - arn:aws:t \"-\"",
           "498 1500 1002 192.0.2.1 GET / 504");
    addRow(
        rows, "alb quotes and blanks", "alb", "user_agent bytes",
        "https 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 "
        "200 200 0 57 \"GET https://a.example:443/a b\" \"c HTTP/1.1\" \"say \"hi\" "
        "there\"" ALB_TAIL "2024-05-01T10:00:01.499000Z" ALB_END,
        "1499 1500 1 192.0.2.1 GET /a b\" \"c 200 say \"hi\" there 57");
    addRow(rows, "alb malformed request", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 - -1 -1 -1 "
           "400 - 0 57 \"- http://lb.example:80- \" \"-\" - - - \"-\" \"-\" \"-\" - "
           "2024-05-01T10:00:01.499000Z \"-\" \"-\" \"-\" \"-\" \"-\" \"-\" \"-\"",
           "1499 1500 1 192.0.2.1 - - 400");
    addRow(rows, "alb later fields", "alb", "conn_trace_id",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 "
           "200 200 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"-\"" ALB_TAIL
           "2024-05-01T10:00:01.499000Z" ALB_END " TID_1 \"-\" \"-\" \"-\" new \"later\" 7",
           "1499 1500 1 192.0.2.1 GET / 200 TID_1");
    addRow(rows, "alb cut behind the request", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 "
           "200 200 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"Mozil",
           "1499 1500 1 192.0.2.1 GET / 200");
    addRow(rows, "alb cut in the request", "alb", "",
           "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 "
           "200 200 0 57 \"GET http://a.exam",
           "truncated");
    addRow(
        rows, "nlb", "alb", "",
        "tls 2.0 2024-05-01T10:00:01 net/nlb/1 g3d4b5e8bb8464cd 192.0.2.1:51341 10.0.0.1:443 5 2 "
        "98 246 - arn:aws:c - ECDHE-RSA-AES128-SHA tlsv12 - a.example - - - "
        "2024-05-01T10:00:00",
        "not-http");
    addRow(rows, "alb connection", "alb", "",
           "2024-05-01T10:00:01.500000Z 192.0.2.1 36280 443 TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 "
           "0.012 \"-\" - - Success TID_1",
           "not-http");
    addRow(rows, "alb something else", "alb", "", "Enable AccessLog for ELB: lb", "no-match");
}

void addElbRows(Rows& rows)
{
    addRow(
        rows, "elb", "elb", "host scheme bytes backend",
        "2024-05-01T10:00:01.500000Z lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 "
        "200 0 29 \"GET http://a.example:80/p?q HTTP/1.1\" \"curl/7.38.0\" - -",
        "1500 1500 1178us 192.0.2.1 GET /p?q 200 a.example:80 http 29 10.0.0.1:80");
    addRow(rows, "elb old", "elb", "",
           "2024-05-01T10:00:01.500000Z lb 2601:240::64ec:53016 10.0.0.1:80 0.000073 0.001048 "
           "0.000057 200 200 0 29 \"GET http://a.example:80/ HTTP/1.1\"",
           "1500 1500 1178us 2601:240::64ec GET / 200");
    addRow(rows, "elb quotes in the agent", "elb", "user_agent ssl_protocol",
           "2024-05-01T10:00:01.500000Z lb 192.0.2.1:2817 - -1 -1 -1 503 0 0 0 \"GET "
           "https://[2001:db8::5]:443/\" \"x HTTP/1.1\" \"a \"b\" c\" ECDHE-RSA TLSv1.2",
           "1500 1500 - 192.0.2.1 GET /\" \"x 503 a \"b\" c TLSv1.2");
    addRow(
        rows, "elb tcp", "elb", "",
        "2024-05-01T10:00:01.500000Z lb 192.0.2.1:2817 10.0.0.1:80 0.001069 0.000028 0.000041 - - "
        "82 305 \"- - - \" \"-\" - -",
        "not-http");
    addRow(rows, "elb malformed request", "elb", "",
           "2024-05-01T10:00:01.500000Z lb 192.0.2.1:2817 - -1 -1 -1 400 0 0 0 \"- "
           "http://a.example:80- \" \"-\" - -",
           "1500 1500 - 192.0.2.1 - - 400");
}

void addEnvoyRows(Rows& rows)
{
    addRow(
        rows, "envoy", "envoy", "host bytes user_agent request_id response_flags",
        R"([2024-05-01T10:00:01.250Z] "POST /p?q=1 HTTP/2" 204 - 154 7 226 100 "192.0.2.1" "curl/8" "id-1" "a.example" "tcp://10.0.0.2:80")",
        "1250 1250 226 192.0.2.1 POST /p?q=1 204 a.example 7 curl/8 id-1 -");
    addRow(
        rows, "envoy: nearest of several", "envoy", "response_flags x_forwarded_for",
        R"([2024-05-01T10:00:01.250Z] "GET / HTTP/1.1" 429 RL 0 0 1 - "203.0.113.9, 2001:db8::1" "-" "-" "a" "-")",
        "1250 1250 1 2001:db8::1 GET / 429 RL 203.0.113.9, 2001:db8::1");
    addRow(rows, "envoy: no address", "envoy", "",
           R"([2024-05-01T10:00:01.250Z] "GET / HTTP/1.1" 0 DC 0 0 3 - "-" "-" "-" "a" "-")",
           "1250 1250 3 - GET / -");
    addRow(rows, "envoy: protocol error", "envoy", "",
           R"([2024-05-01T10:00:01.250Z] "- - HTTP/1.1" 400 DPE 0 11 0 - "-" "-" "-" "-" "-")",
           "1250 1250 0 - - - 400");
    addRow(
        rows, "envoy: quotes", "envoy", "user_agent host",
        R"([2024-05-01T10:00:01.250Z] "GET /a" b HTTP/1.1" 200 - 0 0 3 1 "192.0.2.1" "a "b" "c" d" "id" "a.example" "10.0.0.2:80")",
        R"(1250 1250 3 192.0.2.1 GET /a" b 200 a "b" "c" d a.example)");
    addRow(rows, "envoy: tcp", "envoy", "",
           R"([2024-05-01T10:00:01.250Z] "- - -" 0 - 129 200 81 - "-" "-" "-" "-" "10.0.0.2:80")",
           "not-http");
    addRow(
        rows, "istio 1.9", "istio",
        "response_flags response_code_details x_forwarded_for route_name",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/2" 503 UF,URX upstream_reset{connection_failure} - "TLS error: 1" 0 91 5000 - "203.0.113.9,10.0.0.1" "-" "id" "r:80" "[2001:db8::7]:3000" inbound|80|| 127.0.0.6:38951 10.0.0.11:9080 [2001:db8::4e36]:5000 out_.r default)",
        "1250 1250 5000 2001:db8::4e36 GET /r 503 UF,URX upstream_reset{connection_failure} "
        "203.0.113.9,10.0.0.1 default");
    addRow(
        rows, "istio 1.3", "istio", "upstream_cluster route_name",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/1.1" 200 - "-" "-" 0 91 5 4 "-" "curl" "id" "r" "10.0.0.2:80" outbound|80||r - 10.0.0.3:80 192.0.2.7:40000 - default)",
        "1250 1250 5 192.0.2.7 GET /r 200 outbound|80||r default");
    addRow(
        rows, "istio 1.2", "istio", "requested_server_name",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/1.1" 200 - "-" 0 91 5 4 "-" "curl" "id" "r" "10.0.0.2:80" outbound|80||r - 10.0.0.3:80 192.0.2.7:40000 out.r)",
        "1250 1250 5 192.0.2.7 GET /r 200 out.r");
    addRow(
        rows, "envoy: a row of istio", "envoy", "x_forwarded_for",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/1.1" 200 - via_upstream - "-" 0 91 5 4 "203.0.113.9,10.0.0.1" "curl" "id" "r" "10.0.0.2:80" outbound|80||r - 10.0.0.3:80 192.0.2.7:40000 - default)",
        "1250 1250 5 192.0.2.7 GET /r 200 203.0.113.9,10.0.0.1");
    addRow(
        rows, "istio: without the tail", "istio", "",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/1.1" 200 - via_upstream - "-" 0 91 5 4 "203.0.113.9,192.0.2.8" "curl" "id" "r" "10.0.0.2:80")",
        "1250 1250 5 192.0.2.8 GET /r 200");
    addRow(
        rows, "istio: tcp", "istio", "",
        R"([2024-05-01T10:00:01.250Z] "- - -" 0 UF,URX - - "-" 0 0 10 - "-" "-" "-" "-" "10.0.0.2:80" c - 10.0.0.3:80 192.0.2.7:40000 - -)",
        "not-http");
    addRow(
        rows, "istio: cut", "istio", "",
        R"([2024-05-01T10:00:01.250Z] "GET /r HTTP/1.1" 200 - via_upstream - "-" 0 91 5 4 "203.0.1)",
        "truncated");
}

void addTraefikRows(Rows& rows)
{
    addRow(
        rows, "traefik", "traefik", "user bytes router server_url",
        R"(192.0.2.1 - jane [01/May/2024:10:00:01 +0000] "GET /p?q=1 HTTP/1.1" 200 19 "-" "-" 62 "web@docker" "http://10.0.0.2:80" 1234ms)",
        "1000 1000 1234~ 192.0.2.1 GET /p?q=1 200 jane 19 web@docker http://10.0.0.2:80");
    addRow(
        rows, "traefik: no server, no status", "traefik", "router",
        R"(2001:db8::1 - - [01/May/2024:12:00:01 +0200] "GET / HTTP/2" - - "-" "Nikto" 63 "-" "-" 0ms)",
        "1000 1000 0~ 2001:db8::1 GET / - -");
    addRow(
        rows, "traefik: names with blanks", "traefik", "router",
        R"(192.0.2.1 - - [01/May/2024:10:00:01 +0000] "GET / HTTP/1.1" 200 1 "-" "curl" 64 "root@docker -> leaf@docker" "http://10.0.0.2:80" 42ms)",
        "1000 1000 42~ 192.0.2.1 GET / 200 root@docker -> leaf@docker");
    addRow(
        rows, "traefik 1.0: seconds", "traefik", "",
        R"(192.0.2.1 - - [01/May/2024:10:00:01 +0000] "GET / HTTP/1.1" 200 1 "" "curl" 65 "web" "http://10.0.0.2:80" 1.5s)",
        "1000 1000 1500~ 192.0.2.1 GET / 200");
    addRow(rows, "traefik 1.0: microseconds", "traefik", "",
           "192.0.2.1 - - [01/May/2024:10:00:01 +0000] \"GET / HTTP/1.1\" 200 1 \"\" \"curl\" 65 "
           "\"web\" \"http://10.0.0.2:80\" 830.5\xC2\xB5s",
           "1000 1000 830500ns~ 192.0.2.1 GET / 200");
    addRow(
        rows, "traefik: quotes", "traefik", "user_agent referer",
        R"(192.0.2.1 - - [01/May/2024:10:00:01 +0000] "GET /a" b HTTP/1.1" 200 1 "http://r/" "a "b" c" 65 "web" "http://10.0.0.2:80" 3ms)",
        R"(1000 1000 3~ 192.0.2.1 GET /a" b 200 a "b" c http://r/)");
    addRow(rows, "traefik: an application's line", "traefik", "",
           R"(time="2024-05-01T10:00:01Z" level=debug msg="Serving default certificate")",
           "no-match");
}

void addS3Rows(Rows& rows)
{
#define S3_HEAD "0123456789abcdef bkt [01/May/2024:10:00:01 +0000] "
    addRow(
        rows, "s3", "s3", "user host bytes user_agent operation request_id",
        S3_HEAD
        R"(192.0.2.1 arn:aws:iam::1:user/a ID1 REST.GET.OBJECT a.txt "GET /bkt/a.txt?x=1 HTTP/1.1" 200 - 113 113 7 6 "-" "S3Console/0.4" - hid= SigV4 ECDHE-RSA AuthHeader bkt.s3.amazonaws.com TLSv1.2 - -)",
        "1000 1000 7~ 192.0.2.1 GET /bkt/a.txt?x=1 200 arn:aws:iam::1:user/a "
        "bkt.s3.amazonaws.com 113 S3Console/0.4 REST.GET.OBJECT ID1");
    addRow(
        rows, "s3: quotes and blanks", "s3", "user_agent referer host",
        S3_HEAD
        R"(192.0.2.1 - ID2 REST.GET.OBJECT %2522 "GET /" 200 x" HTTP/1.1" 403 AccessDenied 243 - 8 - "re" f" "a "b" c"" - hid= - ECDHE - h.example TLSv1.2)",
        R"(1000 1000 8~ 192.0.2.1 GET /" 200 x" 403 a "b" c" re" f h.example)");
    addRow(
        rows, "s3: before 2017", "s3", "user_agent",
        S3_HEAD
        R"(2001:db8::1 - ID3 REST.GET.VERSIONING - "GET /?versioning HTTP/1.1" 404 NoSuchKey 113 - 7 - - - -)",
        "1000 1000 7~ 2001:db8::1 GET /?versioning 404 -");
    addRow(
        rows, "s3: fields of the future", "s3", "host",
        S3_HEAD
        R"(192.0.2.1 - ID1 REST.GET.OBJECT a "GET /a HTTP/1.1" 200 - 113 113 7 6 "-" "-" - hid= SigV4 E AuthHeader h.example TLSv1.2 arn Yes us-east-1 new)",
        "1000 1000 7~ 192.0.2.1 GET /a 200 h.example");
    addRow(
        rows, "s3: by itself", "s3", "",
        S3_HEAD
        R"(- svc:lifecycle ID4 S3.EXPIRE.OBJECT a.txt "-" - - - 49851 - - "-" "-" - - - - - - -)",
        "no-client");
    addRow(
        rows, "s3: a key of a batch", "s3", "",
        S3_HEAD
        R"(192.0.2.1 arn ID5 BATCH.DELETE.OBJECT a.txt - 204 - - 2 - - - - - hid= SigV4 E AuthHeader h.example TLSv1.2 - -)",
        "not-http");
    addRow(rows, "s3: cut behind the status", "s3", "",
           S3_HEAD R"(192.0.2.1 - ID1 REST.GET.OBJECT a "GET /a HTTP/1.1" 200 - 11)",
           "1000 1000 -~ 192.0.2.1 GET /a 200");
    addRow(rows, "s3: cut in the request", "s3", "",
           S3_HEAD R"(192.0.2.1 - ID1 REST.GET.OBJECT a "GET /a)", "truncated");
}

void addHaproxyRows(Rows& rows)
{
#define HA_TIME "[01/May/2024:10:00:01.250] "
    addRow(
        rows, "haproxy", "haproxy",
        "host scheme bytes frontend backend server termination_state request_capture_1 "
        "request_capture_2 response_capture_1",
        "May  1 10:00:01 lb haproxy[14389]: 192.0.2.1:33317 " HA_TIME
        R"(web~ static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.example|curl 8} {nginx} "GET https://a.example/p?q HTTP/1.1")",
        "1250 1250 109 192.0.2.1 GET /p?q 200 a.example https 2750 web static srv1 ---- "
        "a.example curl 8 nginx");
    addRow(
        rows, "haproxy: no head, no captures", "haproxy", "scheme request_capture_1",
        "192.0.2.1:33317 " HA_TIME
        R"(web static/srv1 10/0/30/69/+109 200 +2750 - - ---- 1/1/1/1/0 0/0 "GET /a#22b HTTP/1.1")",
        "1250 1250 109 192.0.2.1 GET /a\"b 200 - -");
    addRow(rows, "haproxy: aborted", "haproxy", "backend server",
           "2001:db8::1:443 " HA_TIME
           R"(web web/<NOSRV> -1/-1/-1/-1/5005 -1 0 - - CR-- 1/1/0/0/0 0/0 "<BADREQ>")",
           "1250 1250 5005 2001:db8::1 - - - web <NOSRV>");
    addRow(
        rows, "haproxy: httpslog", "haproxy", "",
        "192.0.2.1:33317 " HA_TIME
        R"(web~ s/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/2.0" 0/0000000000000000/0/0/0 a.example/TLSv1.3/TLS_AES_128_GCM_SHA256)",
        "1250 1250 109 192.0.2.1 GET / 200");
    addRow(rows, "haproxy: RFC 5424 head", "haproxy", "",
           "<134>1 2024-05-01T10:00:01+00:00 lb haproxy 7 - - 192.0.2.1:33317 " HA_TIME
           R"(web s/srv1 10/0/30/69/109 503 2750 - - sC-- 1/1/1/1/3 0/0 "GET / HTTP/1.1")",
           "1250 1250 109 192.0.2.1 GET / 503");
    addRow(rows, "haproxy 1.6: connection was kept", "haproxy", "",
           "May  1 10:00:05 lb haproxy[7]: 192.0.2.1:33317 " HA_TIME
           R"(web s/srv1 0/0/1/0/1 200 2750 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1")",
           "4999 5000 1~ 192.0.2.1 GET / 200");
    addRow(rows, "haproxy: another clock", "haproxy", "",
           "May  1 12:00:01 lb haproxy[7]: 192.0.2.1:33317 " HA_TIME
           R"(web s/srv1 0/0/1/0/1 200 2750 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1")",
           "1250 1250 1 192.0.2.1 GET / 200");
    addRow(rows, "haproxy: cut in the request", "haproxy", "",
           "192.0.2.1:33317 " HA_TIME
           R"(web s/srv1 0/0/1/0/1 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /aaaa HTT)",
           "1250 1250 1 192.0.2.1 GET /aaaa 200");
    addRow(rows, "haproxy: cut before the request", "haproxy", "",
           "192.0.2.1:33317 " HA_TIME
           R"(web s/srv1 0/0/1/0/1 200 2750 - - ---- 1/1/1/1/0 0/0 {a.exa)",
           "truncated");
    addRow(rows, "haproxy: tcp", "haproxy", "",
           "192.0.2.1:33317 " HA_TIME "tcp-in sql/srv1 10/0/3007 2750 -- 1/1/1/1/0 0/0",
           "not-http");
    addRow(rows, "haproxy: handshake", "haproxy", "",
           "192.0.2.1:33317 " HA_TIME "web/1: SSL handshake failure", "not-http");
    addRow(rows, "haproxy: default log", "haproxy", "",
           "May  1 10:00:01 lb haproxy[7]: Connect from 192.0.2.1:33312 to 192.0.2.9:80 (www/HTTP)",
           "not-http");
    addRow(rows, "haproxy: start", "haproxy", "",
           "May  1 10:00:01 lb haproxy[7]: Proxy web started.", "not-http");
    addRow(rows, "haproxy: something else", "haproxy", "",
           "May  1 10:00:01 lb sshd[7]: Accepted publickey for root", "no-match");
}

void addTextRows(Rows& rows)
{
    constexpr const char* kEnvoy
        = R"([%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(USER-AGENT):40%" %REQ(:AUTHORITY)% %REQ(X-API-KEY)% %DOWNSTREAM_REMOTE_ADDRESS%\n)";
    addRow(
        rows, "envoy text", kEnvoy,
        "host api_key user_agent response_flags sent_http_x_envoy_upstream_service_time",
        R"([2024-05-01T10:00:01.250Z] "GET /p?q=1 HTTP/2" 429 RL 15 - "curl "8" x" a.example k1 [2001:db8::1]:5000)",
        "1250 1250 15 [2001:db8::1]:5000 GET /p?q=1 429 a.example k1 curl \"8\" x RL -");
    addRow(rows, "envoy text: tcp", kEnvoy, "",
           R"([2024-05-01T10:00:01.250Z] "- - -" 0 - 15 - "-" - - 192.0.2.1:5000)", "not-http");
    addRow(rows, "envoy text: never answered", kEnvoy, "",
           R"([2024-05-01T10:00:01.250Z] "GET / HTTP/1.1" 0 DC 15 - "-" - - 192.0.2.1:5000)",
           "1250 1250 15 192.0.2.1:5000 GET / -");
    addRow(rows, "envoy text: a time of its own",
           "%START_TIME(%Y/%m/%d %H:%M:%S.%3f)% %DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT% "
           "%REQ(:METHOD)% %REQ(:PATH)% %RESPONSE_CODE%",
           "", "2024/05/01 10:00:01.250 192.0.2.1 GET /a 200", "1250 1250 - 192.0.2.1 GET /a 200");
    addRow(rows, "envoy text: seconds with a fraction",
           "%START_TIME(%s.%3f)% %REQ(X-FORWARDED-FOR)% %REQ(:METHOD)% %REQ(:PATH)% "
           "%RESPONSE_CODE%",
           "", "1714557601.250 203.0.113.9,192.0.2.1 GET /a 200",
           "1250 1250 - 192.0.2.1 GET /a 200");
    addRow(rows, "envoy text: unknown", "%START_TIME% %REQ(:PATH)% %lower%", "", "", "log.format");

    constexpr const char* kHaproxy
        = "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc "
          "%ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r %[req.hdr(X-Api-Key)]";
    addRow(
        rows, "haproxy text", kHaproxy, "api_key request_captures termination_state server",
        "192.0.2.1:33317 " HA_TIME
        R"(web static/srv1 10/0/30/69/+109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.example|x y} {} "GET /a#22b HTTP/1.1" k1)",
        "1250 1250 109 192.0.2.1 GET /a\"b 200 k1 a.example|x y ---- srv1");
    addRow(rows, "haproxy text: no captures", kHaproxy, "api_key request_captures server",
           "2001:db8::1:33317 " HA_TIME
           R"(web web/<NOSRV> -1/-1/-1/-1/5 -1 0 - - CR-- 1/1/1/1/0 0/0 "<BADREQ>" -)",
           "1250 1250 5 2001:db8::1 - - - - - <NOSRV>");
    addRow(rows, "haproxy text: old quoting, all quoted, zone",
           R"(%{+Q}o\ %{-Q}ci\ -\ -\ [%{-Q}T]\ %r\ %{-Q}ST\ %{-Q}Tt\ %{-Q}HM)", "",
           R"(192.0.2.1 - - [01/May/2024:12:00:01 +0200] "GET /a HTTP/1.1" 200 7 GET)",
           "1000 1000 7~ 192.0.2.1 GET /a 200");
    addRow(rows, "haproxy text: seconds and milliseconds", "%ci %Ts.%ms %Ta %ST %HM %HU %HV", "",
           "192.0.2.1 1714557601.055 109 429 GET /x HTTP/1.1",
           "1055 1055 109 192.0.2.1 GET /x 429");
    addRow(rows, "haproxy text: the same as one number", "%ci %Ts%ms %Ta %ST %HM %HU %HV", "",
           "192.0.2.1 1714557601055 109 429 GET /x HTTP/1.1", "1055 1055 109 192.0.2.1 GET /x 429");
    addRow(rows, "haproxy text: unknown", "%ci [%tr] %r %ST %zz", "", "", "log.format");
}

const Rows& allRows()
{
    static const Rows kRows = [] {
        Rows rows;
        addAlbRows(rows);
        addElbRows(rows);
        addEnvoyRows(rows);
        addTraefikRows(rows);
        addS3Rows(rows);
        addHaproxyRows(rows);
        addTextRows(rows);
        return rows;
    }();
    return kRows;
}

} // namespace

void TestFormatsLb::readsLines_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    for (const Row& row : allRows()) {
        QTest::newRow(row.name) << row.format << row.fields << row.line << row.expected;
    }
}

void TestFormatsLb::readsLines()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, fields);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    LogOptions options;
    options.format = format.toStdString();
    std::vector<std::string> further;
    for (const QByteArray& field : fields.split(' ')) {
        if (!field.isEmpty()) {
            further.push_back(field.toStdString());
        }
    }
    Reader reader;
    QCOMPARE(reader.read(line + '\n', options, further).join("\n"), expected);
}

void TestFormatsLb::mapsTimes_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("mapping");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected");
    const QByteArray alb
        = "http 2024-05-01T10:00:01.500000Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.001 0.040 0.000 "
          "200 200 0 57 \"GET http://a.example:80/ HTTP/1.1\" \"-\"" ALB_TAIL
          "2024-05-01T10:00:01.400000Z" ALB_END;
    const QByteArray elb = "2024-05-01T10:00:01.500000Z lb 192.0.2.1:2817 10.0.0.1:80 0.001 0.040 "
                           "0.000 200 200 0 29 "
                           "\"GET http://a.example:80/ HTTP/1.1\" \"-\" - -";
    QTest::newRow("alb: no creation") << QByteArray("alb") << QByteArray("time=time") << alb
                                      << QByteArray("1459 1500 41 192.0.2.1 GET / 200");
    QTest::newRow("alb: creation as the start")
        << QByteArray("alb") << QByteArray("start=request_creation_time") << alb
        << QByteArray("1400 1400 41 192.0.2.1 GET / 200");
    QTest::newRow("alb: time of the target")
        << QByteArray("alb") << QByteArray("duration=target_processing_time") << alb
        << QByteArray("1400 1500 40 192.0.2.1 GET / 200");
    QTest::newRow("elb: end") << QByteArray("elb") << QByteArray("time=timestamp") << elb
                              << QByteArray("1459 1500 41 192.0.2.1 GET / 200");
}

void TestFormatsLb::mapsTimes()
{
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, mapping);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    LogOptions options;
    options.format = format.toStdString();
    options.reading.mappings = {parseMapping(mapping.toStdString()).value()};
    Reader reader;
    QCOMPARE(reader.read(line, options, {}).join("\n"), expected);
}

void TestFormatsLb::detects_data()
{
    QTest::addColumn<QByteArray>("format");
    // The rows of readsLines that are requests: each set must be told from every other.
    for (const char* format : {"alb", "elb", "envoy", "istio", "traefik", "s3", "haproxy"}) {
        QTest::newRow(format) << QByteArray(format);
    }
}

void TestFormatsLb::detects()
{
    QFETCH(QByteArray, format);
    QByteArrayList lines;
    for (const Row& row : allRows()) {
        if (row.format == format && row.expected != "no-match") {
            lines << row.line;
        }
    }
    QVERIFY(lines.size() >= 3);
    Reader reader;
    QCOMPARE(reader.read(lines.join('\n') + '\n', {}, {}).size(), lines.size());
    QCOMPARE(reader.format(), format);
}

QTEST_APPLESS_MAIN(TestFormatsLb)
#include "tst_formats_lb.moc"
