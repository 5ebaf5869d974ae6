#include "tests/support/slow_key.h"

#include <algorithm>

using namespace engine;

namespace tests::support {
namespace {

constexpr Int128 kLargest = wide::kLastNs;

} // namespace

SlowKey::SlowKey(const Limit& limit)
    : m_limit(limit)
{
}

Int128 SlowKey::windowOf(Int128 at) const
{
    return wide::floorDivide(at - m_limit.anchorNs, m_limit.rate.periodNs);
}

Int128 SlowKey::sumOfWindow(Int128 window) const
{
    Int128 sum = 0;
    for (const Counted& counted : m_counted) {
        sum += counted.window == window ? counted.cost : 0;
    }
    return std::min(sum, kLargest);
}

Int128 SlowKey::backlogParts(Int128 at) const
{
    return m_metered ? std::max<Int128>(0, m_tatParts - at * m_limit.rate.count) : 0;
}

// Windows count in whole units, but for the counter, which weighs with a share of P; a bucket's
// missing tokens are counted in 1/P, a backlog in 1/N ns.
Int128 SlowKey::usedParts(Int128 at) const
{
    const Int128 period = m_limit.rate.periodNs;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        if (!m_limit.alignToFirstRequest) {
            return sumOfWindow(windowOf(at));
        }
        [[fallthrough]];
    case Algorithm::SlidingWindowLog: {
        const bool first = m_limit.algorithm == Algorithm::FixedWindow;
        Int128 sum = 0;
        for (const Counted& counted : m_counted) {
            const bool live = first ? counted.at >= m_openedAt && at - m_openedAt < period
                                    : counted.at > at - period;
            sum += live ? counted.cost : 0;
        }
        return sum;
    }
    case Algorithm::SlidingWindowCounter: {
        const Int128 window = windowOf(at);
        const Int128 into = at - m_limit.anchorNs - window * period;
        const Int128 weighed = sumOfWindow(window - 1) * (period - into);
        return sumOfWindow(window) * period
            + (m_limit.floorEstimate ? weighed / period * period : weighed);
    }
    case Algorithm::TokenBucket: {
        if (!m_metered) {
            return 0;
        }
        const Int128 elapsed = std::min(at - m_levelAt, kLargest);
        return capacityParts()
            - std::min(capacityParts(), m_levelParts + elapsed * m_limit.rate.count);
    }
    default:
        return backlogParts(at);
    }
}

Int128 SlowKey::capacityParts() const
{
    const Int128 period = m_limit.rate.periodNs;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
        return m_limit.rate.count;
    case Algorithm::SlidingWindowCounter:
        return m_limit.rate.count * period;
    case Algorithm::LeakyBucket:
        return m_limit.queue * period + period;
    case Algorithm::Gcra:
        return (m_limit.toleranceNs ? Int128 {*m_limit.toleranceNs} * m_limit.rate.count
                                    : (Int128 {m_limit.burst} - 1) * period)
            + period;
    default:
        return m_limit.burst * period;
    }
}

Int128 SlowKey::partsOf(Int128 cost) const
{
    const bool whole = m_limit.algorithm == Algorithm::FixedWindow
        || m_limit.algorithm == Algorithm::SlidingWindowLog;
    return whole ? cost : cost * m_limit.rate.periodNs;
}

bool SlowKey::admits(Int128 at, Int128 cost) const
{
    if (m_limit.rate.count == 0) {
        return cost == 0;
    }
    return usedParts(at) + partsOf(cost) <= capacityParts();
}

Int128 SlowKey::remaining(Int128 at) const
{
    if (m_limit.rate.count == 0) {
        return 0;
    }
    return std::max<Int128>(0, wide::floorDivide(capacityParts() - usedParts(at), partsOf(1)));
}

bool SlowKey::isUnused(Int128 at) const
{
    return m_limit.rate.count > 0 && usedParts(at) == 0;
}

Int128 SlowKey::delay(Int128 at) const
{
    if (m_limit.algorithm != Algorithm::LeakyBucket || m_limit.rate.count == 0) {
        return 0;
    }
    const Int128 parts = backlogParts(at) - Int128 {m_limit.delayAfter} * m_limit.rate.periodNs;
    return parts <= 0 ? 0 : wide::ceilDivide(parts, m_limit.rate.count);
}

void SlowKey::note(Int128 at, Int128 cost, bool admitted)
{
    if (m_limit.alignToFirstRequest && (!m_open || at - m_openedAt >= m_limit.rate.periodNs)) {
        m_open = true;
        m_openedAt = at;
        m_counted.clear();
    }
    if (cost == 0 || m_limit.rate.count == 0 || (!admitted && !m_limit.countRejected)) {
        return;
    }
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        m_counted.push_back({at, windowOf(at), cost});
        break;
    case Algorithm::TokenBucket:
        m_levelParts = capacityParts() - usedParts(at) - partsOf(cost);
        m_levelAt = at;
        break;
    default:
        m_tatParts = at * m_limit.rate.count + backlogParts(at) + partsOf(cost);
        break;
    }
    m_metered = true;
}

} // namespace tests::support
