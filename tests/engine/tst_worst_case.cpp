#include "engine/worst_case.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace engine;
using tests::support::OneKey;

/// The bounds against worked examples, and against limiters that are pushed as hard as they can be.
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs, std::int64_t room = 1)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    limit.burst = room;
    limit.queue = algorithm == Algorithm::LeakyBucket ? room - 1 : 0;
    limit.inFlight = algorithm == Algorithm::Concurrency ? count : 0;
    return limit;
}

constexpr std::array kRates {Algorithm::FixedWindow,          Algorithm::SlidingWindowLog,
                             Algorithm::SlidingWindowCounter, Algorithm::TokenBucket,
                             Algorithm::LeakyBucket,          Algorithm::Gcra};

/// Small numbers, so that every corner is met.
Limit randomLimit(std::mt19937_64& random)
{
    const auto upTo = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(1, most)(random);
    };
    Limit limit
        = limitOf(kRates[static_cast<std::size_t>(upTo(6) - 1)], upTo(6), upTo(12), upTo(6));
    limit.alignToFirstRequest = limit.algorithm == Algorithm::FixedWindow && upTo(3) == 1;
    limit.floorEstimate = limit.algorithm == Algorithm::SlidingWindowCounter && upTo(3) == 1;
    if (limit.algorithm == Algorithm::Gcra && upTo(2) == 1) {
        limit.toleranceNs = upTo(20) - 1;
    }
    const bool hasAnchor = !limit.alignToFirstRequest
        && (limit.algorithm == Algorithm::FixedWindow
            || limit.algorithm == Algorithm::SlidingWindowCounter);
    limit.anchorNs = hasAnchor ? upTo(limit.rate.periodNs) - 1 : 0;
    const bool isWindow = limit.algorithm == Algorithm::FixedWindow
        || limit.algorithm == Algorithm::SlidingWindowLog
        || limit.algorithm == Algorithm::SlidingWindowCounter;
    limit.countRejected = isWindow && upTo(4) == 1;
    return limit;
}

struct Passed {
    std::int64_t atNs;
    std::int64_t cost;
};

/// As much as gets through, in bursts and pauses.
std::vector<Passed> pushed(const Limit& limit, std::mt19937_64& random)
{
    OneKey key(limit);
    std::vector<Passed> passed;
    std::int64_t nowNs = 1000;
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t dice = random() % 8;
        nowNs += dice < 4 ? 0 : dice < 7 ? 1 : static_cast<std::int64_t>(random() % 30);
        const auto cost = static_cast<std::int64_t>(1 + random() % 2);
        if (key.decide(nowNs, cost).admitted) {
            passed.push_back({nowNs, cost});
        }
    }
    return passed;
}

/// The most requests that pass within one period, of all sequences of two periods.
class Tried {
public:
    Tried(const Limit& limit, std::int64_t cost)
        : m_period(static_cast<std::size_t>(limit.rate.periodNs))
        , m_cost(cost)
    {
        goOn(OneKey(limit));
    }

    [[nodiscard]] std::int64_t most() const { return m_most; }

private:
    /// None, one, two, ... at the next instant, then all that can follow.
    void goOn(const OneKey& key)
    {
        if (m_passed.size() == 2 * m_period) {
            return;
        }
        OneKey now = key;
        const auto atNs = static_cast<std::int64_t>(m_passed.size());
        m_passed.push_back(0);
        do {
            const std::size_t first = m_passed.size() - std::min(m_passed.size(), m_period);
            m_most = std::max(m_most,
                              std::accumulate(m_passed.begin() + static_cast<std::ptrdiff_t>(first),
                                              m_passed.end(), std::int64_t {0}));
            goOn(now);
            ++m_passed.back();
        } while (now.decide(atNs, m_cost).admitted);
        m_passed.pop_back();
    }

    std::size_t m_period;
    std::int64_t m_cost;
    std::vector<std::int64_t> m_passed; ///< by instant
    std::int64_t m_most = 0;
};

std::string said(const Limit& limit)
{
    return std::string(nameOf(limit.algorithm)) + " " + std::to_string(limit.rate.count) + "/"
        + std::to_string(limit.rate.periodNs) + " burst " + std::to_string(limit.burst) + " queue "
        + std::to_string(limit.queue) + " tolerance "
        + std::to_string(limit.toleranceNs.value_or(-1)) + " anchor "
        + std::to_string(limit.anchorNs);
}

} // namespace

class TestWorstCase : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void examples();
    void hugeNumbers();
    void nothingEverExceedsTheBound();
    void windowsAndBucketsReachIt();
    void aWindowOpenedForNothingReachesIt();
    void aroundAnEdge();
    void nothingMorePassesAroundAnEdge();
    void whatIsSaidToPassPasses();
    void itIsSaidOften();
    void theLongestWait();
    void whatIsRejectedMayMakeItLonger();
    void nothingPassesBeforeTheLongestWait();
};

void TestWorstCase::examples()
{
    const Limit fixed = limitOf(Algorithm::FixedWindow, 1000, kMinute);
    QCOMPARE(*mostWithin(fixed, 2), std::int64_t {2000});
    QCOMPARE(*mostWithin(fixed, 1), std::int64_t {1000});
    QCOMPARE(*mostWithin(fixed, kMinute), std::int64_t {2000});
    QCOMPARE(*mostWithin(fixed, kMinute + 2), std::int64_t {3000});
    QCOMPARE(*mostWithin(limitOf(Algorithm::SlidingWindowLog, 1000, kMinute), kMinute),
             std::int64_t {1000});
    const Limit bucket = limitOf(Algorithm::TokenBucket, 60, kMinute, 60);
    QCOMPARE(*mostWithin(bucket, kSecond), std::int64_t {60});
    QCOMPARE(*mostWithin(bucket, kSecond + 1), std::int64_t {61});
    QCOMPARE(*mostWithin(limitOf(Algorithm::FixedWindow, 0, kMinute), kMinute), std::int64_t {0});
    QVERIFY(!mostWithin(limitOf(Algorithm::Concurrency, 5, 1), kMinute));
    QCOMPARE(refillNs(limitOf(Algorithm::TokenBucket, 60, kMinute, 600)), 10 * kMinute);
    QCOMPARE(refillNs(fixed), kMinute);
    QCOMPARE(spacingNs(limitOf(Algorithm::Gcra, 6000, kMinute)), std::int64_t {10'000'000});
    const Limit ten = limitOf(Algorithm::TokenBucket, 10, kSecond, 10);
    QVERIFY(admitsAllOf(limitOf(Algorithm::SlidingWindowLog, 700, kMinute), ten));
    QVERIFY(!admitsAllOf(limitOf(Algorithm::SlidingWindowLog, 600, kMinute), ten));
    // One a second is 60 a minute, to the request: the 61st comes when the first is a minute old.
    const Limit one = limitOf(Algorithm::Gcra, 1, kSecond, 1);
    QVERIFY(admitsAllOf(limitOf(Algorithm::SlidingWindowLog, 60, kMinute), one));
    QVERIFY(!admitsAllOf(limitOf(Algorithm::SlidingWindowLog, 59, kMinute), one));
    Limit slots = limitOf(Algorithm::Concurrency, 5, 1);
    QVERIFY(admitsAllOf(limitOf(Algorithm::Concurrency, 6, 1), slots));
    QVERIFY(!admitsAllOf(slots, limitOf(Algorithm::Concurrency, 6, 1)));
    // Without a slot nothing that has a duration passes; what has none passes by.
    QVERIFY(!admitsAllOf(ten, limitOf(Algorithm::Concurrency, 0, 1)));
    QVERIFY(admitsAllOf(slots, limitOf(Algorithm::FixedWindow, 0, 1)));
    slots.assumeDurationNs = kSecond; // holds requests that the other one does not see
    QVERIFY(!admitsAllOf(slots, limitOf(Algorithm::Concurrency, 5, 1)));
}

void TestWorstCase::hugeNumbers()
{
    constexpr std::int64_t kLarge = std::int64_t {1} << 62;
    QCOMPARE(*mostWithin(limitOf(Algorithm::FixedWindow, kLarge, 1), kMost), kMost);
    QCOMPARE(*mostWithin(limitOf(Algorithm::TokenBucket, kLarge, kLarge, 1), kMost), kMost);
    const Limit day = limitOf(Algorithm::TokenBucket, 1, kLarge, 1);
    QCOMPARE(refillNs(day), kLarge);
    QVERIFY(admitsAllOf(day, day));
    const Limit counter = limitOf(Algorithm::SlidingWindowCounter, 5, kLarge - 1);
    QVERIFY(admitsAllOf(counter, counter));
    QVERIFY(!admitsAllOf(counter, limitOf(Algorithm::SlidingWindowLog, 5, kLarge - 1)));
}

void TestWorstCase::nothingEverExceedsTheBound()
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 3000; ++round) {
        const Limit limit = randomLimit(random);
        const std::vector<Passed> passed = pushed(limit, random);
        for (std::size_t last = 0; last < passed.size(); ++last) {
            std::int64_t sum = 0;
            for (std::size_t first = last + 1; first-- > 0;) {
                sum += passed[first].cost;
                const std::int64_t length = passed[last].atNs - passed[first].atNs + 1;
                QVERIFY2(sum <= *mostWithin(limit, length), said(limit).c_str());
            }
        }
    }
}

/// The first second of a bucket and the edge of a window are no exaggeration.
void TestWorstCase::windowsAndBucketsReachIt()
{
    OneKey window(limitOf(Algorithm::FixedWindow, 3, 10));
    int passed = 0;
    for (const std::int64_t atNs : {9, 9, 9, 9, 10, 10, 10, 10}) {
        passed += window.decide(atNs, 1).admitted ? 1 : 0;
    }
    QCOMPARE(std::int64_t {passed}, *mostWithin(limitOf(Algorithm::FixedWindow, 3, 10), 2));
    const Limit limit = limitOf(Algorithm::TokenBucket, 2, 5, 4);
    OneKey bucket(limit);
    passed = 0;
    for (std::int64_t atNs = 0; atNs < 13; ++atNs) {
        for (int i = 0; i < 5; ++i) {
            passed += bucket.decide(atNs, 1).admitted ? 1 : 0;
        }
    }
    QCOMPARE(std::int64_t {passed}, *mostWithin(limit, 13));
}

/// align: first_request: whoever peeks first has both windows for what counts.
void TestWorstCase::aWindowOpenedForNothingReachesIt()
{
    Limit limit = limitOf(Algorithm::FixedWindow, 3, 10);
    limit.alignToFirstRequest = true;
    OneKey key(limit);
    QVERIFY(key.decide(0, 0).admitted);
    int passed = 0;
    for (const std::int64_t atNs : {9, 9, 9, 9, 10, 10, 10, 10}) {
        passed += key.decide(atNs, 1).admitted ? 1 : 0;
    }
    QCOMPARE(std::int64_t {passed}, *mostWithin(limit, 2));
    QCOMPARE(mostAroundEdge(limit, 1, false).total(), std::int64_t {6});
}

void TestWorstCase::aroundAnEdge()
{
    Limit fixed = limitOf(Algorithm::FixedWindow, 10, kMinute);
    QVERIFY((mostAroundEdge(fixed, 1, true) == AroundEdge {10, 10}));
    QVERIFY((mostAroundEdge(fixed, 2, true) == AroundEdge {5, 5}));
    QVERIFY((mostAroundEdge(fixed, 3, true) == AroundEdge {3, 3}));
    QVERIFY((mostAroundEdge(fixed, 11, true) == AroundEdge {0, 0}));
    fixed.alignToFirstRequest = true;
    QVERIFY((mostAroundEdge(fixed, 1, true) == AroundEdge {9, 10}));
    QVERIFY((mostAroundEdge(fixed, 10, true) == AroundEdge {0, 1}));
    QVERIFY((mostAroundEdge(fixed, 1, false) == AroundEdge {10, 10}));
    Limit counter = limitOf(Algorithm::SlidingWindowCounter, 10, kMinute);
    QVERIFY((mostAroundEdge(counter, 1, true) == AroundEdge {10, 9}));
    QVERIFY((mostAroundEdge(counter, 2, true) == AroundEdge {5, 4}));
    QVERIFY((mostAroundEdge(counter, 3, true) == AroundEdge {3, 3})); // 1 is never used
    counter.floorEstimate = true;
    QVERIFY((mostAroundEdge(counter, 1, true) == AroundEdge {10, 10}));
    const Limit huge = limitOf(Algorithm::FixedWindow, kMost, kMost);
    QCOMPARE(mostAroundEdge(huge, 1, true).total(), kMost);
}

/// All sequences of two periods, tried out: the most is reached, and never exceeded.
void TestWorstCase::nothingMorePassesAroundAnEdge()
{
    for (int round = 0; round < 4 * 4 * 4 * 3; ++round) {
        const int kind = round % 4;
        const std::int64_t count = 1 + round / 4 % 4;
        const std::int64_t periodNs = 1 + round / 16 % 4;
        const std::int64_t cost = 1 + round / 64;
        Limit limit = limitOf(kind < 2 ? Algorithm::FixedWindow : Algorithm::SlidingWindowCounter,
                              count, periodNs);
        limit.alignToFirstRequest = kind == 1;
        limit.floorEstimate = kind == 3;
        const std::string text = said(limit) + " cost " + std::to_string(cost);
        QVERIFY2(mostAroundEdge(limit, cost, true).total() == Tried(limit, cost).most(),
                 text.c_str());
    }
}

void TestWorstCase::whatIsSaidToPassPasses()
{
    std::mt19937_64 random(2);
    int pairs = 0;
    for (int round = 0; round < 20'000; ++round) {
        const Limit tighter = randomLimit(random);
        const Limit looser = randomLimit(random);
        if (!admitsAllOf(looser, tighter)) {
            continue;
        }
        ++pairs;
        OneKey behind(looser);
        const bool isPart = random() % 2 == 0; // one key of several behind a wider one
        for (const Passed& one : pushed(tighter, random)) {
            if (isPart && random() % 3 == 0) {
                continue;
            }
            QVERIFY2(behind.decide(one.atNs, one.cost).admitted,
                     (said(looser) + " behind " + said(tighter)).c_str());
        }
    }
    QVERIFY(pairs > 2000);
}

/// Of two limits of one kind the tighter one is found, whatever the kind.
void TestWorstCase::itIsSaidOften()
{
    for (const Algorithm algorithm : kRates) {
        const Limit tighter = limitOf(algorithm, 10, kMinute, 5);
        const Limit looser = limitOf(algorithm, 11, kMinute, 6);
        QVERIFY2(admitsAllOf(looser, tighter), nameOf(algorithm).data());
        QVERIFY2(admitsAllOf(tighter, tighter), nameOf(algorithm).data());
        QVERIFY2(!admitsAllOf(tighter, looser), nameOf(algorithm).data());
    }
}

void TestWorstCase::theLongestWait()
{
    const auto wait = [](Algorithm algorithm, std::int64_t room = 1) {
        return *longestWaitNs(limitOf(algorithm, 10, kMinute, room), 1);
    };
    QCOMPARE(wait(Algorithm::FixedWindow), kMinute);
    QCOMPARE(wait(Algorithm::SlidingWindowLog), kMinute);
    QCOMPARE(wait(Algorithm::SlidingWindowCounter), 66 * kSecond);
    QCOMPARE(wait(Algorithm::TokenBucket, 100), 6 * kSecond);
    QCOMPARE(wait(Algorithm::LeakyBucket, 3), 6 * kSecond);
    Limit gcra = limitOf(Algorithm::Gcra, 10, kMinute);
    gcra.toleranceNs = 2 * kSecond; // of 8 s that it holds 6 are used
    QCOMPARE(*longestWaitNs(gcra, 1), 4 * kSecond);
    // 5 of 12 twice: 2 are left, and 3 more are needed.
    QCOMPARE(*longestWaitNs(limitOf(Algorithm::TokenBucket, 60, kMinute, 12), 5), 3 * kSecond);
    Limit floored = limitOf(Algorithm::SlidingWindowCounter, 10, kMinute);
    floored.floorEstimate = true;
    QCOMPARE(*longestWaitNs(floored, 1), kMinute + 1);
    QVERIFY(!longestWaitNs(limitOf(Algorithm::TokenBucket, 10, kMinute, 3), 4));
    QVERIFY(!longestWaitNs(limitOf(Algorithm::FixedWindow, 0, kMinute), 1));
    QVERIFY(!longestWaitNs(limitOf(Algorithm::Concurrency, 5, 1), 1));
    const std::int64_t large = std::int64_t {1} << 62;
    QCOMPARE(*longestWaitNs(limitOf(Algorithm::FixedWindow, kMost, kMost), 1), kMost);
    QCOMPARE(*longestWaitNs(limitOf(Algorithm::TokenBucket, 1, large, 1), 1), large);
    QCOMPARE(*longestWaitNs(limitOf(Algorithm::SlidingWindowCounter, 1, kMost), 1), kMost);
}

/// 30 judged at the start of a window, of which 20 are rejected and count: the next window has room
/// for one when 9 of the 30 still weigh, 42 s into it.
void TestWorstCase::whatIsRejectedMayMakeItLonger()
{
    Limit limit = limitOf(Algorithm::SlidingWindowCounter, 10, kMinute);
    limit.countRejected = true;
    QCOMPARE(*longestWaitNs(limit, 1), 66 * kSecond);
    OneKey key(limit);
    for (int i = 0; i < 30; ++i) {
        QCOMPARE(key.decide(0, 1).admitted, i < 10);
    }
    OneKey early(key);
    QVERIFY(!early.decide(102 * kSecond - 1, 1).admitted);
    QVERIFY(key.decide(102 * kSecond, 1).admitted);
}

/// A limiter that was filled at once admits nothing before that, and then it does; and from
/// whatever state nobody is told to wait longer, if one request is what it is filled by.
void TestWorstCase::nothingPassesBeforeTheLongestWait()
{
    std::mt19937_64 random(5);
    int judged = 0;
    for (int round = 0; round < 6000; ++round) {
        Limit limit = randomLimit(random);
        limit.countRejected = false;
        const auto cost = static_cast<std::int64_t>(1 + random() % 3);
        const std::string text = said(limit) + " cost " + std::to_string(cost);
        const std::optional<std::int64_t> wait = longestWaitNs(limit, cost);
        OneKey key(limit);
        const std::int64_t startNs = limit.anchorNs + 5 * limit.rate.periodNs;
        while (key.decide(startNs, cost).admitted) { }
        QCOMPARE(wait.has_value(), key.decide(startNs, cost).figures.retryAfterNs.has_value());
        if (!wait) {
            continue;
        }
        ++judged;
        OneKey early(key);
        QVERIFY2(!early.decide(startNs + *wait - 1, cost).admitted, text.c_str());
        OneKey late(key);
        QVERIFY2(late.decide(startNs + *wait, cost).admitted, text.c_str());
        OneKey other(limit);
        std::int64_t nowNs = startNs;
        for (int i = 0; i < 30 && cost == 1 && !limit.toleranceNs; ++i) {
            nowNs += static_cast<std::int64_t>(random() % 4);
            const auto answer = other.decide(nowNs, cost);
            QVERIFY2(answer.admitted || *answer.figures.retryAfterNs <= *wait, text.c_str());
        }
    }
    QVERIFY(judged > 3000);
}

QTEST_APPLESS_MAIN(TestWorstCase)
#include "tst_worst_case.moc"
