#pragma once
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace policies {

/// Gives the bytes of a lookup file, named as in the policy ("plans.csv"), or says why it cannot.
using LookupLoader = std::function<engine::Result<std::string>(const std::string& file)>;

/// The plan if everything could be put together, else why not (all reasons, sorted by place).
struct Compiled {
    std::optional<engine::Plan> plan;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Makes the plan that the engine decides by.
///
/// Rules stand by tier, then as written; a rule with overrides becomes one PlanRule for each
/// override that is not off, in order, then one for the rest. `unless` of each holds the matches of
/// all earlier overrides, off or not. Example: `free` with override `acme` gives PlanRules
/// (free, acme) and (free, nothing), the second with unless = [acme's match]. A load_shedder
/// becomes one for each class and one for the rest, in place of each of these, as planRules() gives
/// them. `tighten` has the index of the first PlanRule of the rule that it names, and is left out
/// where that rule is off.
///
/// `load` is called once for each file of lookupFiles(). Errors: policy.lookup-file (the loader's
/// failure), policy.lookup-csv and policy.lookup-column (with the place in the CSV). A header
/// without rows is no error; a key that comes twice keeps its first row.
/// Pure but for `load`; safe from any thread.
Compiled compile(const Policy& policy, const LookupLoader& load);

/// The lookup files that the policy names, each once, in order of appearance.
std::vector<std::string> lookupFiles(const Policy& policy);

} // namespace policies
