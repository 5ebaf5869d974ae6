#include "engine/algorithms/slots.h"

#include "engine/algorithms/wide.h"

#include <utility>

namespace engine {

inline Slots::Name Slots::beginLease(std::int64_t cost)
{
    if (m_firstFree == kNone) {
        m_firstFree = static_cast<std::uint32_t>(m_leases.size());
        m_leases.push_back({0, kNone, 0});
    }
    const std::uint32_t place = m_firstFree;
    Lease& lease = m_leases[place];
    m_firstFree = lease.nextFree;
    lease.cost = cost;
    m_inFlight += cost;
    return {place, lease.use};
}

void Slots::endLease(Name name)
{
    Lease& lease = m_leases[name.place];
    m_inFlight -= lease.cost;
    lease = {lease.use + 1, m_firstFree, 0};
    m_firstFree = name.place;
}

/// After endLease() of a holding that is given back.
void Slots::leave(Name name)
{
    const auto isIt = [&](const Endless& holding) { return holding.name.place == name.place; };
    if (std::erase_if(m_endless, isIt) == 0 && ++m_leavings > m_heap.size() / 2) {
        std::erase_if(m_heap, [this](const Holding& holding) { return !holds(holding.name); });
        std::make_heap(m_heap.begin(), m_heap.end(), endsLater);
        m_leavings = 0;
    }
}

Slots::Ticket Slots::take(std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs)
{
    const Name name = beginLease(cost);
    std::int64_t end = 0;
    if (__builtin_add_overflow(nowNs, durationNs, &end)) {
        m_endless.push_back(
            {static_cast<std::uint64_t>(durationNs) - wide::between(nowNs, wide::kLastNs), name});
    } else {
        m_heap.push_back({end, m_taken++, name});
        std::push_heap(m_heap.begin(), m_heap.end(), endsLater);
    }
    return std::uint64_t {name.use} << 32 | name.place;
}

bool Slots::giveBack(Ticket ticket)
{
    const Name name {placeOf(ticket), static_cast<std::uint32_t>(ticket >> 32)};
    if (!holds(name)) {
        return false;
    }
    endLease(name);
    leave(name);
    return true;
}

/// The wait until the holdings that end first have given back `cost` slots; 0 < cost <= in flight.
std::int64_t Slots::untilGivenBack(std::int64_t cost, std::int64_t nowNs) const
{
    std::vector<std::pair<wide::Int128, std::int64_t>> ends; // with the cost
    for (const Holding& holding : m_heap) {
        if (holds(holding.name)) {
            ends.emplace_back(holding.endNs, m_leases[holding.name.place].cost);
        }
    }
    for (const Endless& holding : m_endless) {
        ends.emplace_back(wide::Int128 {wide::kLastNs} + holding.beyondNs,
                          m_leases[holding.name.place].cost);
    }
    std::sort(ends.begin(), ends.end());
    std::size_t last = 0;
    for (std::int64_t back = ends[0].second; back < cost;) {
        ++last;
        back += ends[last].second;
    }
    return wide::toWait(ends[last].first - nowNs);
}

Figures Slots::figures(std::int64_t slots, std::int64_t cost, bool admitted,
                       std::int64_t nowNs) const
{
    Figures figures;
    figures.remaining = std::max<std::int64_t>(0, slots - m_inFlight);
    if (m_inFlight > 0) {
        if (figures.remaining < slots) {
            figures.nextAfterNs
                = untilGivenBack(m_inFlight - (slots - figures.remaining - 1), nowNs);
        }
        figures.fullAfterNs = untilGivenBack(m_inFlight, nowNs);
    }
    if (!admitted) {
        figures.retryAfterNs = cost > slots
            ? std::nullopt
            : std::optional(untilGivenBack(m_inFlight - (slots - cost), nowNs));
    }
    return figures;
}

std::size_t Slots::memoryBytes() const
{
    return sizeof *this + m_heap.capacity() * sizeof(Holding) + m_leases.capacity() * sizeof(Lease)
        + m_endless.capacity() * sizeof(Endless);
}

} // namespace engine
