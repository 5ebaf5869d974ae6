#pragma once
#include <cstdint>
#include <limits>

/// Sums and differences of times that may be any int64: they end at the first and the last instead
/// of running over. `cappedSum(INT64_MAX - 1, 5)` is INT64_MAX.
namespace storage {

constexpr std::int64_t cappedSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    using Limits = std::numeric_limits<std::int64_t>;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? Limits::min() : Limits::max()) : sum;
}

constexpr std::int64_t cappedDifference(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    using Limits = std::numeric_limits<std::int64_t>;
    return __builtin_sub_overflow(a, b, &difference) ? (b > 0 ? Limits::min() : Limits::max())
                                                     : difference;
}

} // namespace storage
