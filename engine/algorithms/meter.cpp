#include "engine/algorithms/meter.h"

#include <algorithm>

namespace engine::meter {
namespace {

using wide::Int128;

/// A time in units of 1/N ns.
Int128 inParts(const Spec& spec, std::int64_t wholeNs, std::int64_t fraction)
{
    return Int128 {wholeNs} * spec.rateCount + fraction;
}

Int128 backlogOf(const Spec& spec, const State& state)
{
    return inParts(spec, state.backlogNs, state.backlogFraction);
}

Int128 capacityPartsOf(const Spec& spec)
{
    return inParts(spec, spec.capacityNs, spec.capacityFraction);
}

void setTime(const Spec& spec, Int128 parts, std::int64_t& wholeNs, std::int64_t& fraction)
{
    wholeNs = static_cast<std::int64_t>(parts / spec.rateCount);
    fraction = static_cast<std::int64_t>(parts % spec.rateCount);
}

Int128 capacityPartsOf(const Limit& limit)
{
    const Int128 period = limit.rate.periodNs;
    if (limit.algorithm == Algorithm::LeakyBucket) {
        return (Int128 {limit.queue} + 1) * period;
    }
    if (limit.algorithm == Algorithm::Gcra && limit.toleranceNs) {
        return Int128 {*limit.toleranceNs} * limit.rate.count + period;
    }
    return Int128 {limit.burst} * period;
}

} // namespace

Spec specOf(const Limit& limit)
{
    Spec spec;
    spec.delays = limit.algorithm == Algorithm::LeakyBucket;
    if (limit.rate.count == 0) {
        return spec;
    }
    spec.rateCount = limit.rate.count;
    spec.periodNs = limit.rate.periodNs;
    spec.stepNs = limit.rate.periodNs / limit.rate.count;
    spec.stepFraction = limit.rate.periodNs % limit.rate.count;
    const Int128 capacity = capacityPartsOf(limit);
    setTime(spec, capacity, spec.capacityNs, spec.capacityFraction);
    spec.capacityUnits = static_cast<std::int64_t>(capacity / spec.periodNs);
    // Beyond the capacity nobody waits, so that a larger delay_after changes nothing.
    const Int128 delayAfter = Int128 {limit.delayAfter} * spec.periodNs;
    setTime(spec, std::min(delayAfter, capacity), spec.delayAfterNs, spec.delayAfterFraction);
    return spec;
}

bool admitsCost(const Spec& spec, const State& state, std::int64_t cost)
{
    if (spec.rateCount == 0) {
        return cost == 0;
    }
    return backlogOf(spec, state) + Int128 {cost} * spec.periodNs <= capacityPartsOf(spec);
}

void countCost(const Spec& spec, State& state, std::int64_t cost)
{
    state.backlogNs += spec.stepNs * cost;
    if (spec.stepFraction != 0) {
        const Int128 fraction = Int128 {spec.stepFraction} * cost + state.backlogFraction;
        std::int64_t carryNs = 0;
        setTime(spec, fraction, carryNs, state.backlogFraction);
        state.backlogNs += carryNs;
    }
}

Figures figures(const Spec& spec, const State& state, std::int64_t cost, bool admitted)
{
    if (spec.rateCount == 0) {
        return zeroRateFigures(admitted);
    }
    const Int128 backlog = backlogOf(spec, state);
    const Int128 capacity = capacityPartsOf(spec);
    const auto untilBacklogIs = [&](Int128 most) {
        return wide::toWait(wide::ceilDivide(backlog - most, spec.rateCount));
    };
    Figures figures;
    // Where servers learn each other's counts, the backlog may be above the capacity.
    figures.remaining
        = static_cast<std::int64_t>(std::max<Int128>(0, capacity - backlog) / spec.periodNs);
    if (figures.remaining < spec.capacityUnits) {
        figures.nextAfterNs
            = untilBacklogIs(capacity - (Int128 {figures.remaining} + 1) * spec.periodNs);
    }
    figures.fullAfterNs = untilBacklogIs(0);
    if (!admitted) {
        const Int128 asked = Int128 {cost} * spec.periodNs;
        figures.retryAfterNs
            = asked > capacity ? std::nullopt : std::optional(untilBacklogIs(capacity - asked));
    }
    return figures;
}

} // namespace engine::meter
