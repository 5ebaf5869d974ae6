#include "storage/log_reader.h"
#include "storage/logs/client_chooser.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace storage;
using logs::ClientChooser;

/// Who the client is behind proxies, alone and in a log.
class TestClientChooser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void chooses_data();
    void chooses();
    void findsListsByTheirNames();
    void readsLogsBehindProxies();
    void shiftsClocks();
};

namespace {

std::vector<engine::Network> networks(const std::vector<std::string>& texts)
{
    std::vector<engine::Network> all;
    for (const std::string& text : texts) {
        all.push_back(*engine::parseNetwork(text));
    }
    return all;
}

const std::vector<std::string> kTrusted {"10.0.0.0/8", "2001:db8:1::/48", "192.0.2.10"};

std::string writeTo(const QTemporaryDir& folder, const char* name, const std::string& text)
{
    const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

struct Rows {
    std::vector<std::string> clients;
    std::vector<engine::Request> requests;
    LogReport report;
};

Rows readAll(const std::string& path, const LogOptions& options)
{
    Rows rows;
    auto reader = LogReader::open(path, options);
    if (!reader) {
        return rows;
    }
    (*reader)->selectFields({"path", "client_ip", "status"});
    LogBlock block;
    while (*(*reader)->readBlock(block)) {
        (*reader)->parse(block);
        (*reader)->note(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const std::string_view client = block.batch.valuesOf(i)[1];
            rows.clients.emplace_back(client.data() == nullptr ? "(none)" : client);
            rows.requests.push_back(block.batch.requests[i]);
        }
    }
    rows.report = (*reader)->report();
    return rows;
}

} // namespace

void TestClientChooser::chooses_data()
{
    QTest::addColumn<QByteArray>("peer");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("forwarded");
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<int>("from");
    constexpr int kPeer = int(ClientChooser::From::Peer);
    constexpr int kList = int(ClientChooser::From::List);
    constexpr int kUnusable = int(ClientChooser::From::UnusableList);
    const auto row = [](const char* what, const char* peer, const char* list, const char* forwarded,
                        const char* client, int from) {
        QTest::newRow(what) << QByteArray(peer) << QByteArray(list) << QByteArray(forwarded)
                            << QByteArray(client) << from;
    };
    row("a peer that is not trusted is the client", "203.0.113.5", "198.51.100.1", "",
        "203.0.113.5", kPeer);
    row("one entry", "10.0.0.1", "198.51.100.1", "", "198.51.100.1", kList);
    row("the right-most that is not trusted", "10.0.0.1", "1.2.3.4, 198.51.100.1, 10.9.9.9", "",
        "198.51.100.1", kList);
    row("what a client claims is not looked at", "10.0.0.1", "garbage, 198.51.100.1", "",
        "198.51.100.1", kList);
    row("no address before one was found", "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "",
        "10.0.0.1", kUnusable);
    row("an empty entry does not count", "10.0.0.1", "198.51.100.1,,10.0.0.2,", "", "198.51.100.1",
        kList);
    row("all are trusted: the left-most", "10.0.0.1", "10.0.0.7, 10.0.0.2", "", "10.0.0.7", kList);
    row("no list", "10.0.0.1", "", "", "10.0.0.1", kPeer);
    row("a dash is no list", "10.0.0.1", "-", "", "10.0.0.1", kPeer);
    row("no peer", "", "198.51.100.1", "", "198.51.100.1", kList);
    row("a peer on a socket", "unix:/run/x.sock", "198.51.100.1", "", "198.51.100.1", kList);
    row("a dash for a peer", "-", "198.51.100.1", "", "198.51.100.1", kList);
    row("a host name is not trusted", "proxy.example", "198.51.100.1", "", "proxy.example", kPeer);
    row("ports", "10.0.0.1:5000", "198.51.100.1:443, 10.0.0.2:80", "", "198.51.100.1:443", kList);
    row("brackets", "[2001:db8:1::1]:5000", "[2001:db8:9::1]:1, 2001:db8:1::5", "",
        "[2001:db8:9::1]:1", kList);
    row("a zone", "10.0.0.1", "fe80::1%eth0", "", "fe80::1%eth0", kList);
    row("mapped addresses are trusted as what they are", "::ffff:10.0.0.1",
        "198.51.100.1, ::ffff:10.3.3.3", "", "198.51.100.1", kList);
    row("a single address is a block", "192.0.2.10", "198.51.100.1", "", "198.51.100.1", kList);
    row("its neighbour is not", "192.0.2.11", "198.51.100.1", "", "192.0.2.11", kPeer);
    row("blanks as W3C writes them", "10.0.0.1", "1.2.3.4,+198.51.100.1,%2010.0.0.2", "",
        "198.51.100.1", kList);
    row("Forwarded", "10.0.0.1", "", R"(for=1.2.3.4, for=198.51.100.1;proto=http;by=10.0.0.9)",
        "198.51.100.1", kList);
    row("Forwarded, quoted, any case, in any place", "10.0.0.1", "",
        R"(proto=https; For="[2001:db8:9::1]:4711", by="a,b;c";for="10.0.0.3:80")",
        "[2001:db8:9::1]:4711", kList);
    row("Forwarded without an address", "10.0.0.1", "", "for=198.51.100.1, for=_hidden", "10.0.0.1",
        kUnusable);
    row("Forwarded without for", "10.0.0.1", "", "for=198.51.100.1, by=10.0.0.1", "10.0.0.1",
        kUnusable);
    row("X-Forwarded-For before Forwarded", "10.0.0.1", "198.51.100.1", "for=198.51.100.2",
        "198.51.100.1", kList);
}

void TestClientChooser::chooses()
{
    QFETCH(QByteArray, peer);
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, forwarded);
    QFETCH(QByteArray, client);
    QFETCH(int, from);
    const ClientChooser chooser(networks(kTrusted), {"client_ip", "forwarded", "x_forwarded_for"});
    QCOMPARE(chooser.lists(), (std::vector<std::string> {"x_forwarded_for", "forwarded"}));
    const auto viewOf = [](const QByteArray& text) {
        return text.isEmpty() ? std::string_view()
                              : std::string_view(text.data(), std::size_t(text.size()));
    };
    const std::array<std::string_view, 2> lists {viewOf(list), viewOf(forwarded)};
    const ClientChooser::Choice choice = chooser.choose(viewOf(peer), lists);
    QCOMPARE(QByteArray::fromStdString(std::string(choice.client)), client);
    QCOMPARE(int(choice.from), from);
}

void TestClientChooser::findsListsByTheirNames()
{
    const ClientChooser chooser({},
                                {"http_forwarded", "request.headers.X-Forwarded-For", "path",
                                 "http_x_forwarded_for", "x_forwarded_proto"});
    QCOMPARE(chooser.lists(),
             (std::vector<std::string> {"request.headers.X-Forwarded-For", "http_x_forwarded_for",
                                        "http_forwarded"}));
}

void TestClientChooser::readsLogsBehindProxies()
{
    const QTemporaryDir folder;
    const std::string start
        = R"( - - [28/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "c" )";
    const std::string path
        = writeTo(folder, "main.log",
                  "10.0.0.1" + start + "\"198.51.100.1, 10.0.0.2\"\n" + "203.0.113.9" + start
                      + "\"198.51.100.1\"\n" + "10.0.0.1" + start + "\"-\"\n" + "10.0.0.1" + start
                      + "\"198.51.100.7, unknown\"\n");
    LogOptions options;
    options.format
        = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for")";
    QCOMPARE(readAll(path, options).clients,
             (std::vector<std::string> {"10.0.0.1", "203.0.113.9", "10.0.0.1", "10.0.0.1"}));
    options.trustedProxies = networks(kTrusted);
    const Rows rows = readAll(path, options);
    QCOMPARE(rows.clients,
             (std::vector<std::string> {"198.51.100.1", "203.0.113.9", "10.0.0.1", "10.0.0.1"}));
    QCOMPARE(rows.report.forwarded, std::uint64_t {1});
    QCOMPARE(rows.report.unusableLists, std::uint64_t {1});
    QCOMPARE(rows.report.filled, (std::vector<std::uint64_t> {4, 4, 4}));

    // The list alone: the right-most, or the right-most that is not trusted.
    const std::string line = R"(,"uri":"/a","time":"2026-11-28T10:00:00Z","status":200})";
    const std::string json
        = writeTo(folder, "a.jsonl",
                  R"({"remote_addr":"10.0.0.1","x_forwarded_for":"198.51.100.1, 10.0.0.2")" + line
                      + "\n" + R"({"remote_addr":"10.0.0.1")" + line + "\n");
    options.format = "json";
    QCOMPARE(readAll(json, options).clients,
             (std::vector<std::string> {"198.51.100.1", "10.0.0.1"}));
}

/// Arrivals move, stamps stay; the whole seconds of stamps are still those of the log.
void TestClientChooser::shiftsClocks()
{
    const QTemporaryDir folder;
    const std::string path = writeTo(
        folder, "a.log", "192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n");
    LogOptions options;
    options.format = R"($remote_addr - - [$time_local] "$request" $status $bytes_sent)";
    const Rows plain = readAll(path, options);
    QCOMPARE(plain.requests.size(), std::size_t {1});
    for (const std::int64_t clock : {std::int64_t {1'200'000'000}, std::int64_t {-1}}) {
        options.clockNs = clock;
        const Rows shifted = readAll(path, options);
        QCOMPARE(shifted.requests[0].timeNs, plain.requests[0].timeNs + clock);
        QCOMPARE(shifted.requests[0].stampNs, plain.requests[0].stampNs);
        QCOMPARE(*shifted.report.firstNs, plain.requests[0].timeNs + clock);
    }
}

QTEST_APPLESS_MAIN(TestClientChooser)
#include "tst_client_chooser.moc"
