#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"

/// sliding_window_log; the shape of the functions is explained in fixed_window.h.
/// Definition: semantics section 5; small print A11, A21.
namespace engine::sliding_window_log {

struct Ring; // the admitted costs of one key with their times, oldest first; sized for what is live

/// Trivially copyable so that it can lie in a table of states: whoever owns the table calls
/// release() for each state at the end. An empty ring is given back to the heap.
struct State {
    Ring* ring = nullptr;
};

void advance(const Limit& limit, State& state, std::int64_t nowNs);
bool admits(const Limit& limit, const State& state, std::int64_t cost);
void count(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs);
/// Enters a rejected cost and drops the oldest entries that can no longer matter (A21).
void countRejected(const Limit& limit, State& state, std::int64_t cost, std::int64_t nowNs);
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted, std::int64_t nowNs);
bool atRest(const State& state);
void release(State& state);

} // namespace engine::sliding_window_log
