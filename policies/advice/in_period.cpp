#include "policies/advice/in_period.h"

#include "engine/worst_case.h"
#include "policies/language/limits.h"

namespace policies::advice {

std::int64_t mostInPeriod(const Survey& survey, const SurveyedRule& rule, const Part& part)
{
    if (part.hasFixedCost() && part.cost.fixed == 0) {
        return 0;
    }
    // A cost that differs may be 0: it opens a window and counts nothing.
    const bool allCount
        = part.hasFixedCost() && language::countsAllItAdmits(survey.policy, *rule.rule);
    return engine::mostAroundEdge(part.limit, part.hasFixedCost() ? part.cost.fixed : 1, allCount)
        .total();
}

bool exceedsWindow(const Survey& survey, const SurveyedRule& rule, const Part& part)
{
    const std::int64_t each = part.hasFixedCost() && part.cost.fixed > 0 ? part.cost.fixed : 1;
    return mostInPeriod(survey, rule, part) > part.limit.rate.count / each;
}

} // namespace policies::advice
