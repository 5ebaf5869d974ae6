#include "engine/replay/parts.h"

#include <algorithm>

// Requests one by one: those that are delayed, that wait for an earlier one, or that come again.
namespace engine {

void Replay::Parts::decide(const Arrival& arrival)
{
    runDelayed(arrival.timeNs);
    const bool warmup = isWarmup(arrival);
    const std::uint64_t order = m_nextOrder++;
    bool delayed = false;
    for (std::size_t plan = 0; plan < limiters.size(); ++plan) {
        Flight& flight = m_flights[plan];
        flight.start(arrival, order);
        flight.verdict.warmup = warmup;
        flight.isCounted = !warmup;
        if (m_options.decisions != nullptr && m_options.decisions->wants(plan, arrival)) {
            flight.detail = std::make_unique<Decision>();
        }
        begin(plan, flight);
        if (limiters[plan]->advance(flight) == Limiter::Progress::Delayed) {
            delayed = true;
        } else {
            end(plan, flight);
        }
    }
    if (!delayed && m_pending.empty()) {
        settleNow(arrival);
    } else {
        keep(arrival, order);
    }
}

/// Before an attempt is decided.
void Replay::Parts::begin(std::size_t plan, Flight& flight)
{
    if (!retries.empty()) {
        flight.wantsRetryAfter = retries[plan]->needsRetryAfter();
        retries[plan]->began(flight);
    }
}

/// After it: its client may come again; hands the decision in full to whoever wanted it.
void Replay::Parts::end(std::size_t plan, Flight& flight)
{
    const ClientMove move = retries.empty() ? ClientMove::None : retries[plan]->decided(flight);
    if (flight.detail) {
        flight.detail->client = move;
        flight.detail->arrival = flight.arrival;
        flight.detail->attempt = flight.attempt;
        flight.detail->server = flight.server == kNoId ? 0 : flight.server;
        flight.detail->isStoreAway = flight.awayRule.has_value();
        flight.detail->verdict = flight.verdict;
        flight.detail->decidedNs = flight.decidedNs;
        m_options.decisions->decided(plan, *flight.detail);
        flight.detail.reset();
    }
}

/// Every plan has decided, and nobody waits before this request.
void Replay::Parts::settleNow(const Arrival& arrival)
{
    for (std::size_t plan = 0; plan < m_flights.size(); ++plan) {
        m_verdicts[plan] = m_flights[plan].verdict;
        m_denied[plan] = m_flights[plan].denied;
        m_delays[plan] = m_flights[plan].delays;
    }
    settleFirst(arrival, m_settled.front().verdicts);
}

/// Hands on what stands in the first place of the ring; runs, which have no delays, use it too.
void Replay::Parts::settleFirst(const Arrival& arrival, std::span<const Verdict> verdicts)
{
    m_sink.settle({&arrival, verdicts, m_settled.front().denied, m_settled.front().delays});
    std::fill_n(m_delays.begin(), m_flights.size(), std::span<const RuleDelay>());
}

/// Puts the request at hand in the queue of those that wait for a decision, or for an earlier one.
void Replay::Parts::keep(const Arrival& arrival, std::uint64_t order)
{
    const Arrival& kept = m_pending.push(arrival, order);
    for (std::size_t plan = 0; plan < m_flights.size(); ++plan) {
        Flight& flight = m_flights[plan];
        if (flight.nextTier != 0) { // only a delay leaves a next tier
            flight.arrival = &kept;
            ++m_pending.undecided(order);
            delay(plan, std::move(flight));
            flight = Flight {};
        } else {
            record(plan, flight);
        }
    }
}

/// Writes down what a plan decided for a request in the queue.
void Replay::Parts::record(std::size_t plan, Flight& flight)
{
    m_pending.verdictsOf(flight.order)[plan] = flight.verdict;
    if (!flight.denied.empty() || !flight.delays.empty()) {
        PendingQueue::Lists& lists = m_pending.listsOf(flight.order);
        lists.denied[plan] = flight.denied;
        lists.delays[plan] = flight.delays;
    }
}

/// All that comes at or before untilNs: delayed requests that reach their next tier, and clients
/// that come again. At one instant the earlier arrival goes first, and whoever waits arrived before
/// whoever arrives now.
void Replay::Parts::runDelayed(std::int64_t untilNs)
{
    for (std::size_t plan = 0; plan < m_delayed.size(); ++plan) {
        runDelayed(plan, untilNs);
    }
    settleHead();
}

void Replay::Parts::runDelayed(std::size_t plan, std::int64_t untilNs)
{
    const std::vector<Flight>& delayed = m_delayed[plan];
    const Retries* const again = retries.empty() ? nullptr : retries[plan].get();
    while (true) {
        const bool delays = !delayed.empty() && delayed.front().nowNs <= untilNs;
        const bool comes
            = again != nullptr && !again->empty() && again->nextNs() <= untilNs && !isStopped();
        if (!delays && !comes) {
            return;
        }
        const bool comesFirst = comes
            && (!delays || again->nextNs() < delayed.front().nowNs
                || (again->nextNs() == delayed.front().nowNs
                    && again->nextOrder() < delayed.front().order));
        if (comesFirst) {
            comeAgain(plan);
        } else {
            resume(plan);
        }
    }
}

void Replay::Parts::delay(std::size_t plan, Flight flight)
{
    m_delayed[plan].push_back(std::move(flight));
    std::push_heap(m_delayed[plan].begin(), m_delayed[plan].end(), Later {});
}

/// The next attempt of a client.
void Replay::Parts::comeAgain(std::size_t plan)
{
    Flight flight = retries[plan]->take();
    if (m_options.decisions != nullptr && m_options.decisions->wants(plan, *flight.arrival)) {
        flight.detail = std::make_unique<Decision>();
    }
    begin(plan, flight);
    if (limiters[plan]->advance(flight) == Limiter::Progress::Delayed) {
        delay(plan, std::move(flight));
    } else {
        end(plan, flight);
    }
}

void Replay::Parts::resume(std::size_t plan)
{
    auto& heap = m_delayed[plan];
    std::pop_heap(heap.begin(), heap.end(), Later {});
    Flight flight = std::move(heap.back());
    heap.pop_back();
    if (limiters[plan]->advance(flight) == Limiter::Progress::Delayed) {
        delay(plan, std::move(flight));
        return;
    }
    if (flight.attempt == 1) {
        record(plan, flight);
        --m_pending.undecided(flight.order);
    }
    end(plan, flight);
}

/// Settles what has been decided, as far as nobody before it is still undecided.
void Replay::Parts::settleHead()
{
    while (!m_pending.empty() && m_pending.undecided(m_pending.front()) == 0) {
        const std::uint64_t order = m_pending.front();
        const PendingQueue::Lists* lists = m_pending.findLists(order);
        for (std::size_t plan = 0; plan < m_flights.size(); ++plan) {
            m_denied[plan] = lists != nullptr ? std::span<const std::uint32_t>(lists->denied[plan])
                                              : std::span<const std::uint32_t>();
            m_delays[plan] = lists != nullptr ? std::span<const RuleDelay>(lists->delays[plan])
                                              : std::span<const RuleDelay>();
        }
        const std::span<const Verdict> verdicts(m_pending.verdictsOf(order), m_flights.size());
        settleFirst(m_pending.arrivalOf(order), verdicts);
        m_pending.pop();
    }
}

} // namespace engine
