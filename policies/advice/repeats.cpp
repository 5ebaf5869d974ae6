#include "policies/advice/checks.h"
#include "policies/advice/wider_index.h"
#include "policies/advice/words.h"

#include <fmt/format.h>
#include <unordered_map>

/// rule.duplicate: the same requests are counted by the same key twice.
namespace policies::advice {
namespace {

/// What must be equal for two rules to be one. A limit of requests in flight and one of requests in
/// a time measure different things; a shadow rule beside an enforced one is a trial of it.
std::string signatureOf(const SurveyedRule& rule)
{
    const bool areSlots = engine::holdsSlots(rule.rule->algorithm.value);
    return joined({joined(sortedKey(*rule.rule)), matchText(rule.match),
                   areSlots ? "slots" : "rate", rule.isEnforced() ? "enforce" : "shadow",
                   // A load_shedder lets classes through, others let requests.
                   rule.rule->algorithm.value == engine::Algorithm::LoadShedder ? "shed" : ""});
}

} // namespace

void checkRepeats(const Survey& survey, Findings& findings)
{
    std::unordered_map<std::string, const SurveyedRule*> seen;
    for (const SurveyedRule& rule : survey.rules) {
        if (rule.isOff()) {
            continue;
        }
        const auto [first, isNew] = seen.emplace(signatureOf(rule), &rule);
        if (!isNew) {
            const SurveyedRule& other = *first->second;
            findings.add("rule.duplicate", rule.rule->name.at, *rule.rule,
                         fmt::format("{} has the same match and key as {} in line {}: both count "
                                     "every such request",
                                     rule.named(), other.named(), other.rule->name.at.line));
        }
    }
}

} // namespace policies::advice
