#pragma once
#include "policies/policy.h"

#include <optional>
#include <string>

/// What a rule lets through, in the words of a reviewer.
namespace policies::diffing {

/// A rule or one of its overrides, with the values that hold for it.
struct Limited {
    const Rule* rule = nullptr;
    const Override* override = nullptr;
    std::optional<engine::Limit> limit;
    engine::Mode mode = engine::Mode::Enforce;
    bool countsAll = false; ///< nothing that it admits goes uncounted

    [[nodiscard]] const MatchList* match() const
    {
        return override != nullptr ? &override->match : rule->match ? &*rule->match : nullptr;
    }
};

/// Nothing where the policy has no such rule or override; "" is the rule itself.
std::optional<Limited> limitedIn(const Policy& policy, const std::string& name,
                                 const std::string& overrideName);

/// The most that can pass, for costs of 1. Of one that has a limit.
/// Example: fixed_window 7/10s: "14 within 10s, around the edge of a window".
std::string worstCase(const Limited& limited);

/// How much more or less per time: "2 times as many per time"; nothing where it is the same, or
/// cannot be said in numbers of 64 bits.
std::optional<std::string> rateChange(const engine::Limit& before, const engine::Limit& after);

} // namespace policies::diffing
