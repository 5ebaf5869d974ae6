#include "engine/answer.h"
#include "engine/clients.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace engine;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMs;
constexpr std::uint64_t kHalf = std::uint64_t {1} << 63; ///< of 2^64
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Behaviour waiting(std::int64_t baseNs, std::int64_t capNs, Jitter jitter = Jitter::None,
                  RetryAfter retryAfter = RetryAfter::Ignore)
{
    Behaviour behaviour;
    behaviour.attempts = 20;
    behaviour.baseNs = baseNs;
    behaviour.capNs = capNs;
    behaviour.jitter = jitter;
    behaviour.retryAfter = retryAfter;
    return behaviour;
}

std::vector<std::int64_t> waits(const Behaviour& behaviour, int count, std::uint64_t draw,
                                std::optional<std::int64_t> toldSeconds = {})
{
    std::vector<std::int64_t> all;
    std::int64_t previous = 0;
    for (int attempt = 1; attempt <= count; ++attempt) {
        previous = waitAfter(behaviour, attempt, previous, toldSeconds, draw);
        all.push_back(previous);
    }
    return all;
}

using Waits = std::vector<std::int64_t>;

} // namespace

/// How a client waits, and whether it comes again.
class TestClients : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsDoubleUpToTheCap();
    void jitters();
    void retryAfterIsIgnoredObeyedOrAtLeast();
    void budgetsAreRoundedUp();
    void sharesAreKept();
    void whatIsWrongWithABehaviour();
    void presetsAreRight();
};

void TestClients::waitsDoubleUpToTheCap()
{
    QCOMPARE(waits(waiting(100 * kMs, 500 * kMs), 5, 0),
             (Waits {100 * kMs, 200 * kMs, 400 * kMs, 500 * kMs, 500 * kMs}));
    QCOMPARE(waits(waiting(kSecond, kSecond), 2, 7), (Waits {kSecond, kSecond})); // fixed
    QCOMPARE(waits(waiting(0, 0), 2, 7), (Waits {0, 0})); // at once
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(waits(waiting(1, most), 80, 0).back(), most); // does not overflow
}

void TestClients::jitters()
{
    const auto with = [](Jitter jitter) { return waiting(100 * kMs, 1000 * kMs, jitter); };
    QCOMPARE(waits(with(Jitter::Full), 3, kHalf), (Waits {50 * kMs, 100 * kMs, 200 * kMs}));
    QCOMPARE(waits(with(Jitter::Full), 2, 0), (Waits {0, 0}));
    QCOMPARE(waits(with(Jitter::Full), 1, kMost), (Waits {100 * kMs - 1}));
    QCOMPARE(waits(with(Jitter::Equal), 2, kHalf), (Waits {75 * kMs, 150 * kMs}));
    QCOMPARE(waits(with(Jitter::Equal), 2, 0), (Waits {50 * kMs, 100 * kMs}));
    // base + half of (3 * previous - base): 200, 350, 575, 912.5, then the cap
    QCOMPARE(waits(with(Jitter::Decorrelated), 5, kHalf),
             (Waits {200 * kMs, 350 * kMs, 575 * kMs, 912'500'000, 1000 * kMs}));
}

void TestClients::retryAfterIsIgnoredObeyedOrAtLeast()
{
    const auto with = [](RetryAfter retryAfter) {
        return waiting(kSecond, 8 * kSecond, Jitter::None, retryAfter);
    };
    QCOMPARE(waits(with(RetryAfter::Ignore), 3, 0, 3), (Waits {kSecond, 2 * kSecond, 4 * kSecond}));
    QCOMPARE(waits(with(RetryAfter::Obey), 3, 0, 3),
             (Waits {3 * kSecond, 3 * kSecond, 3 * kSecond}));
    QCOMPARE(waits(with(RetryAfter::AtLeast), 3, 0, 3),
             (Waits {3 * kSecond, 3 * kSecond, 4 * kSecond}));
    QCOMPARE(waits(with(RetryAfter::Obey), 2, 0), (Waits {kSecond, 2 * kSecond})); // told none
    QCOMPARE(headerSeconds(0), std::int64_t {1});
    QCOMPARE(headerSeconds(kSecond), std::int64_t {1});
    QCOMPARE(headerSeconds(kSecond + 1), std::int64_t {2});
}

void TestClients::budgetsAreRoundedUp()
{
    Behaviour behaviour = waiting(0, 0);
    QVERIFY(budgetAllows(behaviour, 1, 1000));
    behaviour.budgetPercent = 20;
    QVERIFY(budgetAllows(behaviour, 1, 0)); // 20 % of one request, rounded up
    QVERIFY(!budgetAllows(behaviour, 5, 1));
    QVERIFY(budgetAllows(behaviour, 6, 1));
    behaviour.budgetPercent = 0;
    QVERIFY(!budgetAllows(behaviour, 100, 0));
}

void TestClients::sharesAreKept()
{
    ClientProfile profile;
    profile.behaviours = {waiting(0, 0), waiting(1, 1), waiting(2, 2)};
    profile.behaviours[0].share = 70;
    profile.behaviours[1].share = 0;
    profile.behaviours[2].share = 30;
    std::array<int, 3> counts {};
    for (int i = 0; i < 10000; ++i) {
        ++counts.at(behaviourOf(profile, "client " + std::to_string(i), 5));
    }
    QVERIFY(counts[0] > 6800 && counts[0] < 7200);
    QCOMPARE(counts[1], 0);
    QCOMPARE(behaviourOf(profile, "a", 1), behaviourOf(profile, "a", 1));
}

void TestClients::whatIsWrongWithABehaviour()
{
    const auto isWrong = [](auto change) {
        Behaviour behaviour = waiting(kSecond, 2 * kSecond);
        change(behaviour);
        return checkBehaviour(behaviour) != nullptr;
    };
    QVERIFY(!isWrong([](Behaviour&) {}));
    QVERIFY(isWrong([](Behaviour& one) { one.share = 101; }));
    QVERIFY(isWrong([](Behaviour& one) { one.attempts = 0; }));
    QVERIFY(isWrong([](Behaviour& one) { one.attempts = Behaviour::kMostAttempts + 1; }));
    QVERIFY(isWrong([](Behaviour& one) { one.capNs = kSecond - 1; }));
    QVERIFY(isWrong([](Behaviour& one) { one.budgetPercent = -1; }));
}

void TestClients::presetsAreRight()
{
    QCOMPARE(clientPresets().size(), std::size_t {8});
    for (const ClientProfile& profile : clientPresets()) {
        QCOMPARE(profile.behaviours.size(), std::size_t {1});
        QCOMPARE(checkBehaviour(profile.behaviours.front()), nullptr);
        QCOMPARE(profile.behaviours.front().share, 100);
    }
}

QTEST_APPLESS_MAIN(TestClients)
#include "tst_clients.moc"
