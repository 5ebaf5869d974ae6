#include "app/workbench/scenario_answers.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

/// `pro-plan` is the rule whatever the override, `pro-plan/acme` the one override.
bool isNamed(const engine::PlanRule& rule, std::string_view name)
{
    return name == rule.rule || name == fullName(rule);
}

std::string waitText(std::optional<std::int64_t> ns, std::string_view ofNothing)
{
    return !ns ? "never" : *ns == 0 ? std::string(ofNothing) : secondsText(*ns);
}

std::string figureText(Asked asked, const engine::RuleDecision& rule)
{
    switch (asked) {
    case Asked::Remaining:
        return fmt::format("{}", rule.figures.remaining);
    case Asked::Retry:
        return waitText(rule.figures.retryAfterNs, "-");
    case Asked::Next:
        return secondsText(rule.figures.nextAfterNs);
    case Asked::Full:
        return waitText(rule.figures.fullAfterNs, "0");
    case Asked::Delay:
        return waitText(rule.delayNs, "-");
    case Asked::Outcome:
    case Asked::Rule:
    case Asked::Tier:
    case Asked::Shadow:
    case Asked::Decided:
    case Asked::Late:
        break;
    }
    return "-";
}

/// Tells what was seen in the words of the table.
class Teller {
public:
    Teller(const engine::Plan& plan, const Answer& seen)
        : m_plan(plan)
        , m_seen(seen)
    {
    }

    [[nodiscard]] std::string seen(const Expectation& expectation) const
    {
        if (expectation.rule) {
            const auto found
                = std::find_if(m_seen.rules.begin(), m_seen.rules.end(), [&](const auto& rule) {
                      return isNamed(m_plan.rules[rule.rule], *expectation.rule);
                  });
            return found == m_seen.rules.end() ? "-" : figureText(expectation.asked, *found);
        }
        return ofRequest(expectation.asked);
    }

    [[nodiscard]] bool isAsExpected(const Expectation& expectation) const
    {
        const std::string was = seen(expectation);
        const bool isRuleName
            = expectation.asked == Asked::Rule || expectation.asked == Asked::Shadow;
        const auto isPartOfIt = [&](char joint) { // an override, a class
            return was.starts_with(expectation.value + joint);
        };
        return was == expectation.value || (isRuleName && (isPartOfIt('/') || isPartOfIt('[')));
    }

    [[nodiscard]] std::vector<std::string> said() const
    {
        std::vector<std::string> lines;
        for (const engine::RuleDecision& decision : m_seen.rules) {
            const engine::PlanRule& rule = m_plan.rules[decision.rule];
            const std::string retry
                = decision.admits ? "" : ", retry " + figureText(Asked::Retry, decision);
            const std::string delay
                = decision.delayNs == 0 ? "" : ", delay " + secondsText(decision.delayNs);
            lines.push_back(fmt::format(
                "{} ({}{}): {}, remaining {}{}{}{}", fullName(rule), engine::nameOf(rule.tier),
                rule.mode == engine::Mode::Shadow ? ", shadow" : "",
                decision.admits ? "admits" : "denies", decision.figures.remaining, retry, delay,
                decision.counted ? "" : ", not counted"));
        }
        if (lines.empty()) {
            lines.emplace_back("no rule was judged");
        }
        return lines;
    }

private:
    [[nodiscard]] std::string ofRequest(Asked asked) const
    {
        const engine::Verdict& verdict = m_seen.verdict;
        const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
        switch (asked) {
        case Asked::Outcome:
            return verdict.exemption != engine::kNoId ? "exempt"
                : isRejected                          ? "rejected"
                                                      : "admitted";
        case Asked::Rule:
            return verdict.exemption != engine::kNoId ? m_plan.exempt[verdict.exemption].name
                                                      : nameOr(verdict.rule);
        case Asked::Tier:
            return isRejected ? std::string(engine::nameOf(m_plan.rules[verdict.rule].tier)) : "-";
        case Asked::Shadow:
            return nameOr(verdict.shadowRule);
        case Asked::Retry:
            return isRejected ? waitText(m_seen.retryAfterNs, "-") : "-";
        case Asked::Delay:
            return waitText(verdict.delayNs, "-");
        case Asked::Decided:
            return secondsText(m_seen.decidedNs);
        case Asked::Late:
            return m_seen.isLate ? "yes" : "no";
        case Asked::Remaining:
        case Asked::Next:
        case Asked::Full:
            break;
        }
        const engine::RuleDecision* tightest = tightestRule();
        return tightest == nullptr ? "-" : figureText(asked, *tightest);
    }

    [[nodiscard]] std::string nameOr(std::uint32_t rule) const
    {
        return rule == engine::kNoId ? "-" : fullName(m_plan.rules[rule]);
    }

    /// The rule that rejected, else the enforcing one with the least remaining.
    [[nodiscard]] const engine::RuleDecision* tightestRule() const
    {
        const engine::RuleDecision* best = nullptr;
        for (const engine::RuleDecision& decision : m_seen.rules) {
            if (decision.rule == m_seen.verdict.rule) {
                return &decision;
            }
            const bool counts = m_plan.rules[decision.rule].mode == engine::Mode::Enforce;
            if (counts
                && (best == nullptr || decision.figures.remaining < best->figures.remaining)) {
                best = &decision;
            }
        }
        return best;
    }

    const engine::Plan& m_plan;
    const Answer& m_seen;
};

} // namespace

std::string Answers::seen(std::size_t request, const Expectation& expectation) const
{
    return Teller(m_plan, m_answers[request]).seen(expectation);
}

bool Answers::isAsExpected(std::size_t request, const Expectation& expectation) const
{
    return Teller(m_plan, m_answers[request]).isAsExpected(expectation);
}

std::vector<std::string> Answers::said(std::size_t request) const
{
    return Teller(m_plan, m_answers[request]).said();
}

} // namespace app
