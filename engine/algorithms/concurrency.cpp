#include "engine/algorithms/concurrency.h"

#include "engine/algorithms/wide.h"

#include <algorithm>
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
    std::int64_t endNs; ///< at most 2^63 - 1
    std::uint64_t beyondNs; ///< what the end lies beyond that
    Name name;
};

/// Orders a heap so that the first end is at its front.
bool endsLater(const Holding& a, const Holding& b)
{
    return a.endNs != b.endNs ? a.endNs > b.endNs : a.beyondNs > b.beyondNs;
}

struct Lease {
    std::uint32_t use = 0;
    std::int64_t cost = 0; ///< 0: free
};

} // namespace

/// A holding that is given back leaves `leases` at once and the heap when its end comes, or when
/// more than half of the heap is such leavings.
struct Slots {
    std::vector<Holding> heap;
    std::vector<Lease> leases;
    std::vector<std::uint32_t> freePlaces;
    std::int64_t inFlight = 0;
    std::size_t leavings = 0;

    [[nodiscard]] bool holds(Name name) const
    {
        return name.place < leases.size() && leases[name.place].use == name.use
            && leases[name.place].cost > 0;
    }

    void endLease(Name name)
    {
        Lease& lease = leases[name.place];
        inFlight -= lease.cost;
        lease.cost = 0;
        ++lease.use;
        freePlaces.push_back(name.place);
    }

    Name beginLease(std::int64_t cost)
    {
        if (freePlaces.empty()) {
            freePlaces.push_back(static_cast<std::uint32_t>(leases.size()));
            leases.emplace_back();
        }
        const std::uint32_t place = freePlaces.back();
        freePlaces.pop_back();
        leases[place].cost = cost;
        inFlight += cost;
        return {place, leases[place].use};
    }

    void popFront()
    {
        std::pop_heap(heap.begin(), heap.end(), endsLater);
        const Name name = heap.back().name;
        heap.pop_back();
        if (holds(name)) {
            endLease(name);
        } else {
            --leavings;
        }
    }

    void sweepLeavings()
    {
        if (leavings <= heap.size() / 2) {
            return;
        }
        std::erase_if(heap, [this](const Holding& holding) { return !holds(holding.name); });
        std::make_heap(heap.begin(), heap.end(), endsLater);
        leavings = 0;
    }
};

namespace {

/// The wait until the holdings that end first have given back `cost` slots; 0 < cost <= in flight.
std::int64_t untilGivenBack(const Slots& slots, std::int64_t cost, std::int64_t nowNs)
{
    std::vector<Holding> byEnd = slots.heap;
    std::erase_if(byEnd, [&](const Holding& holding) { return !slots.holds(holding.name); });
    std::sort(byEnd.begin(), byEnd.end(),
              [](const Holding& a, const Holding& b) { return endsLater(b, a); });
    std::size_t last = 0;
    for (std::int64_t back = slots.leases[byEnd[0].name.place].cost; back < cost;) {
        ++last;
        back += slots.leases[byEnd[last].name.place].cost;
    }
    return wide::toWait(wide::Int128 {byEnd[last].endNs} - nowNs + byEnd[last].beyondNs);
}

} // namespace

void advance(State& state, std::int64_t nowNs)
{
    if (state.slots == nullptr) {
        return;
    }
    Slots& slots = *state.slots;
    while (!slots.heap.empty() && slots.heap.front().endNs <= nowNs
           && slots.heap.front().beyondNs == 0) {
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
    std::uint64_t beyond = 0;
    if (__builtin_add_overflow(nowNs, durationNs, &end)) {
        end = wide::kLastNs;
        beyond = static_cast<std::uint64_t>(durationNs) - wide::between(nowNs, wide::kLastNs);
    }
    slots.heap.push_back({end, beyond, name});
    std::push_heap(slots.heap.begin(), slots.heap.end(), endsLater);
    return ticketOf(name);
}

bool giveBack(State& state, Ticket ticket)
{
    const Name name = nameOf(ticket);
    if (state.slots == nullptr || !state.slots->holds(name)) {
        return false;
    }
    state.slots->endLease(name);
    ++state.slots->leavings;
    state.slots->sweepLeavings();
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
