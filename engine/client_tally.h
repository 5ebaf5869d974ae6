#pragma once
#include "engine/tally.h"

#include <cstdint>
#include <optional>
#include <vector>

/// What came of clients that come again after a rejection.
namespace engine {

/// Of the clients of one behaviour. Each request of the log is a first attempt, and ends in one of
/// three ways: first = admittedAtOnce + admittedLater + gaveUp; all attempts are first + retries.
struct BehaviourTally {
    std::uint64_t clients = 0;
    std::uint64_t first = 0;
    std::uint64_t retries = 0;
    std::uint64_t admittedAtOnce = 0;
    std::uint64_t admittedLater = 0;
    std::uint64_t gaveUp = 0; ///< out of attempts, or out of budget
    std::uint64_t outOfBudget = 0; ///< of these
};

/// A client that never gets through again: since its last admission, or ever, it gave up at least
/// two requests, and none was admitted.
struct Lockout {
    std::uint32_t client = 0; ///< id of its name
    std::uint64_t attempts = 0; ///< since then
    std::uint64_t gaveUp = 0; ///< requests, since then
    std::int64_t sinceNs = 0; ///< first attempt since then
};

/// Of one plan over one run, the warm-up left out but for who had been met and was locked out then.
struct ClientTally {
    std::vector<BehaviourTally> behaviours; ///< as in the profile
    std::uint64_t nameless
        = 0; ///< requests that say nothing of their client: they do not come again
    std::uint64_t peakAttempts = 0; ///< in one second
    std::int64_t peakSecond = 0;
    std::uint64_t herd = 0; ///< the most retries within one tenth of a second
    std::int64_t herdNs = 0; ///< when it began
    DelayHistogram untilAdmitted; ///< from first attempt to admission, of those admitted later
    std::uint64_t lockouts = 0;
    std::vector<Lockout> longest; ///< of these, with the most attempts; at most 100

    [[nodiscard]] BehaviourTally all() const;
};

} // namespace engine
