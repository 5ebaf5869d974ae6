#include "engine/attributes.h"
#include "storage/log_reader.h"

#include <QTest>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace storage;

/// Plays the public reports of tests/data/logs/cases: every row of expected.tsv whose format this
/// version reads. Rows of other formats are listed, so that none is forgotten.
class TestLogCases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAsExpected_data();
    void readsAsExpected();
    void listsWhatIsLeftToOtherFormats();
};

namespace {

const std::string kFolder = std::string(WEIR_SOURCE_DIR) + "/tests/data/logs/cases/";

struct Row {
    std::string file;
    std::uint64_t line = 0;
    std::string client;
    std::string stamp;
    std::string method;
    std::string target;
    std::string status;
    std::string duration;
    std::string start;
};

struct Case {
    std::string format;
    std::vector<FieldMapping> mappings;
    std::set<std::uint64_t> leftOut; ///< lines of another format in the same file
};

const std::map<std::string, Case> kCases {
    {"01-nginx-empty-request.log", {}},
    {"03-apache-408-dash-request.log", {}},
    {"05-alb-quoted-lists-and-new-fields.log", {}},
    {"07-nginx-upstream-time-lists.log",
     {R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent $request_length $request_time $upstream_response_time "$http_referer" "$http_user_agent")",
      {},
      {}}},
    {"09-vhost-port-and-client-port.log", {"apache-vhost-combined", {}, {}}},
    {"11-apache-escaped-quote-in-agent.log", {"nginx-combined", {}, {}}},
    {"13-haproxy-absolute-uri.log", {}},
    {"15-iis-ipv6-zone-id.log", {}},
    {"17-iis-odd-characters-and-burst.log", {}},
    {"19-zone-offset-and-dst-fold.log", {}},
    {"21-month-name-case-and-day-spaces.log",
     {R"(time_local="$time_local" http_method="$request_method" site="$host" src="$remote_addr" user="$remote_user" status="$status" bytes_out="$bytes_sent" uri_path="$uri" request_time="$request_time")",
      {},
      {}}},
    {"23-s3-unescaped-quotes.log", {}},
    {"25-caddy-versions-and-other-lines.jsonl", {}},
    {"27-line-cut-by-the-writer.log", {"json", {}, {1}}},
    {"29-traefik-json-ns-duration.jsonl", {}},
    {"31-nginx-json-invalid-escapes.jsonl", {}},
    {"33-bom-crlf-truncated-last-line.log", {}},
    {"35-lines-out-of-order-and-clock-step.log", {}},
    {"37-zstd-two-frames-odd-name.log.zst.1", {}},
    {"39-cloudflare-timestamp-forms.jsonl", {}},
    {"41-envoy-tcp-and-ipv6.log", {"", {}, {4}}},
    {"43-container-wrappers.log", {}},
    {"45-unquoted-agent-and-msec.log",
     {R"($remote_addr - $remote_user - $host [$time_local] "$request" $upstream_addr upstream_response_time $upstream_response_time msec $msec request_time $request_time $status $bytes_sent "$http_referer" $http_user_agent $http_x_forwarded_for)",
      {},
      {}}},
};

/// Files of formats that a later version reads.
const std::set<std::string> kOtherFormats {};

/// A cell of the table: quoted where it holds quotes, which are doubled then.
std::string unquoted(const std::string& cell)
{
    if (cell.size() < 2 || cell.front() != '"') {
        return cell;
    }
    std::string text;
    for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
        text += cell[i];
        i += cell[i] == '"' ? 1U : 0U;
    }
    return text;
}

std::vector<Row> expectedRows()
{
    std::ifstream file(kFolder + "expected.tsv");
    std::vector<Row> rows;
    std::string text;
    std::getline(file, text);
    while (std::getline(file, text)) {
        std::vector<std::string> cells;
        std::istringstream line(text);
        for (std::string cell; std::getline(line, cell, '\t');) {
            cells.push_back(unquoted(cell));
        }
        cells.resize(10);
        rows.push_back({cells[0], std::stoull(cells[1]), cells[2], cells[3], cells[4], cells[5],
                        cells[6], cells[7], cells[8]});
    }
    return rows;
}

std::string isoOf(std::int64_t ns)
{
    const auto seconds = static_cast<time_t>(ns / 1'000'000'000);
    std::tm parts {};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> out {};
    const auto size = std::strftime(out.data(), out.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::array<char, 16> fraction {};
    std::snprintf(fraction.data(), fraction.size(), ".%09lldZ",
                  static_cast<long long>(ns % 1'000'000'000));
    return std::string(out.data(), size) + fraction.data();
}

/// As the table writes bytes.
std::string shown(std::string_view bytes)
{
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\\') {
            text += "\\\\";
        } else if (byte < 0x20 || byte > 0x7E) {
            std::array<char, 8> hex {};
            std::snprintf(hex.data(), hex.size(), "\\x%02X", byte);
            text += hex.data();
        } else {
            text += c;
        }
    }
    return text;
}

std::string canonical(std::string_view client)
{
    const auto address = engine::parseAddress(client);
    return address ? engine::toText(*address) : std::string(client);
}

/// Everything one file gives, by line.
std::map<std::uint64_t, Row> readFile(const std::string& name, const Case& how)
{
    LogOptions options;
    options.format = how.format;
    options.reading.mappings = how.mappings;
    auto reader = LogReader::open(kFolder + name, options);
    if (!reader) {
        qWarning("%s", reader.error().message.c_str());
        return {};
    }
    (*reader)->selectFields({"client_ip", "method", "path", "query", "status"});
    std::map<std::uint64_t, Row> rows;
    LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const engine::Request& request = block.batch.requests[i];
            const auto* values = block.batch.valuesOf(i);
            Row row {name,
                     request.line,
                     canonical(values[0]),
                     isoOf(request.stampNs),
                     std::string(values[1]),
                     shown(values[2]),
                     std::string(values[4]),
                     {},
                     isoOf(request.timeNs)};
            row.target += values[3].data() == nullptr ? "" : "?" + shown(values[3]);
            row.duration = request.durationNs < 0 ? "" : std::to_string(request.durationNs);
            rows[request.line] = row;
        }
        for (const LineReject& rejected : block.rejects) {
            Row row {
                name, rejected.line, "REJECT: " + std::string(rejected.reason), {}, {}, {}, {}, {},
                {}};
            rows[rejected.line] = row;
        }
    }
    return rows;
}

} // namespace

void TestLogCases::readsAsExpected_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("index");
    const auto rows = expectedRows();
    QVERIFY(rows.size() > 50);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto found = kCases.find(rows[i].file);
        if (found != kCases.end() && !found->second.leftOut.contains(rows[i].line)) {
            QTest::addRow("%s:%d", rows[i].file.c_str(), static_cast<int>(rows[i].line))
                << QByteArray::fromStdString(rows[i].file) << static_cast<int>(i);
        }
    }
}

void TestLogCases::readsAsExpected()
{
    QFETCH(QByteArray, file);
    QFETCH(int, index);
    const Row expected = expectedRows()[static_cast<std::size_t>(index)];
    const auto rows = readFile(file.toStdString(), kCases.at(file.toStdString()));
    const auto found = rows.find(expected.line);
    if (expected.client == "REJECT: directive") { // neither a request nor a bad line
        QVERIFY(found == rows.end());
        QVERIFY(!rows.empty());
        return;
    }
    QVERIFY2(found != rows.end(), "the line is missing");
    const Row& got = found->second;
    if (expected.client.starts_with("REJECT")) {
        const std::map<std::string, std::string> codes {
            {"REJECT: truncated JSON", "REJECT: truncated"},
            {"REJECT: partial, joined to the next line", "REJECT: partial-joined"},
            {"REJECT: truncated last line", "REJECT: truncated"},
            {"REJECT: no client address", "REJECT: no-client"},
            {"REJECT: not HTTP (TCP proxy)", "REJECT: not-http"},
            {"REJECT: not an access record", "REJECT: no-match"}};
        QCOMPARE(got.client, codes.at(expected.client));
        return;
    }
    if (expected.client.empty() && expected.method.empty()) { // the table leaves it open
        QCOMPARE(got.client, std::string("REJECT: no-client"));
        return;
    }
    QCOMPARE(got.client, canonical(expected.client));
    QCOMPARE(got.stamp, expected.stamp);
    QCOMPARE(got.method, expected.method);
    QCOMPARE(got.target, expected.target);
    QCOMPARE(got.status, expected.status);
    QCOMPARE(got.duration, expected.duration);
    QCOMPARE(got.start, expected.start);
}

void TestLogCases::listsWhatIsLeftToOtherFormats()
{
    for (const Row& row : expectedRows()) {
        const bool known = kCases.contains(row.file) || kOtherFormats.contains(row.file);
        QVERIFY2(known, row.file.c_str());
    }
    for (const auto& [name, how] : kCases) {
        QVERIFY2(std::ifstream(kFolder + name).good(), name.c_str());
    }
}

QTEST_APPLESS_MAIN(TestLogCases)
#include "tst_log_cases.moc"
