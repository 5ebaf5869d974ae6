#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// How a rule, one of its overrides or classes is called wherever it is shown: "pro-plan",
/// "pro-plan/acme", "shed[batch]", "shed/acme[batch]"; what is in no class is "shed". Of a
/// PlanRule, or of what the store keeps of one.
template <class Rule> std::string fullName(const Rule& rule)
{
    std::string name = rule.rule;
    if (rule.overrideName) {
        name.append("/").append(*rule.overrideName);
    }
    if (rule.className) {
        name.append("[").append(*rule.className).append("]");
    }
    return name;
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
