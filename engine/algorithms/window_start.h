#pragma once
#include "engine/algorithms/wide.h"
#include "engine/plan.h"

/// Where the windows of fixed_window and sliding_window_counter begin: at anchor + k * P.
///
/// A state keeps the start of its window in ns. Only the window that contains -2^63 may begin
/// before the first time there is; its start is kept as -2^63, and whoever meets that start takes
/// the long way in 128 bits. All other windows need one subtraction and no division while they
/// last.
namespace engine::window_start {

/// The start of the window that contains nowNs, exact.
/// Example: P = 60 s, anchor 0, -1 ns lies in the window that starts at -60 s.
inline wide::Int128 exactOf(const Limit& limit, std::int64_t nowNs)
{
    const wide::Int128 sinceAnchor = wide::Int128 {nowNs} - limit.anchorNs;
    const wide::Int128 period = limit.rate.periodNs;
    return wide::floorDivide(sinceAnchor, period) * period + limit.anchorNs;
}

/// The same as a state keeps it.
inline std::int64_t of(const Limit& limit, std::int64_t nowNs)
{
    const std::int64_t period = limit.rate.periodNs;
    std::int64_t sinceAnchor = 0;
    if (!__builtin_sub_overflow(nowNs, limit.anchorNs, &sinceAnchor)) {
        const std::int64_t remainder = sinceAnchor % period;
        const std::int64_t into = remainder < 0 ? remainder + period : remainder;
        std::int64_t start = 0;
        if (!__builtin_sub_overflow(nowNs, into, &start)) {
            return start;
        }
        return wide::kFirstNs;
    }
    const wide::Int128 start = exactOf(limit, nowNs);
    return start < wide::kFirstNs ? wide::kFirstNs : static_cast<std::int64_t>(start);
}

/// How far nowNs is into the window that a state keeps as startNs; 0 .. P - 1 after advance().
inline std::uint64_t into(const Limit& limit, std::int64_t startNs, std::int64_t nowNs)
{
    if (startNs != wide::kFirstNs) [[likely]] {
        return wide::between(startNs, nowNs);
    }
    return static_cast<std::uint64_t>(nowNs - exactOf(limit, nowNs));
}

} // namespace engine::window_start
