#include "app/workbench/enough_limit.h"

#include "engine/algorithms.h"
#include "engine/request.h"
#include "policies/compile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace app {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// Walks the requests: `judge` brings the state to the request's time and says whether it is
/// admitted, `count` takes its cost in, `countRejected` that of one which another rule turned away.
template <class Judge, class Count, class CountRejected>
bool walk(std::span<const KeyRequest> requests, const Judge& judge, const Count& count,
          const CountRejected& countRejected)
{
    for (const KeyRequest& request : requests) {
        const bool admits = judge(request);
        if (!admits && !request.mayBeDenied) {
            return false;
        }
        if (request.cost > 0) {
            admits&& request.counts ? count(request) : countRejected(request);
        }
    }
    return true;
}

bool walkConcurrency(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    engine::concurrency::State state;
    const bool all = walk(
        requests,
        [&](const KeyRequest& request) {
            engine::concurrency::advance(state, request.atNs);
            return engine::concurrency::admits(limit, state, request.cost);
        },
        [&](const KeyRequest& request) {
            const bool isKnown = request.durationNs != engine::kUnknownDuration;
            engine::concurrency::take(state, request.cost, request.atNs,
                                      isKnown ? request.durationNs
                                              : limit.assumeDurationNs.value_or(0));
        },
        [](const KeyRequest&) {});
    engine::concurrency::release(state);
    return all;
}

bool walkMeter(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    const engine::meter::Spec spec = engine::meter::specOf(limit);
    engine::meter::State state;
    return walk(
        requests,
        [&](const KeyRequest& request) {
            engine::meter::advance(spec, state, request.atNs);
            return engine::meter::admits(spec, state, request.cost);
        },
        [&](const KeyRequest& request) { engine::meter::count(spec, state, request.cost); },
        [](const KeyRequest&) {});
}

bool walkFixedWindow(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    engine::fixed_window::State state;
    return walk(
        requests,
        [&](const KeyRequest& request) {
            engine::fixed_window::advance(limit, state, request.atNs);
            return engine::fixed_window::admits(limit, state, request.cost);
        },
        [&](const KeyRequest& request) { engine::fixed_window::count(limit, state, request.cost); },
        [&](const KeyRequest& request) {
            if (limit.countRejected) {
                engine::fixed_window::countRejected(limit, state, request.cost);
            }
        });
}

bool walkWindowCounter(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    engine::sliding_window_counter::State state;
    return walk(
        requests,
        [&](const KeyRequest& request) {
            engine::sliding_window_counter::advance(limit, state, request.atNs);
            return engine::sliding_window_counter::admits(limit, state, request.cost, request.atNs);
        },
        [&](const KeyRequest& request) {
            engine::sliding_window_counter::count(limit, state, request.cost);
        },
        [&](const KeyRequest& request) {
            if (limit.countRejected) {
                engine::sliding_window_counter::countRejected(limit, state, request.cost);
            }
        });
}

bool walkWindowLog(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    engine::sliding_window_log::State state;
    const bool all = walk(
        requests,
        [&](const KeyRequest& request) {
            engine::sliding_window_log::advance(limit, state, request.atNs);
            return engine::sliding_window_log::admits(limit, state, request.cost);
        },
        [&](const KeyRequest& request) {
            engine::sliding_window_log::count(limit, state, request.cost, request.atNs);
        },
        [&](const KeyRequest& request) {
            if (limit.countRejected) {
                engine::sliding_window_log::countRejected(limit, state, request.cost, request.atNs);
            }
        });
    engine::sliding_window_log::release(state);
    return all;
}

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

/// "60/min" or "7/3s": per the largest unit that the period is a whole number of.
std::string rateText(std::int64_t count, std::int64_t periodNs)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits {
        {{"week", 604'800'000 * kMillisecond},
         {"day", 86'400'000 * kMillisecond},
         {"h", 3'600'000 * kMillisecond},
         {"min", 60'000 * kMillisecond},
         {"s", 1'000 * kMillisecond},
         {"ms", kMillisecond}}};
    for (const auto& [name, ns] : kUnits) {
        if (periodNs % ns == 0) {
            return periodNs == ns ? fmt::format("{}/{}", count, name)
                                  : fmt::format("{}/{}{}", count, periodNs / ns, name);
        }
    }
    return fmt::format("{}/{}ns", count, periodNs); // no policy has such a period
}

/// Between one that can be and one that cannot.
std::int64_t largestThatCanBe(const LimitField& field, std::int64_t low, std::int64_t high)
{
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (field.limitWith(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace

bool admitsAll(const engine::Limit& limit, std::span<const KeyRequest> requests)
{
    switch (limit.algorithm) {
    case engine::Algorithm::FixedWindow:
        return walkFixedWindow(limit, requests);
    case engine::Algorithm::SlidingWindowLog:
        return walkWindowLog(limit, requests);
    case engine::Algorithm::SlidingWindowCounter:
        return walkWindowCounter(limit, requests);
    case engine::Algorithm::TokenBucket:
    case engine::Algorithm::LeakyBucket:
    case engine::Algorithm::Gcra:
        return walkMeter(limit, requests);
    case engine::Algorithm::Concurrency:
        return walkConcurrency(limit, requests);
    }
    std::abort();
}

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
    if (limit.algorithm == engine::Algorithm::Concurrency) {
        add("in_flight", limit.inFlight);
        return fields;
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
        return rateText(number, m_rate.periodNs);
    }
    return m_name == "tolerance" ? fmt::format("{}ms", number) : std::to_string(number);
}

std::optional<std::int64_t> leastEnough(const LimitField& field,
                                        std::span<const KeyRequest> requests)
{
    const auto isEnough = [&](std::int64_t number) {
        const std::optional<engine::Limit> limit = field.limitWith(number);
        return limit && admitsAll(*limit, requests);
    };
    std::int64_t low = field.current(); // denies
    std::int64_t high = low;
    while (!isEnough(high)) {
        if (high > std::numeric_limits<std::int64_t>::max() / 4) {
            return std::nullopt;
        }
        if (!field.limitWith(high)) {
            high = largestThatCanBe(field, low, high);
            if (!isEnough(high)) {
                return std::nullopt;
            }
            break;
        }
        low = high;
        high = high == 0 ? 1 : high * 2;
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (isEnough(middle) ? high : low) = middle;
    }
    return high == field.current() ? std::nullopt : std::optional(high);
}

} // namespace app
