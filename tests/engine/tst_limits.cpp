#include "engine/plan.h"

#include <QTest>

#include <functional>

using namespace engine;

Q_DECLARE_METATYPE(engine::Limit)

namespace {

constexpr std::int64_t kDay = 86400000000000;
constexpr std::int64_t kMost = std::int64_t {1} << 62;

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    return limit;
}

} // namespace

/// Which limits can be counted exactly, and what they admit at once.
class TestLimits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refuses_data();
    void refuses();
    void acceptsTheLargest();
    void capacities();
};

void TestLimits::refuses_data()
{
    QTest::addColumn<Limit>("limit");
    QTest::addColumn<QString>("reason");
    const auto add
        = [](const char* reason, Limit limit, const std::function<void(Limit&)>& change = {}) {
              if (change) {
                  change(limit);
              }
              QTest::newRow(reason) << limit << QString::fromLatin1(reason);
          };
    const Limit window = limitOf(Algorithm::FixedWindow, 1, 1000);
    add("rate is not in 0 .. 2^62 requests", limitOf(Algorithm::FixedWindow, -1, 1));
    add("rate is not in 0 .. 2^62 requests", limitOf(Algorithm::TokenBucket, kMost + 1, 1));
    add("the period of rate is not in 1 .. 2^62 ns", limitOf(Algorithm::Gcra, 1, 0));
    add("the period of rate is not in 1 .. 2^62 ns",
        limitOf(Algorithm::SlidingWindowLog, 1, kMost + 1));
    add("anchor is not in 0 .. period - 1", window, [](Limit& limit) { limit.anchorNs = 1000; });
    add("anchor is not in 0 .. period - 1", window, [](Limit& limit) { limit.anchorNs = -1; });
    add("two periods of rate are above 2^63 - 1 ns",
        limitOf(Algorithm::SlidingWindowCounter, 1, kMost));
    const Limit bucket = limitOf(Algorithm::TokenBucket, 1, kDay);
    add("burst is not in 1 .. 2^62", bucket, [](Limit& limit) { limit.burst = 0; });
    add("burst * period / rate is above 2^62 ns", bucket,
        [](Limit& limit) { limit.burst = 1000000000; });
    add("burst * period / rate is above 2^62 ns", bucket,
        [](Limit& limit) { limit.burst = kMost / kDay + 1; });
    const Limit queue = limitOf(Algorithm::LeakyBucket, 1, 1);
    add("queue is not in 0 .. 2^62", queue, [](Limit& limit) { limit.queue = -1; });
    add("delay_after is not in 0 .. 2^62", queue, [](Limit& limit) { limit.delayAfter = -1; });
    add("(queue + 1) * period / rate is above 2^62 ns", queue,
        [](Limit& limit) { limit.queue = kMost; });
    const Limit gcra = limitOf(Algorithm::Gcra, 1, 1000);
    add("tolerance is not in 0 .. 2^62 ns", gcra,
        [](Limit& limit) { limit.toleranceNs = kMost + 1; });
    add("tolerance + period / rate is above 2^63 - 1 ns", limitOf(Algorithm::Gcra, 1, kMost),
        [](Limit& limit) { limit.toleranceNs = kMost; });
    add("tolerance * rate / period is above 2^62 requests", limitOf(Algorithm::Gcra, 2, 1),
        [](Limit& limit) { limit.toleranceNs = kMost; });
    add("in_flight is not in 0 .. 2^62", limitOf(Algorithm::Concurrency, 0, 1),
        [](Limit& limit) { limit.inFlight = -1; });
    add("assume_duration is below 0", limitOf(Algorithm::Concurrency, 0, 1),
        [](Limit& limit) { limit.assumeDurationNs = -1; });
}

void TestLimits::refuses()
{
    QFETCH(Limit, limit);
    QFETCH(QString, reason);
    QCOMPARE(QString::fromLatin1(checkLimit(limit)), reason);
}

void TestLimits::acceptsTheLargest()
{
    Limit limit = limitOf(Algorithm::TokenBucket, kMost, kMost);
    limit.burst = kMost;
    QCOMPARE(checkLimit(limit), nullptr);
    limit = limitOf(Algorithm::LeakyBucket, 1, 1);
    limit.queue = kMost - 1;
    QCOMPARE(checkLimit(limit), nullptr);
    QCOMPARE(capacityOf(limit), kMost);
    limit = limitOf(Algorithm::Gcra, 1, kMost - 1);
    limit.toleranceNs = kMost;
    QCOMPARE(checkLimit(limit), nullptr);
    QCOMPARE(capacityOf(limit), 2);
    limit = limitOf(Algorithm::TokenBucket, 2999999999, 1000000000);
    limit.burst = 6000000000;
    QCOMPARE(checkLimit(limit), nullptr);
    limit = limitOf(Algorithm::TokenBucket, 0,
                    kDay); // a zero rate never refills: nothing to represent
    limit.burst = kMost;
    QCOMPARE(checkLimit(limit), nullptr);
}

void TestLimits::capacities()
{
    QCOMPARE(capacityOf(limitOf(Algorithm::FixedWindow, 9, 1)), 9);
    QCOMPARE(capacityOf(limitOf(Algorithm::SlidingWindowLog, 9, 1)), 9);
    QCOMPARE(capacityOf(limitOf(Algorithm::SlidingWindowCounter, 9, 1)), 9);
    Limit limit = limitOf(Algorithm::TokenBucket, 9, 1);
    limit.burst = 4;
    limit.queue = 6;
    limit.inFlight = 11;
    QCOMPARE(capacityOf(limit), 4);
    limit.algorithm = Algorithm::Gcra;
    QCOMPARE(capacityOf(limit), 4);
    limit.algorithm = Algorithm::LeakyBucket;
    QCOMPARE(capacityOf(limit), 7);
    limit.algorithm = Algorithm::Concurrency;
    QCOMPARE(capacityOf(limit), 11);
    limit = limitOf(Algorithm::Gcra, 7, 3000000000);
    limit.toleranceNs = 1000000000; // 1 s / (3/7 s) + 1 = 3.33
    QCOMPARE(capacityOf(limit), 3);
    limit.rate.count = 0;
    QCOMPARE(capacityOf(limit), 0);
}

QTEST_APPLESS_MAIN(TestLimits)
#include "tst_limits.moc"
