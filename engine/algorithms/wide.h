#pragma once
#include <cstdint>
#include <limits>

/// Whole numbers wide enough for every product that the algorithms form: a count, a rate or a time
/// is at most 2^63, so products of two and sums of a few of them stay below 2^127.
namespace engine::wide {

__extension__ typedef __int128 Int128; // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 Uint128; // NOLINT(modernize-use-using)

inline constexpr std::int64_t kFirstNs = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kLastNs = std::numeric_limits<std::int64_t>::max();

/// later - earlier, for later >= earlier: right for every pair of times, also 584 years apart.
constexpr std::uint64_t between(std::int64_t earlier, std::int64_t later)
{
    return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
}

/// The same where a time says it: 2^63 - 1, 292 years, for what lies further apart.
constexpr std::int64_t spanBetween(std::int64_t earlier, std::int64_t later)
{
    const std::uint64_t span = between(earlier, later);
    return span > static_cast<std::uint64_t>(kLastNs) ? kLastNs : static_cast<std::int64_t>(span);
}

/// Towards minus infinity; divisor > 0.
constexpr Int128 floorDivide(Int128 value, Int128 divisor)
{
    const Int128 quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

/// Towards plus infinity; divisor > 0.
constexpr Int128 ceilDivide(Int128 value, Int128 divisor)
{
    const Int128 quotient = value / divisor;
    return value % divisor > 0 ? quotient + 1 : quotient;
}

/// A wait for people: what is below 0 is 0. Limits that pass checkLimit() give none above 2^63 - 1.
constexpr std::int64_t toWait(Int128 waitNs)
{
    return waitNs <= 0 ? 0 : static_cast<std::int64_t>(waitNs);
}

/// a + b for a, b >= 0, at most 2^63 - 1.
constexpr std::int64_t addSaturating(std::int64_t a, std::int64_t b)
{
    return b > kLastNs - a ? kLastNs : a + b;
}

/// The greatest multiple of step (> 0) at or before a time; where that is no time, the first one.
/// Example: startOf(-1, 10) is -10.
constexpr std::int64_t startOf(std::int64_t timeNs, std::int64_t step)
{
    const Int128 start = floorDivide(timeNs, step) * step;
    return start < kFirstNs ? kFirstNs : static_cast<std::int64_t>(start);
}

/// timeNs + byNs, which may be below 0, kept within the times that there are.
constexpr std::int64_t later(std::int64_t timeNs, std::int64_t byNs)
{
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(timeNs, byNs, &sum)) {
        return sum;
    }
    return byNs < 0 ? kFirstNs : kLastNs;
}

/// floor(value / divisor), for divisor > 0. Example: -1 ns lies in second -1.
constexpr std::int64_t floored(std::int64_t value, std::int64_t divisor)
{
    return static_cast<std::int64_t>(floorDivide(value, divisor));
}

} // namespace engine::wide
