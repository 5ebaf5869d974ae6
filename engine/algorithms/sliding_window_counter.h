#pragma once
#include "engine/algorithms/figures.h"
#include "engine/algorithms/wide.h"
#include "engine/algorithms/window_start.h"
#include "engine/plan.h"

/// sliding_window_counter; the shape of the functions is explained in fixed_window.h.
///
/// Example: 50 per minute, 42 counted in the last minute, 15 s into this one: the estimate is
/// 42 * 45/60 = 31.5, so that 18 more pass.
/// Definition: semantics section 5; small print A11, A21, A26.
namespace engine::sliding_window_counter {

struct State {
    std::int64_t startNs = 0; ///< of the current window; holds where anything was counted
    std::int64_t previous = 0;
    std::int64_t current = 0;
};

/// The rest of advance(): windows passed, nothing is counted yet, or time is next to -2^63.
void changeWindow(const Limit& limit, State& state, std::int64_t nowNs);

inline void advance(const Limit& limit, State& state, std::int64_t nowNs)
{
    const bool holds = (state.previous | state.current) != 0 && state.startNs != wide::kFirstNs;
    const std::uint64_t age = wide::between(state.startNs, nowNs);
    if (!holds || age >= static_cast<std::uint64_t>(limit.rate.periodNs)) {
        changeWindow(limit, state, nowNs);
    }
}

/// Exact: previous * (P - e) + (current + cost) * P <= N * P, in 128 bits (or floored first).
inline bool admits(const Limit& limit, const State& state, std::int64_t cost, std::int64_t nowNs)
{
    const std::int64_t free = limit.rate.count - state.current;
    if (cost > free) {
        return false;
    }
    if (state.previous == 0) {
        return true;
    }
    const auto period = static_cast<std::uint64_t>(limit.rate.periodNs);
    const std::uint64_t ahead = period - window_start::into(limit, state.startNs, nowNs);
    const auto left = static_cast<std::uint64_t>(free - cost);
    const wide::Uint128 weighed
        = wide::Uint128 {ahead} * static_cast<std::uint64_t>(state.previous);
    return limit.floorEstimate ? weighed < wide::Uint128 {left + 1} * period
                               : weighed <= wide::Uint128 {left} * period;
}

inline void count(const Limit& /*limit*/, State& state, std::int64_t cost)
{
    state.current += cost;
}

/// Saturates at 2^63 - 1 only, never at N: the next window weighs all of it. Nothing for a zero
/// rate.
inline void countRejected(const Limit& limit, State& state, std::int64_t cost)
{
    if (limit.rate.count > 0) {
        state.current = wide::addSaturating(state.current, cost);
    }
}

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs);
bool atRest(const Limit& limit, const State& state, std::int64_t nowNs);

} // namespace engine::sliding_window_counter
