#include "tests/support/one_key.h"

#include <algorithm>

using namespace engine;

namespace tests::support {
namespace {

bool isMeter(const Limit& limit)
{
    return limit.algorithm == Algorithm::TokenBucket || limit.algorithm == Algorithm::Gcra
        || limit.algorithm == Algorithm::LeakyBucket;
}

} // namespace

OneKey::OneKey(const Limit& limit)
    : m_limit(limit)
{
    if (isMeter(limit)) {
        m_spec = meter::specOf(limit);
    }
}

OneKey::OneKey(const OneKey& other)
    : m_limit(other.m_limit)
    , m_spec(other.m_spec)
    , m_lastNs(other.m_lastNs)
    , m_window(other.m_window)
    , m_counter(other.m_counter)
    , m_meter(other.m_meter)
{
    const sliding_window_log::Ring* ring = other.m_log.ring;
    for (std::size_t i = 0; ring != nullptr && i < ring->size; ++i) {
        const sliding_window_log::Entry& entry
            = ring->entries()[(ring->first + i) % ring->capacity];
        sliding_window_log::count(m_limit, m_log, static_cast<std::int64_t>(entry.cost),
                                  entry.atNs);
    }
}

OneKey::~OneKey()
{
    sliding_window_log::release(m_log);
}

Answer OneKey::decide(std::int64_t nowNs, std::int64_t cost)
{
    m_lastNs = std::max(m_lastNs, nowNs);
    Answer answer;
    answer.admitted = judge(m_lastNs, cost);
    answer.delayNs = answer.admitted && isMeter(m_limit) ? meter::delayNs(m_spec, m_meter) : 0;
    if (cost > 0 && answer.admitted) {
        count(m_lastNs, cost);
    } else if (cost > 0 && m_limit.countRejected) {
        countRejected(m_lastNs, cost);
    }
    answer.figures = figures(m_lastNs, cost, answer.admitted);
    return answer;
}

bool OneKey::judge(std::int64_t nowNs, std::int64_t cost)
{
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        fixed_window::advance(m_limit, m_window, nowNs);
        return fixed_window::admits(m_limit, m_window, cost);
    case Algorithm::SlidingWindowLog:
        sliding_window_log::advance(m_limit, m_log, nowNs);
        return sliding_window_log::admits(m_limit, m_log, cost);
    case Algorithm::SlidingWindowCounter:
        sliding_window_counter::advance(m_limit, m_counter, nowNs);
        return sliding_window_counter::admits(m_limit, m_counter, cost, nowNs);
    default:
        meter::advance(m_spec, m_meter, nowNs);
        return meter::admits(m_spec, m_meter, cost);
    }
}

void OneKey::count(std::int64_t nowNs, std::int64_t cost)
{
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::count(m_limit, m_window, cost);
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::count(m_limit, m_log, cost, nowNs);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::count(m_limit, m_counter, cost);
    default:
        return meter::count(m_spec, m_meter, cost);
    }
}

void OneKey::countRejected(std::int64_t nowNs, std::int64_t cost)
{
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::countRejected(m_limit, m_window, cost);
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::countRejected(m_limit, m_log, cost, nowNs);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::countRejected(m_limit, m_counter, cost);
    default:
        return; // only windows have count_rejected
    }
}

Figures OneKey::figures(std::int64_t nowNs, std::int64_t cost, bool admitted) const
{
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::figures(m_limit, m_window, cost, admitted, nowNs);
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::figures(m_limit, m_log, cost, admitted, nowNs);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::figures(m_limit, m_counter, cost, admitted, nowNs);
    default:
        return meter::figures(m_spec, m_meter, cost, admitted);
    }
}

bool OneKey::atRest(std::int64_t nowNs) const
{
    OneKey later(*this);
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::atRest(m_limit, m_window, nowNs);
    case Algorithm::SlidingWindowLog:
        sliding_window_log::advance(m_limit, later.m_log, nowNs);
        return sliding_window_log::atRest(later.m_log);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::atRest(m_limit, m_counter, nowNs);
    default:
        meter::advance(m_spec, later.m_meter, nowNs);
        return meter::atRest(later.m_meter);
    }
}

} // namespace tests::support
