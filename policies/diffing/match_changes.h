#pragma once
#include "policies/policy.h"

#include <string>
#include <vector>

/// Which requests a match newly takes, and which it no longer does.
namespace policies::diffing {

/// "requests that match { path: /a }"; "all requests" without a match.
std::string matchWords(const MatchList* match);

struct MatchChange {
    bool isCovered = true; ///< else uncovered
    std::string text; ///< one line for people
};

/// The change entry by entry. nullptr matches everything.
/// Example: { path: /a } to { path: [/a, /b], method: GET }: covered "requests with path: /b",
/// uncovered "requests that do not match { method: GET }".
std::vector<MatchChange> matchChanges(const MatchList* before, const MatchList* after);

} // namespace policies::diffing
