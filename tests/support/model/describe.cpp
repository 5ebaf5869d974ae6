#include "tests/support/model/random_case.h"

#include <sstream>

namespace tests::model {

namespace {

std::string shown(const std::optional<std::int64_t>& value)
{
    return value ? std::to_string(*value) : "null";
}

std::string shown(const engine::Test& test)
{
    switch (test.kind) {
    case engine::TestKind::Absent:
        return "absent";
    case engine::TestKind::Range:
        return std::to_string(test.low) + ".." + std::to_string(test.high);
    default:
        return "\"" + test.text + "\"";
    }
}

std::string shown(const engine::Match& match)
{
    std::string text = "{";
    for (const engine::Matcher& matcher : match) {
        text += text.size() > 1 ? ", " : " ";
        text += matcher.attribute + (matcher.negated ? ": {not: [" : ": [");
        for (std::size_t i = 0; i < matcher.anyOf.size(); ++i) {
            text += (i > 0 ? ", " : "") + shown(matcher.anyOf[i]);
        }
        text += matcher.negated ? "]}" : "]";
    }
    return text + " }";
}

void writeRule(std::ostream& out, std::size_t index, const engine::PlanRule& rule)
{
    const engine::Limit& limit = rule.limit;
    out << "    - { index: " << index << ", name: " << rule.rule;
    if (rule.overrideName) {
        out << ", override: " << *rule.overrideName;
    }
    out << ", tier: " << nameOf(rule.tier) << ", mode: " << nameOf(rule.mode) << ", key: [";
    for (std::size_t i = 0; i < rule.key.size(); ++i) {
        out << (i > 0 ? ", " : "") << rule.key[i];
    }
    out << "], algorithm: " << nameOf(limit.algorithm);
    if (limit.algorithm == engine::Algorithm::Concurrency) {
        out << ", in_flight: " << limit.inFlight
            << ", assume_duration: " << shown(limit.assumeDurationNs);
    } else {
        out << ", rate: " << limit.rate.count << "/" << limit.rate.periodNs << "ns";
    }
    if (limit.algorithm == engine::Algorithm::TokenBucket
        || limit.algorithm == engine::Algorithm::Gcra) {
        out << ", burst: " << limit.burst << ", tolerance_ns: " << shown(limit.toleranceNs);
    }
    if (limit.algorithm == engine::Algorithm::LeakyBucket) {
        out << ", queue: " << limit.queue << ", delay_after: " << limit.delayAfter;
    }
    out << (limit.alignToFirstRequest ? ", align: first_request" : "")
        << (limit.floorEstimate ? ", rounding: floor" : "")
        << (limit.countRejected ? ", count_rejected: true" : "");
    if (limit.anchorNs != 0) {
        out << ", anchor_ns: " << limit.anchorNs;
    }
    if (!rule.cost.attribute.empty()) {
        out << ", cost: { attribute: " << rule.cost.attribute << ", per: " << rule.cost.per << " }";
    } else if (rule.cost.fixed != 1) {
        out << ", cost: " << rule.cost.fixed;
    }
    if (!rule.match.empty()) {
        out << ", match: " << shown(rule.match);
    }
    if (!rule.overrideMatch.empty()) {
        out << ", override_match: " << shown(rule.overrideMatch);
    }
    for (const engine::Match& match : rule.unless) {
        out << ", unless: " << shown(match);
    }
    out << " }\n";
}

} // namespace

std::string describe(const Case& failing)
{
    std::ostringstream out;
    for (std::size_t p = 0; p < failing.plans.size(); ++p) {
        const engine::Plan& plan = failing.plans[p];
        out << "plan " << p << ":\n  counting: "
            << (plan.counting == engine::Counting::PerTier ? "per_tier" : "all_or_nothing") << "\n";
        for (const engine::Exemption& exemption : plan.exempt) {
            out << "  exempt: { name: " << exemption.name << ", match: " << shown(exemption.match)
                << " }\n";
        }
        out << "  rules:\n";
        for (std::size_t i = 0; i < plan.rules.size(); ++i) {
            writeRule(out, i, plan.rules[i]);
        }
    }
    out << "requests:\n";
    std::size_t n = 0;
    for (const Request& request : failing.requests) {
        out << "  - { n: " << ++n << ", time_ns: " << request.timeNs
            << ", duration_ns: " << shown(request.durationNs);
        for (const auto& [name, value] : request.attributes) {
            out << ", " << name << ": \"" << value << "\"";
        }
        out << " }\n";
    }
    return out.str();
}

std::string describe(const Decision& decision, const engine::Plan& plan)
{
    const auto ruleName = [&plan](std::size_t rule) {
        return rule < plan.rules.size() ? plan.rules[rule].rule + "#" + std::to_string(rule)
                                        : "rule " + std::to_string(rule) + " (not in the plan)";
    };
    std::ostringstream out;
    out << "n: " << decision.n << ", time_ns: " << decision.arrivalNs
        << ", decided_ns: " << decision.decidedNs
        << ", outcome: " << (decision.rejected ? "rejected" : "admitted")
        << ", rejected_by: " << (decision.rejectedBy ? ruleName(*decision.rejectedBy) : "null")
        << ", exempt: " << (decision.exempt ? std::to_string(*decision.exempt) : "null")
        << ", retry_after_ns: " << shown(decision.retryAfterNs)
        << ", delay_ns: " << decision.delayNs << "\n";
    for (const RulePart& part : decision.rules) {
        out << "    " << ruleName(part.rule) << ": judged_ns " << part.judgedNs << ", cost "
            << part.cost << ", admits " << part.admits << ", counted " << part.counted
            << ", remaining " << part.figures.remaining << ", retry_after_ns "
            << shown(part.figures.retryAfterNs) << ", next_after_ns " << part.figures.nextAfterNs
            << ", full_after_ns " << shown(part.figures.fullAfterNs) << ", delay_ns "
            << part.delayNs << "\n";
    }
    for (const Skip& skip : decision.skips) {
        out << "    skipped " << ruleName(skip.rule) << " for attribute " << skip.attribute << "\n";
    }
    return out.str();
}

} // namespace tests::model
