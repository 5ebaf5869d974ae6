#include "engine/recovery.h"
#include "engine/worst_case.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <random>
#include <string>
#include <vector>

using namespace engine;
using tests::support::OneKey;

/// What is said of retries against clients that draw their waits and limiters that decide.
namespace {

constexpr std::int64_t kMilli = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMilli;
constexpr std::int64_t kMinute = 60 * kSecond;

Behaviour behaviourOf(int attempts, std::int64_t baseNs, std::int64_t capNs,
                      Jitter jitter = Jitter::None)
{
    Behaviour behaviour;
    behaviour.attempts = attempts;
    behaviour.baseNs = baseNs;
    behaviour.capNs = capNs;
    behaviour.jitter = jitter;
    return behaviour;
}

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    limit.burst = count;
    return limit;
}

Limit counting(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit = limitOf(algorithm, count, periodNs);
    limit.countRejected = true;
    return limit;
}

/// Small numbers, so that every corner is met.
Behaviour randomBehaviour(std::mt19937_64& random)
{
    const auto base = static_cast<std::int64_t>(random() % 6);
    return behaviourOf(static_cast<int>(1 + random() % 9), base,
                       base + static_cast<std::int64_t>(random() % 12),
                       static_cast<Jitter>(random() % 4));
}

Limit randomWindow(std::mt19937_64& random)
{
    constexpr std::array kWindows {Algorithm::FixedWindow, Algorithm::SlidingWindowLog,
                                   Algorithm::SlidingWindowCounter, Algorithm::TokenBucket};
    Limit limit = limitOf(kWindows[random() % 4], static_cast<std::int64_t>(1 + random() % 4),
                          static_cast<std::int64_t>(1 + random() % 12));
    limit.countRejected = limit.algorithm != Algorithm::TokenBucket && random() % 2 == 0;
    return limit;
}

Recovery recoveryOf(const Limit& limit, std::int64_t cost, const Behaviour& behaviour)
{
    return recoveryFrom(limit, cost, behaviour, latestAttempts(behaviour));
}

/// One request that finds the key used up at the start of a window, some time after that: does it
/// get through? What came before the window is of no matter, if all of it was there to be used.
bool tried(const Limit& limit, std::int64_t cost, const Behaviour& behaviour,
           std::mt19937_64& random, std::int64_t mostLater = 0)
{
    OneKey key(limit);
    std::int64_t nowNs = 3 * limit.rate.periodNs;
    if (random() % 2 == 0) {
        key.decide(nowNs - 1 - static_cast<std::int64_t>(random() % 9), 1);
    }
    for (std::int64_t i = 0; i < capacityOf(limit) / cost; ++i) {
        if (!key.decide(nowNs, cost).admitted) {
            return tried(limit, cost, behaviour, random, mostLater); // not all of it was there
        }
    }
    nowNs += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(mostLater + 1));
    std::int64_t waitNs = 0;
    for (int attempt = 1; attempt <= behaviour.attempts; ++attempt) {
        if (key.decide(nowNs, cost).admitted) {
            return true;
        }
        if (!budgetAllows(behaviour, 1, static_cast<std::uint64_t>(attempt - 1))) {
            return false;
        }
        const std::uint64_t draw = random() % 4 == 0 ? ~std::uint64_t {0} : random();
        waitNs = waitAfter(behaviour, attempt, waitNs, std::nullopt, draw);
        nowNs += waitNs;
    }
    return false;
}

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void attemptsInTime();
    void examples();
    void whoIsSaidToFailFails();
    void whoCanRecoverSometimesDoes();
};

void TestRecovery::attemptsInTime()
{
    QCOMPARE(latestAttempts(behaviourOf(4, 100 * kMilli, 20 * kSecond)),
             (std::vector<std::int64_t> {0, 100 * kMilli, 300 * kMilli, 700 * kMilli}));
    QCOMPARE(latestAttempts(behaviourOf(3, 0, 0)), (std::vector<std::int64_t> {0, 0, 0}));
    // A draw is below 1, so that full jitter stays a nanosecond below its wait.
    QCOMPARE(latestAttempts(behaviourOf(2, kSecond, kSecond, Jitter::Full)),
             (std::vector<std::int64_t> {0, kSecond - 1}));
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(latestAttempts(behaviourOf(4, most / 2, most)).back(), most);
    QCOMPARE(attemptsThatLast(behaviourOf(2, 100 * kMilli, 20 * kSecond), 700 * kMilli), 4);
    QCOMPARE(
        attemptsThatLast(behaviourOf(2, 100 * kMilli, 20 * kSecond, Jitter::Equal), 10 * kSecond),
        9);
    QCOMPARE(attemptsThatLast(behaviourOf(2, kSecond, kSecond), kMinute), 61);
    QCOMPARE(attemptsThatLast(behaviourOf(2, kSecond, kSecond), 1000 * kSecond), 0);
    QCOMPARE(attemptsThatLast(behaviourOf(2, kSecond, kSecond, Jitter::Full), 1), 0);
}

void TestRecovery::examples()
{
    const Behaviour impatient = behaviourOf(4, 100 * kMilli, 20 * kSecond);
    const Behaviour steady = behaviourOf(100, 10 * kSecond, 10 * kSecond);
    const Limit log = limitOf(Algorithm::SlidingWindowLog, 5, kMinute);
    QCOMPARE(recoveryOf(log, 1, impatient), Recovery::TooSoon);
    QCOMPARE(recoveryOf(log, 1, steady), Recovery::Possible);
    const Limit strict = counting(Algorithm::SlidingWindowLog, 5, kMinute);
    QCOMPARE(recoveryOf(strict, 1, steady), Recovery::KeptFull);
    QCOMPARE(recoveryOf(strict, 1, impatient), Recovery::TooSoon);
    // Five fall into a minute, of which the one that is a minute old has gone: there is room.
    QCOMPARE(recoveryOf(strict, 1, behaviourOf(100, 12 * kSecond, 12 * kSecond)),
             Recovery::Possible);
    QCOMPARE(recoveryOf(strict, 1, behaviourOf(100, 12 * kSecond - 1, 12 * kSecond - 1)),
             Recovery::KeptFull);
    // A fixed window forgets what it rejected.
    QCOMPARE(recoveryOf(counting(Algorithm::FixedWindow, 5, kMinute), 1, steady),
             Recovery::Possible);
    QCOMPARE(recoveryOf(counting(Algorithm::SlidingWindowCounter, 5, kMinute), 1, steady),
             Recovery::KeptFull);
    const Limit bucket = limitOf(Algorithm::TokenBucket, 60, kMinute);
    QCOMPARE(recoveryOf(bucket, 1, impatient), Recovery::TooSoon); // 700 ms, and it needs 1 s
    QCOMPARE(recoveryOf(bucket, 1, behaviourOf(5, 100 * kMilli, 20 * kSecond)), Recovery::Possible);

    Behaviour heeds = impatient;
    heeds.retryAfter = RetryAfter::AtLeast;
    QCOMPARE(recoveryOf(strict, 1, heeds), Recovery::Possible);
    QCOMPARE(recoveryOf(strict, 1, behaviourOf(1, 0, 0)), Recovery::Possible);
    Behaviour broke = impatient;
    broke.budgetPercent = 0;
    QCOMPARE(recoveryOf(strict, 1, broke), Recovery::Possible);
    QCOMPARE(recoveryOf(strict, 6, impatient), Recovery::Possible); // never, and that is told
    QCOMPARE(recoveryOf(limitOf(Algorithm::Concurrency, 5, 1), 1, impatient), Recovery::Possible);
}

/// Nobody gets through who was said to be unable to, whatever is drawn.
void TestRecovery::whoIsSaidToFailFails()
{
    std::mt19937_64 random(11);
    int tooSoon = 0;
    int keptFull = 0;
    for (int round = 0; round < 20'000; ++round) {
        const Limit limit = randomWindow(random);
        Behaviour behaviour = randomBehaviour(random);
        if (random() % 4 == 0) {
            behaviour.budgetPercent = static_cast<int>(random() % 900);
        }
        const auto cost = static_cast<std::int64_t>(1 + random() % 2);
        if (behaviour.attempts == 1 || cost > capacityOf(limit)) {
            continue;
        }
        const Recovery recovery = recoveryOf(limit, cost, behaviour);
        tooSoon += recovery == Recovery::TooSoon ? 1 : 0;
        keptFull += recovery == Recovery::KeptFull ? 1 : 0;
        for (int i = 0; i < 8 && recovery != Recovery::Possible; ++i) {
            const std::int64_t mostLater = recovery == Recovery::TooSoon
                ? *longestWaitNs(limit, cost) - latestAttempts(behaviour).back() - 1
                : 0;
            QVERIFY2(!tried(limit, cost, behaviour, random, mostLater),
                     nameOf(limit.algorithm).data());
        }
    }
    QVERIFY(tooSoon > 2000);
    QVERIFY2(keptFull > 100, std::to_string(keptFull).c_str());
}

/// And without a draw it is the other way round, too: who is not said to fail gets through.
void TestRecovery::whoCanRecoverSometimesDoes()
{
    std::mt19937_64 random(12);
    int possible = 0;
    for (int round = 0; round < 20'000; ++round) {
        const Limit limit = randomWindow(random);
        Behaviour behaviour = randomBehaviour(random);
        behaviour.jitter = Jitter::None;
        if (behaviour.attempts > 1 && recoveryOf(limit, 1, behaviour) == Recovery::Possible) {
            ++possible;
            QVERIFY2(tried(limit, 1, behaviour, random), nameOf(limit.algorithm).data());
        }
    }
    QVERIFY(possible > 2000);
}

QTEST_APPLESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
