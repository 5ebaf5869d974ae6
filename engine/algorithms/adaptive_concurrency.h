#pragma once
#include "engine/algorithms/adaptive_limit.h"
#include "engine/algorithms/concurrency.h"

/// adaptive_concurrency: slots as in concurrency, with a limit learned from the durations of the
/// requests that held them. The shape of the functions is explained in fixed_window.h.
///
/// Example: aimd, initial 20: twelve requests at 0 s, of 1 s each. At 1 s they give twelve samples;
/// the eleventh and twelfth had started with 11 and 12 in flight, so 2 * 11 >= 20 raises the limit
/// to 21, and 2 * 12 >= 21 to 22.
/// Definition: semantics section 11; small print A13, A16, A17.
namespace engine::adaptive_concurrency {

struct Learner; // slots, what their holders are as samples, and what was learned

/// As concurrency::State. What was learned outlives the requests: a key is never forgotten.
struct State {
    Learner* learner = nullptr;
};

/// Ends the holdings with end <= nowNs, in order of their ends, and learns from each. A duration of
/// 0 teaches nothing.
void advance(const adaptive_limit::Settings& settings, State& state, std::int64_t nowNs);
std::int64_t inFlight(const State& state);
/// The limit that holds now.
std::int64_t limitOf(const adaptive_limit::Settings& settings, const State& state);
bool admits(const adaptive_limit::Settings& settings, const State& state, std::int64_t cost);

concurrency::Ticket take(const adaptive_limit::Settings& settings, State& state, std::int64_t cost,
                         std::int64_t nowNs, std::int64_t durationNs);
/// Gives no sample.
bool giveBack(State& state, concurrency::Ticket ticket);

/// By the limit as it is now: a cost above it is admitted by no wait.
Figures figures(const adaptive_limit::Settings& settings, const State& state, std::int64_t cost,
                bool admitted, std::int64_t nowNs);
State copyOf(const State& state);
void release(State& state);
std::size_t memoryBytes(const State& state); ///< on the heap

} // namespace engine::adaptive_concurrency
