#include "app/workbench/compare_tables.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/run_sheet.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "tests/app/run_bench.h"

#include <QTest>
#include <QXmlStreamReader>

#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace app;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
const std::string kHostile = "<script>alert(1)</script>\"'&|`=1+1";
/// As formulas, ESC, right-to-left override, noncharacters, and what looks like nothing.
const std::vector<std::string> kHostiles {kHostile,
                                          "=cmd|' /C calc'!A0",
                                          "@SUM(1)",
                                          "+1-1",
                                          "-1+1",
                                          "\x1b]0;x\x07",
                                          "\xe2\x80\xae"
                                          "gpj",
                                          "\xef\xbf\xbf",
                                          "\xef\xbf\xbe",
                                          "\xe1\x85\x9f",
                                          "\xe3\x85\xa4",
                                          "$x$ @all",
                                          "https://x.test/"};

constexpr const char* kPolicy
    = "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: \"a|<b>\", key: [api_key], rate: 2/min, "
      "algorithm: sliding_window_log }\n  tenant:\n    - { name: whole, key: [], rate: 30/min, "
      "algorithm: fixed_window, mode: shadow }\n";

std::string jsonText(const std::string& value)
{
    std::string text;
    for (const char c : value) {
        text += c == '\x1b' ? "\\u001b"
            : c == '\x07'   ? "\\u0007"
            : c == '"'      ? "\\\""
                            : std::string(1, c);
    }
    return text;
}

std::string hostileLog()
{
    std::string log = "not a request of secret-line\n";
    for (int i = 0; i < 600; ++i) {
        const std::string key = i % 3 == 0
            ? jsonText(kHostiles[static_cast<std::size_t>(i / 45) % kHostiles.size()])
            : "key-of-" + std::to_string(i % 2);
        const std::string status = i % 50 == 0 ? "429" : "200";
        log += "{\"time_ns\": " + std::to_string((1'700'000'000 + i * 7) * kNs)
            + ", \"api_key\": \"" + key + "\", \"path\": \"/p<i>\", \"status\": " + status + "}\n";
    }
    return log;
}

/// Each of so many keys sends five requests in a minute, where kPolicy admits two.
std::string manyKeys(int keys)
{
    std::string log;
    for (int i = 0; i < keys * 5; ++i) {
        log += "{\"time_ns\": " + std::to_string(1'700'000'000 * kNs + i) + ", \"api_key\": \"k"
            + std::to_string(i % keys) + "\", \"path\": \"/a\"}\n";
    }
    return log;
}

const std::set<std::string> kIdentities {"api_key", "client_ip"};

ReportSheet sheetOf(const tests::RunBench& bench, storage::RunId run, const KeyNames& names,
                    std::size_t top = 40)
{
    const auto sheet = runSheet(storage::RunReader(*bench.store), run, {top, names});
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
    void notesNameNobodyAndLinkNothing();
    void tablesSayHowMuchTheyLeaveOut();
    void barsAreTheLargest();
    void comparisonsShowBothSides();
    void outermostTimesAreDrawn();
    void widthsAreThoseOfClocks();
    void identitiesFollowKeysAndCuts();
    void identitiesAreNotFoundByTheirSource();
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
    for (const std::string& hostile : kHostiles) {
        QVERIFY2(page.find("<code>" + htmlText(hostile) + "</code>") != page.npos, hostile.c_str());
    }
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
    const std::size_t print = page.find("@media print");
    QVERIFY(print != page.npos);
    QVERIFY(page.find(".scroll { overflow: visible; }", print) != page.npos); // paper cannot scroll
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
    std::set<std::string> whos;
    for (const std::vector<std::string>& line : lines) {
        QCOMPARE(line.size(), lines.front().size());
        if (line.front() == "timeline") {
            rejected += std::stoull(line[column("rejected")]);
        }
        whos.insert(line[column("who")]);
        for (const std::string& cell : line) {
            QVERIFY2(cell.find_first_of("=@+") != 0, cell.c_str());
        }
    }
    for (const std::string& hostile : kHostiles) {
        const std::string shown = escaped(hostile);
        const bool looksLikeFormula = std::string("=@+-").find(shown.front()) != std::string::npos;
        QVERIFY2(whos.contains((looksLikeFormula ? "'" : "") + shown), hostile.c_str());
    }
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

void TestReport::notesNameNobodyAndLinkNothing()
{
    ReportSheet sheet {"a|b@c"};
    sheet.notes
        = {{"replay.x", "see https://x.test/$a$ or www.x.test, *ask* @admin|@all; $1 = $2"}};
    sheet.tables = {{"t", "T", {{"c", "@c|d"}}}};
    sheet.tables[0].add({Cell::words("@me|x")});
    const std::string text = markdownReport(sheet);
    for (const char* part : {"### `a|b@c`\n",
                             "- see `https://x.test/$a$` or `www.x.test,` \\*ask\\* `@admin|@all;` "
                             "`$1` = `$2`\n",
                             "| `@c\\|d` |\n", "| `@me\\|x` |\n"}) {
        QVERIFY2(text.find(part) != text.npos, text.c_str());
    }
}

void TestReport::tablesSayHowMuchTheyLeaveOut()
{
    tests::RunBench bench(manyKeys(17));
    const storage::RunId run = bench.replay(kPolicy);
    const storage::RunReader reader(*bench.store);
    const storage::RunDetail detail = *reader.detail(run);
    const auto periods = periodOf(reader, run, {});
    QVERIFY(periods.has_value());
    for (const std::size_t top : {std::size_t {3}, std::size_t {17}, std::size_t {40}}) {
        std::vector<FigureTable> tables = narrowedTables(*periods, top, KeyNames());
        for (const auto& make : {whosTable, keysTable}) {
            tables.push_back(*make(reader, detail, top, KeyNames()));
        }
        for (const FigureTable& table : tables) {
            QCOMPARE(table.rows.size(), std::min<std::size_t>(top, 17));
            QCOMPARE(table.rows.size() + table.more, std::uint64_t {17});
        }
    }
}

void TestReport::barsAreTheLargest()
{
    tests::RunBench bench(manyKeys(20));
    const std::string policy = [] {
        std::string text = "weir: 1\nname: p\ntiers:\n  edge:\n";
        for (int i = 0; i < 15; ++i) { // the last ones deny most
            const std::string n = std::to_string(i);
            text += "    - { name: r" + n + ", key: [], rate: " + std::to_string(99 - i)
                + "/h, algorithm: fixed_window, mode: shadow }\n";
        }
        return text;
    }();
    const ReportSheet sheet = sheetOf(bench, bench.replay(policy), KeyNames());
    const BarChart& rules = sheet.bars.front();
    QCOMPARE(rules.bars.size(), std::size_t {12});
    QCOMPARE(rules.more, std::uint64_t {3});
    QCOMPARE(rules.bars.front().label, std::string("r14"));
    QVERIFY(std::is_sorted(rules.bars.begin(), rules.bars.end(),
                           [](const auto& a, const auto& b) { return a.count > b.count; }));
    QVERIFY(htmlReport(sheet).find("and 3 more") != std::string::npos);
    // What the table leaves out is missing in its bars, too.
    const ReportSheet hit = sheetOf(bench, bench.replay(kPolicy), KeyNames(), 10);
    QCOMPARE(hit.bars[1].bars.size(), std::size_t {10});
    QCOMPARE(hit.bars[1].more, std::uint64_t {10});
}

void TestReport::comparisonsShowBothSides()
{
    tests::RunBench bench(hostileLog());
    const storage::RunId base = bench.replay(kPolicy);
    const storage::RunId candidate = bench.replay(kPolicy, {"a|<b>.rate=1/min"});
    const storage::RunReader reader(*bench.store);
    const storage::RunTotals before = reader.detail(base)->summary.totals;
    const storage::RunTotals after = reader.detail(candidate)->summary.totals;
    QVERIFY(after.rejected > before.rejected && before.rejected > before.recordedRejected);
    for (const std::optional<storage::RunId>& side :
         {std::optional(base), std::optional<storage::RunId>()}) {
        const auto outcome = compareStored(*bench.store, {side}, candidate, {}, {});
        QVERIFY(outcome.has_value());
        ReportSheet sheet {outcome->candidate, outcome->base};
        QVERIFY(describeComparison(reader, side, candidate, sheet).has_value());
        QCOMPARE(sheet.facts.size(), side ? std::size_t {5} : std::size_t {4});
        QCOMPARE(sheet.timelines.size(), std::size_t {2});
        const std::vector<TimelineChart::Series>& series = sheet.timelines.front().series;
        QCOMPARE(sumOf(series.front()), after.rejected);
        QCOMPARE(sumOf(series.back()), side ? before.rejected : before.recordedRejected);
        QCOMPARE(sumOf(sheet.timelines[1].series[0]), after.admitted);
        QCOMPARE(sheet.csvTables.size(), std::size_t {2});
        const std::vector<BarChart> bars = compareBars(*outcome, KeyNames());
        QCOMPARE(bars.front().bars.front().label, std::string("a|<b>"));
        QCOMPARE(bars.front().bars.front().count,
                 outcome->comparison->totals()[engine::Change::NewlyRejected]);
        QCOMPARE(bars.back().bars.size() + bars.back().more,
                 distinctWho(*outcome->comparison, engine::Change::NewlyRejected));
        QVERIFY(bars.back().more > 0);
    }
}

void TestReport::outermostTimesAreDrawn()
{
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t last : {least, most}) {
        std::string log;
        for (const std::int64_t time : {least, last}) {
            log += "{\"time_ns\": " + std::to_string(time) + ", \"path\": \"/a\"}\n";
        }
        tests::RunBench bench(log);
        const ReportSheet sheet = sheetOf(bench, bench.replay(kPolicy), KeyNames());
        QCOMPARE(sumOf(sheet.timelines.front().series.front()), std::uint64_t {2});
        const FigureTable table = tableOf(sheet.timelines.front(), "timeline");
        QVERIFY(!table.rows.empty() && table.rows.front().cells.front().ns < 0);
        QVERIFY(!htmlReport(sheet).empty());
        const auto whole = periodOf(storage::RunReader(*bench.store), 1, {});
        QVERIFY(whole.has_value());
        QCOMPARE(whole->run.summary.totals.requests, std::uint64_t {2});
        QCOMPARE(whole->run.summary.totals.firstNs, std::optional(least));
        QCOMPARE(whole->run.summary.totals.lastNs, std::optional(last));
    }
    QCOMPARE(secondNs(-9'223'372'037), least);
    QCOMPARE(secondNs(9'223'372'037), most);
    QCOMPARE(secondNs(-9'223'372'036), std::int64_t {-9'223'372'036'000'000'000});
    QCOMPARE(secondText(9'223'372'037), std::string("2262-04-11 23:47:17 UTC"));
    QCOMPARE(secondText(-9'223'372'800), std::string("1677-09-21 00:00:00 UTC"));
    QCOMPARE(secondText(-1), std::string("1969-12-31 23:59:59 UTC"));
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

void TestReport::identitiesAreNotFoundByTheirSource()
{
    const auto planOf = [&](const std::string& attributes, const char* key) {
        const auto policy = policies::read("p.yaml",
                                           "weir: 1\nname: p\nattributes:\n" + attributes
                                               + "tiers:\n  edge:\n    - { name: r, key: [" + key
                                               + "], rate: 1/s, algorithm: fixed_window }\n");
        auto compiled = policies::compile(*policy.policy, [](const std::string&) {
            return engine::Result<std::string>("free: pro\n");
        });
        return *compiled.plan;
    };
    const engine::Plan direct = planOf("  api_key: { from: query, param: api_key }\n"
                                       "  local: { from: email, pattern: \"{local}@**\" }\n"
                                       "  acct: { from: local, pattern: \"{acct}+*\" }\n"
                                       "  domain: { from: email, pattern: \"*@{domain}\" }\n"
                                       "  repo: { from: path, pattern: \"/{repo}/**\" }\n",
                                       "acct, repo");
    const std::set<std::string> names = identities({&direct}, "who");
    for (const char* hidden : {"query", "api_key", "acct", "local", "email", "domain", "repo"}) {
        QVERIFY2(names.contains(hidden), hidden);
    }
    QVERIFY(!names.contains("path"));
    // What one policy has as a key is no less one in the other's columns.
    const engine::Plan other
        = planOf("  part: { from: email, pattern: \"{part}@**\" }\n", "method");
    QVERIFY(!identities({&other}, "who").contains("part"));
    QVERIFY(identities({&other, &direct}, "who").contains("part"));
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
