#include "engine/algorithms.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <vector>

using namespace engine;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kMs = 1000000;
constexpr std::int64_t kS = 1000 * kMs;

Limit windows(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    return limit;
}

Limit bucket(std::int64_t perSecond, std::int64_t burst)
{
    Limit limit;
    limit.algorithm = Algorithm::TokenBucket;
    limit.rate = {perSecond, kS};
    limit.burst = burst;
    return limit;
}

Limit gcra(std::int64_t stepNs, std::int64_t toleranceNs)
{
    Limit limit;
    limit.algorithm = Algorithm::Gcra;
    limit.rate = {1, stepNs};
    limit.toleranceNs = toleranceNs;
    return limit;
}

/// `count` requests, the i-th at firstNs + i * stepNs * of / parts, rounded down to a nanosecond.
struct Train {
    std::int64_t firstNs;
    std::int64_t count;
    std::int64_t stepNs;
    std::int64_t parts = 1;
};

/// How many of the train are admitted; their times are appended.
int admitted(OneKey& key, const Train& train, std::vector<std::int64_t>* times = nullptr)
{
    int passed = 0;
    for (std::int64_t i = 0; i < train.count; ++i) {
        const std::int64_t at = train.firstNs + i * train.stepNs / train.parts;
        if (key.decide(at, 1).admitted) {
            ++passed;
            if (times != nullptr) {
                times->push_back(at);
            }
        }
    }
    return passed;
}

/// The most that were admitted in any (t - 60 s, t].
std::size_t worstMinute(const std::vector<std::int64_t>& times)
{
    std::size_t worst = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < times.size(); ++last) {
        while (times[first] <= times[last] - 60 * kS) {
            ++first;
        }
        worst = std::max(worst, last - first + 1);
    }
    return worst;
}

/// Admitted seconds of a client that tries at every stepNs: (k, k+1], or [k, k+1).
std::vector<int> greedySeconds(std::int64_t stepNs, bool endIncluded)
{
    OneKey key(bucket(20, 40));
    std::vector<int> seconds(5, 0);
    for (std::int64_t at = 0; at <= 5 * kS; at += stepNs) {
        while (key.decide(at, 1).admitted) {
            const std::int64_t second = endIncluded && at > 0 ? (at - 1) / kS : at / kS;
            if (second < 5) {
                ++seconds[static_cast<std::size_t>(second)];
            }
        }
    }
    return seconds;
}

} // namespace

/// Figures from articles on rate limiting, worked out in exact arithmetic.
class TestPublishedFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fixedWindowAdmitsTwiceAcrossAnEdge();
    void bucketRefillsDuringASecondBurst_data();
    void bucketRefillsDuringASecondBurst();
    void steadyTrafficAfterASecondBurst();
    void gcraAdmitsTauOverTPlusOne();
    void gcraAfterItsBurst_data();
    void gcraAfterItsBurst();
    void greedyClientGetsBurstPlusRateOnce();
    void aLogOfFiveHundredTakesSixteenBytesAnEntry();
    void aCounterTakesTwentyFourBytes();
};

void TestPublishedFigures::fixedWindowAdmitsTwiceAcrossAnEdge() // (i)
{
    const Train before {59 * kS, 100, 10 * kMs};
    const Train after {60 * kS, 100, 10 * kMs};
    std::vector<std::int64_t> times;
    OneKey fixed(windows(Algorithm::FixedWindow, 100, 60 * kS));
    QCOMPARE(admitted(fixed, before, &times) + admitted(fixed, after, &times), 200);
    QCOMPARE(worstMinute(times), std::size_t {200});

    times.clear();
    OneKey log(windows(Algorithm::SlidingWindowLog, 100, 60 * kS));
    QCOMPARE(admitted(log, before, &times), 100);
    QCOMPARE(admitted(log, after, &times), 0);
    QCOMPARE(worstMinute(times), std::size_t {100});
}

void TestPublishedFigures::bucketRefillsDuringASecondBurst_data() // (ii)
{
    QTest::addColumn<std::int64_t>("stepNs");
    QTest::addColumn<std::int64_t>("parts");
    QTest::addColumn<std::int64_t>("offsetNs");
    QTest::addColumn<int>("passes");
    QTest::newRow("i*50/499, last at 2.050 s")
        << 50 * kMs << std::int64_t {499} << std::int64_t {0} << 205;
    QTest::newRow("i*50/500, last at 2.0499 s")
        << 50 * kMs << std::int64_t {500} << std::int64_t {0} << 204;
    QTest::newRow("mid-points") << 50 * kMs << std::int64_t {500} << kMs / 20 << 204;
    QTest::newRow("(i+1)*50/500") << 50 * kMs << std::int64_t {500} << kMs / 10 << 205;
    QTest::newRow("spacing cut to 100200 ns")
        << std::int64_t {100200} << std::int64_t {1} << std::int64_t {0} << 204;
    QTest::newRow("all at 2.000 s")
        << std::int64_t {0} << std::int64_t {1} << std::int64_t {0} << 200;
}

void TestPublishedFigures::bucketRefillsDuringASecondBurst()
{
    QFETCH(std::int64_t, stepNs);
    QFETCH(std::int64_t, parts);
    QFETCH(std::int64_t, offsetNs);
    QFETCH(int, passes);
    OneKey key(bucket(100, 500));
    QCOMPARE(admitted(key, {0, 500, 0}), 500);
    QCOMPARE(admitted(key, {2 * kS + offsetNs, 500, stepNs, parts}), passes);
}

void TestPublishedFigures::steadyTrafficAfterASecondBurst() // (ii)
{
    for (const auto& [start, passes] :
         {std::pair {2050, 999}, {2059, 999}, {2060, 1000}, {2061, 1000}}) {
        OneKey key(bucket(100, 500));
        QCOMPARE(admitted(key, {0, 500, 0}), 500);
        QCOMPARE(admitted(key, {2 * kS, 500, 50 * kMs, 499}), 205);
        QCOMPARE(admitted(key, {start * kMs, 1000, 10 * kMs}), passes);
    }
    for (const std::int64_t perMs : {0, 1}) { // ten in each ms: 0..49 ms, or 1..50 ms
        OneKey key(bucket(100, 500));
        admitted(key, {0, 500, 0});
        int passes = 0;
        for (std::int64_t ms = perMs; ms < 50 + perMs; ++ms) {
            passes += admitted(key, {2 * kS + ms * kMs, 10, 0});
        }
        QCOMPARE(passes, perMs == 0 ? 204 : 205);
    }
}

void TestPublishedFigures::gcraAdmitsTauOverTPlusOne() // (iii)
{
    for (const auto& [spacing, passes] : {std::pair {0, 11}, {1, 12}, {2, 14}}) {
        OneKey key(gcra(10 * kMs, 100 * kMs));
        QCOMPARE(admitted(key, {0, 20, spacing * kMs}), passes);
    }
}

void TestPublishedFigures::gcraAfterItsBurst_data() // (iii)
{
    QTest::addColumn<int>("secondMs");
    QTest::addColumn<int>("thirdMs");
    QTest::addColumn<int>("secondPasses");
    QTest::addColumn<int>("thirdPasses");
    QTest::newRow("the natural reading") << 5 << 495 << 49 << 99;
    QTest::newRow("t2 = 10 ms, t3 = 500 ms") << 10 << 500 << 49 << 100;
    QTest::newRow("last t2 of the range") << 14 << 499 << 49 << 99;
}

void TestPublishedFigures::gcraAfterItsBurst()
{
    QFETCH(int, secondMs);
    QFETCH(int, thirdMs);
    QFETCH(int, secondPasses);
    QFETCH(int, thirdPasses);
    OneKey key(gcra(10 * kMs, 100 * kMs));
    QCOMPARE(admitted(key, {0, 20, 0}), 11);
    QCOMPARE(admitted(key, {secondMs * kMs, 98, 5 * kMs}), secondPasses);
    QCOMPARE(admitted(key, {thirdMs * kMs, 100, 20 * kMs}), thirdPasses);
}

void TestPublishedFigures::greedyClientGetsBurstPlusRateOnce() // (iv)
{
    for (const std::int64_t step : {50 * kMs, 25 * kMs, 10 * kMs, 1 * kMs}) {
        QCOMPARE(greedySeconds(step, true), (std::vector {60, 20, 20, 20, 20}));
        QCOMPARE(greedySeconds(step, false), (std::vector {59, 20, 20, 20, 20}));
    }
}

/// (vii) 500 entries for each of 10,000 users are 5,000,000; of 16 bytes each, 80 MB.
void TestPublishedFigures::aLogOfFiveHundredTakesSixteenBytesAnEntry()
{
    QCOMPARE(sizeof(sliding_window_log::Entry), std::size_t {16});
    std::size_t entryBytes = 0;
    std::size_t allBytes = 0;
    for (int user = 0; user < 10000; ++user) {
        OneKey key(windows(Algorithm::SlidingWindowLog, 500, 3600 * kS));
        QCOMPARE(admitted(key, {user, 510, kMs}), 500);
        const sliding_window_log::Ring* ring = key.log().ring;
        QCOMPARE(ring->size, std::size_t {500});
        entryBytes += ring->size * sizeof(sliding_window_log::Entry);
        allBytes += sizeof(sliding_window_log::Ring)
            + ring->capacity * sizeof(sliding_window_log::Entry)
            + sizeof(sliding_window_log::State);
    }
    QCOMPARE(entryBytes, std::size_t {80000000});
    // A full log has no idle room: 40 bytes a user are all that is added.
    QCOMPARE(allBytes, std::size_t {80400000});
    qInfo("500 x 10,000 entries: %zu bytes, %.2f an entry with all overhead", allBytes,
          static_cast<double>(allBytes) / 5e6);
}

/// (vii) What two counters a user take instead: 0.24 MB for 10,000 users.
void TestPublishedFigures::aCounterTakesTwentyFourBytes()
{
    QCOMPARE(sizeof(sliding_window_counter::State) * 10000, std::size_t {240000});
    QCOMPARE(sizeof(fixed_window::State), std::size_t {24});
    QCOMPARE(sizeof(meter::State), std::size_t {24});
    QCOMPARE(sizeof(sliding_window_log::State), sizeof(void*));
    QCOMPARE(sizeof(concurrency::State), sizeof(void*));
}

QTEST_APPLESS_MAIN(TestPublishedFigures)
#include "tst_published_figures.moc"
