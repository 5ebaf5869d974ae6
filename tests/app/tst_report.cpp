#include "app/workbench/compare_tables.h"
#include "app/workbench/run_sheet.h"
#include "tests/app/run_bench.h"

#include <QTest>
#include <QXmlStreamReader>

#include <map>
#include <numeric>
#include <set>

using namespace app;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
const std::string kHostile = "<script>alert(1)</script>\"'&|`=1+1";

constexpr const char* kPolicy
    = "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: \"a|<b>\", key: [api_key], rate: 2/min, "
      "algorithm: sliding_window_log }\n  tenant:\n    - { name: whole, key: [], rate: 30/min, "
      "algorithm: fixed_window, mode: shadow }\n";

std::string hostileLog()
{
    std::string log = "not a request of secret-line\n";
    for (int i = 0; i < 600; ++i) {
        const std::string key = i % 3 == 0 ? "<script>alert(1)</script>\\\"'&|`=1+1"
                                           : "key-of-" + std::to_string(i % 2);
        const std::string status = i % 50 == 0 ? "429" : "200";
        log += "{\"time_ns\": " + std::to_string((1'700'000'000 + i * 7) * kNs)
            + ", \"api_key\": \"" + key + "\", \"path\": \"/p<i>\", \"status\": " + status + "}\n";
    }
    return log;
}

const std::set<std::string> kIdentities {"api_key", "client_ip"};

ReportSheet sheetOf(const tests::RunBench& bench, storage::RunId run, const KeyNames& names)
{
    const auto sheet = runSheet(storage::RunReader(*bench.store), run, {10, names});
    if (!sheet) {
        qFatal("%s", sheet.error().message.c_str());
    }
    return *sheet;
}

std::uint64_t sumOf(const TimelineChart::Series& series)
{
    return std::accumulate(series.counts.begin(), series.counts.end(), std::uint64_t {0});
}

/// The fields of each line, by the book: RFC 4180.
std::vector<std::vector<std::string>> csvOf(const std::string& text)
{
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& cell = lines.back().back();
        if (isQuoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            cell += text[++i];
        } else if (text[i] == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && text[i] == ',') {
            lines.back().emplace_back();
        } else if (!isQuoted && text[i] == '\r' && text[i + 1] == '\n') {
            ++i;
            lines.emplace_back(1);
        } else {
            cell += text[i];
        }
    }
    lines.pop_back(); // behind the last line end
    return lines;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pageIsWellFormedAndAlone();
    void pageHidesKeysUnlessAsked();
    void chartsAddUp();
    void csvHasOneShape();
    void markdownTablesHoldTogether();
    void widthsAreThoseOfClocks();
    void identitiesFollowKeysAndCuts();
    void credentialsAreNeverShown();
};

void TestReport::pageIsWellFormedAndAlone()
{
    tests::RunBench bench(hostileLog());
    const storage::RunId run = bench.replay(kPolicy);
    const std::string page = htmlReport(sheetOf(bench, run, KeyNames()));
    QXmlStreamReader reader(QString::fromStdString(page));
    std::map<QString, int> elements;
    std::set<QString> ids;
    int labelled = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        ++elements[reader.name().toString()];
        for (const QXmlStreamAttribute& attribute : reader.attributes()) {
            const QString name = attribute.name().toString();
            const QString value = attribute.value().toString();
            QVERIFY2(!name.startsWith(QStringLiteral("on")) && name != QStringLiteral("src")
                         && name != QStringLiteral("href"),
                     qPrintable(name));
            QVERIFY2(!value.contains(QStringLiteral("://")), qPrintable(value));
            if (name == QStringLiteral("id")) {
                QVERIFY2(ids.insert(value).second, qPrintable(value));
            }
            if (name == QStringLiteral("aria-labelledby")) {
                ++labelled;
            }
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    for (const char* absent : {"script", "link", "img", "iframe", "object", "use", "image"}) {
        QCOMPARE(elements[QString::fromUtf8(absent)], 0);
    }
    QVERIFY(elements[QStringLiteral("svg")] >= 4); // all, two tiers, bars
    QCOMPARE(labelled, elements[QStringLiteral("svg")]);
    QCOMPARE(elements[QStringLiteral("desc")], elements[QStringLiteral("svg")]);
    QCOMPARE(elements[QStringLiteral("caption")], elements[QStringLiteral("table")]);
    QVERIFY(page.find("@import") == page.npos && page.find("url(") == page.npos);
    QVERIFY(page.find("default-src 'none'") != page.npos);
    QVERIFY(page.find("prefers-color-scheme: dark") != page.npos);
    QVERIFY(page.find("@media print") != page.npos);
}

void TestReport::pageHidesKeysUnlessAsked()
{
    tests::RunBench bench(hostileLog());
    const storage::RunId run = bench.replay(kPolicy);
    const std::string shown = htmlReport(sheetOf(bench, run, KeyNames()));
    QVERIFY(shown.find(htmlText(kHostile)) != shown.npos);
    QVERIFY(shown.find("key-of-") != shown.npos);
    QVERIFY(shown.find("secret-line") != shown.npos);
    const PseudonymSecret secret {1, 2};
    const ReportSheet hidden = sheetOf(bench, run, KeyNames({}, secret, kIdentities));
    const std::string name = KeyNames({}, secret, kIdentities).of("api_key", kHostile);
    for (const std::string& text : {htmlReport(hidden), markdownReport(hidden)}) {
        QVERIFY(text.find("alert(1)") == text.npos);
        QVERIFY(text.find("key-of-") == text.npos);
        QVERIFY(text.find("secret-line") == text.npos); // lines of the log hold keys
        QVERIFY(text.find(name) != text.npos);
        QVERIFY(text.find("1 line, not-json") != text.npos);
    }
}

void TestReport::chartsAddUp()
{
    tests::RunBench bench(hostileLog());
    const storage::RunId run = bench.replay(kPolicy);
    const auto detail = storage::RunReader(*bench.store).detail(run);
    const storage::RunTotals& totals = detail->summary.totals;
    QVERIFY(totals.rejected > 0 && totals.recordedRejected > 0);
    const ReportSheet sheet = sheetOf(bench, run, KeyNames());
    QCOMPARE(sheet.timelines.size(), std::size_t {3});
    const TimelineChart& all = sheet.timelines[0];
    QVERIFY(all.columns() > 40 && all.columns() <= 121);
    QCOMPARE(all.widthSeconds, std::int64_t {60});
    QCOMPARE(all.firstSecond % 60, std::int64_t {0});
    QCOMPARE(sumOf(all.series[0]), totals.admitted);
    QCOMPARE(sumOf(all.series[1]), totals.rejected);
    QCOMPARE(sumOf(all.series[2]), totals.recordedRejected);
    for (std::size_t tier = 1; tier < 3; ++tier) {
        const TimelineChart& chart = sheet.timelines[tier];
        for (const storage::TierTotals& sum : detail->tiers) {
            if (chart.title == "Tier " + std::string(engine::nameOf(sum.tier))) {
                QCOMPARE(sumOf(chart.series[0]) + sumOf(chart.series[1]), sum.judged);
                QCOMPARE(sumOf(chart.series[1]), sum.rejected);
            }
        }
    }
    // The table beside the chart has what the chart has.
    const FigureTable table = tableOf(all, "timeline");
    std::uint64_t rejected = 0;
    for (const FigureTable::Row& row : table.rows) {
        rejected += row.cells[2].count;
    }
    QCOMPARE(rejected, totals.rejected);
}

void TestReport::csvHasOneShape()
{
    tests::RunBench bench(hostileLog());
    const storage::RunId run = bench.replay(kPolicy);
    const auto lines = csvOf(csvReport(sheetOf(bench, run, KeyNames())));
    QVERIFY(lines.size() > 60);
    QCOMPARE(lines.front().front(), std::string("table"));
    const auto column = [&](const char* name) {
        const auto at = std::find(lines.front().begin(), lines.front().end(), name);
        return static_cast<std::size_t>(at - lines.front().begin());
    };
    std::uint64_t rejected = 0;
    bool hasHostile = false;
    for (const std::vector<std::string>& line : lines) {
        QCOMPARE(line.size(), lines.front().size());
        if (line.front() == "timeline") {
            rejected += std::stoull(line[column("rejected")]);
        }
        hasHostile = hasHostile || line[column("who")] == kHostile;
        for (const std::string& cell : line) {
            QVERIFY2(cell.find_first_of("=@+") != 0, cell.c_str());
        }
    }
    QVERIFY(hasHostile);
    QCOMPARE(rejected, storage::RunReader(*bench.store).detail(run)->summary.totals.rejected);
}

void TestReport::markdownTablesHoldTogether()
{
    tests::RunBench bench(hostileLog());
    const std::string text = markdownReport(sheetOf(bench, bench.replay(kPolicy), KeyNames()));
    QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'));
    qsizetype columns = 0;
    int rows = 0;
    for (QString line : lines) {
        if (!line.startsWith(QLatin1Char('|'))) {
            columns = 0;
            QVERIFY2(!line.contains(QStringLiteral("<script")), qPrintable(line));
            continue;
        }
        line.replace(QStringLiteral("\\|"), QStringLiteral("x"));
        const qsizetype pipes = line.count(QLatin1Char('|'));
        QVERIFY2(columns == 0 || pipes == columns, qPrintable(line));
        columns = pipes;
        ++rows;
    }
    QVERIFY(rows > 15);
}

void TestReport::widthsAreThoseOfClocks()
{
    QCOMPARE(niceWidth(1, 120), std::int64_t {1});
    QCOMPARE(niceWidth(121, 120), std::int64_t {2});
    QCOMPARE(niceWidth(86'400, 120), std::int64_t {900});
    QCOMPARE(niceWidth(7 * 86'400, 120), std::int64_t {7200});
    QCOMPARE(niceWidth(1000 * 86'400, 120), std::int64_t {9 * 86'400});
    QCOMPARE(niceWidth(86'400, 8), std::int64_t {3 * 3600});
}

void TestReport::identitiesFollowKeysAndCuts()
{
    engine::Plan plan;
    plan.rules.emplace_back().key = {"tenant", "method"};
    const auto derive = [&plan](const char* name, const char* from, engine::DerivationKind kind) {
        engine::Derivation& derived = plan.attributes.emplace_back();
        derived.name = name;
        derived.from = from;
        derived.kind = kind;
    };
    derive("network", "client_ip", engine::DerivationKind::Prefix);
    derive("half", "network", engine::DerivationKind::Prefix);
    derive("plan", "api_key", engine::DerivationKind::Lookup);
    derive("repo", "path", engine::DerivationKind::Pattern);
    const std::set<std::string> names = identities({&plan}, "session");
    for (const char* hidden : {"tenant", "network", "half", "session", "api_key", "user"}) {
        QVERIFY2(names.contains(hidden), hidden);
    }
    for (const char* shown : {"method", "plan", "repo", "path", "status"}) {
        QVERIFY2(!names.contains(shown), shown);
    }
    const KeyNames hiding({}, {3, 4}, names);
    QCOMPARE(hiding.of("plan", "pro"), std::string("pro"));
    QVERIFY(hiding.of("user", "a") != hiding.of("api_key", "a"));
    QCOMPARE(hiding.of("user", "a"), hiding.of("user", "a"));
    QVERIFY(hiding.of("user", "a").starts_with("key-"));
}

void TestReport::credentialsAreNeverShown()
{
    std::string log = "{\"cookie\": \"s3cret\", no request\n";
    for (int i = 0; i < 20; ++i) {
        log += "{\"time_ns\": " + std::to_string((1'700'000'000 + i) * kNs)
            + ", \"cookie\": \"id=s3cret\", \"path\": \"/a\", \"status\": 200}\n";
    }
    tests::RunBench bench(log);
    const storage::RunId run = bench.replay(
        "weir: 1\nname: p\nattributes:\n  session: { from: cookie, pattern: \"id={session}\" }\n"
        "tiers:\n  edge:\n    - { name: per, key: [session], rate: 2/min, algorithm: fixed_window }"
        "\n");
    const SecretAttributes secrets = secretsOf(*storage::RunReader(*bench.store).detail(run));
    QVERIFY(secrets.has("session"));
    const KeyNames asTheyAre(secrets);
    const KeyNames hiding(secrets, {1, 2}, {});
    QVERIFY(hiding.of("session", "s3cret") != asTheyAre.of("session", "s3cret"));
    QVERIFY(!hiding.ofLine("a line"));
    QCOMPARE(KeyNames().ofLine("a line"), std::optional<std::string>("a line"));
    for (const KeyNames& names : {asTheyAre, hiding}) {
        const ReportSheet sheet = sheetOf(bench, run, names);
        for (const std::string& text :
             {htmlReport(sheet), markdownReport(sheet), csvReport(sheet)}) {
            QVERIFY(text.find("s3cret") == text.npos);
            QVERIFY(text.find(names.of("session", "s3cret")) != text.npos);
        }
    }
}

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
