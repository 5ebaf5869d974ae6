#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::advice {
namespace {

using engine::Algorithm;

constexpr std::int64_t kWeekNs = 7 * 86'400'000'000'000;

/// Requests that one window takes, or their cost where that differs from one to the next.
std::int64_t inOneWindow(const Part& part)
{
    const std::int64_t each = part.hasFixedCost() ? std::max<std::int64_t>(1, part.cost.fixed) : 1;
    return part.limit.rate.count / each;
}

/// The enforced part that lets most through around an edge.
const Part* worstOf(const SurveyedRule& rule)
{
    const Part* worst = nullptr;
    for (const Part& part : rule.parts) {
        if (part.isEnforced() && !part.deniesAll()
            && (worst == nullptr || inOneWindow(part) > inOneWindow(*worst))) {
            worst = &part;
        }
    }
    return worst;
}

void checkEdge(const SurveyedRule& rule, Findings& findings)
{
    const Part* part = worstOf(rule);
    if (part == nullptr || (part->hasFixedCost() && part->cost.fixed == 0)) {
        return;
    }
    if (part->limit.alignToFirstRequest && inOneWindow(*part) == 1) {
        return; // the second one opens the next window, a whole period later
    }
    const std::int64_t most = times(2, inOneWindow(*part));
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
            checkEdge(rule, findings);
        }
        checkWeek(rule, findings);
    }
}

} // namespace policies::advice
