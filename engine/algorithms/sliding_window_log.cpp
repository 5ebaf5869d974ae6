#include "engine/algorithms/sliding_window_log.h"

#include <algorithm>
#include <new>

namespace engine::sliding_window_log {
namespace {

constexpr std::size_t kFirstCapacity = 4;
constexpr std::size_t kKeptCapacity = 16;

std::size_t wrapped(const Ring& ring, std::size_t index)
{
    return index >= ring.capacity ? index - ring.capacity : index;
}

Entry& entryAt(Ring& ring, std::size_t place)
{
    return ring.entries()[wrapped(ring, ring.first + place)];
}

const Entry& entryAt(const Ring& ring, std::size_t place)
{
    return ring.entries()[wrapped(ring, ring.first + place)];
}

Ring* makeRing(std::size_t capacity)
{
    void* memory = ::operator new(sizeof(Ring) + capacity * sizeof(Entry));
    return new (memory) Ring {capacity, 0, 0, 0};
}

void freeRing(Ring* ring)
{
    ::operator delete(ring);
}

/// Twice the room, but never more than can be live at once.
void grow(const Limit& limit, State& state)
{
    const Ring* old = state.ring;
    const auto most = static_cast<std::size_t>(limit.rate.count) + (limit.countRejected ? 2 : 0);
    const std::size_t wanted = old == nullptr ? kFirstCapacity : old->capacity * 2;
    const std::size_t atLeast = old == nullptr ? 1 : old->size + 1;
    Ring* ring = makeRing(std::max(atLeast, std::min(most, wanted)));
    if (old != nullptr) {
        for (std::size_t i = 0; i < old->size; ++i) {
            ring->entries()[i] = entryAt(*old, i);
        }
        ring->size = old->size;
        ring->live = old->live;
        freeRing(state.ring);
    }
    state.ring = ring;
}

void dropOldest(Ring& ring)
{
    ring.live -= entryAt(ring, 0).cost;
    ring.first = wrapped(ring, ring.first + 1);
    --ring.size;
}

void enter(const Limit& limit, State& state, std::uint64_t cost, std::int64_t nowNs)
{
    if (state.ring != nullptr && state.ring->size > 0) {
        Entry& newest = entryAt(*state.ring, state.ring->size - 1);
        if (newest.atNs == nowNs) {
            newest.cost += cost;
            state.ring->live += cost;
            return;
        }
    }
    if (state.ring == nullptr || state.ring->size == state.ring->capacity) {
        grow(limit, state);
    }
    Ring& ring = *state.ring;
    entryAt(ring, ring.size) = {nowNs, cost};
    ++ring.size;
    ring.live += cost;
}

/// The wait until the oldest entries that sum up to `cost` are gone; live >= cost > 0.
std::int64_t untilGone(const Limit& limit, const Ring& ring, std::uint64_t cost, std::int64_t nowNs)
{
    std::size_t place = 0;
    for (std::uint64_t gone = entryAt(ring, 0).cost; gone < cost;
         gone += entryAt(ring, place).cost) {
        ++place;
    }
    return wide::toWait(wide::Int128 {limit.rate.periodNs}
                        - wide::between(entryAt(ring, place).atNs, nowNs));
}

} // namespace

void dropEnded(const Limit& limit, State& state, std::int64_t nowNs)
{
    Ring& ring = *state.ring;
    const auto period = static_cast<std::uint64_t>(limit.rate.periodNs);
    while (ring.size > 0 && wide::between(entryAt(ring, 0).atNs, nowNs) >= period) {
        dropOldest(ring);
    }
    if (ring.size == 0 && ring.capacity > kKeptCapacity) {
        release(state);
    }
}

void count(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs)
{
    if (cost > 0) {
        enter(limit, state, static_cast<std::uint64_t>(cost), nowNs);
    }
}

void countRejected(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs)
{
    if (cost <= 0 || limit.rate.count == 0) {
        return;
    }
    const auto capacity = static_cast<std::uint64_t>(limit.rate.count);
    enter(limit, state, std::min(static_cast<std::uint64_t>(cost), capacity + 1), nowNs);
    Ring& ring = *state.ring;
    Entry& newest = entryAt(ring, ring.size - 1);
    if (newest.cost > capacity + 1) {
        ring.live -= newest.cost - (capacity + 1);
        newest.cost = capacity + 1;
    }
    while (ring.live - entryAt(ring, 0).cost > capacity) {
        dropOldest(ring);
    }
}

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs)
{
    if (limit.rate.count == 0) {
        return zeroRateFigures(admitted);
    }
    const auto capacity = static_cast<std::uint64_t>(limit.rate.count);
    const std::uint64_t live = state.ring == nullptr ? 0 : state.ring->live;
    const std::uint64_t remaining = live >= capacity ? 0 : capacity - live;
    Figures figures;
    figures.remaining = static_cast<std::int64_t>(remaining);
    if (live > 0) {
        figures.nextAfterNs
            = untilGone(limit, *state.ring, live - (capacity - remaining - 1), nowNs);
        figures.fullAfterNs = untilGone(limit, *state.ring, live, nowNs);
    }
    if (!admitted) {
        const bool never = cost > limit.rate.count;
        const std::uint64_t beside = never ? 0 : capacity - static_cast<std::uint64_t>(cost);
        figures.retryAfterNs = never
            ? std::nullopt
            : std::optional(untilGone(limit, *state.ring, live - beside, nowNs));
    }
    return figures;
}

void release(State& state)
{
    freeRing(state.ring);
    state.ring = nullptr;
}

std::size_t memoryBytes(const State& state)
{
    return state.ring == nullptr ? 0 : sizeof(Ring) + state.ring->capacity * sizeof(Entry);
}

State copyOf(const State& state)
{
    if (state.ring == nullptr) {
        return {};
    }
    Ring* const ring = makeRing(state.ring->capacity);
    for (std::size_t i = 0; i < state.ring->size; ++i) {
        ring->entries()[i] = entryAt(*state.ring, i);
    }
    ring->size = state.ring->size;
    ring->live = state.ring->live;
    return {ring};
}

} // namespace engine::sliding_window_log
