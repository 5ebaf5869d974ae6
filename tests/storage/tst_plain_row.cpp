#include "storage/log_format.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/nginx_pattern.h"
#include "storage/logs/request_line.h"

#include <QtTest>

#include <array>
#include <random>

using namespace storage;
using namespace storage::logs;

/// The quick ways of reading a line, and what is in it, give what the thorough ones give.
class TestPlainRow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsLinesAlike_data();
    void readsLinesAlike();
    void readsNoStampOfZeros();
    void readsDecimalsAlike_data();
    void readsDecimalsAlike();
    void splitsRequestsAlike();
    void readsClients_data();
    void readsClients();
};

namespace {

const std::vector<std::string> kFields {"client_ip", "status", "method", "path",       "query",
                                        "host",      "user",   "bytes",  "user_agent", "duration"};

/// A text with the padding that lines have, in which other lines stand.
std::string padded(const std::string& text)
{
    std::string all = text + "\n";
    while (all.size() < text.size() + 2 * kPadding) {
        all += "192.0.2.9 \"a\"\n";
    }
    return all;
}

/// One to three small changes somewhere.
std::string edited(std::string text, std::mt19937& random)
{
    const std::string letters = "\"\"  []-a/:\\0.,=\r\t%?\x01\xC3HTTP";
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
        const std::size_t at = random() % text.size();
        const std::string some(random() % 3, letters[random() % letters.size()]);
        text.replace(at, random() % 3, some);
    }
    return text;
}

struct Reading {
    LineOutcome outcome = LineOutcome::NoMatch;
    engine::Request request;
    std::vector<std::string_view> values = std::vector<std::string_view>(kFields.size());

    bool operator==(const Reading& other) const
    {
        const engine::Request& a = request;
        const engine::Request& b = other.request;
        const bool isSameRequest = a.timeNs == b.timeNs && a.stampNs == b.stampNs
            && a.durationNs == b.durationNs && a.resolutionNs == b.resolutionNs;
        const auto isSame = [](std::string_view one, std::string_view two) {
            return one == two && (one.data() == nullptr) == (two.data() == nullptr);
        };
        return outcome == other.outcome && isSameRequest
            && std::equal(values.begin(), values.end(), other.values.begin(), isSame);
    }
};

/// What the two ways remember from line to line.
struct Memory {
    Arena arena;
    LineScratch scratch;

    Memory() { scratch.arena = &arena; }
};

/// False: the line is none for the quick way.
bool readQuickly(const LineParser& parser, const std::string& all, std::size_t size, Memory& memory,
                 Reading& reading)
{
    LineMarks& marks = memory.scratch.marks;
    marks.restart({all.data(), all.size() - kPadding});
    marks.goTo(all.data());
    memory.scratch.isMarked = true;
    if (!marks.isPlain() || marks.mayHoldReturn() || size == 0
        || static_cast<signed char>(all.front()) <= ' ') {
        return false;
    }
    reading.outcome = LineOutcome::Request;
    return parser.parsePlain(withoutReturn({all.data(), size}), memory.scratch, reading.request,
                             reading.values.data());
}

Reading readThoroughly(const LineParser& parser, const std::string& all, std::size_t size,
                       Memory& memory)
{
    Reading reading;
    ParsedLine line;
    line.values = reading.values.data();
    const std::string_view text = lineText({all.data(), size});
    reading.outcome = parser.parse(text, false, memory.scratch, line);
    reading.request = line.request;
    return reading;
}

} // namespace

void TestPlainRow::readsLinesAlike_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("line");
    const QString combined = QString::fromStdString(std::string(nginxCombinedText()));
    const QString line = QStringLiteral(
        R"(192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET /a/b?b=1 HTTP/1.1" 200 15 "https://x.test/" "Mozilla/5.0 (X11) Gecko")");
    QTest::newRow("text") << combined << line;
    QTest::newRow("named") << QStringLiteral("nginx-combined") << line;
    QTest::newRow("apache") << QStringLiteral(
        "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"")
                            << line;
    QTest::newRow("with a time") << combined + QStringLiteral(" $request_time")
                                 << line + QStringLiteral(" 0.250");
    QTest::newRow("user") << combined + QStringLiteral(" $request_time")
                          << QString(line).replace(QStringLiteral("- - "), QStringLiteral("- eve "))
            + QStringLiteral(" 12.5");
    QTest::newRow("several shapes")
        << QStringLiteral("ingress-nginx")
        << line + QStringLiteral(" 310 0.012 [ns-svc-80] [] 10.0.0.1:80 15 0.012 200 ab12");
    QTest::newRow("json")
        << QStringLiteral("json")
        << QString::fromLatin1(
               R"({"time":"2026-11-28T10:00:01+00:00","remote_addr":"192.0.2.1","remote_user":"",)"
               R"("method":"GET","uri":"/a/b?b=1","status":200,"body_bytes_sent":15,)"
               R"("user_agent":"Mozilla/5.0","request_time":0.250})");
    QTest::newRow("json escapes") << QStringLiteral("escape=json") + combined << line;
}

void TestPlainRow::readsLinesAlike()
{
    QFETCH(const QString, format);
    QFETCH(const QString, line);
    const auto made = logFormat(format.toStdString());
    QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
    const auto parser = (*made)->parser(kFields);
    std::mt19937 random(5);
    Memory quick;
    Memory thorough;
    std::size_t count = 0;
    for (std::size_t round = 0; round < 40'000; ++round) {
        const std::string text
            = round == 0 ? line.toStdString() : edited(line.toStdString(), random);
        if (text.find('\n') != std::string::npos) {
            continue;
        }
        const std::string all = padded(text);
        Reading found;
        if (!readQuickly(*parser, all, text.size(), quick, found)) {
            QVERIFY2(round > 0, "a plain line was left to the thorough way");
            continue;
        }
        ++count;
        const Reading wanted = readThoroughly(*parser, all, text.size(), thorough);
        QVERIFY2(found == wanted, text.c_str());
        for (const std::string_view value : found.values) {
            QVERIFY2(value.data() == nullptr || !value.empty(), text.c_str());
        }
    }
    QVERIFY(count > 4'000);
}

/// A memory that has read no stamp yet is all zeros, and so is this one.
void TestPlainRow::readsNoStampOfZeros()
{
    const auto made = logFormat("nginx-combined");
    QVERIFY(made.has_value());
    const auto parser = (*made)->parser(kFields);
    const std::string text
        = "192.0.2.1 - - [" + std::string(26, '\0') + "] \"GET / HTTP/1.1\" 200 5 \"-\" \"-\"";
    const std::string all = padded(text);
    Memory quick;
    Memory thorough;
    Reading found;
    QVERIFY(!readQuickly(*parser, all, text.size(), quick, found));
    QVERIFY(readThoroughly(*parser, all, text.size(), thorough).outcome != LineOutcome::Request);
}

void TestPlainRow::readsDecimalsAlike_data()
{
    QTest::addColumn<qint64>("unitNs");
    QTest::newRow("s") << qint64 {1'000'000'000};
    QTest::newRow("ms") << qint64 {1'000'000};
    QTest::newRow("us") << qint64 {1'000};
    QTest::newRow("ns") << qint64 {1};
}

void TestPlainRow::readsDecimalsAlike()
{
    QFETCH(const qint64, unitNs);
    const ShortDecimals decimals(unitNs);
    std::mt19937 random(3);
    const std::string letters = "0123456789.0123456789./-:e \xFF\xB0";
    std::size_t count = 0;
    for (std::size_t round = 0; round < 200'000; ++round) {
        std::string text;
        const std::size_t size = random() % 11;
        while (text.size() < size) {
            text += letters[random() % (round % 2 == 0 ? letters.size() : 11)];
        }
        const std::string all = padded(text);
        std::int64_t ns = -1;
        if (decimals.read({all.data(), size}, ns)) {
            ++count;
            QCOMPARE(std::optional(ns), readDecimal(text, unitNs));
        }
    }
    QVERIFY(count > 10'000);
    std::int64_t ns = 0;
    QVERIFY(decimals.read(std::string_view(padded("12345678")).substr(0, 8), ns));
    QCOMPARE(ns, 12'345'678 * unitNs);
}

void TestPlainRow::splitsRequestsAlike()
{
    std::mt19937 random(9);
    std::size_t count = 0;
    for (std::size_t round = 0; round < 100'000; ++round) {
        const std::string text = edited("GET /a/b?b=1 HTTP/1.1", random);
        const std::string all = padded(text);
        RequestParts parts;
        if (!splitUsualRequest(std::string_view(all).substr(0, text.size()), parts)) {
            continue;
        }
        ++count;
        const std::size_t first = text.find(' ');
        const std::size_t last = text.rfind(' ');
        const std::string target = text.substr(first + 1, last - first - 1);
        QVERIFY2(target.starts_with('/') && !target.ends_with(' '), text.c_str());
        QVERIFY2(text.substr(last + 1).starts_with("HTTP/"), text.c_str());
        QCOMPARE(std::string(parts.method), text.substr(0, first));
        QCOMPARE(std::string(parts.path), target.substr(0, target.find('?')));
        const std::size_t mark = std::min(target.find('?'), target.size() - 1);
        QCOMPARE(std::string(parts.query), target.substr(mark + 1));
        QVERIFY(parts.query.data() == nullptr || !parts.query.empty());
    }
    QVERIFY(count > 10'000);
}

void TestPlainRow::readsClients_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isRead");
    QTest::addColumn<QString>("client");
    QTest::newRow("address") << "192.0.2.1" << true << "192.0.2.1";
    QTest::newRow("IPv6") << "2001:db8:aaaa:bbbb:cccc:dddd:1:2" << true
                          << "2001:db8:aaaa:bbbb:cccc:dddd:1:2";
    QTest::newRow("zone") << "fe80::1%eth0" << true << "fe80::1%eth0";
    QTest::newRow("short list") << "1.1.1.1,2.2.2.2" << true << "2.2.2.2";
    QTest::newRow("list") << "192.0.2.7, 10.0.0.5" << true << "10.0.0.5";
    QTest::newRow("quotes") << "\"192.0.2.7\"" << true << "192.0.2.7";
    QTest::newRow("wrapper") << "MESSAGE=1.1.1.1" << false << "";
    QTest::newRow("blank inside") << "192.0.2.7 b" << false << "";
}

void TestPlainRow::readsClients()
{
    QFETCH(const QString, text);
    QFETCH(const bool, isRead);
    QFETCH(const QString, client);
    const std::string all = padded(text.toStdString());
    std::string_view found;
    std::string_view clients;
    QCOMPARE(readClient({all.data(), static_cast<std::size_t>(text.size())}, found, clients),
             isRead);
    if (isRead) {
        QCOMPARE(QString::fromStdString(std::string(found)), client);
    }
}

QTEST_APPLESS_MAIN(TestPlainRow)
#include "tst_plain_row.moc"
