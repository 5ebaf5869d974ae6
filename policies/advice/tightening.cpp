#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/percent.h"
#include "policies/language/words.h"

#include <fmt/format.h>
#include <unordered_map>

/// tighten.*: rules that count more while another one is nearly full.
namespace policies::advice {
namespace {

using engine::Algorithm;

/// "rule `a` counts 3 times the cost while `b` is at 80% of its limit or more".
std::string claim(const SurveyedRule& rule, const Tighten& tighten)
{
    return fmt::format("{} counts {} times the cost while `{}` is at {} of its limit or more",
                       rule.named(), grouped(tighten.factor.value),
                       language::shown(tighten.rule.value),
                       language::percentText(tighten.above.value));
}

void checkThreshold(const SurveyedRule& rule, const SurveyedRule& other, Findings& findings)
{
    const Tighten& tighten = rule.rule->tighten->value;
    const engine::Limit& limit = other.parts.front().limit;
    const bool canExceed = limit.algorithm == Algorithm::AdaptiveConcurrency
        || (limit.algorithm == Algorithm::LoadShedder
            && limit.strategy == engine::Strategy::Utilisation);
    const int above = tighten.above.value;
    if (above == 0) {
        findings.add("tighten.threshold", tighten.above.at, *rule.rule,
                     claim(rule, tighten) + ", which is always");
    } else if (above > 100) {
        findings.add("tighten.threshold", tighten.above.at, *rule.rule,
                     claim(rule, tighten)
                         + (canExceed ? ", which is only where its limit fell, or did not hold"
                                      : ", which is never"));
    }
}

void checkCost(const SurveyedRule& rule, Findings& findings)
{
    const Tighten& tighten = rule.rule->tighten->value;
    for (const Part& part : rule.parts) {
        if (rule.isRepeated(part) || part.deniesAll()) {
            continue;
        }
        const std::int64_t cost
            = times(part.hasFixedCost() ? part.cost.fixed : 1, tighten.factor.value);
        if (cost > part.most()) {
            findings.add("tighten.above-capacity", tighten.factor.at, *rule.rule,
                         fmt::format("a request costs {} or more at {} while `{}` is nearly full, "
                                     "and it never holds more than {}: none is admitted then",
                                     grouped(cost), rule.named(part),
                                     language::shown(tighten.rule.value), grouped(part.most())));
        }
    }
}

void checkOther(const SurveyedRule& rule, const SurveyedRule& other, Findings& findings)
{
    const Tighten& tighten = rule.rule->tighten->value;
    if (other.isOff()) {
        findings.add("tighten.rule-off", tighten.rule.at, *rule.rule,
                     fmt::format("{} names `{}`, which is off: it is never tightened", rule.named(),
                                 language::shown(tighten.rule.value)));
        return;
    }
    checkThreshold(rule, other, findings);
    if (rule.rule->tier < other.rule->tier) {
        findings.add("tighten.later-tier", tighten.rule.at, *rule.rule,
                     fmt::format("{} is in tier `{}`, and `{}` in tier `{}`: it holds only what "
                                 "has passed here",
                                 rule.named(), engine::nameOf(rule.rule->tier),
                                 language::shown(tighten.rule.value),
                                 engine::nameOf(other.rule->tier)));
    }
    checkCost(rule, findings);
}

} // namespace

void checkTightening(const Survey& survey, Findings& findings)
{
    std::unordered_map<std::string_view, const SurveyedRule*> rules;
    for (const SurveyedRule& rule : survey.rules) {
        rules.emplace(rule.rule->name.value, &rule);
    }
    for (const SurveyedRule& rule : survey.rules) {
        if (!rule.isOff() && rule.rule->tighten) { // read() knows that there is such a rule
            checkOther(rule, *rules.at(rule.rule->tighten->value.rule.value), findings);
        }
    }
}

} // namespace policies::advice
