#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace app {

/// A stretch in which a rule denied a key again and again. It ends where the rule denies nothing
/// for as long as an idle key needs to be as new, and for a minute at least.
struct KeyEpisode {
    std::int64_t beginNs = 0; ///< the first denied request
    std::int64_t endNs = 0; ///< the last denied request
    std::uint64_t firstN = 0; ///< number of the first denied request
    std::uint64_t requests = 0; ///< judged from begin to end, both included
    std::uint64_t denied = 0;
    std::uint64_t longestStreak = 0; ///< denied with none admitted between
    std::uint64_t worstMinute = 0; ///< the most denied within 60 s
    std::int64_t worstMinuteNs = 0; ///< when these began

    /// From the first denied request to the last; 292 years where it is longer.
    [[nodiscard]] std::int64_t lengthNs() const;
};

/// Makes episodes of a key's judged requests, one after another in order of time.
///
/// Example: denied at 0 s, 1 s (admitted at 2 s) and 3 s, then at 3,600 s, with a quiet span of
/// 60 s: two episodes, of 3 denied of 4 requests and of 1 of 1.
class KeyEpisodes {
public:
    explicit KeyEpisodes(std::int64_t quietNs)
        : m_quietNs(quietNs)
    {
    }

    /// A time that goes back is taken for the last one.
    void add(std::int64_t timeNs, std::uint64_t n, bool admits);

    [[nodiscard]] const std::vector<KeyEpisode>& all() const { return m_episodes; }

private:
    [[nodiscard]] bool isNew(std::int64_t atNs) const;

    std::int64_t m_quietNs;
    std::int64_t m_lastNs = std::numeric_limits<std::int64_t>::min();
    std::vector<KeyEpisode> m_episodes;
    std::deque<std::int64_t> m_minute; ///< denied within the last 60 s
    std::uint64_t m_streak = 0;
    std::uint64_t m_admitted = 0; ///< since the last denied one
};

/// How long a key may be idle until nothing of what the limit counted is left, and a minute at
/// least: 2 windows or 1; what the fullest backlog takes to drain, B * T of a burst, tau + T of a
/// tolerance, (Q + 1) * T of a queue; a minute for slots.
///
/// Example: gcra, 1/h, tolerance 1 ms: an hour and 1 ms.
std::int64_t quietSpanNs(const engine::Limit& limit);

} // namespace app
