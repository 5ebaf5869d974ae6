#include "tests/support/one_key.h"

#include <QTest>

using namespace engine;
using tests::support::Answer;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kS = 1000000000;
constexpr std::int64_t kLarge = std::int64_t {1} << 62;

Limit lastWindow(std::int64_t count, std::int64_t periodNs, bool countRejected = false)
{
    Limit limit;
    limit.algorithm = Algorithm::SlidingWindowLog;
    limit.rate = {count, periodNs};
    limit.countRejected = countRejected;
    return limit;
}

} // namespace

class TestSlidingWindowLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEntryOfExactlyThePeriodIsGone();
    void waitsForTheEntryThatGivesBackEnough();
    void livesThroughAllOfTime();
    void requestsOfOneInstantShareAnEntry();
    void keepsOnlyRejectedEntriesThatMatter();
    void hugeRejectedCostsDoNotOverflow();
    void roomIsReusedAndGivenBack();
};

void TestSlidingWindowLog::anEntryOfExactlyThePeriodIsGone()
{
    OneKey key(lastWindow(2, 10 * kS));
    QVERIFY(key.decide(0, 1).admitted);
    QVERIFY(key.decide(4 * kS, 1).admitted);
    QVERIFY(!key.decide(10 * kS - 1, 1).admitted);
    QVERIFY(key.decide(10 * kS, 1).admitted);
    QVERIFY(!key.decide(10 * kS, 1).admitted);
}

void TestSlidingWindowLog::waitsForTheEntryThatGivesBackEnough()
{
    OneKey key(lastWindow(3, 10 * kS));
    QVERIFY(key.decide(0, 1).admitted);
    QVERIFY(key.decide(4 * kS, 2).admitted);
    const Answer answer = key.decide(5 * kS, 2);
    QVERIFY(!answer.admitted);
    QCOMPARE(*answer.figures.retryAfterNs, 9 * kS);
    QCOMPARE(answer.figures.nextAfterNs, 5 * kS);
    QCOMPARE(*answer.figures.fullAfterNs, 9 * kS);
    QVERIFY(!key.decide(5 * kS, 4).figures.retryAfterNs);
}

void TestSlidingWindowLog::livesThroughAllOfTime()
{
    OneKey key(lastWindow(1, kLarge));
    QVERIFY(key.decide(wide::kFirstNs, 1).admitted);
    QCOMPARE(*key.decide(wide::kFirstNs + 5, 1).figures.retryAfterNs, kLarge - 5);
    QVERIFY(key.decide(wide::kLastNs - 5, 1).admitted);
    QCOMPARE(*key.decide(wide::kLastNs, 1).figures.retryAfterNs, kLarge - 5);
}

void TestSlidingWindowLog::requestsOfOneInstantShareAnEntry()
{
    OneKey key(lastWindow(1000000, 10 * kS));
    for (int i = 0; i < 1000; ++i) {
        QVERIFY(key.decide(7, 3).admitted);
    }
    QCOMPARE(key.log().ring->size, std::size_t {1});
    QCOMPARE(key.decide(8, 0).figures.remaining, 1000000 - 3000);
}

void TestSlidingWindowLog::keepsOnlyRejectedEntriesThatMatter()
{
    OneKey key(lastWindow(3, 10 * kS, true));
    for (int i = 0; i < 100000; ++i) {
        key.decide(i, 1);
    }
    QCOMPARE(key.log().ring->size, std::size_t {4}); // sum above 3
    QVERIFY(key.log().ring->capacity <= 5);
    QVERIFY(!key.decide(100000, 0).admitted); // a peek is denied while the sum is above N
    QVERIFY(!key.decide(10 * kS + 99995, 0).admitted);
    QVERIFY(key.decide(10 * kS + 99996, 0).admitted);
    QVERIFY(!key.decide(10 * kS + 99996, 1).admitted);
}

void TestSlidingWindowLog::hugeRejectedCostsDoNotOverflow()
{
    OneKey key(lastWindow(kLarge, 10 * kS, true));
    QVERIFY(key.decide(0, kLarge).admitted);
    for (int i = 0; i < 9; ++i) {
        QVERIFY(!key.decide(i / 3, kLarge).admitted);
    }
    QCOMPARE(key.decide(3, 0).figures.remaining, 0);
    QVERIFY(key.decide(10 * kS + 2, kLarge).admitted);
}

void TestSlidingWindowLog::roomIsReusedAndGivenBack()
{
    OneKey key(lastWindow(1000, 1000));
    for (int i = 0; i < 1000; ++i) {
        QVERIFY(key.decide(i, 1).admitted);
    }
    const sliding_window_log::Ring* ring = key.log().ring;
    QCOMPARE(ring->capacity, std::size_t {1000});
    for (int i = 1000; i < 5000; ++i) {
        QVERIFY(key.decide(i, 1).admitted);
        QCOMPARE(key.log().ring, ring); // full, in a circle, never allocated anew
    }
    QVERIFY(key.decide(9000, 0).admitted);
    QVERIFY(key.log().ring == nullptr);
    QVERIFY(key.decide(9000, 1).admitted);
    ring = key.log().ring;
    QVERIFY(key.decide(20000, 1).admitted);
    QCOMPARE(key.log().ring, ring); // a small one is kept
}

QTEST_APPLESS_MAIN(TestSlidingWindowLog)
#include "tst_sliding_window_log.moc"
