#include "app/workbench/busiest_key.h"
#include "app/workbench/lab.h"
#include "app/workbench/policy_files.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "policies/plan_rule.h"
#include "policies/read.h"
#include "tests/app/demo_log.h"

#include <QElapsedTimer>
#include <QtTest>

#include <fmt/format.h>

using namespace app;

namespace {

const std::string kPolicy = WEIR_SOURCE_DIR "/policies/examples/public-api.yaml";

engine::PlanRule ruleOf(const std::string& fields)
{
    const policies::Checked checked = policies::read(
        "p.yaml",
        "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: r, key: [], " + fields + " }\n");
    if (!checked.policy) {
        qFatal("%s", fields.c_str());
    }
    return *policies::planRule(checked.policy->tiers[0][0]);
}

LabResult run(const std::string& fields, LabPattern pattern, std::int64_t count)
{
    const engine::PlanRule rule = ruleOf(fields);
    return runLab(rule, labTraffic(pattern, count, rule));
}

/// What the replay loop says of the same requests.
class Verdicts final : public engine::SettledSink {
public:
    void settle(const engine::Settled& settled) override
    {
        ++offered;
        rejected += settled.verdicts[0].outcome == engine::Outcome::Rejected ? 1U : 0U;
    }

    std::uint64_t offered = 0;
    std::uint64_t rejected = 0;
};

const engine::ClientProfile& presetNamed(const std::string& name)
{
    for (const engine::ClientProfile& preset : engine::clientPresets()) {
        if (preset.name == name) {
            return preset;
        }
    }
    qFatal("no preset %s", name.c_str());
}

LabResult under(const LabConditions& conditions, const std::string& fields, LabPattern pattern,
                std::int64_t count)
{
    const engine::PlanRule rule = ruleOf(fields);
    auto result = runLab(rule, labTraffic(pattern, count, rule), conditions);
    if (!result) {
        qFatal("%s", result.error().message.c_str());
    }
    return std::move(*result);
}

LabConditions servers(std::uint32_t count, engine::StateKind kind, std::int64_t everyNs = 0)
{
    LabConditions conditions;
    conditions.servers = count;
    conditions.state = {kind, everyNs};
    return conditions;
}

/// Says stop when the first client comes again.
class StopAtRetry final : public engine::SettledSink, public engine::DecisionSink {
public:
    void settle(const engine::Settled&) override { }

    bool wants(std::size_t, const engine::Arrival&) override { return true; }

    void decided(std::size_t, const engine::Decision& decision) override
    {
        ++decisions;
        stop = stop || decision.attempt > 1;
    }

    std::atomic<bool> stop {false};
    int decisions = 0;
};

void replay(const engine::PlanRule& rule, const LabTraffic& traffic, engine::SettledSink& verdicts,
            engine::ReplayOptions options = {})
{
    engine::Plan plan;
    plan.rules = {rule};
    engine::IntakeOptions asked;
    asked.who = {"who"};
    const auto intake = engine::Intake::make({&plan}, asked);
    engine::Replay loop(**intake, verdicts, options);
    engine::RequestBatch batch;
    batch.fieldCount = (*intake)->fields().size();
    for (const LabRequest& one : traffic.requests) {
        engine::Request request;
        request.timeNs = request.stampNs = traffic.originNs + one.atNs;
        request.durationNs = one.durationNs;
        batch.requests.push_back(request);
        batch.values.insert(batch.values.end(), batch.fieldCount, std::string_view("one"));
    }
    const auto prepared = (*intake)->makePrepared();
    (*intake)->chooseWho(batch);
    (*intake)->prepare(batch, *prepared);
    (*intake)->intern(
        *prepared, [&](engine::Arrival& arrival, const engine::Request&) { loop.arrive(arrival); });
    loop.finish();
}

std::int64_t valueAt(const LabResult& result, std::int64_t atNs)
{
    std::int64_t value = -1;
    for (const LabState& state : result.state) {
        value = state.atNs <= atNs ? state.value : value;
    }
    return value;
}

} // namespace

class LabTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// Published figure: 500 at once, then 205 of 500 that come over 50 ms two seconds later.
    void aBurstTwice()
    {
        const LabResult result
            = run("algorithm: token_bucket, rate: 100/s, burst: 500", LabPattern::Twice, 500);
        QCOMPARE(result.offered, 1000U);
        QCOMPARE(result.admitted, 705U);
        QCOMPARE(result.rejected, 295U);
        QCOMPARE(result.admittedLater, 205U);
        QCOMPARE(result.firstSpan, 500U);
        QCOMPARE(result.worst.most, 600);
        QCOMPARE(QString::fromStdString(result.worst.name), QStringLiteral("second"));
        QCOMPARE(result.rollingSpan, 500U);
        QCOMPARE(QString::fromStdString(result.stateName), QStringLiteral("tokens left"));
        QCOMPARE(result.stateMost, 500);
        QCOMPARE(result.state.front().value, 500);
        QCOMPARE(valueAt(result, 0), 0);
        QCOMPARE(valueAt(result, 1'000'000'000), 100);
        QCOMPARE(valueAt(result, 2'000'000'000), 200);
        QCOMPARE(valueAt(result, 5'000'000'000), 295);
        QCOMPARE(result.soFar.back().admitted, 705U);
        QCOMPARE(result.soFar.back().atNs, 5'000'000'000);
    }

    void anEdgeLetsTwoWindowsThrough()
    {
        const LabResult fixed
            = run("algorithm: fixed_window, rate: 1000/min", LabPattern::Boundary, 1000);
        QCOMPARE(fixed.admitted, 2000U);
        QCOMPARE(fixed.rollingSpan, 2000U);
        QCOMPARE(fixed.worst.most, 2000);
        const LabResult opened
            = run("algorithm: fixed_window, rate: 1000/min, align: first_request",
                  LabPattern::Boundary, 1000);
        QCOMPARE(opened.admitted, 2000U);
        QCOMPARE(opened.rollingSpan, 1999U);
        const LabResult sliding
            = run("algorithm: sliding_window_log, rate: 1000/min", LabPattern::Boundary, 1000);
        QCOMPARE(sliding.admitted, 1000U);
        QCOMPARE(sliding.rollingSpan, 1000U);
    }

    void serversThatCountApartAdmitTheLimitTimesTheirNumber()
    {
        const std::string minute = "algorithm: fixed_window, rate: 100/min";
        const LabResult local
            = under(servers(10, engine::StateKind::Local), minute, LabPattern::Twice, 1000);
        QCOMPARE(local.offered, 2000U);
        QCOMPARE(local.attempts, 2000U);
        QCOMPARE(local.admitted, 1000U);
        QCOMPARE(local.rejected, 1000U);
        QVERIFY(local.most.has_value());
        QCOMPARE(local.most->admitted, 1000);
        QCOMPARE(local.most->limit, 100);
        QCOMPARE(local.most->periodNs, 60'000'000'000);
        QCOMPARE(QString::fromStdString(local.stateName), QStringLiteral("admitted within 1 min"));
        QCOMPARE(valueAt(local, local.lengthNs), 1000);
        QCOMPARE(local.soFar.back().admitted, 1000U);
        const LabResult split
            = under(servers(10, engine::StateKind::Split), minute, LabPattern::Twice, 1000);
        QCOMPARE(split.most->admitted, 100);
        // What is synchronised each second knows by the second burst what all have admitted.
        const LabResult sync = under(servers(10, engine::StateKind::Sync, 1'000'000'000), minute,
                                     LabPattern::Twice, 1000);
        QCOMPARE(sync.most->admitted, 1000);
        const LabResult few = under(servers(10, engine::StateKind::Sync, 1'000'000'000), minute,
                                    LabPattern::Twice, 10);
        QCOMPARE(few.most->admitted, 20);
    }

    /// With one state for all it is the lab of one server.
    void oneStateForAllIsOneServer()
    {
        for (const std::string& fields :
             {std::string("algorithm: token_bucket, rate: 100/s, burst: 500"),
              std::string("algorithm: sliding_window_counter, rate: 1000/min, cost: 3"),
              std::string("algorithm: gcra, rate: 10/s, burst: 5"),
              std::string("algorithm: concurrency, in_flight: 50")}) {
            for (const LabPattern pattern : {LabPattern::Twice, LabPattern::Spike}) {
                const LabResult one = run(fields, pattern, 500);
                const LabResult four
                    = under(servers(4, engine::StateKind::Shared), fields, pattern, 500);
                QCOMPARE(four.offered, one.offered);
                QCOMPARE(four.admitted, one.admitted);
                QCOMPARE(four.rejected, one.rejected);
            }
        }
    }

    void aClientThatComesAgainIsCounted()
    {
        LabConditions conditions;
        conditions.clients = presetNamed("exponential");
        const LabResult result
            = under(conditions, "algorithm: fixed_window, rate: 100/min", LabPattern::Twice, 150);
        QCOMPARE(result.offered, 300U);
        QCOMPARE(result.attempts, result.admitted + result.rejected);
        QVERIFY(result.attempts > result.offered);
        QVERIFY(result.gaveUp > 0);
        QVERIFY(result.gaveUp <= result.offered - 100);
        QVERIFY(!result.most); // one server
        QCOMPARE(result.soFar.back().attempts, result.attempts);
        // Every attempt is within the pattern; of one that waits longer the picture goes on.
        QCOMPARE(result.lengthNs, 5'000'000'000);
        for (engine::Behaviour& behaviour : conditions.clients->behaviours) {
            behaviour.baseNs = behaviour.capNs = 10'000'000'000;
        }
        QVERIFY(under(conditions, "algorithm: fixed_window, rate: 100/min", LabPattern::Twice, 150)
                    .lengthNs
                > 10'000'000'000);
        const LabResult bucket = under(
            conditions, "algorithm: token_bucket, rate: 100/s, burst: 100", LabPattern::Twice, 150);
        QCOMPARE(bucket.admitted + bucket.gaveUp, bucket.offered);
    }

    void manyAttemptsAreFewPoints()
    {
        LabConditions conditions = servers(2, engine::StateKind::Local);
        conditions.clients = presetNamed("fixed");
        const LabResult result
            = under(conditions, "algorithm: fixed_window, rate: 100/min", LabPattern::Spike, 2000);
        QVERIFY(result.attempts > 20'000);
        QVERIFY(result.soFar.size() <= 5'010);
        QCOMPARE(result.soFar.size(), result.state.size());
        for (std::size_t i = 1; i < result.soFar.size(); ++i) {
            QVERIFY(result.soFar[i].atNs >= result.soFar[i - 1].atNs);
            QVERIFY(result.soFar[i].attempts >= result.soFar[i - 1].attempts);
        }
        QCOMPARE(result.soFar.back().attempts, result.attempts);
    }

    /// The limit moves as it does in the lab without conditions, where these change nothing.
    void aLearnedLimitIsDrawnUnderConditions()
    {
        const std::string fields = "algorithm: adaptive_concurrency, strategy: aimd, initial: 20";
        const engine::PlanRule rule = ruleOf(fields);
        const LabTraffic traffic = labTraffic(LabPattern::Steady, 50, rule);
        const LabResult plain = runLab(rule, traffic);
        std::int64_t last = -1; // as the last request found it
        for (const LabState& state : plain.limit) {
            last = state.atNs <= traffic.requests.back().atNs ? state.value : last;
        }
        QVERIFY(last > 20);
        const LabResult shared
            = under(servers(2, engine::StateKind::Shared), fields, LabPattern::Steady, 50);
        QCOMPARE(shared.limit.size(), shared.state.size());
        QCOMPARE(shared.limit.front().value, 20);
        QCOMPARE(shared.limit.back().value, last);
        const LabResult local
            = under(servers(2, engine::StateKind::Local), fields, LabPattern::Steady, 50);
        QCOMPARE(local.limit.front().value, 40); // each its own
        const LabResult split
            = under(servers(2, engine::StateKind::Split), fields, LabPattern::Steady, 50);
        QCOMPARE(split.limit.front().value, 20);
        QVERIFY(under(servers(2, engine::StateKind::Local), "algorithm: concurrency, in_flight: 5",
                      LabPattern::Steady, 50)
                    .limit.empty());
    }

    /// Ten requests, one admitted, and nine that would come again a thousand times.
    void stopIsHeardBehindTheLastRequest()
    {
        const engine::PlanRule rule = ruleOf("algorithm: fixed_window, rate: 1/day");
        engine::Conditions conditions;
        conditions.clients = presetNamed("fixed");
        engine::Behaviour& behaviour = conditions.clients->behaviours.front();
        behaviour.attempts = engine::Behaviour::kMostAttempts;
        behaviour.baseNs = behaviour.capNs = 10'000'000'000; // behind the last request
        StopAtRetry watched;
        replay(rule, labTraffic(LabPattern::Twice, 5, rule), watched,
               {0, &watched, true, &conditions, nullptr, &watched.stop});
        QCOMPARE(watched.decisions, 11);
    }

    void whatCannotBeSplitIsSaid()
    {
        const engine::PlanRule rule = ruleOf("algorithm: token_bucket, rate: 1/day, burst: 50000");
        const auto result = runLab(rule, labTraffic(LabPattern::Twice, 10, rule),
                                   servers(10, engine::StateKind::Sync, 1'000'000'000));
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().code), QStringLiteral("conditions.state"));
    }

    void aLearnedLimitMoves()
    {
        const LabResult result
            = run("algorithm: adaptive_concurrency, strategy: aimd, initial: 20, "
                  "min: 10, max: 200",
                  LabPattern::Steady, 40);
        QCOMPARE(result.limit.front().value, 20);
        QVERIFY(result.limit.back().value > 20);
        QCOMPARE(QString::fromStdString(result.stateName), QStringLiteral("in flight"));
        QVERIFY(run("algorithm: concurrency, in_flight: 5", LabPattern::Steady, 10).limit.empty());
    }

    void anAnchorMovesTheEdge()
    {
        const LabResult result
            = run("algorithm: fixed_window, rate: 10/day, anchor: 15h", LabPattern::Boundary, 10);
        QCOMPARE(result.admitted, 20U);
    }

    void whatWaits()
    {
        const LabResult result
            = run("algorithm: leaky_bucket, rate: 10/s, queue: 20", LabPattern::Twice, 25);
        QCOMPARE(result.admitted, 21U + 20U); // a tenth of a second of backlog was left
        QCOMPARE(QString::fromStdString(result.stateName), QStringLiteral("waiting"));
        QCOMPARE(valueAt(result, 0), 20);
        QCOMPARE(valueAt(result, 1'000'000'000), 10);
        QCOMPARE(valueAt(result, 1'999'000'000), 1);
    }

    void whatIsInFlight()
    {
        const LabResult result = run("algorithm: concurrency, in_flight: 50, assume_duration: 3s",
                                     LabPattern::Twice, 60);
        QCOMPARE(result.admitted, 50U);
        QCOMPARE(result.firstSpan, 50U);
        QCOMPARE(result.rollingSpan, 50U);
        QCOMPARE(result.worst.most, 50);
        QCOMPARE(valueAt(result, 2'500'000'000), 50);
        QCOMPARE(valueAt(result, 5'000'000'000), 0);
    }

    void everyPatternIsWhatTheReplaySays_data()
    {
        QTest::addColumn<QString>("fields");
        for (const char* fields :
             {"algorithm: token_bucket, rate: 100/s, burst: 500",
              "algorithm: token_bucket, rate: 7/3s, burst: 2, cost: 2",
              "algorithm: gcra, rate: 600/min, tolerance: 5s",
              "algorithm: leaky_bucket, rate: 10/s, queue: 20, delay_after: 3",
              "algorithm: fixed_window, rate: 30/min, count_rejected: true",
              "algorithm: fixed_window, rate: 30/min, align: first_request",
              "algorithm: sliding_window_log, rate: 30/min, count_rejected: true",
              "algorithm: sliding_window_counter, rate: 30/min, anchor: 7s, rounding: floor",
              "algorithm: concurrency, in_flight: 20, assume_duration: 250ms"}) {
            QTest::newRow(fields) << QString::fromUtf8(fields);
        }
    }

    void everyPatternIsWhatTheReplaySays()
    {
        QFETCH(QString, fields);
        const engine::PlanRule rule = ruleOf(fields.toStdString());
        for (const LabPattern pattern :
             {LabPattern::Twice, LabPattern::Boundary, LabPattern::Steady, LabPattern::Spike}) {
            const LabTraffic traffic = labTraffic(pattern, usualCount(pattern, rule.limit), rule);
            const LabResult result = runLab(rule, traffic);
            Verdicts verdicts;
            replay(rule, traffic, verdicts);
            QCOMPARE(result.offered, verdicts.offered);
            QCOMPARE(result.rejected, verdicts.rejected);
            QCOMPARE(result.admitted + result.rejected, result.offered);
            QVERIFY(result.soFar.size() <= 5200 && result.state.size() <= 6200);
            QVERIFY(result.worst.lengthNs == 0
                    || result.rollingSpan <= static_cast<std::uint64_t>(result.worst.most));
            QVERIFY(result.firstSpan <= result.rollingSpan);
        }
    }

    void usualCountsShowSomething()
    {
        const engine::Limit bucket
            = ruleOf("algorithm: token_bucket, rate: 100/s, burst: 500").limit;
        QCOMPARE(usualCount(LabPattern::Twice, bucket), 500);
        QCOMPARE(usualCount(LabPattern::Boundary, bucket), 500);
        QCOMPARE(usualCount(LabPattern::Steady, bucket), 150);
        QCOMPARE(usualCount(LabPattern::Spike, bucket), 80);
        QVERIFY(run("algorithm: token_bucket, rate: 100/s, burst: 500", LabPattern::Steady, 150)
                    .rejected
                > 0);
        QVERIFY(
            run("algorithm: token_bucket, rate: 100/s, burst: 500", LabPattern::Spike, 80).offered
            >= 1200);
        QCOMPARE(QString::fromStdString(nameOf(LabPattern::Twice, 500, bucket)),
                 QStringLiteral("500 at once, twice, 2 s apart"));
    }

    void noPatternIsTooLarge()
    {
        for (const char* fields : {"algorithm: token_bucket, rate: 1/week, burst: 1",
                                   "algorithm: fixed_window, rate: 0/s",
                                   "algorithm: token_bucket, rate: 1000000000/s, burst: 4000000000",
                                   "algorithm: fixed_window, rate: 9000000000/500week",
                                   "algorithm: concurrency, in_flight: 0"}) {
            const engine::PlanRule rule = ruleOf(fields);
            for (const LabPattern pattern :
                 {LabPattern::Twice, LabPattern::Boundary, LabPattern::Steady, LabPattern::Spike}) {
                for (const std::int64_t count :
                     {std::int64_t {1}, usualCount(pattern, rule.limit), mostCount(pattern)}) {
                    const LabTraffic traffic = labTraffic(pattern, count, rule);
                    QVERIFY(!traffic.requests.empty());
                    QVERIFY(traffic.requests.size() <= kLabMost);
                    QVERIFY(traffic.requests.front().atNs >= 0);
                    QVERIFY(traffic.requests.back().atNs <= traffic.lengthNs);
                }
            }
        }
    }

    void aChangeIsDrawnAtOnce()
    {
        QElapsedTimer clock;
        clock.start();
        constexpr int kRuns = 20;
        for (int i = 0; i < kRuns; ++i) {
            QVERIFY(
                run("algorithm: token_bucket, rate: 1000/min, burst: 1000", LabPattern::Spike, 800)
                    .offered
                > 5000);
        }
#ifndef WEIR_SANITIZES
        QVERIFY2(clock.elapsed() < kRuns * 50, qPrintable(QString::number(clock.elapsed())));
#endif
    }

    void theChartAsATable()
    {
        const FigureTable table = labTable(
            run("algorithm: token_bucket, rate: 100/s, burst: 500", LabPattern::Twice, 500));
        QCOMPARE(table.columns.back().title, std::string("tokens left"));
        const auto& first = table.rows.front().cells;
        QCOMPARE(first[0].ns, 0);
        QCOMPARE(first[2].count, 500U);
        QVERIFY(table.rows[1].cells[0].ns >= 2'000'000'000);
        const auto& last = table.rows.back().cells;
        QCOMPARE(last[0].ns, 5'000'000'000);
        QCOMPARE(last[2].count, 705U);
        QCOMPARE(last[4].count, 295U);
    }

    void itCanBeStopped()
    {
        const StopFlag stop = true;
        const engine::PlanRule rule = ruleOf("algorithm: fixed_window, rate: 10/s");
        const LabResult result = runLab(rule, labTraffic(LabPattern::Steady, 15, rule), &stop);
        QVERIFY(result.stopped);
        QCOMPARE(result.offered, 1U);
    }

    void theBusiestKeyOfARecording()
    {
        const auto loaded = loadPolicy(kPolicy, {});
        QVERIFY(loaded && loaded->isValid());
        const engine::Plan& plan = *loaded->plan;
        PassOptions options;
        options.logs = {tests::demoLog()};
        std::size_t search = 0;
        while (plan.rules[search].rule != "search") {
            ++search;
        }
        const auto busiest = busiestKey(plan, search, options);
        QVERIFY(busiest);
        QCOMPARE(busiest->traffic.requests.size(), std::size_t {busiest->requests});
        QVERIFY(busiest->keys > 1);
        QCOMPARE(busiest->key.size(), std::size_t {1});
        QVERIFY(busiest->traffic.originNs > 0);
        QCOMPARE(busiest->traffic.requests.front().atNs, 0);
        const LabResult result = runLab(plan.rules[search], busiest->traffic);
        QCOMPARE(result.offered, busiest->requests);
    }

    void aRuleThatNothingMeets()
    {
        auto loaded = loadPolicy(kPolicy, {});
        engine::Plan plan = *loaded->plan;
        plan.rules[0].match = {{"path", false, {{engine::TestKind::Equals, "/nowhere", 0, 0}}}};
        PassOptions options;
        options.logs = {tests::demoLog()};
        const auto busiest = busiestKey(plan, 0, options);
        QVERIFY(!busiest);
        QCOMPARE(QString::fromStdString(busiest.error().code), QStringLiteral("lab.no-requests"));
        options.logs[0].path = "-";
        QCOMPARE(QString::fromStdString(busiestKey(plan, 0, options).error().code),
                 QStringLiteral("lab.stream"));
    }
};

QTEST_APPLESS_MAIN(LabTest)
#include "tst_lab.moc"
