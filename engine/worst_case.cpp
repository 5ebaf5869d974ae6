#include "engine/worst_case.h"

#include "engine/algorithms/wide.h"

#include <algorithm>

namespace engine {
namespace {

using wide::ceilDivide;
using wide::floorDivide;
using wide::Int128;

enum class Kind : std::uint8_t { Windows, Log, Bucket, Slots };

Kind kindOf(const Limit& limit)
{
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowCounter:
        return Kind::Windows;
    case Algorithm::SlidingWindowLog:
        return Kind::Log;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        return Kind::Bucket;
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break;
    }
    return Kind::Slots;
}

bool isBucket(const Limit& limit)
{
    return kindOf(limit) == Kind::Bucket;
}

bool hasAlignedWindows(const Limit& limit)
{
    return (limit.algorithm == Algorithm::FixedWindow && !limit.alignToFirstRequest)
        || limit.algorithm == Algorithm::SlidingWindowCounter;
}

/// Burst * P: what a bucket holds, in units of 1/P requests.
Int128 capacityTimesPeriod(const Limit& limit)
{
    const Int128 period = limit.rate.periodNs;
    if (limit.algorithm == Algorithm::LeakyBucket) {
        return (Int128 {limit.queue} + 1) * period;
    }
    if (limit.algorithm == Algorithm::Gcra && limit.toleranceNs) {
        return Int128 {*limit.toleranceNs} * limit.rate.count + period;
    }
    return limit.burst * period;
}

std::int64_t saturated(Int128 value)
{
    return static_cast<std::int64_t>(std::min<Int128>(value, wide::kLastNs));
}

/// The least whole burst b such that no more than b + elapsed * N / P is ever admitted.
Int128 burstOf(const Limit& limit)
{
    if (isBucket(limit)) {
        return ceilDivide(capacityTimesPeriod(limit), limit.rate.periodNs);
    }
    const Int128 count = limit.rate.count;
    return kindOf(limit) == Kind::Log ? count : 2 * count;
}

bool isSlower(const Limit& one, const Limit& other)
{
    return Int128 {one.rate.count} * other.rate.periodNs
        <= Int128 {other.rate.count} * one.rate.periodNs;
}

bool bucketAdmitsAllOf(const Limit& looser, const Limit& tighter)
{
    if (!isSlower(tighter, looser)) {
        return false;
    }
    if (looser.toleranceNs && tighter.toleranceNs && isSlower(looser, tighter)) {
        return *tighter.toleranceNs <= *looser.toleranceNs;
    }
    return burstOf(tighter) * looser.rate.periodNs <= capacityTimesPeriod(looser);
}

/// Every window of `looser` is a whole number of windows of `tighter`.
std::optional<Int128> windowsWithin(const Limit& looser, const Limit& tighter)
{
    if (!hasAlignedWindows(looser) || !hasAlignedWindows(tighter)
        || looser.rate.periodNs % tighter.rate.periodNs != 0
        || (looser.anchorNs - tighter.anchorNs) % tighter.rate.periodNs != 0) {
        return std::nullopt;
    }
    return looser.rate.periodNs / tighter.rate.periodNs;
}

bool counterAdmitsAllOf(const Limit& looser, const Limit& tighter)
{
    if (tighter.algorithm == Algorithm::SlidingWindowCounter
        && tighter.rate.periodNs == looser.rate.periodNs && tighter.anchorNs == looser.anchorNs
        && (looser.floorEstimate || !tighter.floorEstimate)
        && tighter.rate.count <= looser.rate.count) {
        return true;
    }
    // The estimate is never above what two whole windows hold.
    const Int128 two = Int128 {2} * looser.rate.periodNs;
    return *mostWithin(tighter, saturated(two)) <= looser.rate.count;
}

bool windowAdmitsAllOf(const Limit& looser, const Limit& tighter)
{
    if (const auto windows = windowsWithin(looser, tighter);
        windows && *windows * tighter.rate.count <= looser.rate.count) {
        return true;
    }
    return *mostWithin(tighter, looser.rate.periodNs) <= looser.rate.count;
}

/// From the start of a window that was filled at once with `full` of N, until the next window's
/// estimate leaves room for `cost`: full * (P - e) / P + cost <= N, or floored.
Int128 counterWaitNs(const Limit& limit, Int128 full, std::int64_t cost)
{
    const Int128 period = limit.rate.periodNs;
    const Int128 over = full - limit.rate.count + cost; // 1 or more: it was full
    const Int128 elapsed = limit.floorEstimate ? floorDivide(period * (over - 1), full) + 1
                                               : ceilDivide(period * over, full);
    return period + std::min(elapsed, period);
}

/// Until what is missing of `cost` has run in again.
Int128 bucketWaitNs(const Limit& limit, std::int64_t cost)
{
    const Int128 one = Int128 {cost} * limit.rate.periodNs;
    const Int128 left = capacityTimesPeriod(limit) % one;
    return ceilDivide(one - left, limit.rate.count);
}

bool slotsAdmitAllOf(const Limit& looser, const Limit& tighter)
{
    const bool holdsNoLonger = !looser.assumeDurationNs
        || (tighter.assumeDurationNs && *tighter.assumeDurationNs >= *looser.assumeDurationNs);
    return holdsNoLonger && tighter.inFlight <= looser.inFlight;
}

} // namespace

std::optional<std::int64_t> mostWithin(const Limit& limit, std::int64_t lengthNs)
{
    if (kindOf(limit) == Kind::Slots) {
        return std::nullopt;
    }
    const Int128 count = limit.rate.count;
    const Int128 period = limit.rate.periodNs;
    if (count == 0) {
        return 0;
    }
    if (isBucket(limit)) {
        const Int128 all = capacityTimesPeriod(limit) + count * (lengthNs - 1);
        return saturated(floorDivide(all, period));
    }
    const Int128 windows = kindOf(limit) == Kind::Log
        ? ceilDivide(lengthNs, period)
        : ceilDivide(Int128 {lengthNs} - 1, period) + 1;
    return saturated(count * windows);
}

std::int64_t AroundEdge::total() const
{
    return saturated(Int128 {before} + after);
}

AroundEdge mostAroundEdge(const Limit& limit, std::int64_t cost, bool allCount)
{
    const std::int64_t full = limit.rate.count / cost;
    const Int128 period = limit.rate.periodNs;
    if (full == 0 || period == 1) {
        return {full, 0};
    }
    if (limit.algorithm == Algorithm::FixedWindow) {
        return {limit.alignToFirstRequest && allCount ? full - 1 : full, full};
    }
    // All of the first window in its last instant; as late as can be, 2 ns of it still weigh.
    const Int128 weighed = Int128 {2} * full * cost;
    const Int128 weight
        = limit.floorEstimate ? floorDivide(weighed, period) : ceilDivide(weighed, period);
    const Int128 left = std::max<Int128>(0, limit.rate.count - weight);
    return {full, saturated(floorDivide(left, cost))};
}

std::int64_t refillNs(const Limit& limit)
{
    if (kindOf(limit) == Kind::Slots || limit.rate.count == 0) {
        return 0;
    }
    return isBucket(limit) ? saturated(ceilDivide(capacityTimesPeriod(limit), limit.rate.count))
                           : limit.rate.periodNs;
}

std::optional<std::int64_t> longestWaitNs(const Limit& limit, std::int64_t cost)
{
    if (kindOf(limit) == Kind::Slots || limit.rate.count == 0 || cost > capacityOf(limit)) {
        return std::nullopt;
    }
    if (isBucket(limit)) {
        return saturated(bucketWaitNs(limit, cost));
    }
    if (limit.algorithm != Algorithm::SlidingWindowCounter) {
        return limit.rate.periodNs;
    }
    const std::int64_t full = limit.rate.count / cost * cost;
    return saturated(counterWaitNs(limit, full, cost));
}

std::int64_t spacingNs(const Limit& limit)
{
    return limit.rate.count == 0 ? 0 : limit.rate.periodNs / limit.rate.count;
}

bool admitsAllOf(const Limit& looser, const Limit& tighter)
{
    if (looser.countRejected) {
        return false;
    }
    if (kindOf(tighter) != Kind::Slots && tighter.rate.count == 0) {
        return true; // slots of 0 are another matter: who has no duration passes them by
    }
    if (kindOf(looser) == Kind::Slots || kindOf(tighter) == Kind::Slots) {
        return looser.algorithm == Algorithm::Concurrency
            && tighter.algorithm == Algorithm::Concurrency && slotsAdmitAllOf(looser, tighter);
    }
    if (looser.rate.count == 0) {
        return false;
    }
    if (isBucket(looser)) {
        return bucketAdmitsAllOf(looser, tighter);
    }
    return looser.algorithm == Algorithm::SlidingWindowCounter ? counterAdmitsAllOf(looser, tighter)
                                                               : windowAdmitsAllOf(looser, tighter);
}

} // namespace engine
