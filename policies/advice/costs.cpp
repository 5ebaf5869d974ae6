#include "policies/advice/checks.h"
#include "policies/advice/words.h"

#include <fmt/format.h>

namespace policies::advice {
namespace {

const Given<engine::Cost>& costOf(const SurveyedRule& rule, const Part& part)
{
    return part.override != nullptr && part.override->values.cost ? part.override->values.cost
                                                                  : rule.rule->values.cost;
}

const Span& slotsPlace(const SurveyedRule& rule, const Part& part)
{
    const auto of = [](const Values& values) -> const Given<std::int64_t>& {
        return values.inFlight ? values.inFlight : values.capacity;
    };
    const bool isOwn = part.override != nullptr && of(part.override->values);
    return isOwn ? of(part.override->values)->at : of(rule.rule->values)->at;
}

void checkZero(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const bool areSlots = engine::holdsSlots(part.limit.algorithm);
    const std::string what = areSlots ? "has no slot at all"
                                      : fmt::format("has a rate of {}", inWords(part.limit.rate));
    findings.add("rate.zero", areSlots ? slotsPlace(rule, part) : part.rate->at, *rule.rule,
                 fmt::format("{} {}: it {} every request that it judges", rule.named(part), what,
                             part.isEnforced() ? "rejects" : "denies"));
}

void checkCapacity(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    findings.add(
        "cost.above-capacity", costOf(rule, part)->at, *rule.rule,
        fmt::format("a request costs {} at {}, which never holds more than {}: none is ever "
                    "admitted, and there is no Retry-After to send",
                    grouped(part.cost.fixed), rule.named(part), grouped(part.most())));
}

} // namespace

void checkCosts(const Survey& survey, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        for (const Part& part : rule.parts) {
            if (rule.isRepeated(part)) {
                continue;
            }
            if (part.most() == 0) {
                checkZero(rule, part, findings);
            } else if (part.hasFixedCost() && part.deniesAll()) {
                checkCapacity(rule, part, findings);
            }
        }
    }
}

} // namespace policies::advice
