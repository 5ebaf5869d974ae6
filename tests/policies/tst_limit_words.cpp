#include "policies/compile.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"
#include "policies/read.h"

#include <QtTest>

#include <fmt/format.h>

using namespace policies;

namespace {

Checked readRule(const std::string& fields)
{
    return read("p.yaml", "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: r, " + fields + " }\n");
}

const Rule& firstRule(const Policy& policy)
{
    return policy.tiers[0].at(0);
}

QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

} // namespace

class LimitWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void sentences_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("more");
        const auto row = [](const char* fields, const char* sentence, const char* more) {
            QTest::newRow(fields) << QString::fromUtf8(fields) << QString::fromUtf8(sentence)
                                  << QString::fromUtf8(more);
        };
        row("key: [tenant], algorithm: token_bucket, rate: 100/s, burst: 500",
            "A tenant may burst 500, then 100 per second.",
            "Worst first second after idling: 600 (500 + 100).");
        row("key: [api_key], algorithm: token_bucket, rate: 60/min",
            "An API key may burst 60, then 60 per minute.",
            "Worst first second after idling: 61 (60 + 1).");
        row("key: [api_key], algorithm: token_bucket, rate: 10/h",
            "An API key may burst 10, then 10 per hour.",
            "Worst first hour after idling: 20 (10 + 10).");
        row("key: [], algorithm: token_bucket, rate: 7/3s, burst: 1",
            "All requests together: burst 1, then 7 per 3 s.",
            "Worst first second after idling: 3 (1 + 2).");
        row("key: [client_ip], algorithm: fixed_window, rate: 1000/min",
            "A client address may send 1,000 in each clock minute.",
            "Up to 2,000 in the minute around an edge.");
        row("key: [client_ip], algorithm: fixed_window, rate: 10/10min, align: first_request",
            "A client address may send 10 in each 10 min from its first request.",
            "Up to 19 in the 10 min around an edge.");
        row("key: [user], algorithm: fixed_window, rate: 10/10min",
            "A user may send 10 in each 10 min of the clock.",
            "Up to 20 in the 10 min around an edge.");
        row("key: [client_ip], algorithm: sliding_window_log, rate: 5/h",
            "A client address may send 5 in any hour, counted exactly.",
            "Up to 5 entries a key: 80 bytes.");
        row("key: [api_key], algorithm: sliding_window_counter, rate: 10/min",
            "An API key may send about 10 in any minute.",
            "The minute before counts in part, as if it had been even.");
        row("key: [api_key], algorithm: gcra, rate: 600/min, tolerance: 5s",
            "An API key may send one per 100 ms, and be 5 s early.",
            "51 at once, then 600 per minute.");
        row("key: [api_key], algorithm: gcra, rate: 7/min, tolerance: 0s",
            "An API key may send one per about 8.6 s, and be 0 ns early.",
            "1 at once, then 7 per minute.");
        row("key: [], algorithm: gcra, rate: 10/s, burst: 5",
            "All requests together: burst 5, then 10 per second.",
            "Worst first second after idling: 15 (5 + 10).");
        row("key: [], algorithm: leaky_bucket, rate: 10/s, queue: 20",
            "All requests together: 10 per second; up to 20 wait, at most 2 s.",
            "The 22nd at one instant is rejected.");
        row("key: [api_key], algorithm: leaky_bucket, rate: 10/s, queue: 20, delay_after: 5",
            "An API key may send 10 per second; up to 20 wait, at most 1.5 s, the first 5 not at "
            "all.",
            "The 22nd at one instant is rejected.");
        row("key: [api_key], algorithm: leaky_bucket, rate: 10/s, queue: 1, delay_after: 1",
            "An API key may send 10 per second; up to 1 more at once, none wait.",
            "The 3rd at one instant is rejected.");
        row("key: [api_key], algorithm: leaky_bucket, rate: 10/s, queue: 0",
            "An API key may send 10 per second; none wait.", "The 2nd at one instant is rejected.");
        row("key: [tenant], algorithm: concurrency, in_flight: 50",
            "A tenant may have 50 in flight.", "Durations are those recorded.");
        row("key: [], algorithm: concurrency, in_flight: 50, assume_duration: 30s",
            "All requests together: 50 in flight.",
            "Durations are those recorded; 30 s where there is none.");
        row("key: [tenant], algorithm: adaptive_concurrency, strategy: gradient2",
            "A tenant may have 20 to 200 in flight, learnt from the durations (gradient2), 20 at "
            "first.",
            "Durations are those recorded, as they were without this limit.");
        row("key: [], algorithm: adaptive_concurrency, assume_duration: 2s",
            "All requests together: 1 to 1,000 in flight, learnt from the durations (vegas), 20 at "
            "first.",
            "Durations are those recorded, as they were without this limit; 2 s where there is "
            "none.");
        row("key: [], algorithm: load_shedder, capacity: 100",
            "All requests together: 100 in flight.", "Durations are those recorded.");
        row("key: [], algorithm: load_shedder, capacity: 100, strategy: utilisation",
            "All requests together: any number in flight, and is never shed.",
            "Durations are those recorded.");
        row("key: [tenant, repo], algorithm: fixed_window, rate: 0/s",
            "A tenant and repo together may send nothing.",
            "A rate of 0 denies whatever costs something.");
        row("mode: shadow, key: [tenant], algorithm: concurrency, in_flight: 5",
            "In shadow: a tenant may have 5 in flight.", "Durations are those recorded.");
        row("mode: off, key: [tenant], match: { plan: [free, pro] }, algorithm: concurrency, "
            "in_flight: 5",
            "Off. Would be: for plan free or pro: a tenant may have 5 in flight.",
            "Durations are those recorded.");
        row("match: { method: [GET, HEAD], path: \"/search/**\" }, key: [api_key], algorithm: "
            "sliding_window_counter, rate: 10/min",
            "For GET and HEAD of /search/**: an API key may send about 10 in any minute.",
            "The minute before counts in part, as if it had been even.");
        row("match: { path: /a, user: absent, plan: { not: free }, status: \">=400\", duration: "
            "\"<2s\" }, key: [], algorithm: fixed_window, rate: 1/s, cost: { attribute: bytes, "
            "per: "
            "1024 }",
            "For /a with no user, plan other than free, status 400 or more and duration under 2s: "
            "all requests together: 1 in each clock second.",
            "Up to 2 in the second around an edge. A request counts 1 for each 1,024 of its "
            "bytes.");
    }

    void sentences()
    {
        QFETCH(QString, fields);
        const Checked checked = readRule(fields.toStdString());
        for (const auto& diagnostic : checked.diagnostics) {
            qInfo("%s", render(diagnostic).c_str());
        }
        QVERIFY(checked.policy);
        const Rule& rule = firstRule(*checked.policy);
        const auto plan = planRule(rule);
        QVERIFY(plan);
        const LimitWords words = limitWords(*plan, countsAllItAdmits(*checked.policy, rule));
        QTEST(text(words.sentence), "sentence");
        QTEST(text(words.more), "more");
    }

    void cards_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("card");
        const auto row = [](const char* fields, const char* card) {
            QTest::newRow(fields) << QString::fromUtf8(fields) << QString::fromUtf8(card);
        };
        row("key: [api_key], algorithm: token_bucket, rate: 60/min, burst: 60",
            "every request|per api_key|60 per minute, burst 60");
        row("match: { plan: free }, key: [tenant, repo], algorithm: fixed_window, rate: 1000/min",
            "plan is free|per tenant and repo|1,000 per minute");
        row("match: { path: \"/search/**\", method: [GET, HEAD] }, key: [], algorithm: "
            "sliding_window_log, rate: 5/h",
            "GET, HEAD  /search/**|one bucket for all|5 per hour, exact");
        row("match: { path: /x, client_ip: { not: [192.0.2.0/24, 10.0.0.1] } }, key: [], "
            "algorithm: leaky_bucket, rate: 10/s, queue: 20",
            "/x, client_ip is not 192.0.2.0/24 or 10.0.0.1|one bucket for all|10 per second, queue "
            "20");
        row("match: { user: absent, session: { not: absent } }, key: [], algorithm: gcra, rate: "
            "600/min, tolerance: 5s",
            "no user, has session|one bucket for all|600 per minute, 5 s early");
        row("key: [tenant], algorithm: concurrency, in_flight: 50",
            "every request|per tenant|50 in flight");
        row("key: [], algorithm: adaptive_concurrency",
            "every request|one bucket for all|1 to 1,000 in flight, vegas");
        row("key: [], algorithm: load_shedder, capacity: 9",
            "every request|one bucket for all|capacity 9, fleet");
    }

    void classesHaveTheirWords()
    {
        const std::string classes = "classes: [{ name: browse, match: { path: \"/shop/**\" }, "
                                    "up_to: 80% }, { name: batch, match: { plan: free }, up_to: "
                                    "50% }]";
        const auto told = [&](const std::string& more) {
            const Checked checked
                = readRule("key: [], algorithm: load_shedder, capacity: 9, " + classes + more);
            std::string all;
            const auto parts = planRules(firstRule(*checked.policy));
            for (const engine::PlanRule& part : *parts) {
                all += limitWords(part).sentence + "\n";
            }
            return text(all + slotWords(firstRule(*checked.policy)));
        };
        QCOMPARE(told(""),
                 QStringLiteral("For /shop/**: all requests together: 7 of 9 in flight, all "
                                "classes together.\n"
                                "For plan free: all requests together: 4 of 9 in flight, all "
                                "classes together.\n"
                                "All requests together: 9 in flight.\n"
                                " Sheds batch above 4 in flight, then browse above 7 in flight."));
        QCOMPARE(told(", strategy: utilisation"),
                 QStringLiteral("For /shop/**: all requests together: any number in flight, shed "
                                "after 1 other class while a capacity of 9 is in use for long.\n"
                                "For plan free: all requests together: any number in flight, shed "
                                "before other classes while a capacity of 9 is in use for long.\n"
                                "All requests together: any number in flight, and is never shed.\n"
                                " Sheds batch, then browse."));
    }

    void cards()
    {
        QFETCH(QString, fields);
        const Checked checked = readRule(fields.toStdString());
        QVERIFY(checked.policy);
        const CardWords words = cardWords(*planRule(firstRule(*checked.policy)));
        QTEST(text(fmt::format("{}|{}|{}", words.matches, words.key, words.limit)), "card");
    }

    void anOverrideHasItsOwnWords()
    {
        const Checked checked
            = readRule("key: [api_key], match: { plan: pro }, algorithm: token_bucket, rate: 10/s, "
                       "overrides: [{ name: acme, match: { tenant: acme }, rate: 20/s }]");
        QVERIFY(checked.policy);
        const Rule& rule = firstRule(*checked.policy);
        const auto plan = planRule(rule, &rule.overrides.at(0));
        QVERIFY(plan);
        QCOMPARE(text(*plan->overrideName), QStringLiteral("acme"));
        QCOMPARE(
            text(limitWords(*plan).sentence),
            QStringLiteral("For plan pro and tenant acme: an API key may burst 20, then 20 per "
                           "second."));
    }

    /// What a plan has of a rule is what planRule() says, but for `unless`.
    void theWorstSpanIsWhatTheEngineSays()
    {
        const auto spanOf = [](const char* fields) {
            const Checked checked = readRule(std::string("key: [], ") + fields);
            const WorstSpan span = worstSpan(planRule(firstRule(*checked.policy))->limit);
            return text(fmt::format("{} {} {}", span.lengthNs, span.most, span.name));
        };
        QCOMPARE(spanOf("algorithm: token_bucket, rate: 100/s, burst: 500"),
                 QStringLiteral("1000000001 600 second"));
        QCOMPARE(spanOf("algorithm: leaky_bucket, rate: 6/min, queue: 2"),
                 QStringLiteral("60000000001 9 minute"));
        QCOMPARE(spanOf("algorithm: token_bucket, rate: 1/2week, burst: 1"),
                 QStringLiteral("1209600000000001 2 14 days"));
        QCOMPARE(spanOf("algorithm: fixed_window, rate: 1000/min"),
                 QStringLiteral("60000000000 2000 minute"));
        QCOMPARE(spanOf("algorithm: sliding_window_log, rate: 5/h"),
                 QStringLiteral("3600000000000 5 hour"));
        QCOMPARE(spanOf("algorithm: concurrency, in_flight: 7"), QStringLiteral("0 7 instant"));
    }

    void aTextWithErrorsGivesADraft()
    {
        const Checked checked = readRule("key: [], algorithm: leaky_bucket, rate: 10/s, ques: 20");
        QVERIFY(!checked.policy);
        QVERIFY(checked.draft);
        const Rule& rule = firstRule(*checked.draft);
        QVERIFY(!isComplete(rule));
        QCOMPARE(rule.values.rate->value.count, 10);
        QVERIFY(isComplete(
            firstRule(*readRule("key: [], algorithm: gcra, rate: 10/s, burst: 2").policy)));
        QVERIFY(!isComplete(firstRule(*readRule("algorithm: concurrency, in_flight: 2").draft)));
        QVERIFY(!isComplete(firstRule(*readRule("key: [], rate: 2/s").draft)));
        QVERIFY(!read("p.yaml", "a: [").draft);
        QVERIFY(readRule("key: [], algorithm: fixed_window, rate: 1/s").policy);
        QVERIFY(!readRule("key: [], algorithm: fixed_window, rate: 1/s").draft);
    }

    /// Whatever mistakes it has, a draft can be put into words.
    void aDraftOfAnythingHasWords()
    {
        for (const char* fields :
             {"key: [\"\"], algorithm: token_bucket, rate: 1/s", "key: [a], match: { path: [] }",
              "match: { client_ip: 300.1.1.1/8 }, key: [a], algorithm: gcra, rate: x/s",
              "key: 5, algorithm: nothing",
              "key: [a], rate: 0/s, burst: 0, algorithm: token_bucket",
              "overrides: [{ match: 3 }], key: []"}) {
            const Checked checked = readRule(fields);
            QVERIFY(checked.draft);
            const auto plan = planRule(firstRule(*checked.draft));
            QVERIFY(plan);
            QVERIFY(!limitWords(*plan).sentence.empty());
            QVERIFY(!cardWords(*plan).matches.empty());
        }
    }
};

QTEST_APPLESS_MAIN(LimitWordsTest)
#include "tst_limit_words.moc"
