#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"

#include <cstddef>

/// concurrency: slots that admitted requests hold for their duration.
/// The shape of the functions is explained in fixed_window.h.
///
/// Example: in_flight 2, requests of 5 s at 0 s and at 1 s. At 2 s a third is denied, with
/// retry_after 3 s; at 5 s exactly it passes.
/// Definition: semantics section 10; small print A9, A12, A27.
namespace engine::concurrency {

/// Names one holding, for giveBack(). Void once release() was called on its state: who forgets keys
/// at rest gives back only holdings whose end is still to come.
using Ticket = std::uint64_t;

struct Slots; // one key's holdings, in a heap by end

/// Trivially copyable so that it can lie in a table of states: whoever owns the table calls
/// release() for each state at the end, and before it forgets a key at rest.
struct State {
    Slots* slots = nullptr;
};

/// Releases the holdings with end <= nowNs.
void advance(State& state, std::int64_t nowNs);
std::int64_t inFlight(const State& state);
bool admits(const Limit& limit, const State& state, std::int64_t cost);

/// Takes `cost` slots (>= 1) from nowNs until nowNs + durationNs (>= 0; the end may lie beyond
/// 2^63 - 1, where nothing releases them any more). Allocates only if more are held than ever
/// before.
Ticket take(State& state, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs);

/// Gives a holding back before its end; one that has ended already, or a second time, is no error.
/// Returns whether it was still held.
bool giveBack(State& state, Ticket ticket);

/// retry_after and next_after go by the known ends.
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs);

/// After advance(): is nothing in flight?
bool atRest(const State& state);
void release(State& state);

} // namespace engine::concurrency
