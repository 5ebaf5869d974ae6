#pragma once
#include "engine/plan.h"

#include <optional>
#include <string>

namespace app {

/// How a rule or one of its overrides is called wherever it is shown: "pro-plan", "pro-plan/acme".
inline std::string fullName(const std::string& rule, const std::optional<std::string>& overrideName)
{
    return overrideName ? rule + "/" + *overrideName : rule;
}

inline std::string fullName(const engine::PlanRule& rule)
{
    return fullName(rule.rule, rule.overrideName);
}

} // namespace app
