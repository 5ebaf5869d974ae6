#pragma once
#include "engine/algorithms/figures.h"
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
    std::int64_t rateCount = 0;        ///< N; 0: denies every cost above 0
    std::int64_t periodNs = 1;         ///< P
    std::int64_t stepNs = 0;           ///< floor(P / N)
    std::int64_t stepFraction = 0;     ///< P mod N
    std::int64_t capacityNs = 0;       ///< floor of the capacity
    std::int64_t capacityFraction = 0; ///< in units of 1/N ns
    std::int64_t capacityUnits = 0;    ///< whole requests from rest
    std::int64_t delayAfterNs = 0;     ///< leaky_bucket: delay_after * T
    std::int64_t delayAfterFraction = 0;
    bool delays = false; ///< leaky_bucket
};

Spec specOf(const Limit& limit);

/// A zero state is a key at rest.
struct State {
    std::int64_t atNs = 0;      ///< when the backlog was as said
    std::int64_t backlogNs = 0; ///< 0 .. 2^62
    std::int64_t backlogFraction = 0;
};

void advance(const Spec& spec, State& state, std::int64_t nowNs);
bool admits(const Spec& spec, const State& state, std::int64_t cost);
void count(const Spec& spec, State& state, std::int64_t cost);
/// What an admitted request waits, from the state BEFORE it is counted: max(0, backlog -
/// delay_after * T), rounded up to a whole ns. 0 for kinds that do not delay.
std::int64_t delayNs(const Spec& spec, const State& state);
Figures figures(const Spec& spec, const State& state, std::int64_t cost, bool admitted);
bool atRest(const State& state);

} // namespace engine::meter
