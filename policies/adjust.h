#pragma once
#include "engine/result.h"
#include "policies/read.h"

#include <string>
#include <vector>

namespace policies {

/// What the command line changes in a policy before it is used.
struct Adjustments {
    std::vector<std::string> sets; ///< "RULE.FIELD=V", "RULE.OVERRIDE.FIELD=V"
    std::vector<std::string> modes; ///< "RULE=shadow", "all=off"
};

/// The policy as if its text said so, checked by the same checks: first every set, then every mode,
/// in the order given, a later one wins. A mode holds for the rule and its overrides. V is written
/// as in a policy: `20/min`, `[api_key, path]`, `{ attribute: bytes, per: 1024 }`.
///
/// Example: sets {"search.rate=20/min"}, modes {"all=shadow"}.
///
/// A mistake in the outcome (an unknown field, a bad rate) is a diagnostic of Checked whose place
/// is the adjustment ("--set search.rate=20/mon"). Errors of the request itself, which is then a
/// usage error: policy.adjust-rule (no such rule), policy.adjust-form (not of the form above, or no
/// mode). The given policy stays as it is. Pure; safe from any thread.
engine::Result<Checked> adjust(const Policy& policy, const Adjustments& adjustments);

} // namespace policies
