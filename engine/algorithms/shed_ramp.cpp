#include "engine/algorithms/shed_ramp.h"

#include <algorithm>

namespace engine::shed_ramp {
namespace {

using wide::Int128;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMostElapsedNs = 28 * kSecond;
constexpr std::int64_t kToShedAllNs = 120 * kSecond;

/// What one class is, in units of the position.
Int128 classOf(std::int64_t capacity)
{
    return Int128 {7} * kToShedAllNs * capacity;
}

/// 7 * capacity times the slope of the utilisation, which lies in -1 .. 1.
Int128 slopeOf(std::int64_t inFlight, std::int64_t capacity)
{
    if (10 * Int128 {inFlight} < 7 * Int128 {capacity}) {
        return 10 * Int128 {inFlight} - 7 * Int128 {capacity};
    }
    if (5 * Int128 {inFlight} > 4 * Int128 {capacity}) {
        return 7 * std::min<Int128>(5 * Int128 {inFlight} - 4 * Int128 {capacity}, capacity);
    }
    return 0;
}

} // namespace

void advance(Ramp& ramp, std::int64_t inFlight, std::int64_t capacity, int classes,
             std::int64_t nowNs)
{
    const Int128 rest = -Int128 {7} * kMostElapsedNs * capacity;
    if (!ramp.begun) {
        ramp = {rest, nowNs, true};
        return;
    }
    const std::uint64_t elapsed = std::min<std::uint64_t>(
        wide::between(ramp.lastNs, nowNs), static_cast<std::uint64_t>(kMostElapsedNs));
    ramp.position = std::clamp<Int128>(
        ramp.position + static_cast<Int128>(elapsed) * slopeOf(inFlight, capacity), rest,
        classes * classOf(capacity));
    ramp.lastNs = nowNs;
}

bool sheds(const Ramp& ramp, std::int64_t capacity, int shedAfter, std::uint64_t draw)
{
    const Int128 whole = classOf(capacity);
    const Int128 shed = std::clamp<Int128>(ramp.position - shedAfter * whole, 0, whole);
    return static_cast<Int128>(draw) * whole < shed << kDrawBits;
}

std::int64_t thousandthsOf(const Ramp& ramp, std::int64_t capacity)
{
    return ramp.position <= 0 ? 0
                              : static_cast<std::int64_t>(ramp.position * 1000 / classOf(capacity));
}

} // namespace engine::shed_ramp
