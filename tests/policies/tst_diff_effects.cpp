#include "policies/diff_effects.h"
#include "policies/language/limits.h"
#include "policies/read.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace policies;

namespace {

Policy policyOf(const std::string& rules)
{
    Checked checked = read("p", "weir: 1\nname: p\n" + rules);
    if (!checked.policy) {
        qFatal("%s", render(checked.diagnostics.at(0)).c_str());
    }
    return std::move(*checked.policy);
}

Policy oneRule(const std::string& fields)
{
    return policyOf("tiers: { edge: [{ name: r, " + fields + " }] }\n");
}

/// "worst_case-like" lines: the texts of all effects, one a line.
std::string told(const Policy& before, const Policy& after)
{
    std::string text;
    for (const Effect& effect : effects(before, after, diff(before, after))) {
        const char* lead = effect.kind == EffectKind::Covered ? "+ "
            : effect.kind == EffectKind::Uncovered            ? "- "
            : effect.kind == EffectKind::WorstCase            ? "! "
                                                              : "";
        text += lead + effect.text + "\n";
    }
    return text;
}

std::string worst(const std::string& fields)
{
    const std::string text = told(policyOf("tiers: { edge: [] }\n"), oneRule("key: [], " + fields));
    const std::size_t at = text.find("! ");
    return text.substr(at + 2, text.find('\n', at) - at - 2);
}

constexpr std::int64_t kMs = 1'000'000;

/// The most requests admitted within any (t - length, t] when all come late in one window and as
/// soon as they can from then on.
std::size_t mostWithin(const std::string& fields, std::int64_t lengthNs)
{
    const Policy policy = oneRule("key: [], " + fields);
    const Rule& rule = *policy.rule("r");
    tests::support::OneKey key(*language::limitOf(rule, rule.values));
    std::vector<std::int64_t> admitted;
    if (rule.alignToFirstRequest && key.decide(kMs, 1).admitted) {
        admitted.push_back(kMs); // the window ends in the midst of what follows
    }
    for (std::int64_t t = 9'990; t < 20'000; ++t) {
        for (int i = 0; i < 30 && key.decide(t * kMs, 1).admitted; ++i) {
            admitted.push_back(t * kMs);
        }
    }
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < admitted.size(); ++last) {
        while (admitted[first] <= admitted[last] - lengthNs) {
            ++first;
        }
        most = std::max(most, last - first + 1);
    }
    return most;
}

} // namespace

class TestDiffEffects : public QObject {
    Q_OBJECT
private Q_SLOTS:

    void worstCases_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<qint64>("lengthMs");
        QTest::newRow("fixed") << "algorithm: fixed_window, rate: 7/10s"
                               << "14 within 10s, around the edge of a window" << qint64 {10'000};
        QTest::newRow("counter") << "algorithm: sliding_window_counter, rate: 7/10s"
                                 << "13 within 10s, after a late burst" << qint64 {10'000};
        QTest::newRow("first request")
            << "algorithm: fixed_window, align: first_request, rate: 7/10s"
            << "13 within 10s, around the edge of a window" << qint64 {10'000};
        QTest::newRow("floor") << "algorithm: sliding_window_counter, rounding: floor, rate: 7/10s"
                               << "14 within 10s, after a late burst" << qint64 {10'000};
        QTest::newRow("log") << "algorithm: sliding_window_log, rate: 7/10s"
                             << "7 within 10s" << qint64 {10'000};
        QTest::newRow("bucket") << "algorithm: token_bucket, rate: 4/s, burst: 9"
                                << "9 at once, 13 in the first second" << qint64 {1'001};
        QTest::newRow("gcra") << "algorithm: gcra, rate: 4/s, tolerance: 1s"
                              << "5 at once, 9 in the first second" << qint64 {1'001};
        QTest::newRow("gcra, tolerance between two requests")
            << "algorithm: gcra, rate: 7/3s, tolerance: 857ms"
            << "2 at once, 5 in the first second" << qint64 {1'001};
        QTest::newRow("gcra, tolerance above a second")
            << "algorithm: gcra, rate: 21/2s, tolerance: 1500ms"
            << "16 at once, 27 in the first second" << qint64 {1'001};
    }

    void worstCases()
    {
        QFETCH(QString, fields);
        QFETCH(QString, wanted);
        QFETCH(qint64, lengthMs);
        QCOMPARE(QString::fromStdString(worst(fields.toStdString())), wanted);
        const QString figure = wanted.contains(QLatin1String("once, "))
            ? wanted.section(QLatin1String("once, "), 1)
            : wanted;
        QCOMPARE(mostWithin(fields.toStdString(), lengthMs * kMs),
                 figure.section(QLatin1Char(' '), 0, 0).toULongLong());
    }

    void worstCasesOfOthers()
    {
        QCOMPARE(worst("algorithm: leaky_bucket, rate: 10/s, queue: 20"),
                 std::string("21 at once, then 10/s"));
        QCOMPARE(worst("algorithm: concurrency, in_flight: 50"), std::string("50 at a time"));
        QCOMPARE(worst("algorithm: adaptive_concurrency, strategy: aimd"),
                 std::string("20 to 200 at a time, as durations go"));
        QCOMPARE(worst("algorithm: load_shedder, capacity: 50"), std::string("50 at a time"));
        QCOMPARE(worst("algorithm: load_shedder, capacity: 50, strategy: utilisation"),
                 std::string("no bound: shed while 50 at a time are reached for long"));
        QCOMPARE(worst("algorithm: token_bucket, rate: 0/s, burst: 3"), std::string("nothing"));
    }

    void ratesInOneUnit()
    {
        const auto change = [](const char* before, const char* after) {
            const std::string lead = "key: [], algorithm: sliding_window_log, rate: ";
            const std::string text = told(oneRule(lead + before), oneRule(lead + after));
            return text.substr(0, text.find('\n'));
        };
        QCOMPARE(change("10/min", "20/min"), std::string("2 times as many per time"));
        QCOMPARE(change("10/min", "1/s"),
                 std::string("6 times as many per time: 10/min -> 60/min"));
        QCOMPARE(change("60/min", "20/min"), std::string("1/3 as many per time"));
        QCOMPARE(change("10/min", "15/min"), std::string("50.0% more per time"));
        QCOMPARE(change("3/min", "2/min"), std::string("33.3% fewer per time"));
        QCOMPARE(change("60/min", "1/s"), std::string("! 60 within 1min -> 1 within 1s"));
    }

    void whoIsCovered()
    {
        const std::string rest = ", algorithm: concurrency, in_flight: 5";
        const auto change = [&rest](const std::string& before, const std::string& after) {
            return told(oneRule(before + rest), oneRule(after + rest));
        };
        QCOMPARE(change("key: [], match: { path: /a }", "key: [], match: { path: [/a, /b] }"),
                 std::string("+ requests with path: /b\n"));
        QCOMPARE(change("key: [], match: { path: { not: [/a, /b] } }",
                        "key: [], match: { path: { not: /a } }"),
                 std::string("+ requests with path: /b\n"));
        QCOMPARE(change("key: []", "key: [], match: { method: GET }"),
                 std::string("- requests that do not match { method: GET }\n"));
        QCOMPARE(change("key: [], match: { method: GET }", "key: []"),
                 std::string("+ requests of any method, not only { method: GET }\n"));
        QCOMPARE(change("key: [host]", "key: [host, user]"),
                 std::string("requests that shared a limit are counted apart now\n"
                             "- requests without user\n"));
        QCOMPARE(change("key: [host]", "key: []"),
                 std::string("requests that were counted apart share one limit now\n"
                             "+ requests without host\n"));
        QCOMPARE(change("key: []", "key: [], mode: shadow"),
                 std::string("what it denies is counted, and no longer rejected\n"));
    }

    void classesAndTighten()
    {
        const auto shed = [](const std::string& classes, const std::string& more = "") {
            return policyOf("tiers: { edge: [{ name: shed, key: [], algorithm: load_shedder, "
                            "capacity: 40, classes: ["
                            + classes + "]" + more + " }] }\n");
        };
        const auto differences = [](const Policy& before, const Policy& after) {
            std::string text;
            for (const Difference& difference : diff(before, after)) {
                text += difference.text + "\n";
            }
            return text + told(before, after);
        };
        const std::string a = "{ name: a, match: { path: /a }, up_to: 80% }";
        const std::string b = "{ name: b, match: { path: /b }, up_to: 50% }";
        QCOMPARE(differences(shed(a), shed("{ name: a, match: { path: [/a] }, up_to: 90% }")),
                 std::string("class a of rule shed: up_to 80% -> 90%\n"
                             "! 32 at a time -> 36 at a time\n"));
        QCOMPARE(differences(shed(a), shed(a + ", " + b)),
                 std::string("class b of rule shed added: match { path: /b }, up_to 50%\n"
                             "+ requests that match { path: /b }: a class of their own, shed "
                             "before others\n"
                             "! 20 at a time\n"));
        QCOMPARE(differences(shed(a + ", " + b), shed(b + ", " + a)),
                 std::string("policy: order of classes of shed a, b -> b, a\n"));
        QCOMPARE(differences(shed(a), shed(a, ", strategy: fleet, status: 503")), std::string());
        QCOMPARE(
            differences(shed(a), shed(a, ", strategy: utilisation")),
            std::string("rule shed: strategy fleet -> utilisation\n"
                        "! 40 at a time, class a up to 32 -> no bound: shed while 40 at a time are "
                        "reached for long\n"));
        const std::string both = "classes [a { path: /a } up to 80%, b { path: /b } up to 50%]";
        const Policy none = policyOf("tiers: { edge: [] }\n");
        QCOMPARE(differences(none, shed(a + ", " + b)),
                 "rule shed added to tier edge: key [], algorithm load_shedder, capacity 40, "
                 "strategy fleet, "
                     + both
                     + "\n+ all requests, all in one bucket\n"
                       "! 40 at a time, class a up to 32, class b up to 20\n");
        QCOMPARE(differences(shed(a + ", " + b), none),
                 "rule shed removed from tier edge: key [], algorithm load_shedder, capacity 40, "
                 "strategy fleet, "
                     + both + "\n- all requests: this rule no longer limits them\n");
        QCOMPARE(differences(none, shed(a, ", strategy: utilisation")),
                 std::string("rule shed added to tier edge: key [], algorithm load_shedder, "
                             "capacity 40, strategy utilisation, classes [a { path: /a }]\n"
                             "+ all requests, all in one bucket\n"
                             "! no bound: shed while 40 at a time are reached for long\n"));
        const auto tightened = [](const std::string& rule, const std::string& factor) {
            return policyOf("tiers: { edge: [{ name: " + rule
                            + ", key: [], algorithm: concurrency, in_flight: 4 }, { name: x, key: "
                              "[], algorithm: fixed_window, rate: 4/s, tighten: { rule: "
                            + rule + ", above: 80%, factor: " + factor + " } }] }\n");
        };
        QCOMPARE(differences(tightened("t", "2"), tightened("t", "3")),
                 std::string("rule x: tighten { rule: t, above: 80%, factor: 2 } -> { rule: t, "
                             "above: 80%, factor: 3 }\n"));
        QCOMPARE(differences(tightened("t", "2"), tightened("u", "2")),
                 std::string("rule t renamed to u\n"));
    }

    void aRenamedRuleIsNoOther()
    {
        const std::string fields = ", key: [], algorithm: gcra, rate: 1/s, burst: 2";
        const auto differences = diff(policyOf("tiers: { edge: [{ name: a" + fields + " }] }\n"),
                                      policyOf("tiers: { edge: [{ name: b" + fields + " }] }\n"));
        QCOMPARE(differences.size(), std::size_t {1});
        QCOMPARE(differences.front().text, std::string("rule a renamed to b"));
        const auto two = diff(
            policyOf("tiers: { edge: [{ name: a" + fields + " }] }\n"),
            policyOf("tiers: { edge: [{ name: b" + fields + " }, { name: c" + fields + " }] }\n"));
        QCOMPARE(two.size(), std::size_t {3}); // which of the two it is, nobody knows
    }
};

QTEST_APPLESS_MAIN(TestDiffEffects)
#include "tst_diff_effects.moc"
