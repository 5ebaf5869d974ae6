#pragma once
#include "policies/diff.h"

#include <cstdint>
#include <string>
#include <vector>

namespace policies {

enum class EffectKind : std::uint8_t {
    Rate, ///< how much more or less per time
    WorstCase, ///< the most that can pass at once or around an edge
    Covered, ///< requests that something newly holds for
    Uncovered, ///< requests that it no longer holds for
    Counting, ///< who shares a limit with whom
    Verdict ///< whether denials reject
};

/// What a difference means for requests, as a reviewer would say it.
///
/// Example: {WorstCase, "rule", "search", "", "20 within 1min -> 40 within 1min"}.
struct Effect {
    EffectKind kind = EffectKind::Rate;
    std::string what; ///< as in Difference
    std::string name;
    std::string partName;
    std::string text; ///< one line for people
};

/// What the differences between two policies amount to, in their order, those of one thing
/// together. Worst cases are exact bounds for costs of 1; rates are compared exactly. Pure; safe
/// from any thread.
std::vector<Effect> effects(const Policy& before, const Policy& after,
                            const std::vector<Difference>& differences);

} // namespace policies
