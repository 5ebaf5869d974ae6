#include "policies/advice/checks.h"
#include "policies/yaml/node.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace policies::advice {
namespace {

using TierRules = std::array<std::vector<const SurveyedRule*>, engine::kTierCount>;

/// Where a tier's name stands in the document; adjusted documents keep their places.
Span tierPlace(const Policy& policy, std::string_view tier)
{
    if (policy.document) {
        if (const yaml::Item* tiers = yaml::find(policy.document->root, "tiers")) {
            const yaml::Item* found = tier.empty() ? tiers : yaml::find(tiers->value, tier);
            return found == nullptr ? tiers->key.at : found->key.at;
        }
    }
    return policy.name.at;
}

/// One rule that lives with it is enough: the advice is about all of them together.
bool anyAllows(Findings& findings, const std::vector<const SurveyedRule*>& rules,
               std::string_view code)
{
    bool allowed = false;
    for (const SurveyedRule* rule : rules) {
        allowed = findings.isAllowed(rule->rule->allow, code) || allowed;
    }
    return allowed;
}

bool noneEnforced(const std::vector<const SurveyedRule*>& rules)
{
    return std::none_of(rules.begin(), rules.end(),
                        [](const SurveyedRule* rule) { return rule->isEnforced(); });
}

bool isGiven(const Policy& policy, std::string_view tier)
{
    const yaml::Item* tiers
        = policy.document ? yaml::find(policy.document->root, "tiers") : nullptr;
    return tiers != nullptr && yaml::find(tiers->value, tier) != nullptr;
}

void checkTier(const Survey& survey, engine::Tier tier,
               const std::vector<const SurveyedRule*>& rules, Findings& findings)
{
    const std::string_view name = engine::nameOf(tier);
    if (!isGiven(survey.policy, name) || !noneEnforced(rules)
        || anyAllows(findings, rules, "mode.tier-not-enforced")) {
        return;
    }
    findings.tell("mode.tier-not-enforced", tierPlace(survey.policy, name),
                  rules.empty()
                      ? fmt::format("tier `{}` has no rules: it limits nothing", name)
                      : fmt::format("no rule of tier `{}` is enforced: it rejects nothing", name),
                  rules.empty() ? "leave the tier out, or write a rule" : "");
}

} // namespace

void checkModes(const Survey& survey, Findings& findings)
{
    TierRules tiers;
    std::vector<const SurveyedRule*> all;
    for (const SurveyedRule& rule : survey.rules) {
        tiers[static_cast<std::size_t>(rule.rule->tier)].push_back(&rule);
        all.push_back(&rule);
    }
    if (noneEnforced(all)) {
        if (!anyAllows(findings, all, "mode.nothing-enforced")) {
            findings.tell("mode.nothing-enforced", tierPlace(survey.policy, ""),
                          all.empty() ? "the policy has no rules: it limits nothing"
                                      : "no rule of the policy is enforced: it rejects nothing",
                          all.empty() ? "write a rule" : "");
        }
        return;
    }
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        checkTier(survey, static_cast<engine::Tier>(tier), tiers[tier], findings);
    }
}

} // namespace policies::advice
