#include "app/workbench/key_episodes.h"

#include "engine/algorithms.h"
#include "storage/time_math.h"

#include <algorithm>
#include <limits>

namespace app {
namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;

/// Of times that may lie further apart than an int64 can say.
std::uint64_t between(std::int64_t earlier, std::int64_t later)
{
    return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
}

std::int64_t twice(std::int64_t spanNs)
{
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return spanNs > most / 2 ? most : 2 * spanNs;
}

/// What the fullest backlog takes to drain, rounded up. A rate of 0 has none.
std::int64_t drainNs(const engine::Limit& limit)
{
    const engine::meter::Spec spec = engine::meter::specOf(limit);
    return spec.rateCount == 0 ? 0 : spec.capacityNs + (spec.capacityFraction > 0 ? 1 : 0);
}

} // namespace

std::int64_t KeyEpisode::lengthNs() const
{
    return storage::cappedDifference(endNs, beginNs);
}

bool KeyEpisodes::isNew(std::int64_t atNs) const
{
    return m_episodes.empty()
        || between(m_episodes.back().endNs, atNs) > static_cast<std::uint64_t>(m_quietNs);
}

void KeyEpisodes::add(std::int64_t timeNs, std::uint64_t n, bool admits)
{
    const std::int64_t atNs = m_lastNs = std::max(m_lastNs, timeNs);
    if (admits) {
        ++m_admitted;
        m_streak = 0;
        return;
    }
    if (isNew(atNs)) {
        KeyEpisode episode;
        episode.beginNs = atNs;
        episode.firstN = n;
        m_episodes.push_back(episode);
        m_streak = 0;
        m_admitted = 0;
    }
    KeyEpisode& episode = m_episodes.back();
    episode.endNs = atNs;
    episode.requests += m_admitted + 1;
    m_admitted = 0;
    ++episode.denied;
    episode.longestStreak = std::max(episode.longestStreak, ++m_streak);
    m_minute.push_back(atNs);
    while (between(m_minute.front(), atNs) >= static_cast<std::uint64_t>(kMinuteNs)) {
        m_minute.pop_front();
    }
    if (m_minute.size() > episode.worstMinute) {
        episode.worstMinute = m_minute.size();
        episode.worstMinuteNs = m_minute.front();
    }
}

std::int64_t quietSpanNs(const engine::Limit& limit)
{
    switch (limit.algorithm) {
    case engine::Algorithm::FixedWindow:
    case engine::Algorithm::SlidingWindowLog:
        return std::max(limit.rate.periodNs, kMinuteNs);
    case engine::Algorithm::SlidingWindowCounter:
        return std::max(twice(limit.rate.periodNs), kMinuteNs);
    case engine::Algorithm::TokenBucket:
    case engine::Algorithm::LeakyBucket:
    case engine::Algorithm::Gcra:
        return std::max(drainNs(limit), kMinuteNs);
    case engine::Algorithm::Concurrency:
    case engine::Algorithm::AdaptiveConcurrency:
    case engine::Algorithm::LoadShedder:
        break;
    }
    return kMinuteNs;
}

} // namespace app
