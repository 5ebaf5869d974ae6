#pragma once
#include "engine/algorithms/concurrency.h"
#include "engine/algorithms/shed_ramp.h"

/// load_shedder: one capacity for all, of which a class may use a share (fleet), or whose classes
/// are shed one after the other while it is used too much (utilisation). The shape of the functions
/// is explained in fixed_window.h; the classes of one shedder have one state and a limit each.
///
/// Example: fleet, capacity 10: with 8 in flight, of whatever class, one of a class with up_to 80 %
/// is denied and one without a class passes.
/// Definition: semantics section 12; small print A10.
namespace engine::load_shedder {

struct Shedder; // slots and ramp

/// As concurrency::State. With utilisation a key is never forgotten: the ramp outlives the
/// requests.
struct State {
    Shedder* shedder = nullptr;
};

/// Releases the holdings with end <= nowNs; with utilisation, moves the ramp, of which `classes`
/// can be shed.
void advance(const Limit& limit, int classes, State& state, std::int64_t nowNs);
/// Only releases the holdings: for a look at what is in flight, which leaves the ramp alone.
void releaseUntil(State& state, std::int64_t nowNs);
std::int64_t inFlight(const State& state);
/// The draw (shed_ramp.h) decides with utilisation, and is not looked at with fleet.
bool admits(const Limit& limit, const State& state, std::uint64_t draw);

/// One slot, whatever the cost.
concurrency::Ticket take(State& state, std::int64_t nowNs, std::int64_t durationNs);
bool giveBack(State& state, concurrency::Ticket ticket);

/// Of the class. With utilisation no exact wait exists: retry_after is nothing for what is denied.
Figures figures(const Limit& limit, const State& state, bool admitted, std::int64_t nowNs);
/// How many classes are shed as the ramp stands, in thousandths, rounded down; 0 with fleet.
std::int64_t shedThousandths(const Limit& limit, const State& state);

/// After advance(): would forgetting the key change nothing?
bool atRest(const Limit& limit, const State& state);
State copyOf(const State& state);
void release(State& state);
std::size_t memoryBytes(const State& state); ///< on the heap

} // namespace engine::load_shedder
