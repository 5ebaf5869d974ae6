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
    return part.override != nullptr && part.override->values.inFlight
        ? part.override->values.inFlight->at
        : rule.rule->values.inFlight->at;
}

void checkZero(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const bool isConcurrency = part.limit.algorithm == engine::Algorithm::Concurrency;
    const std::string what = isConcurrency
        ? "has no slot at all"
        : fmt::format("has a rate of {}", inWords(part.limit.rate));
    findings.add("rate.zero", isConcurrency ? slotsPlace(rule, part) : part.rate->at, *rule.rule,
                 fmt::format("{} {}: it {} every request that it judges", rule.named(part), what,
                             part.isEnforced() ? "rejects" : "denies"));
}

void checkCapacity(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const std::int64_t capacity = engine::capacityOf(part.limit);
    findings.add(
        "cost.above-capacity", costOf(rule, part)->at, *rule.rule,
        fmt::format("a request costs {} at {}, which never holds more than {}: none is ever "
                    "admitted, and there is no Retry-After to send",
                    grouped(part.cost.fixed), rule.named(part), grouped(capacity)));
}

} // namespace

void checkCosts(const Survey& survey, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        for (const Part& part : rule.parts) {
            if (rule.isRepeated(part)) {
                continue;
            }
            if (engine::capacityOf(part.limit) == 0) {
                checkZero(rule, part, findings);
            } else if (part.hasFixedCost() && part.deniesAll()) {
                checkCapacity(rule, part, findings);
            }
        }
    }
}

} // namespace policies::advice
