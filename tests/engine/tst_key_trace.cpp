#include "engine/key_trace.h"

#include <QtTest>

using namespace engine;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    return limit;
}

std::int64_t figure(KeyTrace& trace, std::int64_t atNs, std::string_view name)
{
    for (const StateFigure& one : trace.state(atNs)) {
        if (one.name == name) {
            return one.value;
        }
    }
    return -1;
}

KeyTrace::Answer at(KeyTrace& trace, std::int64_t atNs, std::int64_t durationNs = 0)
{
    return trace.judge({atNs, 1, durationNs});
}

} // namespace

class KeyTraceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void aBucketFillsBetweenRequests()
    {
        Limit limit = limitOf(Algorithm::TokenBucket, 1, kSecond);
        limit.burst = 2;
        KeyTrace trace(limit);
        QCOMPARE(figure(trace, 0, "remaining"), 2);
        QVERIFY(at(trace, 0).admits);
        QVERIFY(at(trace, 0).admits);
        QVERIFY(!at(trace, 0).admits);
        QCOMPARE(figure(trace, kSecond / 2, "remaining"), 0);
        QCOMPARE(figure(trace, kSecond, "remaining"), 1);
        QVERIFY(at(trace, kSecond).admits);
        QCOMPARE(figure(trace, 10 * kSecond, "remaining"), 2);
    }

    /// A window of the first request is not opened by looking at it.
    void lookingOpensNoWindow()
    {
        Limit limit = limitOf(Algorithm::FixedWindow, 1, 10 * kSecond);
        limit.alignToFirstRequest = true;
        KeyTrace trace(limit);
        QCOMPARE(figure(trace, 0, "remaining"), 1);
        QVERIFY(at(trace, 9 * kSecond).admits); // opens it: until 19 s
        QVERIFY(!at(trace, 18 * kSecond).admits);
        QCOMPARE(figure(trace, 19 * kSecond, "count"), 0);
        QVERIFY(at(trace, 28 * kSecond).admits);
        QVERIFY(!at(trace, 37 * kSecond).admits); // a look at 19 s would have ended it at 29 s
    }

    void aLogForgetsEntriesOneByOne()
    {
        KeyTrace trace(limitOf(Algorithm::SlidingWindowLog, 30, 10 * kSecond));
        for (int i = 0; i < 30; ++i) {
            QVERIFY(at(trace, i * kSecond / 10).admits);
        }
        QCOMPARE(figure(trace, 10 * kSecond, "count"), 29);
        QCOMPARE(figure(trace, 20 * kSecond, "count"), 0);
        QVERIFY(at(trace, 20 * kSecond).admits);
        QCOMPARE(figure(trace, 20 * kSecond, "count"), 1);
    }

    void aQueueDelays()
    {
        Limit limit = limitOf(Algorithm::LeakyBucket, 10, kSecond);
        limit.queue = 1;
        KeyTrace trace(limit);
        QCOMPARE(at(trace, 0).delayNs, 0);
        QCOMPARE(at(trace, 0).delayNs, kSecond / 10);
        QVERIFY(!at(trace, 0).admits);
        QCOMPARE(at(trace, 0).delayNs, 0);
    }

    void slotsEndWithTheirDuration()
    {
        Limit limit = limitOf(Algorithm::Concurrency, 0, 1);
        limit.inFlight = 1;
        KeyTrace trace(limit);
        QVERIFY(at(trace, 0, kSecond).admits);
        QVERIFY(!at(trace, kSecond - 1, kSecond).admits);
        QCOMPARE(figure(trace, kSecond - 1, "in_flight"), 1);
        QCOMPARE(figure(trace, kSecond, "in_flight"), 0);
    }

    void rejectedOnesCountWhereTheRuleSaysSo()
    {
        Limit limit = limitOf(Algorithm::SlidingWindowLog, 1, kSecond);
        limit.countRejected = true;
        KeyTrace trace(limit);
        QVERIFY(at(trace, 0).admits);
        QVERIFY(!at(trace, kSecond - 1).admits);
        QVERIFY(!at(trace, kSecond).admits);
    }
};

QTEST_APPLESS_MAIN(KeyTraceTest)
#include "tst_key_trace.moc"
