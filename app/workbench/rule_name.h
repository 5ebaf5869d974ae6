#pragma once
#include "engine/plan.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

/// How a key is called wherever it stands for itself, from the values of its attributes: "k1, GET".
inline std::string joinedKey(std::span<const std::string> values, std::string_view between = ", ")
{
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text.append(i == 0 ? std::string_view() : between).append(values[i]);
    }
    return text;
}

} // namespace app
