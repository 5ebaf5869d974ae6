#pragma once
#include "engine/algorithms/figures.h"
#include "engine/algorithms/wide.h"
#include "engine/plan.h"

/// token_bucket, gcra and leaky_bucket: one meter that says how far ahead of the clock a key is.
///
/// T = P / N is the time of one request. The backlog (TAT - t, or for a bucket what is missing
/// divided by the rate) drains one ns per ns, and a request of cost c adds c * T. It is kept as
/// whole ns and a remainder in units of 1/N ns, so that nothing is ever rounded. A request is
/// admitted iff backlog + c * T <= capacity, with capacity B * T (token_bucket), tau + T (gcra),
/// (Q + 1) * T (leaky_bucket).
///
/// Example: 7/3s, burst 1: T = 428571428 + 4/7 ns; after one request the backlog is that, and the
/// next passes 428571429 ns later.
/// Definition: semantics section 5; small print A5 to A7, A11, A23, A27.
namespace engine::meter {

/// A limit prepared for the meter. Trivially copyable.
struct Spec {
    std::int64_t rateCount = 0; ///< N; 0: denies every cost above 0
    std::int64_t periodNs = 1; ///< P
    std::int64_t stepNs = 1; ///< floor(P / N)
    std::int64_t stepFraction = 0; ///< P mod N
    std::int64_t capacityNs = 0; ///< floor of the capacity
    std::int64_t capacityFraction = 0; ///< in units of 1/N ns
    std::int64_t capacityUnits = 0; ///< whole requests from rest
    std::int64_t delayAfterNs = 0; ///< leaky_bucket: delay_after * T
    std::int64_t delayAfterFraction = 0;
    bool delays = false; ///< leaky_bucket
};

/// Of a limit that checkLimit() has nothing against.
Spec specOf(const Limit& limit);

/// A zero state is a key at rest.
struct State {
    std::int64_t atNs = 0; ///< when the backlog was as said
    std::int64_t backlogNs = 0; ///< above the capacity only where several servers count into it
    std::int64_t backlogFraction = 0;
};

inline void advance(const Spec& /*spec*/, State& state, std::int64_t nowNs)
{
    const std::uint64_t elapsed = wide::between(state.atNs, nowNs);
    if (elapsed <= static_cast<std::uint64_t>(state.backlogNs)) {
        state.backlogNs -= static_cast<std::int64_t>(elapsed);
    } else {
        state.backlogNs = 0;
        state.backlogFraction = 0;
    }
    state.atNs = nowNs;
}

/// admits() and count() for every cost, in 128 bits.
bool admitsCost(const Spec& spec, const State& state, std::int64_t cost);
void countCost(const Spec& spec, State& state, std::int64_t cost);

inline bool admits(const Spec& spec, const State& state, std::int64_t cost)
{
    if (cost != 1) [[unlikely]] {
        return admitsCost(spec, state, cost);
    }
    const std::int64_t roomNs = spec.capacityNs - state.backlogNs;
    const std::int64_t roomFraction = spec.capacityFraction - state.backlogFraction;
    return roomNs > spec.stepNs
        ? roomNs - spec.stepNs > 1 || roomFraction + spec.rateCount >= spec.stepFraction
        : roomNs == spec.stepNs && roomFraction >= spec.stepFraction;
}

/// Takes in the cost of an admitted request.
inline void count(const Spec& spec, State& state, std::int64_t cost)
{
    if (cost != 1) [[unlikely]] {
        countCost(spec, state, cost);
        return;
    }
    state.backlogNs += spec.stepNs;
    state.backlogFraction += spec.stepFraction;
    if (state.backlogFraction >= spec.rateCount) {
        state.backlogFraction -= spec.rateCount;
        ++state.backlogNs;
    }
}

/// What an admitted request waits, from the state BEFORE it is counted: max(0, backlog -
/// delay_after * T), rounded up to a whole ns. 0 for kinds that do not delay.
inline std::int64_t delayNs(const Spec& spec, const State& state)
{
    const std::int64_t whole = state.backlogNs - spec.delayAfterNs;
    const std::int64_t delay = state.backlogFraction > spec.delayAfterFraction ? whole + 1 : whole;
    return spec.delays && delay > 0 ? delay : 0;
}

Figures figures(const Spec& spec, const State& state, std::int64_t cost, bool admitted);

/// After advance(): has everything drained?
inline bool atRest(const State& state)
{
    return state.backlogNs == 0 && state.backlogFraction == 0;
}

} // namespace engine::meter
