#include "engine/key_history.h"
#include "engine/request.h"

#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <vector>

using namespace engine;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    limit.burst = std::max<std::int64_t>(count, 1);
    limit.inFlight = count;
    return limit;
}

std::vector<KeyRequest> requestsAt(std::initializer_list<std::int64_t> seconds)
{
    std::vector<KeyRequest> requests;
    for (const std::int64_t second : seconds) {
        requests.push_back({second * kSecond});
    }
    return requests;
}

} // namespace

class TestKeyHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyAlgorithmIsWalked();
    void warmUpMayBeDenied();
    void whatAnotherRuleTurnsAwayIsNotCounted();
    void slotsAreHeld();
    void costsCount();
};

void TestKeyHistory::everyAlgorithmIsWalked()
{
    const std::vector<KeyRequest> three = requestsAt({0, 1, 2});
    for (const Algorithm algorithm :
         {Algorithm::FixedWindow, Algorithm::SlidingWindowLog, Algorithm::SlidingWindowCounter,
          Algorithm::TokenBucket, Algorithm::Gcra}) {
        QVERIFY2(admitsAll(limitOf(algorithm, 3, 60 * kSecond), three), nameOf(algorithm).data());
        QVERIFY2(!admitsAll(limitOf(algorithm, 2, 60 * kSecond), three), nameOf(algorithm).data());
        QVERIFY2(!admitsAll(limitOf(algorithm, 0, 60 * kSecond), three), nameOf(algorithm).data());
        QVERIFY(admitsAll(limitOf(algorithm, 0, 60 * kSecond), {}));
    }
    Limit queue = limitOf(Algorithm::LeakyBucket, 1, 60 * kSecond);
    queue.queue = 2;
    QVERIFY(admitsAll(queue, three));
    queue.queue = 1;
    QVERIFY(!admitsAll(queue, three));
}

void TestKeyHistory::warmUpMayBeDenied()
{
    std::vector<KeyRequest> requests = requestsAt({0, 1, 59, 60});
    const Limit one = limitOf(Algorithm::SlidingWindowLog, 1, 60 * kSecond);
    QVERIFY(!admitsAll(one, requests));
    requests[1].mayBeDenied = true;
    QVERIFY(!admitsAll(one, requests));
    requests[2].mayBeDenied = true;
    QVERIFY(admitsAll(one, requests));
    Limit counting = one;
    counting.countRejected = true; // and so do those of the warm-up
    QVERIFY(!admitsAll(counting, requests));
}

void TestKeyHistory::whatAnotherRuleTurnsAwayIsNotCounted()
{
    std::vector<KeyRequest> requests = requestsAt({0, 1});
    Limit one = limitOf(Algorithm::FixedWindow, 1, 60 * kSecond);
    QVERIFY(!admitsAll(one, requests));
    requests[0].counts = false;
    QVERIFY(admitsAll(one, requests));
    one.countRejected = true;
    QVERIFY(!admitsAll(one, requests));
}

void TestKeyHistory::slotsAreHeld()
{
    std::vector<KeyRequest> requests = requestsAt({0, 2});
    Limit one = limitOf(Algorithm::Concurrency, 1, 1);
    requests[0].durationNs = 2 * kSecond;
    QVERIFY(admitsAll(one, requests));
    requests[0].durationNs += 1;
    QVERIFY(!admitsAll(one, requests));
    requests[0].durationNs = kUnknownDuration;
    QVERIFY(admitsAll(one, requests));
    one.assumeDurationNs = 3 * kSecond;
    QVERIFY(!admitsAll(one, requests));
}

void TestKeyHistory::costsCount()
{
    std::vector<KeyRequest> requests = requestsAt({0, 1});
    requests[0].cost = 2;
    QVERIFY(!admitsAll(limitOf(Algorithm::TokenBucket, 2, 60 * kSecond), requests));
    QVERIFY(admitsAll(limitOf(Algorithm::TokenBucket, 3, 60 * kSecond), requests));
    requests[0].cost = 0;
    QVERIFY(admitsAll(limitOf(Algorithm::TokenBucket, 1, 60 * kSecond), requests));
}

QTEST_APPLESS_MAIN(TestKeyHistory)
#include "tst_key_history.moc"
