#include "engine/replay.h"

#include "engine/limiter/servers.h"
#include "engine/replay/parts.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace engine {

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
    m_isDraining = true;
    runDelayed(std::numeric_limits<std::int64_t>::max());
    for (const auto& limiter : limiters) {
        limiter->finish();
    }
    for (const auto& again : retries) {
        again->finish();
    }
    m_isDraining = false;
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
