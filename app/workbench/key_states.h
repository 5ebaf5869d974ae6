#pragma once
#include "app/workbench/explain.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace app {

/// How much of a rule's limit a key had used at a time: capacity less what was left.
struct KeyState {
    std::int64_t atNs = 0;
    std::int64_t used = 0;

    friend bool operator==(const KeyState&, const KeyState&) = default;
};

/// The state of the rule's key from `fromNs` to its last visit, at about `points` times that lie
/// evenly, and before and after each visit: the engine's own arithmetic over the visits again.
///
/// Nothing where that does not meet what the visits found: of a key with visits before the first
/// one that is known, and of slots (how long they were taken is not known here).
///
/// Example: token_bucket 60/min, burst 60, one visit at 0 s: {0, 0}, {0, 1}.
std::vector<KeyState> keyStates(const ExplainedRule& rule, std::int64_t fromNs, std::size_t points);

/// The first visit that the state can still tell of: not more than a span before the last one in
/// which an idle key comes to rest; see quietSpanNs(). 0 without visits.
std::int64_t tellingFromNs(const ExplainedRule& rule);

} // namespace app
