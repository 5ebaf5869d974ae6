#include "tests/support/one_key.h"

#include <QTest>

using namespace engine;
using tests::support::Answer;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kS = 1000000000;

Limit perWindow(std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = Algorithm::FixedWindow;
    limit.rate = {count, periodNs};
    return limit;
}

} // namespace

class TestFixedWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTimeOnTheEdgeBelongsToTheNewWindow();
    void windowsBefore1970AreFloored();
    void theFirstWindowThereIsBeganBeforeTime();
    void theLastWindowThereIsEndsAfterTime();
    void anyJudgedRequestOpensAWindow();
    void rejectedCostsAddUpWithoutEnd();
    void aZeroRateAdmitsPeeksOnly();
};

void TestFixedWindow::aTimeOnTheEdgeBelongsToTheNewWindow()
{
    OneKey key(perWindow(1, 10 * kS));
    QVERIFY(key.decide(10 * kS - 1, 1).admitted);
    QCOMPARE(*key.decide(10 * kS - 1, 1).figures.retryAfterNs, 1);
    QVERIFY(key.decide(10 * kS, 1).admitted);
    QCOMPARE(*key.decide(10 * kS, 1).figures.retryAfterNs, 10 * kS);
}

void TestFixedWindow::windowsBefore1970AreFloored()
{
    OneKey key(perWindow(1, 10 * kS));
    QVERIFY(key.decide(-10 * kS, 1).admitted);
    QCOMPARE(*key.decide(-1, 1).figures.retryAfterNs, 1);
    QVERIFY(key.decide(0, 1).admitted); // truncation would put -1 and 0 into one window
}

void TestFixedWindow::theFirstWindowThereIsBeganBeforeTime()
{
    // -2^63 lies 6854775808 ns before -9223372030 s, a multiple of 10 s; its window began
    // 3145224192 ns earlier.
    OneKey key(perWindow(1, 10 * kS));
    const Answer first = key.decide(wide::kFirstNs, 1);
    QVERIFY(first.admitted);
    QCOMPARE(first.figures.nextAfterNs, 6854775808);
    QCOMPARE(*key.decide(-9223372030 * kS - 1, 1).figures.retryAfterNs, 1);
    QVERIFY(key.decide(-9223372030 * kS, 1).admitted);

    // 584 years idle: the difference of the two times does not fit 64 bits with a sign.
    OneKey idle(perWindow(1, 10 * kS));
    QVERIFY(idle.decide(wide::kFirstNs, 1).admitted);
    QVERIFY(idle.decide(wide::kLastNs, 1).admitted);
}

void TestFixedWindow::theLastWindowThereIsEndsAfterTime()
{
    OneKey key(perWindow(1, 10 * kS));
    QVERIFY(key.decide(9223372030 * kS, 1).admitted);
    const Answer last = key.decide(wide::kLastNs, 1);
    QVERIFY(!last.admitted);
    QCOMPARE(*last.figures.retryAfterNs, 10 * kS - 6854775807);
}

void TestFixedWindow::anyJudgedRequestOpensAWindow()
{
    Limit limit = perWindow(1, 10 * kS);
    limit.alignToFirstRequest = true;
    OneKey key(limit);
    QVERIFY(!key.decide(3 * kS, 2).admitted); // denied, and opens [3 s, 13 s)
    QVERIFY(key.decide(12 * kS, 1).admitted);
    QCOMPARE(*key.decide(12 * kS, 1).figures.retryAfterNs, 1 * kS);
    QVERIFY(key.decide(13 * kS, 0).admitted); // a peek opens [13 s, 23 s)
    QVERIFY(key.decide(22 * kS, 1).admitted);
    QVERIFY(key.decide(23 * kS, 1).admitted);
}

void TestFixedWindow::rejectedCostsAddUpWithoutEnd()
{
    Limit limit = perWindow(3, 10 * kS);
    limit.countRejected = true;
    OneKey key(limit);
    for (int i = 0; i < 5; ++i) {
        QVERIFY(!key.decide(0, std::int64_t {1} << 62).admitted);
    }
    const Answer peek = key.decide(0, 0);
    QVERIFY(!peek.admitted);
    QCOMPARE(peek.figures.remaining, 0);
    QCOMPARE(*peek.figures.retryAfterNs, 10 * kS);
    QVERIFY(key.decide(10 * kS, 3).admitted);
}

void TestFixedWindow::aZeroRateAdmitsPeeksOnly()
{
    Limit limit = perWindow(0, 10 * kS);
    limit.countRejected = true;
    OneKey key(limit);
    for (const std::int64_t cost : {1, 0, 7, 0}) {
        const Answer answer = key.decide(0, cost);
        QCOMPARE(answer.admitted, cost == 0);
        QCOMPARE(answer.figures.retryAfterNs.has_value(), cost == 0);
        QCOMPARE(answer.figures.remaining, 0);
        QCOMPARE(answer.figures.nextAfterNs, 0);
        QVERIFY(!answer.figures.fullAfterNs);
    }
}

QTEST_APPLESS_MAIN(TestFixedWindow)
#include "tst_fixed_window.moc"
