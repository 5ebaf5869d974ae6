#include "engine/algorithms/shed_ramp.h"

#include <algorithm>

namespace engine::shed_ramp {
namespace {

using wide::Int128;

/// The slope of the utilisation, which lies in -1 .. 1, in units of 1 / (goodPart * (badWhole -
/// badPart) * capacity).
Int128 slopeOf(const Shape& shape, std::int64_t inFlight, std::int64_t capacity)
{
    const Int128 good = Int128 {shape.goodWhole} * inFlight - Int128 {shape.goodPart} * capacity;
    if (good < 0) {
        return good * (shape.badWhole - shape.badPart);
    }
    const Int128 bad = Int128 {shape.badWhole} * inFlight - Int128 {shape.badPart} * capacity;
    const Int128 most = Int128 {shape.badWhole - shape.badPart} * capacity;
    return bad > 0 ? shape.goodPart * std::min(bad, most) : 0;
}

} // namespace

wide::Int128 classOf(std::int64_t capacity, const Shape& shape)
{
    return Int128 {shape.goodPart} * (shape.badWhole - shape.badPart) * shape.toShedAllNs
        * capacity;
}

void advance(Ramp& ramp, std::int64_t inFlight, std::int64_t capacity, int classes,
             std::int64_t nowNs, const Shape& shape)
{
    const Int128 whole = classOf(capacity, shape);
    const Int128 rest = -(whole / shape.toShedAllNs) * shape.restNs;
    const auto most = static_cast<std::uint64_t>(shape.mostElapsedNs);
    const std::uint64_t elapsed
        = ramp.begun ? std::min(wide::between(ramp.lastNs, nowNs), most) : most;
    ramp.position = std::clamp<Int128>(
        ramp.position + static_cast<Int128>(elapsed) * slopeOf(shape, inFlight, capacity), rest,
        classes * whole);
    ramp.lastNs = nowNs;
    ramp.begun = true;
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
