#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"

/// sliding_window_counter; the shape of the functions is explained in fixed_window.h.
/// Definition: semantics section 5; small print A11, A21, A26.
namespace engine::sliding_window_counter {

struct State {
    std::int64_t window = 0; ///< index of the current window
    std::int64_t previous = 0;
    std::int64_t current = 0;
};

void advance(const Limit& limit, State& state, std::int64_t nowNs);
/// Exact: previous * (P - e) + (current + cost) * P <= N * P, in 128 bits (or floored first).
bool admits(const Limit& limit, const State& state, std::int64_t cost, std::int64_t nowNs);
void count(const Limit& limit, State& state, std::int64_t cost);
void countRejected(const Limit& limit, State& state, std::int64_t cost);
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted, std::int64_t nowNs);
bool atRest(const Limit& limit, const State& state, std::int64_t nowNs);

} // namespace engine::sliding_window_counter
