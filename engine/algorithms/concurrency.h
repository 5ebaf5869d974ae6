#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"

#include <cstddef>

/// concurrency: slots that admitted requests hold for their duration.
/// The shape of the functions is explained in fixed_window.h.
/// Definition: semantics section 10; small print A9, A12, A27.
namespace engine::concurrency {

/// Names one holding, for giveBack(). Valid until the holding ended.
using Ticket = std::uint64_t;

struct Holding;
struct Slots; // the heap of one key's holdings by end

/// Trivially copyable, see sliding_window_log::State; release() frees it.
struct State {
    Slots* slots = nullptr;
};

/// Releases the holdings with end <= nowNs.
void advance(State& state, std::int64_t nowNs);
std::int64_t inFlight(const State& state);
bool admits(const Limit& limit, const State& state, std::int64_t cost);
/// Takes `cost` slots (>= 1) until nowNs + durationNs (saturating at 2^63 - 1).
Ticket take(State& state, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs);
/// Gives a holding back before its end; one that has ended already, or a second time, is no error.
void giveBack(State& state, Ticket ticket);
Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted, std::int64_t nowNs);
bool atRest(const State& state);
void release(State& state);

} // namespace engine::concurrency
