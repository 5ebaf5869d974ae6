#pragma once
#include "engine/algorithms.h"
#include "engine/plan.h"

#include <cstdint>

namespace app {

/// Draws for made traffic: the same seed gives the same draws on every machine. Whole numbers only,
/// no distributions of the standard library (each library has its own) and no logarithms (their
/// last bits differ). One thread.
class TrafficRandom {
public:
    explicit TrafficRandom(std::uint64_t seed);

    /// 64 even bits: splitmix64 (Steele, Lea, Flood 2014).
    std::uint64_t next();

    /// 0 <= draw < bound; bound >= 1. Even but for a share below bound / 2^64.
    std::uint64_t below(std::uint64_t bound);

    bool oneIn(std::uint64_t n) { return below(n) == 0; }

    /// Exponential with mean 1, in units of 2^-32. By comparing even draws (von Neumann 1951): the
    /// first falling run of odd length gives the fraction, the even runs before it are its whole
    /// part. Example: 0x80000000 is 0.5.
    std::uint64_t exponential();

    /// A rank from 0 to count - 1, rank k with weight 1 / (k + 1) (Zipf with exponent 1); count >=
    /// 1. Exact and without a table: a power of two evenly, a rank of its span evenly, taken with
    /// probability 2^power / rank.
    std::uint64_t zipf(std::uint64_t count);

private:
    std::uint64_t m_state;
};

/// Turns draws of mean 1 into gaps of a Poisson process, in ns. What is cut below a nanosecond goes
/// into the next gap, so that the mean is exact whatever the rate.
class PoissonGaps {
public:
    /// `rate` with count >= 1, periodNs <= 2^62.
    std::int64_t next(TrafficRandom& random, const engine::Rate& rate);

private:
    std::int64_t m_restOf = 0; ///< the rate's count that m_rest is of
    engine::wide::Uint128 m_rest = 0; ///< in units of 1 / (count * 2^32) ns
};

} // namespace app
