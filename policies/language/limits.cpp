#include "policies/language/limits.h"

#include "policies/language/numbers.h"
#include "policies/language/slot_limits.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace policies::language {
namespace {

using engine::Algorithm;

__extension__ using Wide = unsigned __int128;

constexpr unsigned bit(Algorithm algorithm)
{
    return 1U << static_cast<unsigned>(algorithm);
}

constexpr unsigned kWindows = bit(Algorithm::FixedWindow) | bit(Algorithm::SlidingWindowLog)
    | bit(Algorithm::SlidingWindowCounter);
constexpr unsigned kBuckets
    = bit(Algorithm::TokenBucket) | bit(Algorithm::LeakyBucket) | bit(Algorithm::Gcra);
constexpr unsigned kAdaptive = bit(Algorithm::AdaptiveConcurrency);
constexpr unsigned kShedder = bit(Algorithm::LoadShedder);

struct FieldRow {
    std::string_view name;
    unsigned has; ///< a bit for each algorithm
};

constexpr std::array<FieldRow, 17> kTable {{
    {"rate", kWindows | kBuckets},
    {"burst", bit(Algorithm::TokenBucket) | bit(Algorithm::Gcra)},
    {"tolerance", bit(Algorithm::Gcra)},
    {"queue", bit(Algorithm::LeakyBucket)},
    {"delay_after", bit(Algorithm::LeakyBucket)},
    {"align", bit(Algorithm::FixedWindow)},
    {"anchor", bit(Algorithm::FixedWindow) | bit(Algorithm::SlidingWindowCounter)},
    {"rounding", bit(Algorithm::SlidingWindowCounter)},
    {"count_rejected", kWindows},
    {"in_flight", bit(Algorithm::Concurrency)},
    {"capacity", kShedder},
    {"classes", kShedder},
    {"strategy", kAdaptive | kShedder},
    {"initial", kAdaptive},
    {"min", kAdaptive},
    {"max", kAdaptive},
    {"assume_duration", bit(Algorithm::Concurrency) | kAdaptive | kShedder},
}};

bool has(Algorithm algorithm, const FieldRow& row)
{
    return (row.has & bit(algorithm)) != 0;
}

std::string fieldsOf(Algorithm algorithm)
{
    return listOf(limitFieldsOf(algorithm), "and");
}

template <class T> std::optional<Span> keyOf(const Given<T>& field)
{
    return field ? std::optional(field->key) : std::nullopt;
}

using Places = std::array<std::optional<Span>, kTable.size()>;

Places placesOf(const Values& values)
{
    return {keyOf(values.rate),
            keyOf(values.burst),
            keyOf(values.toleranceNs),
            keyOf(values.queue),
            keyOf(values.delayAfter),
            {},
            {},
            {},
            {},
            keyOf(values.inFlight),
            keyOf(values.capacity)};
}

Places placesOf(const Rule& rule)
{
    Places places = placesOf(rule.values);
    places[5] = keyOf(rule.alignToFirstRequest);
    places[6] = keyOf(rule.anchorNs);
    places[7] = keyOf(rule.floorEstimate);
    places[8] = keyOf(rule.countRejected);
    places[11] = keyOf(rule.classes);
    places[12] = keyOf(rule.strategy);
    places[13] = keyOf(rule.initial);
    places[14] = keyOf(rule.minimum);
    places[15] = keyOf(rule.maximum);
    places[16] = keyOf(rule.assumeDurationNs);
    return places;
}

void checkFields(Report& report, Algorithm algorithm, const Places& places,
                 const std::string& owner)
{
    for (std::size_t i = 0; i < kTable.size(); ++i) {
        if (places[i] && !has(algorithm, kTable[i])) {
            report.error("policy.algorithm-field", *places[i],
                         fmt::format("{} has `{}`, which {} does not have", owner, kTable[i].name,
                                     engine::nameOf(algorithm)),
                         fmt::format("leave it out; {} has {}", engine::nameOf(algorithm),
                                     fieldsOf(algorithm)));
        }
    }
}

/// ceil(number * rate per second), at least 1; nothing beyond int64.
std::optional<std::int64_t> timesRate(std::int64_t number, const engine::Rate& rate)
{
    constexpr std::uint64_t kSecond = 1'000'000'000;
    constexpr Wide kMost = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
    const Wide product = static_cast<Wide>(static_cast<std::uint64_t>(number))
        * static_cast<std::uint64_t>(rate.count);
    if (product > ~Wide {0} / kSecond) {
        return std::nullopt;
    }
    const Wide period = static_cast<Wide>(static_cast<std::uint64_t>(rate.periodNs));
    const Wide burst = (product * kSecond + period - 1) / period;
    if (burst > kMost) {
        return std::nullopt;
    }
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(burst));
}

void checkLimit(Report& report, const Rule& rule, const Override* override, const Span& where,
                const std::string& owner)
{
    const Values values = valuesOf(rule, override);
    const Algorithm algorithm = rule.algorithm.value;
    if (algorithm == Algorithm::Gcra && values.burst && values.toleranceNs) {
        const bool isBurstOurs = override == nullptr || override->values.burst;
        report.error("policy.conflict", isBurstOurs ? values.burst->key : values.toleranceNs->key,
                     fmt::format("{} has both `burst` and `tolerance`", owner),
                     "keep one of the two: they say the same in other words");
        return;
    }
    const engine::Result<engine::Limit> limit = limitOf(rule, values);
    if (!limit) {
        const std::string& message = limit.error().message;
        const auto names = [&](const auto& field, std::string_view name) {
            return field && message.find(name) != std::string::npos;
        };
        const Span at = names(values.burst, "burst") ? values.burst->at
            : names(values.queue, "queue")           ? values.queue->at
            : names(values.toleranceNs, "tolerance") ? values.toleranceNs->at
            : values.inFlight                        ? values.inFlight->at
            : values.capacity                        ? values.capacity->at
            : values.rate                            ? values.rate->at
                                                     : where;
        report.error("policy.limit-range", at, fmt::format("{}: {}", owner, message),
                     limit.error().help);
    }
}

} // namespace

Values valuesOf(const Rule& rule, const Override* override)
{
    Values values = rule.values;
    if (override == nullptr) {
        return values;
    }
    const auto put = [](auto& target, const auto& value) {
        if (value) {
            target = value;
        }
    };
    put(values.rate, override->values.rate);
    put(values.burst, override->values.burst);
    put(values.toleranceNs, override->values.toleranceNs);
    put(values.queue, override->values.queue);
    put(values.delayAfter, override->values.delayAfter);
    put(values.inFlight, override->values.inFlight);
    put(values.capacity, override->values.capacity);
    put(values.cost, override->values.cost);
    put(values.mode, override->values.mode);
    return values;
}

engine::Mode modeOf(const Values& values)
{
    return values.mode ? values.mode->value : engine::Mode::Enforce;
}

bool countsAllItAdmits(const Policy& policy, const Rule& rule)
{
    if (rule.countRejected && rule.countRejected->value) {
        return true;
    }
    const bool anyTier
        = policy.counting && policy.counting->value == engine::Counting::AllOrNothing;
    const auto rejects = [&](const Rule& other) {
        const auto isEnforced
            = [](const Values& values) { return modeOf(values) == engine::Mode::Enforce; };
        return other.name.value != rule.name.value
            && (isEnforced(other.values)
                || std::any_of(other.overrides.begin(), other.overrides.end(),
                               [&](const Override& override) {
                                   return isEnforced(valuesOf(other, &override));
                               }));
    };
    return std::none_of(policy.tiers.begin(), policy.tiers.end(), [&](const auto& tier) {
        const bool isMeant = !tier.empty() && (anyTier || tier.front().tier == rule.tier);
        return isMeant && std::any_of(tier.begin(), tier.end(), rejects);
    });
}

engine::Result<engine::Limit> limitOf(const Rule& rule, const Values& values)
{
    engine::Limit limit;
    limit.algorithm = rule.algorithm.value;
    const auto valueOr
        = [](const auto& field, auto otherwise) { return field ? field->value : otherwise; };
    limit.rate = valueOr(values.rate, engine::Rate {0, 1});
    limit.queue = valueOr(values.queue, std::int64_t {0});
    limit.delayAfter = valueOr(values.delayAfter, std::int64_t {0});
    limit.alignToFirstRequest = valueOr(rule.alignToFirstRequest, false);
    limit.floorEstimate = valueOr(rule.floorEstimate, false);
    limit.countRejected = valueOr(rule.countRejected, false);
    limit.anchorNs = valueOr(rule.anchorNs, std::int64_t {0}) % limit.rate.periodNs;
    if (values.toleranceNs) {
        limit.toleranceNs = values.toleranceNs->value;
    }
    setSlots(limit, rule, values);
    if (values.burst && values.burst->value.timesRate) {
        const auto burst = timesRate(values.burst->value.number, limit.rate);
        if (!burst) {
            return engine::fail("policy.limit-range",
                                fmt::format("`burst: {}` at {} is too large a number",
                                            burstText(values.burst->value), rateText(limit.rate)),
                                "write a smaller burst");
        }
        limit.burst = *burst;
    } else if (values.burst) {
        limit.burst = values.burst->value.number;
    } else if (limit.algorithm == Algorithm::TokenBucket) {
        limit.burst = std::max<std::int64_t>(1, limit.rate.count);
    }
    if (const char* reason = engine::checkLimit(limit)) {
        return engine::fail("policy.limit-range",
                            fmt::format("the limit cannot be counted exactly: {}", reason),
                            "write smaller numbers, or a shorter period");
    }
    return limit;
}

std::vector<std::string_view> limitFields()
{
    std::vector<std::string_view> names;
    for (const FieldRow& row : kTable) {
        names.push_back(row.name);
    }
    return names;
}

std::vector<std::string_view> limitFieldsOf(Algorithm algorithm)
{
    std::vector<std::string_view> names;
    for (const FieldRow& row : kTable) {
        if (has(algorithm, row)) {
            names.push_back(row.name);
        }
    }
    return names;
}

bool isBucket(engine::Algorithm algorithm)
{
    using engine::Algorithm;
    return algorithm == Algorithm::TokenBucket || algorithm == Algorithm::Gcra
        || algorithm == Algorithm::LeakyBucket;
}

engine::Rate comparableRate(const engine::Limit& limit)
{
    const std::int64_t divisor
        = isBucket(limit.algorithm) ? std::gcd(limit.rate.count, limit.rate.periodNs) : 1;
    return divisor > 1 ? engine::Rate {limit.rate.count / divisor, limit.rate.periodNs / divisor}
                       : limit.rate;
}

void checkLimits(Report& report, const Rule& rule)
{
    const Algorithm algorithm = rule.algorithm.value;
    const std::string owner = fmt::format("rule `{}`", shown(rule.name.value));
    checkFields(report, algorithm, placesOf(rule), owner);
    if (rule.anchorNs && rule.alignToFirstRequest && rule.alignToFirstRequest->value) {
        report.error("policy.conflict", rule.anchorNs->key,
                     fmt::format("{} has both `anchor` and `align: first_request`", owner),
                     "keep one of the two: a window that a request opens has no fixed beginning");
    }
    if (!checkSlots(report, rule, owner)) {
        return;
    }
    checkLimit(report, rule, nullptr, rule.at, owner);
    for (const Override& override : rule.overrides) {
        const std::string name
            = fmt::format("override `{}` of {}", shown(override.name.value), owner);
        checkFields(report, algorithm, placesOf(override.values), name);
        const Values& own = override.values;
        if (own.rate || own.burst || own.toleranceNs || own.queue || own.inFlight || own.capacity
            || own.delayAfter) {
            checkLimit(report, rule, &override, override.at, name);
        }
    }
}

} // namespace policies::language
