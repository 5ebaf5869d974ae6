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
    std::string word;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        if (i < name.size() && isLetter(name[i])) {
            word += static_cast<char>(name[i] | 0x20);
            continue;
        }
        if (plans.count(word) != 0) {
            return word;
        }
        word.clear();
    }
    return {};
}

} // namespace policies::language
