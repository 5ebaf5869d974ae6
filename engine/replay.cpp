#include "engine/replay.h"

#include "engine/limiter.h"
#include "engine/limiter/servers.h"
#include "engine/replay/pending.h"
#include "engine/replay/retries.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace engine {
namespace {

/// Arrivals are decided in groups of this many, a group after the next one came in. The states of
/// a whole group are asked for at once: waits for memory overlap then, and while the next group
/// gathers they end.
constexpr std::size_t kGroup = 16;
constexpr std::size_t kMostWaiting = 2 * kGroup;

} // namespace

class Replay::Parts {
public:
    Parts(const Intake& source, SettledSink& settledSink, ReplayOptions replayOptions);

    void enqueue(const Arrival& arrival);
    void keepWaiting();
    void drain();

    const Intake& intake;
    std::vector<std::unique_ptr<Limiter>> limiters;
    std::vector<std::unique_ptr<Retries>> retries; ///< one per plan, where clients come again

private:
    /// Delayed flights of one plan, soonest first; equal times in order of arrival.
    struct Later {
        bool operator()(const Flight& a, const Flight& b) const
        {
            return a.nowNs != b.nowNs ? a.nowNs > b.nowNs : a.order > b.order;
        }
    };

    [[nodiscard]] Upcoming* upcoming(std::size_t plan, std::size_t at)
    {
        return m_upcoming.data() + plan * kMostWaiting + at % kMostWaiting;
    }

    void expectGroup();
    void decideGroup();
    std::size_t runFrom(std::size_t at);
    void decideRun(std::size_t end);
    void decide(const Arrival& arrival);
    void runDelayed(std::int64_t untilNs);
    void resume(std::size_t plan);
    void begin(std::size_t plan, Flight& flight);
    void end(std::size_t plan, Flight& flight);
    void runDelayed(std::size_t plan, std::int64_t untilNs);
    void comeAgain(std::size_t plan);
    void delay(std::size_t plan, Flight flight);
    void settleNow(const Arrival& arrival);
    void settleFirst(const Arrival& arrival, std::span<const Verdict> verdicts);
    void settleHead();
    void keep(const Arrival& arrival, std::uint64_t order);
    void record(std::size_t plan, Flight& flight);
    bool isWarmup(const Arrival& arrival);

    SettledSink& m_sink;
    ReplayOptions m_options;
    const std::size_t m_size; ///< bytes of an arrival
    const std::size_t m_stride;
    const std::size_t m_plans; ///< that decide
    std::array<const Arrival*, kMostWaiting> m_waiting {}; ///< arrivals on their way, in a ring
    std::vector<std::uint64_t> m_kept; ///< room for each of them
    std::vector<Upcoming> m_upcoming; ///< of each of them, plan by plan
    std::size_t m_came = 0; ///< arrivals, of which the last ones are in the ring
    std::size_t m_expected = 0; ///< of them, states were asked for
    std::size_t m_decided = 0;
    std::size_t m_own = 0; ///< of them, those before this are not borrowed

    std::uint64_t m_nextOrder = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_warmupEndNs = 0;
    std::vector<Flight> m_flights; ///< one per plan, of the request at hand
    // What settles, in the places of the ring: the lists of each, plan by plan.
    std::array<Settled, kMostWaiting> m_settled {};
    std::vector<Verdict> m_verdicts;
    std::vector<std::span<const std::uint32_t>> m_denied;
    std::vector<std::span<const RuleDelay>> m_delays;
    std::vector<std::vector<Flight>> m_delayed; ///< heaps, one per plan
    PendingQueue m_pending;
};

Replay::Parts::Parts(const Intake& source, SettledSink& settledSink, ReplayOptions replayOptions)
    : intake(source)
    , m_sink(settledSink)
    , m_options(replayOptions)
    , m_size(source.layout().size())
    , m_stride((m_size + 7) / 8)
    , m_plans(m_options.decides ? source.plans().size() : 0)
    , m_kept(m_stride * kMostWaiting)
    , m_upcoming(m_plans * kMostWaiting)
    , m_flights(m_plans)
    , m_verdicts(m_upcoming.size())
    , m_denied(m_upcoming.size())
    , m_delays(m_upcoming.size())
    , m_delayed(m_plans)
    , m_pending(m_size, m_plans)
{
    for (std::size_t plan = 0; plan < m_plans; ++plan) {
        limiters.push_back(std::make_unique<Limiter>(
            intake, plan,
            LimiterOptions {m_options.decisions, m_options.series, m_options.conditions}));
        if (m_options.conditions != nullptr && m_options.conditions->clients) {
            retries.push_back(
                std::make_unique<Retries>(intake, plan, *m_options.conditions, m_options.series));
        }
    }
    for (std::size_t at = 0; at < kMostWaiting; ++at) {
        m_settled[at].verdicts = std::span(m_verdicts).subspan(at * m_plans, m_plans);
        m_settled[at].denied = std::span(m_denied).subspan(at * m_plans, m_plans);
        m_settled[at].delays = std::span(m_delays).subspan(at * m_plans, m_plans);
        for (std::size_t plan = 0; plan < m_plans; ++plan) {
            upcoming(plan, at)->verdict = &m_verdicts[at * m_plans + plan];
        }
    }
}

inline void Replay::Parts::enqueue(const Arrival& arrival)
{
    m_waiting[m_came % kMostWaiting] = &arrival;
    for (std::size_t plan = 0; plan < limiters.size(); ++plan) {
        upcoming(plan, m_came)->arrival = &arrival;
    }
    ++m_came;
    if (m_came - m_expected == kGroup) {
        decideGroup();
        expectGroup();
    }
}

/// Copies the arrivals that are waiting still and that their owner will take away.
void Replay::Parts::keepWaiting()
{
    for (m_own = std::max(m_own, m_decided); m_own < m_came; ++m_own) {
        const Arrival*& waiting = m_waiting[m_own % kMostWaiting];
        auto* const kept = m_kept.data() + m_own % kMostWaiting * m_stride;
        std::memcpy(kept, waiting, m_size);
        waiting = reinterpret_cast<const Arrival*>(kept);
        for (std::size_t plan = 0; plan < limiters.size(); ++plan) {
            upcoming(plan, m_own)->arrival = waiting;
        }
    }
}

/// Asks for what the arrivals need that came last: a group, or less, in one piece of the ring.
void Replay::Parts::expectGroup()
{
    const std::size_t count = m_came - m_expected;
    for (std::size_t plan = 0; plan < limiters.size(); ++plan) {
        limiters[plan]->expect({upcoming(plan, m_expected), count});
    }
    m_sink.expect({m_waiting.data() + m_expected % kMostWaiting, count});
    m_expected = m_came;
}

/// Decides the arrivals whose states were asked for.
void Replay::Parts::decideGroup()
{
    while (m_decided < m_expected) {
        if (const std::size_t end = runFrom(m_decided); end > m_decided) {
            decideRun(end);
        } else {
            decide(*m_waiting[m_decided % kMostWaiting]);
            ++m_decided;
        }
    }
}

/// How far arrivals go that every plan can decide plainly, while nobody waits before them.
std::size_t Replay::Parts::runFrom(std::size_t at)
{
    if (!m_pending.empty() || isWarmup(*m_waiting[at % kMostWaiting])) {
        return at;
    }
    for (; at < m_expected; ++at) {
        for (std::size_t plan = 0; plan < limiters.size(); ++plan) {
            if (!upcoming(plan, at)->isPlain) {
                return at;
            }
        }
    }
    return at;
}

/// Decides and settles such arrivals.
void Replay::Parts::decideRun(std::size_t end)
{
    const std::size_t count = end - m_decided;
    const std::size_t plans = limiters.size();
    for (std::size_t plan = 0; plan < plans; ++plan) {
        limiters[plan]->decideRun({upcoming(plan, m_decided), count});
    }
    const std::size_t first = m_decided % kMostWaiting;
    for (std::size_t at = first; at < first + count; ++at) {
        m_settled[at].arrival = m_waiting[at];
        for (std::size_t plan = 0; plan < plans; ++plan) {
            m_denied[at * plans + plan] = upcoming(plan, at)->denied;
        }
    }
    m_nextOrder += count;
    m_decided = end;
    m_sink.settleAll({m_settled.data() + first, count});
}

void Replay::Parts::drain()
{
    decideGroup();
    expectGroup();
    decideGroup();
    m_came = m_expected = m_decided = m_own = 0; // groups begin at the ring's begin again
    runDelayed(std::numeric_limits<std::int64_t>::max());
    for (const auto& limiter : limiters) {
        limiter->finish();
    }
    for (const auto& again : retries) {
        again->finish();
    }
}

bool Replay::Parts::isWarmup(const Arrival& arrival)
{
    if (m_nextOrder == 0) {
        m_firstNs = arrival.timeNs;
        const std::int64_t end = std::numeric_limits<std::int64_t>::max();
        m_warmupEndNs = m_firstNs > end - m_options.warmupNs ? end : m_firstNs + m_options.warmupNs;
    }
    return m_options.warmupNs > 0 && arrival.timeNs < m_warmupEndNs;
}

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

/// After it: hands the decision in full to whoever wanted it; its client may come again.
void Replay::Parts::end(std::size_t plan, Flight& flight)
{
    if (flight.detail) {
        flight.detail->arrival = flight.arrival;
        flight.detail->attempt = flight.attempt;
        flight.detail->server = flight.server == kNoId ? 0 : flight.server;
        flight.detail->isStoreAway = flight.awayRule.has_value();
        flight.detail->verdict = flight.verdict;
        flight.detail->decidedNs = flight.decidedNs;
        m_options.decisions->decided(plan, *flight.detail);
        flight.detail.reset();
    }
    if (!retries.empty()) {
        retries[plan]->decided(flight);
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
        const bool comes = again != nullptr && !again->empty() && again->nextNs() <= untilNs;
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

Replay::Replay(const Intake& intake, SettledSink& sink, ReplayOptions options)
    : m_parts(std::make_unique<Parts>(intake, sink, options))
{
}

Replay::~Replay() = default;

void Replay::arrive(const Arrival& arrival)
{
    m_parts->enqueue(arrival);
    m_parts->keepWaiting();
}

void Replay::arriveAll(std::span<const Arrival* const> arrivals)
{
    for (const Arrival* const arrival : arrivals) {
        m_parts->enqueue(*arrival);
    }
    m_parts->keepWaiting();
}

void Replay::finish()
{
    m_parts->drain();
}

KeyTally Replay::keyTally(std::size_t plan, std::uint32_t rule, std::uint32_t key) const
{
    return m_parts->limiters[plan]->keyTally(rule, key);
}

std::optional<ServerFigures> Replay::servers(std::size_t plan, std::uint32_t rule) const
{
    const ServerStates* const servers = m_parts->limiters[plan]->servers();
    if (servers == nullptr) {
        return std::nullopt;
    }
    ServerFigures figures;
    figures.tally = servers->tally(rule);
    for (std::size_t outage = 0; outage < servers->outageCount(); ++outage) {
        figures.outages.push_back(servers->outage(outage, rule));
    }
    return figures;
}

std::vector<ServerLoad> Replay::serverLoads(std::size_t plan) const
{
    const ServerStates* const servers = m_parts->limiters[plan]->servers();
    return servers == nullptr ? std::vector<ServerLoad>() : servers->loads();
}

const ClientTally* Replay::clients(std::size_t plan) const
{
    return m_parts->retries.empty() ? nullptr : &m_parts->retries[plan]->tally();
}

StateMemory Replay::memoryOf(std::size_t plan, std::uint32_t rule) const
{
    return m_parts->limiters[plan]->memoryOf(rule);
}

} // namespace engine
