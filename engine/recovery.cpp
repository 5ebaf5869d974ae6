#include "engine/recovery.h"

#include "engine/algorithms/wide.h"
#include "engine/key_trace.h"
#include "engine/worst_case.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace engine {
namespace {

constexpr std::uint64_t kShortest = 0;
constexpr std::uint64_t kLongest = std::numeric_limits<std::uint64_t>::max();

/// The times of attempts one by one, with the same draw for each wait.
class Attempts {
public:
    Attempts(const Behaviour& behaviour, std::uint64_t draw)
        : m_behaviour(behaviour)
        , m_draw(draw)
    {
    }

    [[nodiscard]] std::int64_t atNs() const { return m_atNs; }

    void next()
    {
        m_waitNs = waitAfter(m_behaviour, ++m_made, m_waitNs, std::nullopt, m_draw);
        m_atNs = wide::addSaturating(m_atNs, m_waitNs);
    }

private:
    const Behaviour& m_behaviour;
    std::uint64_t m_draw;
    int m_made = 0;
    std::int64_t m_waitNs = 0;
    std::int64_t m_atNs = 0;
};

/// Does one of the attempts get through while all that are rejected count?
bool getsThrough(const Limit& limit, std::int64_t cost, const std::vector<std::int64_t>& attempts)
{
    KeyTrace key(limit);
    const std::int64_t startNs = limit.anchorNs; // a window begins
    key.judge({startNs, capacityOf(limit) / cost * cost});
    return std::any_of(attempts.begin(), attempts.end(), [&](std::int64_t afterNs) {
        return key.judge({wide::addSaturating(startNs, afterNs), cost}).admits;
    });
}

/// With longer waits fewer attempts fall into a period, so that the longest are the best that can
/// be; not so where the estimate depends on which aligned window an attempt falls into.
bool longestIsBest(const Limit& limit, const Behaviour& behaviour)
{
    return limit.algorithm != Algorithm::SlidingWindowCounter || behaviour.jitter == Jitter::None;
}

} // namespace

std::vector<std::int64_t> latestAttempts(const Behaviour& behaviour)
{
    Attempts attempts(behaviour, kLongest);
    std::vector<std::int64_t> all {0};
    while (all.size() < static_cast<std::size_t>(behaviour.attempts)) {
        attempts.next();
        all.push_back(attempts.atNs());
    }
    return all;
}

int attemptsThatLast(const Behaviour& behaviour, std::int64_t spanNs)
{
    Attempts attempts(behaviour, kShortest);
    for (int made = 1; made <= Behaviour::kMostAttempts; ++made) {
        if (attempts.atNs() >= spanNs) {
            return made;
        }
        attempts.next();
    }
    return 0;
}

Recovery recoveryFrom(const Limit& limit, std::int64_t cost, const Behaviour& behaviour,
                      const std::vector<std::int64_t>& latest)
{
    const bool comesAgain = behaviour.attempts > 1 && behaviour.budgetPercent != 0;
    const std::optional<std::int64_t> waitNs = longestWaitNs(limit, cost);
    if (!comesAgain || !waitNs || behaviour.retryAfter != RetryAfter::Ignore) {
        return Recovery::Possible;
    }
    if (latest.back() < *waitNs) {
        return Recovery::TooSoon;
    }
    const bool isKeptFull = limit.countRejected && !behaviour.budgetPercent
        && longestIsBest(limit, behaviour) && !getsThrough(limit, cost, latest);
    return isKeptFull ? Recovery::KeptFull : Recovery::Possible;
}

} // namespace engine
