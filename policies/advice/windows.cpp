#include "policies/advice/checks.h"
#include "policies/advice/in_period.h"
#include "policies/advice/words.h"

#include <fmt/format.h>

namespace policies::advice {
namespace {

using engine::Algorithm;

constexpr std::int64_t kWeekNs = 7 * 86'400'000'000'000;

/// The enforced part that lets most through around an edge.
const Part* worstOf(const Survey& survey, const SurveyedRule& rule)
{
    const Part* worst = nullptr;
    std::int64_t most = 0;
    for (const Part& part : rule.parts) {
        const bool judges = part.isEnforced() && !part.deniesAll();
        const std::int64_t ofPart = judges ? mostInPeriod(survey, rule, part) : 0;
        if (ofPart > most) {
            worst = &part;
            most = ofPart;
        }
    }
    return worst;
}

void checkEdge(const Survey& survey, const SurveyedRule& rule, Findings& findings)
{
    const Part* part = worstOf(survey, rule);
    if (part == nullptr || !exceedsWindow(survey, rule, *part)) {
        return;
    }
    const std::int64_t most = mostInPeriod(survey, rule, *part);
    findings.add(
        "window.edge", rule.rule->algorithm.at, *rule.rule,
        fmt::format("{} admits up to {} in moments around the edge of a window, though its rate "
                    "is {}",
                    rule.named(*part),
                    part->hasFixedCost() ? grouped(most) + " requests"
                                         : "a cost of " + grouped(most),
                    inWords(part->limit.rate)));
}

void checkWeek(const SurveyedRule& rule, Findings& findings)
{
    const Algorithm algorithm = rule.rule->algorithm.value;
    const bool hasCalendar
        = (algorithm == Algorithm::FixedWindow
           && !(rule.rule->alignToFirstRequest && rule.rule->alignToFirstRequest->value))
        || algorithm == Algorithm::SlidingWindowCounter;
    if (!hasCalendar || rule.rule->anchorNs) {
        return;
    }
    for (const Part& part : rule.parts) {
        if (part.limit.rate.periodNs % kWeekNs == 0) {
            findings.add("window.week", part.rate->at, *rule.rule,
                         fmt::format("the windows of {} begin on a Thursday, 00:00 UTC, since no "
                                     "`anchor` says otherwise",
                                     rule.named(part)));
        }
    }
}

} // namespace

void checkWindows(const Survey& survey, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        if (rule.rule->algorithm.value == Algorithm::FixedWindow) {
            checkEdge(survey, rule, findings);
        }
        checkWeek(rule, findings);
    }
}

} // namespace policies::advice
