#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <span>

/// What one key of one rule meets, without the rest of a policy.
namespace engine {

/// One request as a rule's key met it.
struct KeyRequest {
    std::int64_t atNs = 0; ///< when the rule judged it
    std::int64_t cost = 1;
    std::int64_t durationNs = 0; ///< or kUnknownDuration
    bool counts = true; ///< if the rule admits it: no other rule turned it away
    bool mayBeDenied = false; ///< of the warm-up: nobody counts it
};

/// Does a key that starts at rest get every request past this limit, all else unchanged? Requests
/// in the order in which they were judged. Of a limit that checkLimit() has nothing against; any
/// thread. Definition of the algorithms: semantics section 5.
///
/// Example: two requests in a second get past 2 per min, and not past 1 per min.
bool admitsAll(const Limit& limit, std::span<const KeyRequest> requests);

} // namespace engine
