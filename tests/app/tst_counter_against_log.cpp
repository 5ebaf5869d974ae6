#include "app/workbench/counter_against_log.h"
#include "app/workbench/traffic_random.h"

#include <QTest>

#include <vector>

using namespace app;
using engine::wide::Int128;

namespace {

constexpr std::int64_t kS = 1'000'000'000;

/// The definitions, over all that ever came: no state, no wide numbers (times are small).
struct Plain {
    std::int64_t count;
    std::int64_t periodNs;
    std::vector<std::int64_t> times;
    std::uint64_t letThrough = 0;
    std::uint64_t limited = 0;
    std::int64_t gapParts = 0;
    std::int64_t worstParts = 0;

    void meet(std::int64_t atNs)
    {
        const std::int64_t window = atNs / periodNs;
        std::int64_t live = 0;
        std::int64_t previous = 0;
        std::int64_t current = 0;
        for (const std::int64_t time : times) {
            live += time > atNs - periodNs ? 1 : 0;
            previous += time / periodNs == window - 1 ? 1 : 0;
            current += time / periodNs == window ? 1 : 0;
        }
        const std::int64_t estimate = previous * (periodNs - atNs % periodNs) + current * periodNs;
        const std::int64_t gap = std::abs(estimate - live * periodNs);
        gapParts += gap;
        worstParts = std::max(worstParts, gap);
        const bool isCounted = estimate + periodNs <= count * periodNs;
        const bool isLogged = live + 1 <= count;
        letThrough += isCounted && !isLogged ? 1 : 0;
        limited += isLogged && !isCounted ? 1 : 0;
        times.push_back(atNs);
    }
};

} // namespace

class TestCounterAgainstLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneGapByHand();
    void gapsAreThoseOfTheDefinitions();
    void aMillionRequests();
    void theSameSeedGivesTheSame();
    void nothingNearALimitNothingDiffers();
    void decimalsAreRoundedHalfUp();
};

void TestCounterAgainstLog::oneGapByHand()
{
    CounterAgainstLog counts({1, 10 * kS}, 2);
    counts.meet(1, 0);
    counts.meet(1, 16 * kS); // estimate 1 * 4/10, nothing in (6 s, 16 s]
    const CounterGaps& gaps = counts.gaps();
    QCOMPARE(gaps.decisions, std::uint64_t {2});
    QCOMPARE(gaps.limited, std::uint64_t {1});
    QCOMPARE(gaps.letThrough, std::uint64_t {0});
    QCOMPARE(worstGapText(gaps), std::string("0.400"));
    QCOMPARE(meanGapText(gaps), std::string("0.200"));
    QCOMPARE(gaps.shareBillionths, std::uint64_t {400'000'000});
    QCOMPARE(counts.sourcesSeen(), std::uint64_t {1});
    QCOMPARE(counts.sourcesLimited(), std::uint64_t {1});
    QCOMPARE(counts.sourcesLetThrough(), std::uint64_t {0});
}

void TestCounterAgainstLog::gapsAreThoseOfTheDefinitions()
{
    TrafficRandom random(11);
    for (int round = 0; round < 50; ++round) {
        const auto count = std::int64_t(1 + random.below(12));
        const auto periodNs = std::int64_t(1 + random.below(100));
        CounterAgainstLog counts({count, periodNs}, 1);
        Plain plain {count, periodNs, {}};
        std::int64_t at = 0;
        for (int i = 0; i < 300; ++i) {
            at += std::int64_t(random.below(std::uint64_t(3 * periodNs / count + 2)));
            counts.meet(0, at);
            plain.meet(at);
        }
        const CounterGaps& gaps = counts.gaps();
        QCOMPARE(gaps.letThrough, plain.letThrough);
        QCOMPARE(gaps.limited, plain.limited);
        QVERIFY(gaps.gapParts == plain.gapParts);
        QVERIFY(gaps.worstParts == plain.worstParts);
    }
}

void TestCounterAgainstLog::aMillionRequests()
{
    CounterExperiment experiment;
    std::uint64_t told = 0;
    experiment.progress = [&told](std::uint64_t /*requests*/) { ++told; };
    const CounterOutcome outcome = runCounterExperiment(experiment);
    QCOMPARE(outcome.gaps.decisions, std::uint64_t {1'000'000});
    QCOMPARE(outcome.sourcesSeen, std::uint64_t {10'000});
    QVERIFY(told > 1);
    // Whole numbers from one seed: the same on every machine.
    QCOMPARE(outcome.gaps.letThrough, std::uint64_t {1889});
    QCOMPARE(outcome.gaps.limited, std::uint64_t {1891});
    QCOMPARE(outcome.sourcesLetThrough, std::uint64_t {7});
    QCOMPARE(outcome.sourcesLimited, std::uint64_t {8});
    QCOMPARE(meanGapText(outcome.gaps), std::string("2.824"));
}

void TestCounterAgainstLog::theSameSeedGivesTheSame()
{
    CounterExperiment experiment;
    experiment.requests = 100'000;
    const CounterOutcome once = runCounterExperiment(experiment);
    QVERIFY(once.gaps.gapParts == runCounterExperiment(experiment).gaps.gapParts);
    experiment.seed = 2;
    QVERIFY(once.gaps.gapParts != runCounterExperiment(experiment).gaps.gapParts);
}

void TestCounterAgainstLog::nothingNearALimitNothingDiffers()
{
    CounterExperiment experiment;
    experiment.requests = 100'000;
    experiment.limit = {1'000'000, 60 * kS};
    const CounterOutcome outcome = runCounterExperiment(experiment);
    QCOMPARE(outcome.gaps.letThrough + outcome.gaps.limited, std::uint64_t {0});
    QVERIFY(outcome.gaps.gapParts > 0);
}

void TestCounterAgainstLog::decimalsAreRoundedHalfUp()
{
    QCOMPARE(decimalText(2393, 1000), std::string("2.393"));
    QCOMPARE(decimalText(1, 2000), std::string("0.001"));
    QCOMPARE(decimalText(1, 2001), std::string("0.000"));
    QCOMPARE(decimalText(2, 3), std::string("0.667"));
    QCOMPARE(decimalText(5, 0), std::string("0.000"));
}

QTEST_APPLESS_MAIN(TestCounterAgainstLog)
#include "tst_counter_against_log.moc"
