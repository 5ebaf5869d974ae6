#include "policies/language/plan_names.h"

namespace policies::language {
namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

std::set<std::string> usualPlans()
{
    return {"free", "basic",    "starter", "pro",    "plus",   "premium", "business",
            "team", "standard", "trial",   "bronze", "silver", "gold",    "enterprise"};
}

std::string planIn(std::string_view name, const std::set<std::string>& plans)
{
    for (std::size_t at = 0; at < name.size();) {
        std::string word = wordAt(name, at);
        if (plans.count(word) != 0) {
            return word;
        }
        at += word.size() + 1;
    }
    return {};
}

std::string wordAt(std::string_view name, std::size_t at)
{
    std::string word;
    for (; at < name.size() && isLetter(name[at]); ++at) {
        word += static_cast<char>(name[at] | 0x20);
    }
    return word;
}

} // namespace policies::language
