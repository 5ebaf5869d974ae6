#include "engine/answer/told_rule.h"

#include "engine/algorithms/wide.h"
#include "engine/answer.h"

#include <limits>

namespace engine::answering {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// The time in which `quota` comes back at the rate; nothing at a rate of 0.
std::optional<std::int64_t> refillNs(const Rate& rate, std::int64_t quota)
{
    if (rate.count == 0) {
        return std::nullopt;
    }
    return wide::toWait(wide::ceilDivide(wide::Int128 {quota} * rate.periodNs, rate.count));
}

} // namespace

std::optional<std::int64_t> Quota::windowSeconds() const
{
    return windowNs ? std::optional(headerSeconds(*windowNs)) : std::nullopt;
}

Quota quotaOf(const Limit& limit)
{
    Quota quota;
    quota.quota = capacityOf(limit);
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        quota.windowNs = limit.rate.periodNs;
        break;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        quota.windowNs = refillNs(limit.rate, quota.quota);
        break;
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        quota.isInFlight = true;
        break;
    }
    return quota;
}

bool hasQuota(const Limit& limit)
{
    return limit.algorithm != Algorithm::LoadShedder || limit.strategy != Strategy::Utilisation;
}

std::optional<std::int64_t> ToldRule::nextNs() const
{
    const Figures& figures = decision->figures;
    return figures.remaining < quota.quota ? std::optional(figures.nextAfterNs) : std::nullopt;
}

std::optional<std::int64_t> ToldRule::resetNs() const
{
    const std::optional<std::int64_t>& retryNs = decision->figures.retryAfterNs;
    return !decision->admits && retryNs ? retryNs : nextNs();
}

std::vector<ToldRule> toldRules(const Plan& plan, const Decision& decision)
{
    std::vector<ToldRule> told;
    for (const RuleDecision& judged : decision.rules) {
        const PlanRule& rule = plan.rules[judged.rule];
        if (rule.mode != Mode::Enforce || judged.isStoreAway) {
            continue;
        }
        told.push_back({&rule, &judged, policyName(rule), quotaOf(rule.limit)});
        // As it stands: a limit that is learned, a server's share.
        told.back().quota.quota = judged.capacity.value_or(told.back().quota.quota);
    }
    return told;
}

bool isNearer(const ToldRule& a, const ToldRule& b)
{
    if (a.decision->admits != b.decision->admits) {
        return b.decision->admits;
    }
    const Figures& ours = a.decision->figures;
    const Figures& theirs = b.decision->figures;
    if (!a.decision->admits) {
        return ours.retryAfterNs.value_or(kNever) > theirs.retryAfterNs.value_or(kNever);
    }
    if (ours.remaining != theirs.remaining) {
        return ours.remaining < theirs.remaining;
    }
    return ours.nextAfterNs > theirs.nextAfterNs;
}

} // namespace engine::answering
