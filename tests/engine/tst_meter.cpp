#include "tests/support/one_key.h"

#include <QTest>

#include <vector>

using namespace engine;
using tests::support::Answer;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kMs = 1000000;
constexpr std::int64_t kS = 1000 * kMs;
constexpr std::int64_t kDay = 86400 * kS;
constexpr std::int64_t kNever = -1;

Limit bucket(std::int64_t count, std::int64_t periodNs, std::int64_t burst)
{
    Limit limit;
    limit.algorithm = Algorithm::TokenBucket;
    limit.rate = {count, periodNs};
    limit.burst = burst;
    return limit;
}

Limit queueOf(std::int64_t count, std::int64_t periodNs, std::int64_t queue,
              std::int64_t delayAfter = 0)
{
    Limit limit = bucket(count, periodNs, 1);
    limit.algorithm = Algorithm::LeakyBucket;
    limit.queue = queue;
    limit.delayAfter = delayAfter;
    return limit;
}

struct Step {
    std::int64_t atNs;
    std::int64_t cost;
    bool admitted;
    std::int64_t remaining;
    std::int64_t retryNs;
    std::int64_t nextNs;
    std::int64_t fullNs;
};

/// Plays the steps against one key, so that the table tells a story.
void play(const Limit& limit, const std::vector<Step>& steps)
{
    OneKey key(limit);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const QByteArray where = "step " + QByteArray::number(qulonglong {i});
        const Answer answer = key.decide(step.atNs, step.cost);
        QVERIFY2(answer.admitted == step.admitted, where.constData());
        QVERIFY2(answer.figures.remaining == step.remaining, where.constData());
        QVERIFY2(answer.figures.retryAfterNs.value_or(kNever) == step.retryNs, where.constData());
        QVERIFY2(answer.figures.nextAfterNs == step.nextNs, where.constData());
        QVERIFY2(answer.figures.fullAfterNs.value_or(kNever) == step.fullNs, where.constData());
    }
}

} // namespace

class TestMeter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fillsExhaustsWaitsRefills();
    void sevenInThreeSecondsLosesNothing();
    void threeThousandMillionASecond();
    void oneADayAfterThreeCenturies();
    void toleranceNeedNotBeWholeRequests();
    void delaysAreRoundedUpOnce();
    void delayAfterLetsTheFirstOnesPass();
    void aZeroRateAdmitsPeeksOnly();
};

void TestMeter::fillsExhaustsWaitsRefills()
{
    // clang-format off
    play(bucket(1, kS, 5), {
        //    at       cost admits left    retry       next       full
        {         0,   6,   false,  5,    kNever,         0,         0}, // above the burst
        {         0,   4,   true,   1,         0,        kS,    4 * kS},
        {         0,   2,   false,  1,        kS,        kS,    4 * kS},
        {  kS / 2,     2,   false,  1,    kS / 2,    kS / 2, 7 * kS / 2},
        {        kS,   2,   true,   0,         0,        kS,    5 * kS},
        {        kS,   0,   true,   0,         0,        kS,    5 * kS}, // cost 0 only peeks
        {    6 * kS,   5,   true,   0,         0,        kS,    5 * kS},
        {    5 * kS,   1,   false,  0,        kS,        kS,    5 * kS}, // taken as 6 s
    });
    // clang-format on
}

void TestMeter::sevenInThreeSecondsLosesNothing()
{
    OneKey key(bucket(7, 3 * kS, 1));
    QVERIFY(key.decide(0, 1).admitted);
    // The k-th passes at ceil(k * 3e9 / 7) if each comes as early as it may; every seventh is on
    // time again.
    std::int64_t at = 0;
    for (std::int64_t k = 1; k <= 7000; ++k) {
        at += *key.decide(at, 1).figures.retryAfterNs;
        QVERIFY(key.decide(at, 1).admitted);
    }
    // Each waits out the fraction that the one before left: 428571429 ns a request, never
    // 428571428.
    QCOMPARE(at, std::int64_t {7000} * 428571429);

    // A larger one does, and loses none of the 7000 that came back in 3000 s.
    OneKey burst(bucket(7, 3 * kS, 7));
    std::int64_t admitted = 0;
    for (std::int64_t ms = 0; ms <= 3000 * 1000; ms += 3) {
        admitted += burst.decide(ms * kMs, 1).admitted ? 1 : 0;
    }
    QCOMPARE(admitted, 7 + 7 * 1000);
}

void TestMeter::threeThousandMillionASecond()
{
    OneKey even(bucket(3000000000, kS, 6));
    QVERIFY(even.decide(0, 6).admitted);
    QCOMPARE(*even.decide(0, 1).figures.retryAfterNs, 1); // a third of a ns, rounded up
    QCOMPARE(even.decide(1, 0).figures.remaining, 3);
    QVERIFY(even.decide(1, 3).admitted);
    QVERIFY(!even.decide(1, 1).admitted);

    // 2999999999/s gives 2.999999999 a ns: after 10^9 ns one less than three times as many.
    OneKey odd(bucket(2999999999, kS, 6000000000));
    QVERIFY(odd.decide(0, 6000000000).admitted);
    QCOMPARE(odd.decide(1, 0).figures.remaining, 2);
    QCOMPARE(odd.decide(kS - 1, 0).figures.remaining, 2999999996);
    QCOMPARE(odd.decide(kS, 0).figures.remaining, 2999999999);
    QVERIFY(!odd.decide(kS, 3000000000).admitted);
    QVERIFY(odd.decide(kS, 2999999999).admitted);
    QCOMPARE(*odd.decide(kS, 6000000000).figures.retryAfterNs, 2000000001);
}

void TestMeter::oneADayAfterThreeCenturies()
{
    OneKey key(bucket(1, kDay, 1));
    QVERIFY(key.decide(wide::kFirstNs, 1).admitted);
    QVERIFY(!key.decide(wide::kFirstNs + kDay - 1, 1).admitted);
    QVERIFY(key.decide(wide::kFirstNs + kDay, 1).admitted);
    QVERIFY(key.decide(wide::kLastNs, 1).admitted);
    QCOMPARE(*key.decide(wide::kLastNs, 1).figures.retryAfterNs, kDay);

    OneKey idle(bucket(1, kDay, 1));
    QVERIFY(idle.decide(wide::kFirstNs, 1).admitted);
    QVERIFY(idle.decide(wide::kLastNs, 1).admitted);
}

void TestMeter::toleranceNeedNotBeWholeRequests()
{
    // T = 10 ms, tau = 25 ms: three at once (floor(35 / 10)), and 5 ms of room that are no request.
    Limit limit = bucket(100, kS, 1);
    limit.algorithm = Algorithm::Gcra;
    limit.toleranceNs = 25 * kMs;
    QCOMPARE(capacityOf(limit), 3);
    // clang-format off
    play(limit, {
        //   at       cost admits left    retry      next       full
        {        0,   1,   true,   2,         0,   5 * kMs, 10 * kMs},
        {        0,   2,   true,   0,         0,   5 * kMs, 30 * kMs},
        {        0,   1,   false,  0,   5 * kMs,   5 * kMs, 30 * kMs},
        { 26 * kMs,   0,   true,   3,         0,         0,  4 * kMs}, // not yet empty, but all may come
    });
    // clang-format on
}

void TestMeter::delaysAreRoundedUpOnce()
{
    OneKey key(queueOf(7, 3 * kS, 3));
    QCOMPARE(key.decide(0, 1).delayNs, 0);
    QCOMPARE(key.decide(0, 1).delayNs, 428571429); // 428571428 4/7
    QCOMPARE(key.decide(0, 1).delayNs, 857142858); // 857142857 1/7: the TAT itself is not rounded
    QCOMPARE(key.decide(0, 0).delayNs, 1285714286); // a peek, by the same formula
    QCOMPARE(key.decide(0, 1).delayNs, 1285714286); // 1285714285 5/7
    QVERIFY(!key.decide(0, 1).admitted);
}

void TestMeter::delayAfterLetsTheFirstOnesPass()
{
    OneKey key(queueOf(10, kS, 4, 2));
    const std::int64_t tenth = kS / 10;
    for (const std::int64_t delay :
         {std::int64_t {0}, std::int64_t {0}, std::int64_t {0}, tenth, 2 * tenth}) {
        const Answer answer = key.decide(0, 1);
        QVERIFY(answer.admitted);
        QCOMPARE(answer.delayNs, delay);
    }
    QVERIFY(!key.decide(0, 1).admitted);

    OneKey all(queueOf(10, kS, 4, std::int64_t {1} << 62));
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(all.decide(0, 1).delayNs, 0);
    }
}

void TestMeter::aZeroRateAdmitsPeeksOnly()
{
    for (Limit limit : {bucket(0, kS, 5), queueOf(0, kS, 4), bucket(0, kS, 1)}) {
        if (limit.burst == 1 && limit.queue == 0) {
            limit.algorithm = Algorithm::Gcra;
            limit.toleranceNs = kS;
        }
        QCOMPARE(capacityOf(limit), 0);
        play(limit,
             {{0, 1, false, 0, kNever, 0, kNever},
              {0, 0, true, 0, 0, 0, kNever},
              {kDay, 9, false, 0, kNever, 0, kNever}});
    }
}

QTEST_APPLESS_MAIN(TestMeter)
#include "tst_meter.moc"
