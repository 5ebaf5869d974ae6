#include "engine/algorithms/concurrency.h"
#include "engine/algorithms/wide.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace engine;
using concurrency::State;
using concurrency::Ticket;
using wide::Int128;

namespace {

constexpr std::int64_t kS = 1000000000;

Limit slots(std::int64_t inFlight)
{
    Limit limit;
    limit.algorithm = Algorithm::Concurrency;
    limit.inFlight = inFlight;
    return limit;
}

/// A state that frees itself.
struct Owned : State {
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    ~Owned() { concurrency::release(*this); }
};

struct Told {
    bool admitted = false;
    Figures figures;
    Ticket ticket = 0;
};

Told request(const Limit& limit, State& state, std::int64_t nowNs, std::int64_t durationNs,
             std::int64_t cost = 1)
{
    concurrency::advance(state, nowNs);
    Told told;
    told.admitted = concurrency::admits(limit, state, cost);
    if (told.admitted && cost > 0) {
        told.ticket = concurrency::take(state, cost, nowNs, durationNs);
    }
    told.figures = concurrency::figures(limit, state, cost, told.admitted, nowNs);
    return told;
}

struct Held {
    Int128 end;
    std::int64_t cost;
    Ticket ticket;
    bool givenBack = false;
};

std::int64_t inFlightAt(const std::vector<Held>& all, Int128 at)
{
    std::int64_t sum = 0;
    for (const Held& held : all) {
        sum += held.end > at && !held.givenBack ? held.cost : 0;
    }
    return sum;
}

/// The least wait until at most `most` are in flight, by looking at every end.
Int128 leastWait(const std::vector<Held>& all, Int128 at, std::int64_t most)
{
    Int128 least = inFlightAt(all, at) <= most ? 0 : -1;
    for (const Held& held : all) {
        const Int128 wait = held.end - at;
        if (wait > 0 && inFlightAt(all, held.end) <= most && (least < 0 || wait < least)) {
            least = wait;
        }
    }
    return least;
}

} // namespace

class TestConcurrency : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsForKnownEnds();
    void aSlotOfNoDurationShowsInItsOwnDecision();
    void givingBackTwiceIsNoError();
    void aTicketNamesItsOwnHoldingOnly();
    void nothingInFlightMayBeTheLimit();
    void endsBeyondTheLastTimeAreNeverReached();
    void leavingsDoNotPileUp();
    void agreesWithTheList();
};

void TestConcurrency::waitsForKnownEnds()
{
    const Limit limit = slots(2);
    Owned state;
    QVERIFY(request(limit, state, 0, 5 * kS).admitted);
    const Told second = request(limit, state, 1 * kS, 5 * kS);
    QVERIFY(second.admitted);
    QCOMPARE(second.figures.remaining, 0);
    QCOMPARE(second.figures.nextAfterNs, 4 * kS);
    QCOMPARE(*second.figures.fullAfterNs, 5 * kS);
    QCOMPARE(*request(limit, state, 2 * kS, kS).figures.retryAfterNs, 3 * kS);
    QCOMPARE(*request(limit, state, 2 * kS, kS, 2).figures.retryAfterNs, 4 * kS);
    QVERIFY(!request(limit, state, 2 * kS, kS, 3).figures.retryAfterNs);
    QVERIFY(!request(limit, state, 5 * kS - 1, kS).admitted);
    QVERIFY(request(limit, state, 5 * kS, kS).admitted); // an end at t is over at t
    QVERIFY(request(limit, state, 5 * kS, kS, 0).admitted);
    QCOMPARE(concurrency::inFlight(state), 2);
}

void TestConcurrency::aSlotOfNoDurationShowsInItsOwnDecision()
{
    const Limit limit = slots(3);
    Owned state;
    for (int i = 0; i < 10; ++i) {
        const Told told = request(limit, state, 7, 0);
        QVERIFY(told.admitted);
        QCOMPARE(told.figures.remaining, 2);
        QCOMPARE(told.figures.nextAfterNs, 0);
        QCOMPARE(*told.figures.fullAfterNs, 0);
    }
}

void TestConcurrency::givingBackTwiceIsNoError()
{
    const Limit limit = slots(1);
    Owned state;
    const Told told = request(limit, state, 0, kS);
    QVERIFY(!request(limit, state, 1, kS).admitted);
    QVERIFY(concurrency::giveBack(state, told.ticket));
    QVERIFY(!concurrency::giveBack(state, told.ticket));
    QVERIFY(concurrency::atRest(state));
    QVERIFY(request(limit, state, 1, kS).admitted);
    QVERIFY(!concurrency::giveBack(state, told.ticket));
    QVERIFY(!request(limit, state, 2, kS).admitted);
}

void TestConcurrency::aTicketNamesItsOwnHoldingOnly()
{
    const Limit limit = slots(1);
    Owned state;
    const Told ended = request(limit, state, 0, kS);
    const Told running = request(limit, state, kS, kS); // in the place of the one that ended
    QVERIFY(running.admitted);
    QVERIFY(!concurrency::giveBack(state, ended.ticket));
    QCOMPARE(concurrency::inFlight(state), 1);
    concurrency::release(state);
    QVERIFY(!concurrency::giveBack(state, running.ticket));
}

void TestConcurrency::nothingInFlightMayBeTheLimit()
{
    Owned state;
    const Told told = request(slots(0), state, 0, kS);
    QVERIFY(!told.admitted);
    QVERIFY(!told.figures.retryAfterNs);
    QCOMPARE(told.figures.remaining, 0);
    QCOMPARE(told.figures.nextAfterNs, 0);
    QCOMPARE(*told.figures.fullAfterNs, 0);
    QVERIFY(request(slots(0), state, 0, kS, 0).admitted);
}

void TestConcurrency::endsBeyondTheLastTimeAreNeverReached()
{
    const Limit limit = slots(2);
    Owned state;
    QVERIFY(request(limit, state, wide::kLastNs - 5, 10).admitted);
    const Told told = request(limit, state, wide::kLastNs - 5, wide::kLastNs);
    QCOMPARE(told.figures.nextAfterNs, 10);
    QCOMPARE(*told.figures.fullAfterNs, wide::kLastNs);
    QCOMPARE(*request(limit, state, wide::kLastNs, 0).figures.retryAfterNs, 5);
}

void TestConcurrency::leavingsDoNotPileUp()
{
    const Limit limit = slots(1);
    Owned state;
    // Were each a memory of its own until its end, a million of these would take 40 MB, and the
    // last line would have to look at all of them.
    for (std::int64_t i = 0; i < 1000000; ++i) {
        const Told told = request(limit, state, i, 3600 * kS);
        QVERIFY(told.admitted);
        QVERIFY(concurrency::giveBack(state, told.ticket));
    }
    const Told told = request(limit, state, 1000000, kS);
    QCOMPARE(*told.figures.fullAfterNs, kS);
}

void TestConcurrency::agreesWithTheList()
{
    int denied = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        std::mt19937_64 dice(seed);
        const auto upTo = [&](std::int64_t most) {
            return static_cast<std::int64_t>(dice() % (static_cast<std::uint64_t>(most) + 1));
        };
        const Limit limit = slots(upTo(6));
        Owned state;
        std::vector<Held> all;
        std::int64_t now = seed % 3 == 0 ? wide::kFirstNs : seed % 3 == 1 ? wide::kLastNs - 400 : 0;
        for (int step = 0; step < 100; ++step) {
            const QByteArray where
                = QByteArray::number(qulonglong {seed}) + " step " + QByteArray::number(step);
            const std::int64_t cost = upTo(3);
            const std::int64_t before = inFlightAt(all, now);
            const std::int64_t duration = upTo(20) == 0 ? wide::kLastNs - upTo(5) : upTo(40);
            const Told told = request(limit, state, now, duration, cost);
            QVERIFY2(told.admitted == (before + cost <= limit.inFlight), where.constData());
            if (told.admitted && cost > 0) {
                all.push_back({Int128 {now} + duration, cost, told.ticket});
            }
            const std::int64_t held
                = inFlightAt(all, now) + (told.admitted && duration == 0 ? cost : 0);
            QVERIFY2(concurrency::inFlight(state) == held, where.constData());
            const std::int64_t remaining = std::max<std::int64_t>(0, limit.inFlight - held);
            QVERIFY2(told.figures.remaining == remaining, where.constData());
            const Int128 next = remaining == limit.inFlight
                ? 0
                : leastWait(all, now, limit.inFlight - remaining - 1);
            QVERIFY2(told.figures.nextAfterNs == next, where.constData());
            QVERIFY2(*told.figures.fullAfterNs == leastWait(all, now, 0), where.constData());
            if (!told.admitted) {
                ++denied;
                const Int128 retry
                    = cost > limit.inFlight ? -1 : leastWait(all, now, limit.inFlight - cost);
                QVERIFY2(told.figures.retryAfterNs.value_or(-1) == retry, where.constData());
            }
            if (!all.empty() && upTo(4) == 0) {
                Held& back = all[static_cast<std::size_t>(
                    upTo(static_cast<std::int64_t>(all.size()) - 1))];
                const bool wasHeld = back.end > now && !back.givenBack;
                concurrency::advance(state, now);
                QVERIFY2(concurrency::giveBack(state, back.ticket) == wasHeld, where.constData());
                back.givenBack = true;
            }
            now = now > wide::kLastNs - 10 ? now : now + upTo(10);
        }
    }
    QVERIFY(denied > 10000);
}

QTEST_APPLESS_MAIN(TestConcurrency)
#include "tst_concurrency.moc"
