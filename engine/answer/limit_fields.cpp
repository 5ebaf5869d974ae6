#include "engine/answer/limit_fields.h"

#include "engine/algorithms/wide.h"
#include "engine/answer/structured_fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine::answering {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::int64_t capped(std::int64_t count)
{
    return std::min(count, structured::kLargest);
}

std::optional<std::int64_t> secondsOf(const std::optional<std::int64_t>& waitNs)
{
    return waitNs ? std::optional(headerSeconds(*waitNs)) : std::nullopt;
}

/// The first of those that are nearest to be exhausted.
const ToldRule& nearestOf(const std::vector<ToldRule>& rules)
{
    return *std::min_element(rules.begin(), rules.end(), isNearer);
}

std::vector<HeaderField> draft10Fields(const std::vector<ToldRule>& rules)
{
    std::vector<std::string> policies;
    std::vector<std::string> limits;
    for (const ToldRule& rule : rules) {
        const auto policy = structured::policyItem(
            {rule.name, capped(rule.quota.quota),
             rule.quota.isInFlight ? "concurrent-requests" : std::string_view(),
             rule.quota.windowSeconds(), std::nullopt});
        const auto limit = structured::limitItem(
            {rule.name, capped(rule.decision->figures.remaining), secondsOf(rule.nextNs())});
        if (policy && limit) { // else its name is unsayable()
            policies.push_back(*policy);
            limits.push_back(*limit);
        }
    }
    if (policies.empty()) {
        return {};
    }
    return {{"RateLimit-Policy", structured::joined(policies)},
            {"RateLimit", structured::joined(limits)}};
}

/// `100;w=60` for each rule that has a window, as the drafts up to -07 have their policies.
std::vector<std::string> unnamedPolicies(const std::vector<ToldRule>& rules, std::int64_t largest)
{
    std::vector<std::string> policies;
    for (const ToldRule& rule : rules) {
        if (const auto seconds = rule.quota.windowSeconds()) {
            policies.push_back(std::to_string(std::min(rule.quota.quota, largest))
                               + ";w=" + std::to_string(*seconds));
        }
    }
    return policies;
}

std::vector<HeaderField> draft07Fields(const std::vector<ToldRule>& rules)
{
    std::vector<HeaderField> fields;
    const std::vector<std::string> policies = unnamedPolicies(rules, structured::kLargest);
    if (!policies.empty()) {
        fields.push_back({"RateLimit-Policy", structured::joined(policies)});
    }
    const ToldRule& nearest = nearestOf(rules);
    if (const auto seconds = secondsOf(nearest.resetNs())) { // -07 demands a reset
        fields.push_back(
            {"RateLimit",
             structured::joined(
                 {"limit=" + std::to_string(capped(nearest.quota.quota)),
                  "remaining=" + std::to_string(capped(nearest.decision->figures.remaining)),
                  "reset=" + std::to_string(*seconds)})});
    }
    return fields;
}

/// The second since the epoch at which a wait from `fromNs` on is over, rounded up.
std::int64_t epochSecond(std::int64_t fromNs, std::int64_t waitNs)
{
    return static_cast<std::int64_t>(
        wide::ceilDivide(wide::Int128 {fromNs} + waitNs, wide::Int128 {kSecondNs}));
}

std::vector<HeaderField> githubFields(const std::vector<ToldRule>& rules)
{
    const ToldRule& nearest = nearestOf(rules);
    const std::int64_t remaining = nearest.decision->figures.remaining;
    std::vector<HeaderField> fields {
        {"X-RateLimit-Limit", std::to_string(nearest.quota.quota)},
        {"X-RateLimit-Remaining", std::to_string(remaining)},
        {"X-RateLimit-Used", std::to_string(nearest.quota.quota - remaining)}};
    if (const auto waitNs = nearest.resetNs()) {
        fields.push_back({"X-RateLimit-Reset",
                          std::to_string(epochSecond(nearest.decision->judgedNs, *waitNs))});
    }
    if (structured::text(nearest.name)) {
        fields.push_back({"X-RateLimit-Resource", nearest.name});
    }
    return fields;
}

/// PREFIX-Limit, PREFIX-Remaining and PREFIX-Reset in seconds from now, of one rule; `limit` is
/// what stands behind its quota.
std::vector<HeaderField> threeFields(const std::string& prefix, const ToldRule& rule,
                                     const std::string& limit = {})
{
    std::vector<HeaderField> fields {
        {prefix + "-Limit", std::to_string(rule.quota.quota) + limit},
        {prefix + "-Remaining", std::to_string(rule.decision->figures.remaining)}};
    if (const auto seconds = secondsOf(rule.resetNs())) {
        fields.push_back({prefix + "-Reset", std::to_string(*seconds)});
    }
    return fields;
}

std::vector<HeaderField> draft03Fields(const std::vector<ToldRule>& rules)
{
    const std::vector<std::string> policies = unnamedPolicies(rules, wide::kLastNs);
    return threeFields("X-RateLimit", nearestOf(rules),
                       policies.empty() ? std::string() : ", " + structured::joined(policies));
}

std::vector<HeaderField> kongFields(const std::vector<ToldRule>& rules)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kWindows {
        {{"Second", kSecondNs},
         {"Minute", 60 * kSecondNs},
         {"Hour", 3600 * kSecondNs},
         {"Day", 86400 * kSecondNs}}};
    std::vector<HeaderField> fields;
    for (const auto& [word, windowNs] : kWindows) {
        std::vector<ToldRule> ofWindow;
        std::copy_if(rules.begin(), rules.end(), std::back_inserter(ofWindow),
                     [ns = windowNs](const ToldRule& rule) { return rule.quota.windowNs == ns; });
        if (!ofWindow.empty()) {
            const ToldRule& nearest = nearestOf(ofWindow);
            fields.push_back({std::string("X-RateLimit-Limit-").append(word),
                              std::to_string(nearest.quota.quota)});
            fields.push_back({std::string("X-RateLimit-Remaining-").append(word),
                              std::to_string(nearest.decision->figures.remaining)});
        }
    }
    for (HeaderField& field : threeFields("RateLimit", nearestOf(rules))) {
        fields.push_back(std::move(field));
    }
    return fields;
}

} // namespace

std::vector<HeaderField> limitFields(const std::vector<ToldRule>& rules, HeaderStyle style)
{
    if (rules.empty()) {
        return {};
    }
    switch (style) {
    case HeaderStyle::Draft10:
        return draft10Fields(rules);
    case HeaderStyle::Draft07:
        return draft07Fields(rules);
    case HeaderStyle::Github:
        return githubFields(rules);
    case HeaderStyle::Draft03:
        return draft03Fields(rules);
    case HeaderStyle::Kong:
        return kongFields(rules);
    case HeaderStyle::None:
        break;
    }
    return {};
}

} // namespace engine::answering
