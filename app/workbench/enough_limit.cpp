#include "app/workbench/enough_limit.h"

#include "policies/compile.h"
#include "policies/rates.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace app {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// The policy without all but one rule, and that without what its limit does not need: it compiles
/// at once.
policies::Policy reduced(const policies::Policy& policy, const engine::PlanRule& part)
{
    policies::Policy one = policy;
    one.text.clear();
    one.document.reset();
    one.attributes.clear();
    one.exempt.clear();
    for (std::vector<policies::Rule>& tier : one.tiers) {
        std::erase_if(tier,
                      [&](const policies::Rule& rule) { return rule.name.value != part.rule; });
    }
    return one;
}

policies::Rule& onlyRule(policies::Policy& policy)
{
    for (std::vector<policies::Rule>& tier : policy.tiers) {
        if (!tier.empty()) {
            return tier.front();
        }
    }
    std::abort(); // the plan that the rule is of came from this policy
}

policies::Values& valuesOf(policies::Rule& rule, const std::optional<std::string>& overrideName)
{
    for (policies::Override& override : rule.overrides) {
        if (overrideName && override.name.value == *overrideName) {
            return override.values;
        }
    }
    return rule.values;
}

template <class T> void put(policies::Given<T>& field, T value)
{
    field.emplace();
    field->value = std::move(value);
}

} // namespace

LimitField::LimitField(std::string_view name, policies::Policy policy, const engine::PlanRule& part,
                       std::int64_t current)
    : m_name(name)
    , m_policy(std::move(policy))
    , m_rule(part.rule)
    , m_override(part.overrideName)
    , m_rate(part.limit.rate)
    , m_current(current)
{
}

std::vector<LimitField> LimitField::of(const policies::Policy& policy, const engine::PlanRule& part)
{
    const engine::Limit& limit = part.limit;
    const policies::Policy one = reduced(policy, part);
    std::vector<LimitField> fields;
    const auto add = [&](std::string_view name, std::int64_t current) {
        fields.push_back(LimitField(name, one, part, current));
    };
    if (engine::holdsSlots(limit.algorithm)) {
        if (limit.algorithm == engine::Algorithm::Concurrency) {
            add("in_flight", limit.inFlight);
        }
        return fields; // a limit that is learnt or shared by classes is no one number
    }
    add("rate", limit.rate.count);
    if (limit.algorithm == engine::Algorithm::TokenBucket
        || (limit.algorithm == engine::Algorithm::Gcra && !limit.toleranceNs)) {
        add("burst", limit.burst);
    } else if (limit.algorithm == engine::Algorithm::Gcra) {
        add("tolerance", *limit.toleranceNs / kMillisecond);
    } else if (limit.algorithm == engine::Algorithm::LeakyBucket) {
        add("queue", limit.queue);
    }
    return fields;
}

std::vector<engine::PlanRule> LimitField::partsWith(std::int64_t number) const
{
    policies::Policy policy = m_policy;
    policies::Values& values = valuesOf(onlyRule(policy), m_override);
    if (m_name == "rate") {
        put(values.rate, engine::Rate {number, m_rate.periodNs});
    } else if (m_name == "burst") {
        put(values.burst, policies::Burst {number, false});
    } else if (m_name == "queue") {
        put(values.queue, number);
    } else if (m_name == "in_flight") {
        put(values.inFlight, number);
    } else if (number > std::numeric_limits<std::int64_t>::max() / kMillisecond) {
        return {};
    } else {
        put(values.toleranceNs, number * kMillisecond);
    }
    policies::Compiled compiled
        = policies::compile(policy, [](const std::string&) -> engine::Result<std::string> {
              return std::string(); // no attribute is left that looks anything up
          });
    return compiled.plan ? std::move(compiled.plan->rules) : std::vector<engine::PlanRule>();
}

std::optional<engine::Limit> LimitField::limitWith(std::int64_t number) const
{
    for (const engine::PlanRule& part : partsWith(number)) {
        if (part.overrideName == m_override) {
            return part.limit;
        }
    }
    return std::nullopt;
}

bool LimitField::apply(std::int64_t number, engine::Plan& plan) const
{
    const std::vector<engine::PlanRule> parts = partsWith(number);
    for (engine::PlanRule& rule : plan.rules) {
        const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& one) {
            return rule.rule == m_rule && one.overrideName == rule.overrideName;
        });
        if (part != parts.end()) {
            rule.limit = part->limit;
        }
    }
    return !parts.empty();
}

std::string LimitField::textOf(std::int64_t number) const
{
    if (m_name == "rate") {
        return policies::textOf(engine::Rate {number, m_rate.periodNs});
    }
    return m_name == "tolerance" ? policies::textOfDuration(number * kMillisecond)
                                 : std::to_string(number);
}

std::int64_t LimitField::above(std::int64_t number) const
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = number > kMost / 2 ? kMost : std::max(number + 1, number * 2);
    if (limitWith(high)) {
        return high;
    }
    std::int64_t low = number;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (limitWith(middle) ? low : high) = middle;
    }
    return low;
}

std::optional<std::int64_t> leastEnough(const LimitField& field,
                                        std::span<const engine::KeyRequest> requests)
{
    const auto isEnough = [&](std::int64_t number) {
        const std::optional<engine::Limit> limit = field.limitWith(number);
        return limit && engine::admitsAll(*limit, requests);
    };
    std::int64_t low = field.current(); // denies
    std::int64_t high = low;
    while (!isEnough(high)) {
        low = high;
        high = field.above(low);
        if (high == low) {
            return std::nullopt;
        }
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (isEnough(middle) ? high : low) = middle;
    }
    return high == field.current() ? std::nullopt : std::optional(high);
}

} // namespace app
