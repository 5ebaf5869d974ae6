#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"

/// fixed_window as pure functions over a small state: no clock, no storage, safe from any thread.
/// Definition: semantics section 5; small print A8, A11, A21, A27, C8.
///
/// All five families of algorithms have the same five functions. For one key, `nowNs` never goes
/// back (the caller passes eff = max(t, last judged time)). advance() first, then admits(), then at
/// most one of count() and countRejected(), then, if somebody asks, figures().
namespace engine::fixed_window {

/// A zero state is a key that was never seen.
struct State {
    std::int64_t window = 0; ///< index of the window; with alignToFirstRequest its start in ns
    std::int64_t count = 0;
    bool open = false; ///< alignToFirstRequest: a window was opened
};

/// What time alone does: the count of an ended window is gone. With alignToFirstRequest a judged
/// request opens the next window, whatever its fate.
void advance(const Limit& limit, State& state, std::int64_t nowNs);

/// Would `cost` (>= 0) pass? Changes nothing.
bool admits(const Limit& limit, const State& state, std::int64_t cost);

/// Takes in the cost of an admitted request.
void count(const Limit& limit, State& state, std::int64_t cost);

/// Takes in the cost of a rejected one (`count_rejected`), saturating.
void countRejected(const Limit& limit, State& state, std::int64_t cost);

/// After a decision on `cost` that was `admitted` (and counted or not).
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted, std::int64_t nowNs);

/// At rest: forgetting the key would change no later decision.
bool atRest(const Limit& limit, const State& state, std::int64_t nowNs);

} // namespace engine::fixed_window
