#include "engine/attributes.h"
#include "policies/advice/checks.h"
#include "policies/language/plan_names.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

/// name.plan: a rule that is named like a plan, and takes everybody.
namespace policies::advice {
namespace {

constexpr std::size_t kMostValues = 100; ///< a lookup with more is no list of plans

/// The plans that the policy's own lookups know.
std::set<std::string> plansOf(const engine::Plan* plan)
{
    std::set<std::string> plans;
    if (plan == nullptr) {
        return plans;
    }
    for (const engine::Derivation& derivation : plan->attributes) {
        std::set<std::string> values;
        if (derivation.table && (derivation.name == "plan" || derivation.name == "tier")) {
            for (const auto& [key, value] : *derivation.table) {
                values.insert(value);
                if (values.size() > kMostValues) {
                    break;
                }
            }
        }
        if (values.size() <= kMostValues) {
            plans.insert(values.begin(), values.end());
        }
    }
    return plans;
}

/// A usual plan and words that say nothing else: "free-plan", but not "business-hours".
std::string usualPlanIn(std::string_view name)
{
    static const std::set<std::string> kPlans = language::usualPlans();
    static const std::set<std::string> kPlain {"plan",    "plans", "tier", "user",     "users",
                                               "account", "limit", "rate", "accounts", "limits",
                                               "key",     "keys",  "api",  "customers"};
    const std::string found = language::planIn(name, kPlans);
    for (std::size_t at = 0; at < name.size();) {
        const std::string word = language::wordAt(name, at);
        if (!word.empty() && kPlans.count(word) + kPlain.count(word) == 0) {
            return {};
        }
        at += word.size() + 1;
    }
    return found;
}

/// A match that says who is meant, by more than where the request goes.
bool saysWho(const Survey& survey, const Rule& rule)
{
    constexpr std::array<std::string_view, 4> kWho {"api_key", "user", "host", "client_ip"};
    return rule.match
        && std::any_of(rule.match->entries.begin(), rule.match->entries.end(),
                       [&](const MatchEntry& entry) {
                           const std::string& name = entry.attribute.text;
                           return !engine::isBuiltIn(name) || survey.origin(name).derived != nullptr
                               || std::find(kWho.begin(), kWho.end(), name) != kWho.end();
                       });
}

} // namespace

void checkNames(const Survey& survey, const engine::Plan* plan, Findings& findings)
{
    const std::set<std::string> plans = plansOf(plan);
    for (const SurveyedRule& rule : survey.rules) {
        if (rule.isOff() || saysWho(survey, *rule.rule)) {
            continue;
        }
        const std::string& name = rule.rule->name.value;
        std::string found = language::planIn(name, plans);
        found = found.empty() ? usualPlanIn(name) : found;
        if (!found.empty()) {
            findings.add(
                "name.plan", rule.rule->name.at, *rule.rule,
                fmt::format("{} is named like the plan `{}`, but its match does not ask for a "
                            "plan: it takes requests of every plan",
                            rule.named(), found),
                fmt::format("write `match: {{ plan: {} }}`, with `plan` under `attributes`, "
                            "or give the rule another name",
                            found));
        }
    }
}

} // namespace policies::advice
