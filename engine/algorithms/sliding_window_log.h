#pragma once
#include "engine/algorithms/figures.h"
#include "engine/algorithms/wide.h"
#include "engine/plan.h"

#include <cstddef>

/// sliding_window_log; the shape of the functions is explained in fixed_window.h.
///
/// Example: 3 per 10 s, a cost of 1 at 0 s and of 2 at 4 s. At 5 s a cost of 2 is denied, with
/// retry_after 9 s: the entry of 0 s gives back too little, the one of 4 s is gone at 14 s.
/// Definition: semantics section 5; small print A11, A21.
namespace engine::sliding_window_log {

/// One instant and all that was counted at it.
struct Entry {
    std::int64_t atNs;
    std::uint64_t cost; ///< a rejected cost of more than N is entered as N + 1: it blocks the same
};

/// The entries of one key, oldest first, in a circle. They follow the ring in one piece of memory.
/// Room for at most N entries (N + 2 with count_rejected), 16 bytes each.
struct Ring {
    std::size_t capacity;
    std::size_t first;
    std::size_t size;
    std::uint64_t live; ///< sum of the costs, at most 3 * 2^62 + 2

    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }

    [[nodiscard]] const Entry* entries() const { return reinterpret_cast<const Entry*>(this + 1); }
};

static_assert(sizeof(Entry) == 16 && sizeof(Ring) == 32 && alignof(Ring) == alignof(Entry));

/// Trivially copyable so that it can lie in a table of states: whoever owns the table calls
/// release() for each state at the end, and before it forgets a key at rest. An empty ring of more
/// than 16 entries is given back to the heap by advance(); smaller ones are kept, so that a key
/// that comes now and then allocates once.
struct State {
    Ring* ring = nullptr;
};

/// Drops entries that are P old or older.
void dropEnded(const Limit& limit, State& state, std::int64_t nowNs);

inline void advance(const Limit& limit, State& state, std::int64_t nowNs)
{
    const Ring* ring = state.ring;
    if (ring == nullptr || ring->size == 0) {
        return;
    }
    const std::uint64_t age = wide::between(ring->entries()[ring->first].atNs, nowNs);
    if (age >= static_cast<std::uint64_t>(limit.rate.periodNs)) {
        dropEnded(limit, state, nowNs);
    }
}

inline bool admits(const Limit& limit, const State& state, std::int64_t cost)
{
    const std::uint64_t live = state.ring == nullptr ? 0 : state.ring->live;
    return cost <= limit.rate.count && live <= static_cast<std::uint64_t>(limit.rate.count - cost);
}

void count(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs);

/// Enters a rejected cost and drops the oldest entries that can no longer matter: of the newest, as
/// many are kept as sum up to more than N (A21). Nothing for a zero rate.
void countRejected(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs);

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs);

/// After advance(): is the log empty?
inline bool atRest(const State& state)
{
    return state.ring == nullptr || state.ring->size == 0;
}

void release(State& state);
std::size_t memoryBytes(const State& state); ///< on the heap

/// A state of its own that answers the same.
State copyOf(const State& state);

} // namespace engine::sliding_window_log
