#pragma once
#include "engine/algorithms/figures.h"
#include "engine/algorithms/wide.h"
#include "engine/algorithms/window_start.h"
#include "engine/plan.h"

/// fixed_window as pure functions over a small state: no clock, no storage, safe from any thread.
///
/// Example: 3 per 10 s. Three requests at 9.999 999 999 s pass, a fourth is denied with retry_after
/// 1 ns; at 10 s three more pass.
/// Definition: semantics section 5; small print A8, A11, A21, A27, C8.
///
/// All five families of algorithms have the same five functions. For one key, `nowNs` never goes
/// back (the caller passes eff = max(t, last judged time)). advance() first, then admits(), then at
/// most one of count() and countRejected(), then, if somebody asks, figures(). A state is trivially
/// copyable and at most 24 bytes; all zero is a key that was never seen. Limits are those that
/// checkLimit() has nothing against.
namespace engine::fixed_window {

struct State {
    std::int64_t startNs = 0; ///< when the window began; -2^63 where it began before that
    std::int64_t count = 0;
    bool open = false; ///< startNs holds
};

/// What time alone does: the count of an ended window is gone. With alignToFirstRequest a judged
/// request opens the next window, whatever its fate.
inline void advance(const Limit& limit, State& state, std::int64_t nowNs)
{
    const bool exact = limit.alignToFirstRequest || state.startNs != wide::kFirstNs;
    const std::uint64_t age = wide::between(state.startNs, nowNs);
    if (state.open && exact && age < static_cast<std::uint64_t>(limit.rate.periodNs)) [[likely]] {
        return;
    }
    const std::int64_t start = limit.alignToFirstRequest ? nowNs : window_start::of(limit, nowNs);
    if (!state.open || start != state.startNs) {
        state = {start, 0, true};
    }
}

/// Would `cost` (>= 0) pass? Changes nothing.
inline bool admits(const Limit& limit, const State& state, std::int64_t cost)
{
    return cost <= limit.rate.count - state.count;
}

/// Takes in the cost of an admitted request.
inline void count(const Limit& /*limit*/, State& state, std::int64_t cost)
{
    state.count += cost;
}

/// Takes in the cost of a rejected one (`count_rejected`), saturating. Nothing for a zero rate.
inline void countRejected(const Limit& limit, State& state, std::int64_t cost)
{
    if (limit.rate.count > 0) {
        state.count = wide::addSaturating(state.count, cost);
    }
}

/// After a decision on `cost` that was `admitted` (and counted or not).
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs);

/// At rest: forgetting the key would change no later decision.
bool atRest(const Limit& limit, const State& state, std::int64_t nowNs);

} // namespace engine::fixed_window
