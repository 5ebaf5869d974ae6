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

/// What those that hold slots have beside their number.
void writeSlots(std::ostream& out, const engine::PlanRule& rule)
{
    const engine::Limit& limit = rule.limit;
    if (limit.algorithm == engine::Algorithm::Concurrency) {
        return;
    }
    out << ", strategy: " << nameOf(limit.strategy);
    if (limit.algorithm == engine::Algorithm::AdaptiveConcurrency) {
        out << ", initial: " << limit.initial << ", min: " << limit.minimum
            << ", max: " << limit.maximum;
        return;
    }
    out << ", class: " << rule.className.value_or("(none)") << ", up_to: " << limit.upTo
        << ", shed_after: " << (limit.shedAfter ? std::to_string(*limit.shedAfter) : "never")
        << ", state_before: " << rule.stateBefore;
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
    if (engine::holdsSlots(limit.algorithm)) {
        out << ", in_flight: " << limit.inFlight
            << ", assume_duration: " << shown(limit.assumeDurationNs);
        writeSlots(out, rule);
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
    if (rule.tighten) {
        out << ", tighten: { rule: " << rule.tighten->rule << ", above: " << rule.tighten->above
            << ", factor: " << rule.tighten->factor << " }";
    }
    out << ", on_store_failure: " << static_cast<int>(rule.onStoreFailure);
    if (!rule.match.empty()) {
        out << ", match: " << shown(rule.match);
    }
    if (!rule.overrideMatch.empty()) {
        out << ", override_match: " << shown(rule.overrideMatch);
    }
    if (!rule.classMatch.empty()) {
        out << ", class_match: " << shown(rule.classMatch);
    }
    for (const engine::Match& match : rule.unless) {
        out << ", unless: " << shown(match);
    }
    out << " }\n";
}

void writeConditions(std::ostream& out, const engine::Conditions& conditions)
{
    const engine::Servers& servers = conditions.servers;
    out << "conditions:\n  seed: " << conditions.seed << "\n  servers: { count: " << servers.count
        << ", balance: " << nameOf(servers.balance) << ", attribute: \"" << servers.attribute
        << "\", skew_ns: " << servers.skewNs << ", states: [";
    for (const engine::TierState& state : servers.states) {
        out << " " << nameOf(state.kind) << ":" << state.everyNs;
    }
    out << " ] }\n";
    for (const engine::Outage& outage : conditions.outages) {
        out << "  outage: " << outage.fromNs << ".." << outage.toNs << "\n";
    }
    if (!conditions.clients) {
        return;
    }
    out << "  clients: \"" << conditions.clients->attribute << "\"\n";
    for (const engine::Behaviour& one : conditions.clients->behaviours) {
        out << "    - { share: " << one.share << ", attempts: " << one.attempts
            << ", wait_ns: " << one.baseNs << ".." << one.capNs
            << ", jitter: " << nameOf(one.jitter) << ", retry_after: " << nameOf(one.retryAfter)
            << ", budget: " << (one.budgetPercent ? std::to_string(*one.budgetPercent) : "none")
            << " }\n";
    }
}

} // namespace

std::string describe(const Case& failing)
{
    std::ostringstream out;
    if (!failing.conditions.areUsual()) {
        writeConditions(out, failing.conditions);
    }
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
    out << "n: " << decision.n << ", attempt: " << decision.attempt
        << ", server: " << decision.server << ", time_ns: " << decision.arrivalNs
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
