#pragma once
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <vector>

namespace policies {

/// A rule, or one override of it, as the engine decides by it, whatever its mode (a Plan leaves out
/// what is off). `unless` stays empty: what other overrides take away is a matter of the whole
/// rule. Errors: policy.limit-range, which read() refuses already. Pure.
///
/// Example: pro-plan with override acme (rate 1500/min) gives {rule "pro-plan", overrideName
/// "acme", limit.rate {1500, 60 s}, match plan: pro, overrideMatch tenant: acme}.
/// Of a load_shedder it is what requests of no class meet; planRules() gives the others. `tighten`
/// has no rule yet (index 0): that is a matter of the whole plan.
engine::Result<engine::PlanRule> planRule(const Rule& rule, const Override* override = nullptr);

/// All that the rule, or one override of it, is in a plan: itself; of a load_shedder each class in
/// order, then what is in none, sharing the state of the first. `unless` has earlier classes only.
/// Errors: as planRule(). Never empty.
///
/// Example: shed with classes batch and browse gives (shed, batch), (shed, browse), (shed, nothing)
/// with stateBefore 0, 1, 2.
engine::Result<std::vector<engine::PlanRule>> planRules(const Rule& rule,
                                                        const Override* override = nullptr);

/// Is everything there that a limit of this rule needs? A rule of Checked::draft may lack it.
bool isComplete(const Rule& rule);

/// Whatever the rule judges and admits is counted by it: nobody else can reject it and leave it
/// uncounted.
bool countsAllItAdmits(const Policy& policy, const Rule& rule);

} // namespace policies
