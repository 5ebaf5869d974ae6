#include "app/workbench/traffic_random.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace app {
namespace {

using engine::wide::Uint128;

/// Gaps end where a time in ns does, some 146 years.
constexpr auto kLongest = static_cast<Uint128>(std::numeric_limits<std::int64_t>::max() / 2);

} // namespace

TrafficRandom::TrafficRandom(std::uint64_t seed)
    : m_state(seed)
{
}

std::uint64_t TrafficRandom::next()
{
    m_state += 0x9e3779b97f4a7c15;
    std::uint64_t bits = m_state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

std::uint64_t TrafficRandom::below(std::uint64_t bound)
{
    return static_cast<std::uint64_t>((Uint128 {next()} * bound) >> 64);
}

std::uint64_t TrafficRandom::exponential()
{
    for (std::uint64_t whole = 0;; ++whole) {
        const std::uint64_t first = next();
        std::uint64_t last = first;
        bool isOdd = true;
        for (std::uint64_t draw = next(); draw < last; draw = next()) {
            last = draw;
            isOdd = !isOdd;
        }
        if (isOdd) {
            return whole << 32 | first >> 32;
        }
    }
}

std::uint64_t TrafficRandom::zipf(std::uint64_t count)
{
    const auto powers = static_cast<std::uint64_t>(std::bit_width(count));
    for (;;) {
        const std::uint64_t span = std::uint64_t {1} << below(powers);
        const std::uint64_t rank = span + below(span); // from 1
        if (rank <= count && below(rank) < span) {
            return rank - 1;
        }
    }
}

std::int64_t PoissonGaps::next(TrafficRandom& random, const engine::Rate& rate)
{
    if (m_restOf != rate.count) {
        m_restOf = rate.count;
        m_rest = 0;
    }
    const Uint128 partsOfNs = Uint128 {static_cast<std::uint64_t>(rate.count)} << 32;
    const Uint128 parts
        = Uint128 {random.exponential()} * static_cast<std::uint64_t>(rate.periodNs) + m_rest;
    m_rest = parts % partsOfNs;
    return static_cast<std::int64_t>(std::min(parts / partsOfNs, kLongest));
}

} // namespace app
