#include "engine/answer.h"

#include "engine/answer/limit_fields.h"
#include "engine/answer/problem.h"
#include "engine/answer/structured_fields.h"
#include "engine/answer/told_rule.h"

#include <algorithm>
#include <array>

namespace engine {
namespace {

constexpr std::array<std::string_view, 6> kStyleNames {"10",      "07",   "github",
                                                       "draft03", "kong", "none"};

Diagnostic advice(std::string code, std::string message, std::string help)
{
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    diagnostic.severity = Severity::Advice;
    return diagnostic;
}

bool sendsNames(HeaderStyle style)
{
    return style == HeaderStyle::Draft10 || style == HeaderStyle::Github;
}

bool isStructured(HeaderStyle style)
{
    return style == HeaderStyle::Draft10 || style == HeaderStyle::Draft07;
}

bool needsWindows(HeaderStyle style)
{
    return style == HeaderStyle::Draft07 || style == HeaderStyle::Draft03;
}

} // namespace

std::string_view nameOf(HeaderStyle style)
{
    return kStyleNames[static_cast<std::size_t>(style)];
}

std::optional<HeaderStyle> headerStyleNamed(std::string_view name)
{
    const auto found = std::find(kStyleNames.begin(), kStyleNames.end(), name);
    return found == kStyleNames.end()
        ? std::nullopt
        : std::optional(static_cast<HeaderStyle>(found - kStyleNames.begin()));
}

std::vector<std::string> headerStyleNames()
{
    return {kStyleNames.begin(), kStyleNames.end()};
}

std::string policyName(const PlanRule& rule)
{
    std::string name = rule.rule;
    for (const std::optional<std::string>* part : {&rule.overrideName, &rule.className}) {
        if (*part) {
            name += "/" + **part;
        }
    }
    return name;
}

std::int64_t headerSeconds(std::int64_t waitNs)
{
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    return std::max<std::int64_t>(1, waitNs / kSecondNs + (waitNs % kSecondNs > 0 ? 1 : 0));
}

Answer answerTo(const Plan& plan, const Decision& decision, HeaderStyle style)
{
    Answer answer;
    const std::vector<answering::ToldRule> rules = answering::toldRules(plan, decision);
    const bool isRejected = decision.verdict.outcome == Outcome::Rejected;
    if (isRejected && decision.retryAfterNs) {
        answer.headers.push_back(
            {"Retry-After", std::to_string(headerSeconds(*decision.retryAfterNs))});
    }
    std::vector<answering::ToldRule> limits = rules;
    std::erase_if(limits, [](const answering::ToldRule& told) {
        return !answering::hasQuota(told.rule->limit);
    });
    for (HeaderField& field : answering::limitFields(limits, style)) {
        answer.headers.push_back(std::move(field));
    }
    if (isRejected) {
        answer.headers.push_back({"Content-Type", "application/problem+json"});
        answer.problem = answering::problemOf(plan, decision, rules);
    }
    return answer;
}

std::vector<Diagnostic> unsayable(const Plan& plan, HeaderStyle style)
{
    std::vector<Diagnostic> found;
    for (const PlanRule& rule : plan.rules) {
        if (rule.mode != Mode::Enforce) {
            continue;
        }
        const std::string name = "rule `" + policyName(rule) + "`";
        if (!answering::hasQuota(rule.limit)) {
            if (style != HeaderStyle::None) {
                found.push_back(advice("answer.drawn",
                                       name
                                           + " is not told to clients: what strategy utilisation "
                                             "sheds is drawn, and no count says what remains",
                                       "strategy fleet has a count"));
            }
            continue;
        }
        const answering::Quota quota = answering::quotaOf(rule.limit);
        if (sendsNames(style) && !structured::text(policyName(rule))) {
            found.push_back(advice("answer.name",
                                   name + " is not told to clients by name: a header holds ASCII",
                                   "write the name with letters from A to Z, digits, - and _"));
        }
        if (isStructured(style) && quota.quota > structured::kLargest) {
            found.push_back(advice("answer.quota",
                                   name + " is told as " + std::to_string(structured::kLargest)
                                       + ", the most that a header can say, not as "
                                       + std::to_string(quota.quota),
                                   "lower the limit if clients are to know it"));
        }
        if (needsWindows(style) && !quota.windowNs) {
            found.push_back(advice("answer.window",
                                   name + " has no window, and form " + std::string(nameOf(style))
                                       + " no policy without one",
                                   "form 10 tells of it by name"));
        }
    }
    return found;
}

} // namespace engine
