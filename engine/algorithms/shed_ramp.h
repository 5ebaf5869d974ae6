#pragma once
#include "engine/algorithms/wide.h"

#include <cstdint>

/// How much is shed after a time of high utilisation: a ramp that rises slowly while the capacity
/// is used and falls slowly while it is not, exact.
///
/// The position is counted in classes that are fully shed: -28/120 at rest; at 0 shedding of the
/// last class begins, at 1 all of it is shed and the next class begins. Above a utilisation of 0.8
/// it rises by (u - 0.8) / 0.2, below 0.7 it falls by 1 - u / 0.7, in 120 s; a pause of more than
/// 28 s counts as 28 s.
///
/// Example: capacity 10, from rest with 10 in flight, looked at each second: nothing is shed for
/// 28 s, and 120 s later all of the last class.
/// Definition: notes-adaptive.md, Stripe's fourth, in its intended arithmetic; semantics
/// section 12.
namespace engine::shed_ramp {

/// The numbers of a ramp; a replay has the usual ones, others are for those who compare.
struct Shape {
    std::int64_t goodPart = 7; ///< below goodPart / goodWhole of the capacity it falls
    std::int64_t goodWhole = 10;
    std::int64_t badPart = 4; ///< above badPart / badWhole it rises
    std::int64_t badWhole = 5;
    std::int64_t mostElapsedNs = 28'000'000'000; ///< what a longer pause counts as
    std::int64_t toShedAllNs = 120'000'000'000; ///< of full use, from 0 to 1
    /// How long full use takes from rest to 0. (Published code once had 120 s, by an integer
    /// division: shedding then begins only two minutes after a long idle time.)
    std::int64_t restNs = 28'000'000'000;
};

/// In units of 1 / (goodPart * (badWhole - badPart) * toShedAllNs * capacity), usually
/// 1 / (7 * 120 s * capacity), so that everything is a whole number.
struct Ramp {
    wide::Int128 position = 0;
    std::int64_t lastNs = 0;
    bool begun = false; ///< false: never looked at; the first look counts as one after a long pause
};

/// Brings it to nowNs with so many in flight; at most `classes` can be shed. inFlight and capacity
/// are at most 10^9 (what checkLimit lets through), capacity at least 1.
void advance(Ramp& ramp, std::int64_t inFlight, std::int64_t capacity, int classes,
             std::int64_t nowNs, const Shape& shape = {});

/// What one class is, in units of the position.
wide::Int128 classOf(std::int64_t capacity, const Shape& shape = {});

/// The draw is one of 2^53 equally likely ones. True with the probability that the class is shed,
/// before which `shedAfter` others are shed.
bool sheds(const Ramp& ramp, std::int64_t capacity, int shedAfter, std::uint64_t draw);

inline constexpr int kDrawBits = 53;

/// How many classes are shed, in thousandths, rounded down; 0 or more.
std::int64_t thousandthsOf(const Ramp& ramp, std::int64_t capacity);

} // namespace engine::shed_ramp
