#pragma once
#include "engine/algorithms/figures.h"
#include "engine/algorithms/slots.h"
#include "engine/plan.h"

/// concurrency: slots that admitted requests hold for their duration.
/// The shape of the functions is explained in fixed_window.h.
///
/// Example: in_flight 2, requests of 5 s at 0 s and at 1 s. At 2 s a third is denied, with
/// retry_after 3 s; at 5 s exactly it passes.
/// Definition: semantics section 10; small print A9, A12, A27.
namespace engine::concurrency {

/// Void once release() was called on its state: who forgets keys at rest gives back only holdings
/// whose end is still to come.
using Ticket = Slots::Ticket;

/// Trivially copyable so that it can lie in a table of states: whoever owns the table calls
/// release() for each state at the end, and before it forgets a key at rest.
struct State {
    Slots* slots = nullptr;
};

/// Releases the holdings with end <= nowNs.
void advance(State& state, std::int64_t nowNs);
std::int64_t inFlight(const State& state);
bool admits(const Limit& limit, const State& state, std::int64_t cost);

/// See Slots.
inline Ticket take(State& state, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs)
{
    if (state.slots == nullptr) {
        state.slots = new Slots; // freed by release()
    }
    return state.slots->take(cost, nowNs, durationNs);
}

bool giveBack(State& state, Ticket ticket);

/// retry_after and next_after go by the known ends.
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs);

/// After advance(): is nothing in flight?
bool atRest(const State& state);
/// Of its own: release() it as well.
State copyOf(const State& state);
void release(State& state);
std::size_t memoryBytes(const State& state); ///< on the heap

} // namespace engine::concurrency
