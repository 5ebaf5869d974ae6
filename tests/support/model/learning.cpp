#include "tests/support/model/learning.h"

#include <cmath>
#include <string>

namespace tests::model {

Learning::Learning(const engine::Limit& limit)
    : m_strategy(limit.strategy)
    , m_min(static_cast<double>(limit.minimum))
    , m_max(static_cast<double>(limit.maximum))
    , m_limit(static_cast<double>(limit.initial))
{
}

void Learning::sample(double duration, double inFlight)
{
    if (duration == 0) {
        return;
    }
    if (m_strategy == engine::Strategy::Vegas) {
        vegas(duration, inFlight);
    } else if (m_strategy == engine::Strategy::Gradient2) {
        gradient2(duration, inFlight);
    } else {
        aimd(duration, inFlight);
    }
}

double Learning::clamped(double limit) const
{
    if (limit < m_min) {
        return m_min;
    }
    return limit > m_max ? m_max : limit;
}

void Learning::vegas(double rtt, double inFlight)
{
    // The digits before the point, less one, are the logarithm rounded down.
    const std::string digits = std::to_string(limit());
    const double log10 = digits.size() < 2 ? 1 : static_cast<double>(digits.size() - 1);
    const double alpha = 3 * log10;
    const double beta = 6 * log10;
    m_probeCount += 1;
    if (0.75 * 30 * m_limit <= m_probeCount) {
        m_probeCount = 0;
        m_noLoad = rtt;
        return;
    }
    if (m_noLoad == 0 || rtt < m_noLoad) {
        m_noLoad = rtt;
        return;
    }
    const double queue = std::ceil(m_limit * (1 - m_noLoad / rtt));
    if (inFlight * 2 < m_limit) {
        return;
    }
    if (queue <= log10) {
        m_limit = clamped(m_limit + beta);
    } else if (queue < alpha) {
        m_limit = clamped(m_limit + log10);
    } else if (queue > beta) {
        m_limit = clamped(m_limit - log10);
    }
}

void Learning::gradient2(double rtt, double inFlight)
{
    if (m_count < 10) {
        m_count += 1;
        m_sum += rtt;
        m_long = m_sum / m_count;
    } else {
        const double factor = 2.0 / 601;
        m_long = m_long * (1 - factor) + rtt * factor;
    }
    const double before = m_long; // a drift holds from the next step on
    if (m_long / rtt > 2) {
        m_long *= 0.95;
    }
    if (inFlight < m_limit / 2) {
        return;
    }
    const double gradient = std::fmax(0.5, std::fmin(1.0, 1.5 * before / rtt));
    const double next = m_limit * gradient + 4;
    m_limit = clamped(m_limit * (1 - 0.2) + next * 0.2);
}

void Learning::aimd(double rtt, double inFlight)
{
    if (rtt > 5e9) {
        m_limit = std::trunc(m_limit * 0.9);
    } else if (inFlight * 2 >= m_limit) {
        m_limit += 1;
    }
    m_limit = clamped(m_limit);
}

} // namespace tests::model
