#include "app/workbench/enough_search.h"
#include "app/workbench/explain_key.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/key_history_text.h"
#include "app/workbench/run_tables.h"
#include "app/workbench/text.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "tests/app/run_bench.h"

#include <QTest>

#include <optional>
#include <random>

using namespace app;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;

/// Three keys with bursts; costs, durations.
std::string burstyLog()
{
    std::mt19937_64 random(11);
    std::string log;
    std::int64_t time = 1'700'000'000 * kNs;
    for (int i = 0; i < 500; ++i) {
        time += static_cast<std::int64_t>(random() % (i % 60 < 40 ? 300'000'000 : 9'000'000'000));
        log += R"({"time_ns": )" + std::to_string(time) + R"(, "duration_ns": )"
            + std::to_string(random() % 4'000'000'000) + R"(, "client_ip": "192.0.2.1", )"
            + R"("api_key": "k)" + std::to_string(random() % 3) + R"(", "path": "/a", "bytes": )"
            + std::to_string(random() % 900) + R"(, "status": 200})" + "\n";
    }
    return log;
}

/// What stands beside the rule that is looked at.
std::string policyWith(const std::string& limit, const std::string& around)
{
    const std::string before = around == "all_or_nothing" ? "counting: all_or_nothing\n" : "";
    std::string text = "weir: 1\nname: p\n" + before + "tiers:\n  gateway:\n"
        + "    - { name: it, key: [api_key], " + limit + " }\n";
    if (around == "beside") {
        text += "    - { name: other, key: [], algorithm: gcra, rate: 30/min, burst: 4 }\n";
    }
    if (around != "alone") {
        text += "  tenant:\n    - { name: last, key: [client_ip], rate: 12/min, algorithm: "
                "sliding_window_log }\n";
    }
    return text;
}

/// How often `it` denies the key k1 in the run.
std::uint64_t deniedIn(storage::RunStore& store, storage::RunId run)
{
    const storage::RunReader reader(store);
    const auto keys = reader.keys(run, 0, storage::KeyOrder::Key, {0, 100});
    for (const storage::KeyRow& key : *keys) {
        if (key.values.front() == "k1") {
            return key.denied;
        }
    }
    qFatal("no such key");
}

policies::Policy policyOf(const std::string& limit)
{
    return *policies::read("p.yaml", policyWith(limit, "alone")).policy;
}

engine::PlanRule ruleOf(const std::string& limit)
{
    const auto compiled = policies::compile(
        policyOf(limit), [](const std::string&) { return engine::Result<std::string>(""); });
    return compiled.plan->rules.front();
}

/// "it.rate=25/min" with 24, "it.tolerance=2s" with 1999ms.
std::string oneLess(const std::string& setting)
{
    const std::size_t at = setting.find('=') + 1;
    if (setting.find(".tolerance=") != std::string::npos) {
        return setting.substr(0, at)
            + std::to_string(*parseDuration(setting.substr(at)) / 1'000'000 - 1) + "ms";
    }
    std::size_t digits = 0;
    const std::int64_t number = std::stoll(setting.substr(at), &digits);
    return setting.substr(0, at) + std::to_string(number - 1) + setting.substr(at + digits);
}

} // namespace

class TestExplainKey : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void justEnoughIsProvedByReplaying_data();
    void justEnoughIsProvedByReplaying();
    void warmUpNeedNotPass();
    void overridesAreRulesOfTheirOwn();
    void whatIsNotThereIsSaid();
    void episodesEndWhereItIsQuiet();
    void quietSpanIsWhatIdlingTakes_data();
    void quietSpanIsWhatIdlingTakes();
    void keysAreFoundAsTheyAreShown();
    void twoKeysThatLookAlikeAreToldApartBySayingSo();
    void searchEndsAtTheBoundaryWhateverTheGuess();
    void searchEndsAtWhatCanBeCounted();
    void whatIsNotKeptIsFoundByTrials();
    void comebacksAreToldInSentences_data();
    void comebacksAreToldInSentences();
};

void TestExplainKey::justEnoughIsProvedByReplaying_data()
{
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("fields");
    QTest::addColumn<QString>("around");
    const std::vector<std::pair<const char*, const char*>> limits {
        {"algorithm: fixed_window, rate: 3/10s", "rate"},
        {"algorithm: fixed_window, rate: 3/10s, align: first_request", "rate"},
        {"algorithm: fixed_window, rate: 3/10s, count_rejected: true", "rate"},
        {"algorithm: sliding_window_log, rate: 3/10s", "rate"},
        {"algorithm: sliding_window_log, rate: 3/10s, count_rejected: true", "rate"},
        {"algorithm: sliding_window_counter, rate: 3/10s", "rate"},
        {"algorithm: sliding_window_counter, rate: 3/10s, rounding: floor", "rate"},
        {"algorithm: token_bucket, rate: 2/min", "rate burst"},
        {"algorithm: token_bucket, rate: 10/min, burst: 3", "rate burst"},
        {"algorithm: token_bucket, rate: 1/s, burst: 2x, cost: { attribute: bytes, per: 200 }",
         "rate burst"},
        {"algorithm: gcra, rate: 10/min, burst: 2", "rate burst"},
        {"algorithm: gcra, rate: 10/min, tolerance: 1500ms", "rate tolerance"},
        {"algorithm: leaky_bucket, rate: 10/min, queue: 1", "rate queue"},
        {"algorithm: concurrency, in_flight: 1", "in_flight"},
        {"algorithm: sliding_window_log, rate: 0/min", "rate"},
        {"algorithm: sliding_window_log, rate: 3/10s, mode: shadow", "rate"},
    };
    for (const auto& [limit, fields] : limits) {
        for (const char* around : {"alone", "beside", "before", "all_or_nothing"}) {
            QTest::addRow("%s, %s", limit, around)
                << QString::fromUtf8(limit) << QString::fromUtf8(fields)
                << QString::fromUtf8(around);
        }
    }
}

void TestExplainKey::justEnoughIsProvedByReplaying()
{
    QFETCH(QString, limit);
    QFETCH(QString, fields);
    QFETCH(QString, around);
    const std::string policy = policyWith(limit.toStdString(), around.toStdString());
    tests::RunBench bench(burstyLog());
    const storage::RunId run = bench.replay(policy);
    const auto history = explainKey(*bench.store, run, {"it", "k1"}, {});
    QVERIFY2(history.has_value(), history ? "" : history.error().message.c_str());
    QCOMPARE(history->denied, deniedIn(*bench.store, run));
    QVERIFY(history->denied > 0);
    std::uint64_t denied = 0;
    for (const KeyEpisode& episode : history->episodes) {
        denied += episode.denied;
        QVERIFY(episode.requests >= episode.denied && episode.longestStreak <= episode.denied);
        QVERIFY(episode.worstMinute > 0 && episode.worstMinute <= episode.denied);
    }
    QCOMPARE(denied, history->denied);
    QStringList found;
    for (const EnoughField& field : history->enough) {
        found += QString::fromStdString(field.field);
        QVERIFY2(!field.value.empty(), field.field.c_str());
        const storage::RunId with = bench.replay(policy, {field.setting});
        QCOMPARE(deniedIn(*bench.store, with), std::uint64_t {0});
        const storage::RunId without = bench.replay(policy, {oneLess(field.setting)});
        QVERIFY2(deniedIn(*bench.store, without) > 0, field.setting.c_str());
    }
    QCOMPARE(found.join(QLatin1Char(' ')), fields);
}

void TestExplainKey::warmUpNeedNotPass()
{
    const std::string policy = policyWith("algorithm: sliding_window_log, rate: 3/10s", "alone");
    tests::RunBench bench(burstyLog());
    const auto whole = explainKey(*bench.store, bench.replay(policy), {"it", "k1"}, {});
    const std::int64_t warmup = 200 * kNs;
    const storage::RunId run = bench.replay(policy, {}, warmup);
    const auto part = explainKey(*bench.store, run, {"it", "k1"}, {});
    QVERIFY(whole.has_value() && part.has_value());
    QVERIFY(part->requests < whole->requests && part->denied < whole->denied);
    QCOMPARE(part->denied, deniedIn(*bench.store, run));
    const std::string& setting = part->enough.front().setting;
    QCOMPARE(deniedIn(*bench.store, bench.replay(policy, {setting}, warmup)), std::uint64_t {0});
    QVERIFY(deniedIn(*bench.store, bench.replay(policy, {oneLess(setting)}, warmup)) > 0);
}

void TestExplainKey::overridesAreRulesOfTheirOwn()
{
    const std::string policy
        = "weir: 1\nname: p\ntiers:\n  edge:\n    - name: it\n      key: [api_key]\n"
          "      algorithm: sliding_window_log\n      rate: 3/10s\n"
          "      overrides: [{ name: one, match: { api_key: k1 }, rate: 4/10s }]\n";
    tests::RunBench bench(burstyLog());
    const storage::RunId run = bench.replay(policy);
    const auto rest = explainKey(*bench.store, run, {"it", "k1"}, {});
    QVERIFY(!rest.has_value());
    QCOMPARE(rest.error().code, std::string("explain.no-key"));
    const auto one = explainKey(*bench.store, run, {"it/one", "k1"}, {});
    QVERIFY2(one.has_value(), one ? "" : one.error().message.c_str());
    const std::string& setting = one->enough.front().setting;
    QVERIFY(setting.starts_with("it.one.rate="));
    QCOMPARE(deniedIn(*bench.store, bench.replay(policy, {setting})), std::uint64_t {0});
    QVERIFY(deniedIn(*bench.store, bench.replay(policy, {oneLess(setting)})) > 0);
}

void TestExplainKey::whatIsNotThereIsSaid()
{
    tests::RunBench bench(burstyLog());
    const storage::RunId run
        = bench.replay(policyWith("algorithm: fixed_window, rate: 1000/s", "alone"));
    const auto code = [&](const KeyTarget& target) {
        const auto history = explainKey(*bench.store, run, target, {});
        return history ? std::string("none") : history.error().code;
    };
    QCOMPARE(code({"that", "k1"}), std::string("explain.no-rule"));
    QCOMPARE(code({"it", "k9"}), std::string("explain.no-key"));
    QCOMPARE(code({"it", "k1"}), std::string("none"));
    const auto never = explainKey(*bench.store, run, {"it", "k1"}, {});
    QVERIFY(never->requests > 100 && never->denied == 0);
    QVERIFY(never->episodes.empty() && never->enough.empty());
}

void TestExplainKey::episodesEndWhereItIsQuiet()
{
    KeyEpisodes episodes(60 * kNs);
    std::uint64_t n = 0;
    for (const auto& [second, admits] : {std::pair(0, true),
                                         {1, false},
                                         {2, false},
                                         {3, true},
                                         {4, false},
                                         {30, true},
                                         {64, false},
                                         {70, true},
                                         {125, false},
                                         {126, false},
                                         {127, false}}) {
        episodes.add(second * kNs, ++n, admits);
    }
    QCOMPARE(episodes.all().size(), std::size_t {2});
    const KeyEpisode& first = episodes.all()[0];
    QCOMPARE(first.beginNs, 1 * kNs);
    QCOMPARE(first.endNs, 64 * kNs); // just as far from 4 s as the quiet span
    QCOMPARE(first.firstN, std::uint64_t {2});
    QCOMPARE(first.requests, std::uint64_t {6});
    QCOMPARE(first.denied, std::uint64_t {4});
    QCOMPARE(first.longestStreak, std::uint64_t {2});
    QCOMPARE(first.worstMinute, std::uint64_t {3}); // 1, 2 and 4 s; 64 s is a minute after 4 s
    QCOMPARE(first.worstMinuteNs, 1 * kNs);
    const KeyEpisode& second = episodes.all()[1];
    QCOMPARE(second.beginNs, 125 * kNs);
    QCOMPARE(second.requests, std::uint64_t {3});
    QCOMPARE(second.longestStreak, std::uint64_t {3});
}

void TestExplainKey::quietSpanIsWhatIdlingTakes_data()
{
    QTest::addColumn<QString>("limit");
    QTest::addColumn<qint64>("ns");
    const std::int64_t hour = 3600 * kNs;
    const std::vector<std::pair<const char*, std::int64_t>> limits {
        {"algorithm: fixed_window, rate: 3/h", hour},
        {"algorithm: fixed_window, rate: 3/s", 60 * kNs},
        {"algorithm: sliding_window_log, rate: 3/h", hour},
        {"algorithm: sliding_window_counter, rate: 3/h", 2 * hour},
        {"algorithm: token_bucket, rate: 1/h, burst: 4", 4 * hour},
        {"algorithm: token_bucket, rate: 7/h, burst: 1", 514'285'714'286},
        {"algorithm: leaky_bucket, rate: 1/h, queue: 2", 3 * hour},
        {"algorithm: gcra, rate: 1/h, burst: 1", hour},
        {"algorithm: gcra, rate: 1/h, burst: 2", 2 * hour},
        {"algorithm: gcra, rate: 1/h, tolerance: 1ms", hour + 1'000'000},
        {"algorithm: gcra, rate: 1/h, tolerance: 2h", 3 * hour},
        {"algorithm: token_bucket, rate: 0/h", 60 * kNs},
        {"algorithm: concurrency, in_flight: 1", 60 * kNs},
    };
    for (const auto& [limit, ns] : limits) {
        QTest::newRow(limit) << QString::fromUtf8(limit) << static_cast<qint64>(ns);
    }
}

void TestExplainKey::quietSpanIsWhatIdlingTakes()
{
    QFETCH(QString, limit);
    QFETCH(qint64, ns);
    const engine::PlanRule rule = ruleOf(limit.toStdString());
    QCOMPARE(static_cast<qint64>(quietSpanNs(rule.limit)), ns);
}

void TestExplainKey::keysAreFoundAsTheyAreShown()
{
    const std::string policy
        = "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: it, key: [api_key, "
          "path], rate: 1/min, algorithm: fixed_window }\n";
    tests::RunBench bench(burstyLog());
    const storage::RunId run = bench.replay(policy);
    const storage::RunReader reader(*bench.store);
    const auto table = keysTable(reader, *reader.detail(run), 10, KeyNames());
    QCOMPARE(table->rows.size(), std::size_t {3});
    for (const FigureTable::Row& row : table->rows) {
        const std::string shown = escaped(row.cells.front().text);
        std::string close = shown;
        close.erase(close.find(' '), 1);
        for (const std::string& key : {shown, close}) {
            const auto history = explainKey(*bench.store, run, {"it", key}, {});
            QVERIFY2(history.has_value(), key.c_str());
            QCOMPARE(history->denied, row.cells[3].count);
        }
    }
}

void TestExplainKey::twoKeysThatLookAlikeAreToldApartBySayingSo()
{
    std::string log;
    for (const char* parts :
         {R"("api_key": "a, b", "user": "c")", R"("api_key": "a", "user": "b, c")"}) {
        log += R"({"time_ns": 1700000000000000000, "path": "/a", "status": 200, )"
            + std::string(parts) + "}\n";
    }
    tests::RunBench bench(log);
    const storage::RunId run
        = bench.replay("weir: 1\nname: p\ntiers:\n  edge:\n    - { name: it, key: [api_key, user], "
                       "rate: 1/min, algorithm: fixed_window }\n");
    const auto history = explainKey(*bench.store, run, {"it", "a, b, c"}, {});
    QVERIFY(!history.has_value());
    QCOMPARE(history.error().code, std::string("explain.which-key"));
}

void TestExplainKey::searchEndsAtTheBoundaryWhateverTheGuess()
{
    const std::string limit = "algorithm: fixed_window, rate: 10/min";
    const std::vector<LimitField> fields = LimitField::of(policyOf(limit), ruleOf(limit));
    QCOMPARE(fields.size(), std::size_t {1});
    for (std::int64_t boundary = 11; boundary < 150; ++boundary) {
        for (const std::optional<std::int64_t> guess :
             {std::optional<std::int64_t>(), std::optional(boundary), std::optional(boundary + 1),
              std::optional<std::int64_t>(11), std::optional(boundary + 40)}) {
            EnoughSearch search(fields.front(), guess);
            int passes = 0;
            while (!search.wanted().empty()) {
                std::vector<bool> enough;
                for (const std::int64_t number : search.wanted()) {
                    QVERIFY(number > 10);
                    enough.push_back(number >= boundary);
                }
                search.take(enough);
                QVERIFY(++passes < 20);
            }
            QCOMPARE(search.found(), std::optional(boundary));
            QVERIFY(guess != boundary || passes == 1);
        }
    }
}

void TestExplainKey::searchEndsAtWhatCanBeCounted()
{
    const std::string limit = "algorithm: gcra, rate: 1/h, tolerance: 1ms";
    const LimitField field = LimitField::of(policyOf(limit), ruleOf(limit)).back();
    QCOMPARE(field.name(), std::string_view("tolerance"));
    QCOMPARE(field.textOf(12'000'000), std::string("200min"));
    std::int64_t greatest = 1;
    for (std::int64_t next = 2; next != greatest; next = field.above(greatest)) {
        greatest = next;
    }
    QVERIFY(field.limitWith(greatest) && !field.limitWith(greatest + 1));
    const auto search = [&](std::int64_t boundary) {
        EnoughSearch trials(field, std::nullopt);
        for (int passes = 0; !trials.wanted().empty() && passes < 60; ++passes) {
            std::vector<bool> enough;
            for (const std::int64_t number : trials.wanted()) {
                enough.push_back(number >= boundary);
            }
            trials.take(enough);
        }
        return trials.found();
    };
    for (const std::int64_t boundary :
         {greatest, greatest - 1, greatest / 2 + 1, greatest / 3 * 2}) {
        QCOMPARE(search(boundary), std::optional(boundary));
    }
    QCOMPARE(search(greatest + 1), std::optional<std::int64_t>());
}

void TestExplainKey::whatIsNotKeptIsFoundByTrials()
{
    tests::RunBench bench(burstyLog());
    const storage::RunId run
        = bench.replay(policyWith("algorithm: token_bucket, rate: 10/min, burst: 3", "before"));
    const auto all = explainKey(*bench.store, run, {"it", "k1"}, {});
    const auto few = explainKey(*bench.store, run, {"it", "k1"}, {}, 20);
    QVERIFY(all.has_value() && few.has_value());
    QVERIFY(all->requests > 100 && all->denied > 20);
    QCOMPARE(few->denied, all->denied);
    QCOMPARE(few->episodes.size(), all->episodes.size());
    QCOMPARE(few->enough.size(), std::size_t {2});
    for (std::size_t i = 0; i < all->enough.size(); ++i) {
        QCOMPARE(few->enough[i].value, all->enough[i].value);
    }
}

void TestExplainKey::comebacksAreToldInSentences_data()
{
    QTest::addColumn<std::vector<std::uint64_t>>("came"); // in the order of KeyComebacks
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("sentence");
    const auto row = [](std::vector<std::uint64_t> came, std::string text, std::string sentence) {
        QTest::newRow(text.c_str()) << std::move(came) << text << std::move(sentence);
    };
    row({0, 0, 0, 0, 0}, "never", "No client came again.");
    row({0, 0, 0, 1, 1}, "never; 1 request was given up (1 for want of budget)",
        "No client came again; 1 request was given up (1 for want of budget).");
    row({1, 0, 1, 0, 0}, "once, not denied; 1 request was admitted later",
        "Clients came again once, not denied; 1 request was admitted later.");
    row({1, 1, 0, 2, 0}, "once, denied; 2 requests were given up",
        "Clients came again once, denied; 2 requests were given up.");
    row({1312, 280, 12, 1, 0},
        "1,312 times, 280 of them denied; 12 requests were admitted later, 1 was given up",
        "Clients came again 1,312 times, 280 of them denied; 12 requests were admitted later, 1 "
        "was given up.");
}

void TestExplainKey::comebacksAreToldInSentences()
{
    QFETCH(std::vector<std::uint64_t>, came);
    QFETCH(std::string, text);
    QFETCH(std::string, sentence);
    KeyHistory history;
    QCOMPARE(comebacksText(history), std::string()); // nobody comes again
    QCOMPARE(comebackSentence(history), std::string());
    history.comebacks = KeyComebacks {came[0], came[1], came[2], came[3], came[4]};
    QCOMPARE(comebacksText(history), text);
    QCOMPARE(comebackSentence(history), sentence);
}

QTEST_APPLESS_MAIN(TestExplainKey)
#include "tst_explain_key.moc"
