#include "engine/replay.h"
#include "engine/sweep.h"
#include "engine/tally.h"
#include "tests/engine/intake_run.h"
#include "tests/support/model/random_case.h"

#include <QTest>

using namespace engine;
using tests::model::Random;

namespace {

/// Rules of the algorithms that can be swept, and plans that differ in the limit of one of them.
std::vector<Plan> randomPlans(Random& random)
{
    Plan plan = tests::model::randomPlan(random, 6);
    plan.counting = Counting::PerTier;
    for (PlanRule& rule : plan.rules) {
        while (rule.limit.algorithm == Algorithm::LeakyBucket || holdsSlots(rule.limit.algorithm)) {
            rule.limit = tests::model::randomLimit(random);
        }
        rule.stateBefore = 0;
        rule.tighten.reset();
    }
    std::vector<Plan> plans(2 + random.below(6), plan);
    if (plan.rules.empty()) {
        return plans;
    }
    const std::size_t varied = random.below(plan.rules.size());
    const bool isOtherAlgorithm = random.percent(5);
    const bool isNumberOnly = random.percent(60);
    for (std::size_t i = 1; i < plans.size(); ++i) {
        Limit& limit = plans[i].rules[varied].limit;
        const Limit drawn = tests::model::randomLimit(
            random, isOtherAlgorithm ? Algorithm::FixedWindow : limit.algorithm);
        if (isNumberOnly) { // states that can be shared
            limit.burst = drawn.burst;
            const bool isBucket
                = limit.algorithm == Algorithm::TokenBucket || limit.algorithm == Algorithm::Gcra;
            limit.rate.count = isBucket ? limit.rate.count : drawn.rate.count;
            limit = checkLimit(limit) == nullptr ? limit : drawn;
        } else {
            limit = drawn;
        }
    }
    return plans;
}

std::vector<const Plan*> borrowed(const std::vector<Plan>& plans)
{
    std::vector<const Plan*> borrowed;
    for (const Plan& plan : plans) {
        borrowed.push_back(&plan);
    }
    return borrowed;
}

std::vector<intake_run::Output> arrivals(Intake& intake,
                                         const std::vector<tests::model::Request>& requests)
{
    std::vector<intake_run::Input> inputs;
    for (const tests::model::Request& request : requests) {
        inputs.push_back({request.attributes, request.durationNs.value_or(kUnknownDuration)});
    }
    auto batch = intake_run::batchOf(intake.fields(), inputs, 0, inputs.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        batch.requests.requests[i].timeNs = requests[i].timeNs;
    }
    const auto prepared = intake.makePrepared();
    intake.prepare(batch.requests, *prepared);
    std::vector<intake_run::Output> outputs;
    intake.intern(*prepared, [&](Arrival& arrival, const Request&) {
        outputs.emplace_back(arrival, intake.layout());
    });
    return outputs;
}

/// Keeps verdicts, and counts them.
class Keeper final : public SettledSink {
public:
    explicit Keeper(const Intake& intake)
        : tally(intake, nullptr)
    {
    }

    void settle(const Settled& settled) override
    {
        std::uint64_t ordinal = 0;
        tally.add({&settled, 1}, {&ordinal, 1});
        Sweep::Verdicts& of = verdicts.emplace_back();
        for (std::size_t plan = 0; plan < settled.verdicts.size(); ++plan) {
            const Verdict& verdict = settled.verdicts[plan];
            const bool isRejected = verdict.outcome == Outcome::Rejected;
            of.rejected |= std::uint64_t {isRejected} << plan;
            of.wouldReject |= std::uint64_t {!isRejected && verdict.shadowRule != kNoId} << plan;
        }
    }

    Tally tally;
    std::vector<Sweep::Verdicts> verdicts;
};

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// Every request, every plan, every rule: what a limiter for each plan says.
    void isALimiterForEachPlan()
    {
        std::uint64_t parted = 0;
        for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
            Random random(seed);
            const std::vector<Plan> plans = randomPlans(random);
            QVERIFY(Sweep::whyNot(borrowed(plans)) == nullptr);
            auto requests = tests::model::randomRequests(random, plans, 120);
            std::stable_sort(requests.begin(), requests.end(),
                             [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; });

            const auto all = intake_run::make(borrowed(plans));
            all->chooseWho({});
            Keeper keeper(*all);
            Replay replay(*all, keeper);
            for (const intake_run::Output& output : arrivals(*all, requests)) {
                replay.arrive(output.arrival());
            }
            replay.finish();
            keeper.tally.finish();

            const auto one = intake_run::make({&plans.front()});
            one->chooseWho({});
            Sweep sweep(*one, borrowed(plans));
            std::size_t at = 0;
            for (const intake_run::Output& output : arrivals(*one, requests)) {
                sweep.expect(output.arrival());
                const Sweep::Verdicts seen = sweep.decide(output.arrival());
                const QString where = QStringLiteral("seed %1 request %2").arg(seed).arg(at);
                QVERIFY2(seen.rejected == keeper.verdicts[at].rejected, qPrintable(where));
                QVERIFY2(seen.wouldReject == keeper.verdicts[at].wouldReject, qPrintable(where));
                const std::uint64_t everybody = (std::uint64_t {1} << plans.size()) - 1;
                parted += seen.rejected != 0 && seen.rejected != everybody ? 1U : 0U;
                ++at;
            }
            for (std::size_t plan = 0; plan < plans.size(); ++plan) {
                const RunTally& run = keeper.tally.run(plan);
                QCOMPARE(sweep.exempt(), run.exempt);
                for (std::size_t rule = 0; rule < plans[plan].rules.size(); ++rule) {
                    const Sweep::RuleCounts seen = sweep.counts(plan, rule);
                    QVERIFY2(seen.judged == run.rules[rule].judged
                                 && seen.denied == run.rules[rule].denied
                                 && seen.rejected == run.rules[rule].rejected,
                             qPrintable(QStringLiteral("seed %1 plan %2 rule %3")
                                            .arg(seed)
                                            .arg(plan)
                                            .arg(rule)));
                }
            }
        }
        QVERIFY2(parted > 5000, "the plans hardly ever differ");
    }

    void saysWhatTiesKeysTogether()
    {
        Plan plan;
        plan.rules = {intake_run::rule("a", {})};
        QVERIFY(Sweep::whyNot({&plan, &plan}) == nullptr);
        Plan queue = plan;
        queue.rules[0].limit.algorithm = Algorithm::LeakyBucket;
        QVERIFY(Sweep::whyNot({&plan, &queue}) != nullptr);
        Plan slots = plan;
        slots.rules[0].limit.algorithm = Algorithm::Concurrency;
        QVERIFY(Sweep::whyNot({&slots}) != nullptr);
        Plan atOnce = plan;
        atOnce.counting = Counting::AllOrNothing;
        QVERIFY(Sweep::whyNot({&atOnce}) != nullptr);
        QVERIFY(Sweep::whyNot(std::vector<const Plan*>(65, &plan)) != nullptr);
    }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
