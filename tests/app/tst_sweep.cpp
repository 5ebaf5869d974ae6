#include "app/workbench/compare.h"
#include "app/workbench/compare_tables.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "app/workbench/sweep.h"
#include "tests/app/demo_log.h"

#include <QtTest>

#include <deque>
#include <set>

using namespace app;

namespace {

constexpr const char* kShared = R"(weir: 1
name: shared
exempt:
  - { name: metrics, match: { path: /metrics } }
tiers:
  edge:
    - { name: address, key: [client_ip], algorithm: sliding_window_counter, rate: 60/min }
  gateway:
    - name: key
      key: [api_key]
      algorithm: token_bucket
      rate: 30/min
      burst: 40
      overrides: [{ name: finch, match: { api_key: "key-finch-*" }, rate: 60/min }]
    - { name: quiet, mode: shadow, key: [api_key], algorithm: gcra, rate: 20/min, burst: 5 }
  endpoint:
    - { name: search, match: { path: "/search/**" }, key: [api_key], algorithm: sliding_window_log, rate: 20/min }
    - { name: writes, match: { method: [POST, PUT] }, key: [client_ip], algorithm: fixed_window, rate: 20/min, count_rejected: true }
  tenant:
    - { name: everybody, key: [], algorithm: sliding_window_counter, rate: 5/s }
)";

const std::string kWithQueue = std::string(kShared)
    + "    - { name: slow, key: [host], algorithm: leaky_bucket, rate: 5/s, queue: 5 }\n";

PassOptions demo()
{
    PassOptions pass;
    pass.logs = {tests::demoLog()};
    return pass;
}

LoadedPolicy policyOf(const std::string& text, const std::string& set)
{
    PolicyOptions options;
    if (!set.empty()) {
        options.adjustments.sets = {set};
    }
    auto loaded = loadPolicyText("p.yaml", text, options);
    if (!loaded || !loaded->isValid()) {
        qFatal("%s does not load", set.c_str());
    }
    return std::move(*loaded);
}

/// Who is rejected by the second plan, as far as they are known.
class Hits final : public PassListener {
public:
    engine::Status begin(const engine::Intake& /*intake*/,
                         const engine::Replay& /*replay*/) override
    {
        rejected.clear();
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        const std::uint32_t who = settled.arrival->ids()[engine::ArrivalLayout::kWho];
        const engine::Verdict& verdict = settled.verdicts[1];
        if (who != engine::kNoId && !verdict.warmup
            && verdict.outcome == engine::Outcome::Rejected) {
            rejected.insert(who);
        }
    }

    std::set<std::uint32_t> rejected;
};

/// One row is what `weir replay --set` and `weir compare` say.
void compareWithReplay(const PassOptions& pass, const engine::Plan& base,
                       const engine::Plan& candidate, const SweepRow& row)
{
    ReplayRequest request;
    request.policies.resize(2);
    request.policies[0].plan = &base;
    request.policies[1].plan = &candidate;
    request.clock = [] { return std::int64_t {0}; };
    request.pass = pass;
    LiveComparison comparison(0, 1, {});
    Hits hits;
    request.listeners = {&comparison, &hits};
    const auto outcome = replay(request);
    QVERIFY(outcome);
    const engine::RunTally& run = outcome->tally->run(1);
    QCOMPARE(row.rejected, run.rejected);
    QCOMPARE(row.wouldReject, run.wouldReject);
    const CompareOutcome compared = comparison.take();
    const engine::ChangeCounts& totals = compared.comparison->totals();
    QCOMPARE(row.newlyRejected, totals[engine::Change::NewlyRejected]);
    QCOMPARE(row.newlyAdmitted, totals[engine::Change::NewlyAdmitted]);
    QCOMPARE(row.keysRejected, std::uint64_t {hits.rejected.size()});
    QCOMPARE(row.newlyRejectedKeys,
             distinctWho(*compared.comparison, engine::Change::NewlyRejected));
    QCOMPARE(row.rules.size(), candidate.rules.size());
    for (std::size_t rule = 0; rule < candidate.rules.size(); ++rule) {
        QCOMPARE(row.rules[rule].judged, run.rules[rule].judged);
        QCOMPARE(row.rules[rule].denied, run.rules[rule].denied);
        QCOMPARE(row.rules[rule].rejected, run.rules[rule].rejected);
    }
}

} // namespace

class TestSweepLogs : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void eachRowIsAReplay_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<bool>("hasQueue");
        QTest::addColumn<int>("warmupHours");
        const auto row = [](const char* name, const char* path, const QStringList& values,
                            bool hasQueue, int warmupHours) {
            QTest::newRow(name) << QString::fromUtf8(path) << values << hasQueue << warmupHours;
        };
        const auto list = [](std::initializer_list<const char*> values) {
            QStringList made;
            for (const char* value : values) {
                made.append(QString::fromUtf8(value));
            }
            return made;
        };
        row("first tier", "address.rate", list({"5/min", "20/min", "60/min", "600/min"}), false, 0);
        row("rate of a bucket", "key.rate", list({"5/min", "10/min", "60/min"}), false, 10);
        row("burst of a bucket", "key.burst", list({"1", "5", "20", "100"}), false, 0);
        row("override", "key.finch.rate", list({"10/min", "1/min"}), false, 0);
        row("log", "search.rate", list({"2/min", "5/min", "7/min"}), false, 0);
        row("period", "search.rate", list({"2/min", "5/h"}), false, 0);
        row("counting rejected ones", "writes.rate", list({"1/min", "3/min", "5/h"}), false, 0);
        row("shadow", "quiet.burst", list({"1", "2"}), false, 0);
        row("one bucket", "everybody.rate", list({"1/s", "2/s", "0/s"}), false, 0);
        row("algorithm", "writes.algorithm", list({"sliding_window_counter"}), false, 0);
        row("key", "search.key", list({"[client_ip]", "[]"}), false, 10);
        row("mode", "address.mode", list({"shadow", "off"}), false, 0);
        row("queue", "key.rate", list({"5/min", "60/min"}), true, 10);
    }

    void eachRowIsAReplay()
    {
        QFETCH(const QString, path);
        QFETCH(const QStringList, values);
        QFETCH(const bool, hasQueue);
        QFETCH(const int, warmupHours);
        const std::string text = hasQueue ? kWithQueue : kShared;
        std::deque<LoadedPolicy> policies {policyOf(text, "")};
        for (const QString& value : values) {
            policies.push_back(policyOf(text, (path + QStringLiteral("=") + value).toStdString()));
        }
        SweepRequest request;
        request.pass = demo();
        request.pass.warmupNs = warmupHours * std::int64_t {3'600'000'000'000};
        for (const LoadedPolicy& policy : policies) {
            request.plans.push_back(&*policy.plan);
        }
        const auto outcome = sweep(request);
        QVERIFY(outcome);
        const bool isMoreThanALimit
            = path.endsWith(QStringLiteral(".key")) || path.endsWith(QStringLiteral(".mode"));
        QCOMPARE(outcome->separately.empty(), !hasQueue && !isMoreThanALimit);
        QCOMPARE(outcome->warmup > 0, warmupHours > 0);
        for (std::size_t plan = 0; plan < policies.size(); ++plan) {
            compareWithReplay(request.pass, *policies[0].plan, *policies[plan].plan,
                              outcome->rows[plan]);
        }
        QCOMPARE(outcome->rows[0].newlyRejected, std::uint64_t {0});
        QVERIFY(outcome->withWho <= outcome->requests);
    }

    /// Requests of which nobody knows who sent them are counted, and are no key.
    void nobodyIsNoKey()
    {
        std::deque<LoadedPolicy> policies {policyOf(kShared, ""),
                                           policyOf(kShared, "everybody.rate=1/s")};
        SweepRequest request;
        request.pass = demo();
        request.pass.intake.who = {"user"};
        request.plans = {&*policies[0].plan, &*policies[1].plan};
        const auto outcome = sweep(request);
        QVERIFY(outcome);
        QVERIFY(outcome->withWho < outcome->requests);
        QVERIFY(outcome->rows[1].newlyRejected > 0);
        compareWithReplay(request.pass, *policies[0].plan, *policies[1].plan, outcome->rows[1]);
    }
};

QTEST_APPLESS_MAIN(TestSweepLogs)
#include "tst_sweep.moc"
