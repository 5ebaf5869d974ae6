#include "tests/support/one_key.h"

#include <QTest>

using namespace engine;
using tests::support::Answer;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kS = 1000000000;
constexpr std::int64_t kDay = 86400 * kS;

Limit estimate(std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = Algorithm::SlidingWindowCounter;
    limit.rate = {count, periodNs};
    return limit;
}

} // namespace

class TestSlidingWindowCounter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void weighsTheWindowBefore();
    void retryMayLieInTheNextWindow();
    void flooringAdmitsOneMore();
    void aSkippedWindowEmptiesBoth();
    void productsNeed128Bits();
    void rejectedCostsWeighInTheNextWindow();
    void livesThroughAllOfTime();
};

void TestSlidingWindowCounter::weighsTheWindowBefore()
{
    OneKey key(estimate(50, 60 * kS));
    QVERIFY(key.decide(0, 42).admitted);
    // 15 s into the next window 42 * 45/60 = 31.5 are left of it.
    QCOMPARE(key.decide(75 * kS, 0).figures.remaining, 18);
    QVERIFY(key.decide(75 * kS, 18).admitted);
    QVERIFY(!key.decide(75 * kS, 1).admitted);
}

void TestSlidingWindowCounter::retryMayLieInTheNextWindow()
{
    OneKey key(estimate(10, 60 * kS));
    QVERIFY(key.decide(0, 10).admitted);
    QCOMPARE(*key.decide(0, 1).figures.retryAfterNs, 66 * kS);
    QCOMPARE(*key.decide(0, 10).figures.retryAfterNs, 120 * kS);
    QVERIFY(!key.decide(66 * kS - 1, 1).admitted);
    QVERIFY(key.decide(66 * kS, 1).admitted);
}

void TestSlidingWindowCounter::flooringAdmitsOneMore()
{
    for (const bool floors : {false, true}) {
        Limit limit = estimate(7, 60 * kS);
        limit.floorEstimate = floors;
        OneKey key(limit);
        QVERIFY(key.decide(0, 5).admitted);
        QVERIFY(key.decide(78 * kS, 3).admitted); // 5 * 0.7 + 3 = 6.5
        QCOMPARE(key.decide(78 * kS, 1).admitted, floors);
    }
}

void TestSlidingWindowCounter::aSkippedWindowEmptiesBoth()
{
    OneKey key(estimate(10, 60 * kS));
    QVERIFY(key.decide(59 * kS, 10).admitted);
    QVERIFY(!key.decide(119 * kS, 10).admitted);
    QVERIFY(key.decide(120 * kS, 10).admitted);
    QVERIFY(key.decide(400 * kS, 10).admitted);
}

void TestSlidingWindowCounter::productsNeed128Bits()
{
    // 10^12 a day: previous * (P - e) reaches 8.64e25, and one of them drains in 86.4 ns.
    OneKey key(estimate(1000000000000, kDay));
    QVERIFY(key.decide(0, 1000000000000).admitted);
    const Answer early = key.decide(kDay + 86, 1);
    QVERIFY(!early.admitted);
    QCOMPARE(*early.figures.retryAfterNs, 1);
    QVERIFY(key.decide(kDay + 87, 1).admitted);
    QCOMPARE(key.decide(kDay + 864, 0).figures.remaining, 9);
}

void TestSlidingWindowCounter::rejectedCostsWeighInTheNextWindow()
{
    Limit limit = estimate(10, 60 * kS);
    limit.countRejected = true;
    OneKey key(limit);
    QVERIFY(key.decide(0, 10).admitted);
    QVERIFY(!key.decide(0, 10).admitted); // now 20: above N, and not cut to it
    QVERIFY(!key.decide(90 * kS, 1).admitted);
    QCOMPARE(key.decide(90 * kS, 0).figures.remaining, 0);
    QVERIFY(key.decide(120 * kS, 1).admitted);
}

void TestSlidingWindowCounter::livesThroughAllOfTime()
{
    OneKey key(estimate(1, 10 * kS));
    QVERIFY(key.decide(wide::kFirstNs, 1).admitted);
    // Its window ends 6854775808 ns later (see tst_fixed_window); then one more window must pass.
    QCOMPARE(*key.decide(wide::kFirstNs, 1).figures.retryAfterNs, 6854775808 + 10 * kS);
    QVERIFY(!key.decide(wide::kFirstNs + 6854775808 + 10 * kS - 1, 1).admitted);
    QVERIFY(key.decide(wide::kFirstNs + 6854775808 + 10 * kS, 1).admitted);
    QVERIFY(key.decide(wide::kLastNs, 1).admitted);
    QVERIFY(!key.decide(wide::kLastNs, 1).admitted);
}

QTEST_APPLESS_MAIN(TestSlidingWindowCounter)
#include "tst_sliding_window_counter.moc"
