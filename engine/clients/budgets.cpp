#include "engine/clients/budgets.h"

#include <algorithm>
#include <numeric>

namespace engine::budgets {

bool AwsQuota::acquire(std::int64_t amount)
{
    if (amount > m_available) {
        return false;
    }
    m_available -= amount;
    return true;
}

void AwsQuota::release(std::int64_t amount)
{
    m_available += std::min(amount, m_capacity - m_available);
}

std::int64_t envoyMostRetries(double percent, std::int64_t least, std::int64_t active,
                              std::int64_t pending)
{
    const double share = percent * static_cast<double>(active + pending) / 100;
    return std::max(least, static_cast<std::int64_t>(share));
}

void GrpcThrottle::failed()
{
    m_milli = std::max<std::int64_t>(0, m_milli - 1000);
}

void GrpcThrottle::succeeded()
{
    m_milli = std::min(m_mostMilli, m_milli + m_ratioMilli);
}

FinagleBudget::FinagleBudget(std::int64_t ttlNs, std::int64_t retriesPerSecond,
                             std::int64_t percentMilli)
    : m_sliceNs(ttlNs / kSlices)
    , m_withdrawal(kDeposit * 1000 / percentMilli)
    , m_reserve(retriesPerSecond * (ttlNs / 1'000'000'000) * m_withdrawal)
{
}

/// Empties the slices that have come to lie more than the ttl back.
void FinagleBudget::moveTo(std::int64_t nowNs)
{
    if (!m_hasBegun) {
        m_beganNs = nowNs;
        m_hasBegun = true;
    }
    const std::int64_t slice = (nowNs - m_beganNs) / m_sliceNs;
    for (std::int64_t gone = std::max(m_slice + 1, slice - kSlices + 1); gone <= slice; ++gone) {
        m_slices[static_cast<std::size_t>(gone % kSlices)] = 0;
    }
    m_slice = slice;
}

std::int64_t FinagleBudget::sum() const
{
    return std::accumulate(m_slices.begin(), m_slices.end(), m_reserve);
}

void FinagleBudget::deposit(std::int64_t nowNs)
{
    moveTo(nowNs);
    m_slices[static_cast<std::size_t>(m_slice % kSlices)] += kDeposit;
}

bool FinagleBudget::withdraw(std::int64_t nowNs)
{
    moveTo(nowNs);
    if (sum() < m_withdrawal) {
        return false;
    }
    m_slices[static_cast<std::size_t>(m_slice % kSlices)] -= m_withdrawal;
    return true;
}

std::int64_t FinagleBudget::balance(std::int64_t nowNs)
{
    moveTo(nowNs);
    return sum() / m_withdrawal;
}

} // namespace engine::budgets
