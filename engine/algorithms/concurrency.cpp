#include "engine/algorithms/concurrency.h"

#include "engine/algorithms/wide.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace engine::concurrency {

namespace {

/// What a ticket names: place in Slots::leases and how often that place was used before.
struct Name {
    std::uint32_t place;
    std::uint32_t use;
};

Ticket ticketOf(Name name)
{
    return std::uint64_t {name.use} << 32 | name.place;
}

Name nameOf(Ticket ticket)
{
    return {static_cast<std::uint32_t>(ticket), static_cast<std::uint32_t>(ticket >> 32)};
}

struct Holding {
    std::int64_t endNs;
    Name name;
};

/// Orders a heap so that the first end is at its front.
bool endsLater(const Holding& a, const Holding& b)
{
    return a.endNs > b.endNs;
}

/// A holding whose end is no time any more: only giving it back ends it.
struct Endless {
    std::uint64_t beyondNs; ///< how far its end lies beyond 2^63 - 1
    Name name;
};

struct Lease {
    std::uint32_t use = 0;
    std::uint32_t nextFree = 0;
    std::int64_t cost = 0; ///< 0: free
};

constexpr std::uint32_t kNone = 0xFFFFFFFF;

} // namespace

/// A holding that is given back leaves `leases` at once and the heap when its end comes, or when
/// more than half of the heap is such leavings.
struct Slots {
    std::int64_t inFlight = 0;
    std::vector<Holding> heap;
    std::vector<Lease> leases;
    std::uint32_t firstFree = kNone;
    std::size_t leavings = 0;
    std::vector<Endless> endless;

    [[nodiscard]] bool holds(Name name) const
    {
        return name.place < leases.size() && leases[name.place].use == name.use
            && leases[name.place].cost > 0;
    }

    Name beginLease(std::int64_t cost)
    {
        if (firstFree == kNone) {
            firstFree = static_cast<std::uint32_t>(leases.size());
            leases.push_back({0, kNone, 0});
        }
        const std::uint32_t place = firstFree;
        Lease& lease = leases[place];
        firstFree = lease.nextFree;
        lease.cost = cost;
        inFlight += cost;
        return {place, lease.use};
    }

    void endLease(Name name)
    {
        Lease& lease = leases[name.place];
        inFlight -= lease.cost;
        lease = {lease.use + 1, firstFree, 0};
        firstFree = name.place;
    }

    void popFront()
    {
        const Name name = heap.front().name;
        std::pop_heap(heap.begin(), heap.end(), endsLater);
        heap.pop_back();
        if (holds(name)) {
            endLease(name);
        } else {
            --leavings;
        }
    }

    /// After endLease() of a holding that is given back.
    void leave(Name name)
    {
        const auto isIt = [&](const Endless& holding) { return holding.name.place == name.place; };
        if (std::erase_if(endless, isIt) == 0 && ++leavings > heap.size() / 2) {
            std::erase_if(heap, [this](const Holding& holding) { return !holds(holding.name); });
            std::make_heap(heap.begin(), heap.end(), endsLater);
            leavings = 0;
        }
    }
};

namespace {

/// The wait until the holdings that end first have given back `cost` slots; 0 < cost <= in flight.
std::int64_t untilGivenBack(const Slots& slots, std::int64_t cost, std::int64_t nowNs)
{
    std::vector<std::pair<wide::Int128, std::int64_t>> ends; // with the cost
    for (const Holding& holding : slots.heap) {
        if (slots.holds(holding.name)) {
            ends.emplace_back(holding.endNs, slots.leases[holding.name.place].cost);
        }
    }
    for (const Endless& holding : slots.endless) {
        ends.emplace_back(wide::Int128 {wide::kLastNs} + holding.beyondNs,
                          slots.leases[holding.name.place].cost);
    }
    std::sort(ends.begin(), ends.end());
    std::size_t last = 0;
    for (std::int64_t back = ends[0].second; back < cost;) {
        ++last;
        back += ends[last].second;
    }
    return wide::toWait(ends[last].first - nowNs);
}

} // namespace

void advance(State& state, std::int64_t nowNs)
{
    if (state.slots == nullptr) {
        return;
    }
    Slots& slots = *state.slots;
    while (!slots.heap.empty() && slots.heap.front().endNs <= nowNs) {
        slots.popFront();
    }
}

std::int64_t inFlight(const State& state)
{
    return state.slots == nullptr ? 0 : state.slots->inFlight;
}

bool admits(const Limit& limit, const State& state, std::int64_t cost)
{
    return cost <= limit.inFlight - inFlight(state);
}

Ticket take(State& state, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs)
{
    if (state.slots == nullptr) {
        state.slots = new Slots; // freed by release()
    }
    Slots& slots = *state.slots;
    const Name name = slots.beginLease(cost);
    std::int64_t end = 0;
    if (__builtin_add_overflow(nowNs, durationNs, &end)) {
        slots.endless.push_back(
            {static_cast<std::uint64_t>(durationNs) - wide::between(nowNs, wide::kLastNs), name});
    } else {
        slots.heap.push_back({end, name});
        std::push_heap(slots.heap.begin(), slots.heap.end(), endsLater);
    }
    return ticketOf(name);
}

bool giveBack(State& state, Ticket ticket)
{
    const Name name = nameOf(ticket);
    if (state.slots == nullptr || !state.slots->holds(name)) {
        return false;
    }
    state.slots->endLease(name);
    state.slots->leave(name);
    return true;
}

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs)
{
    const std::int64_t held = inFlight(state);
    Figures figures;
    figures.remaining = std::max<std::int64_t>(0, limit.inFlight - held);
    if (held > 0) {
        if (figures.remaining < limit.inFlight) {
            figures.nextAfterNs = untilGivenBack(
                *state.slots, held - (limit.inFlight - figures.remaining - 1), nowNs);
        }
        figures.fullAfterNs = untilGivenBack(*state.slots, held, nowNs);
    }
    if (!admitted) {
        figures.retryAfterNs = cost > limit.inFlight
            ? std::nullopt
            : std::optional(untilGivenBack(*state.slots, held - (limit.inFlight - cost), nowNs));
    }
    return figures;
}

bool atRest(const State& state)
{
    return state.slots == nullptr || state.slots->inFlight == 0;
}

void release(State& state)
{
    delete state.slots;
    state.slots = nullptr;
}

} // namespace engine::concurrency
