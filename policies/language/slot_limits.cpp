#include "policies/language/slot_limits.h"

#include "policies/language/words.h"

#include <fmt/format.h>

namespace policies::language {
namespace {

using engine::Algorithm;
using engine::Strategy;

constexpr std::int64_t kMostUtilised = 1'000'000'000;

bool belongsTo(Strategy strategy, Algorithm algorithm)
{
    const bool isShedding = strategy == Strategy::Fleet || strategy == Strategy::Utilisation;
    return isShedding == (algorithm == Algorithm::LoadShedder);
}

bool checkStrategy(Report& report, const Rule& rule, const std::string& owner)
{
    const Algorithm algorithm = rule.algorithm.value;
    if (!rule.strategy || algorithm == Algorithm::Concurrency
        || belongsTo(rule.strategy->value, algorithm)) {
        return true;
    }
    std::vector<std::string_view> names;
    for (const auto& [name, strategy] : kStrategies) {
        if (belongsTo(strategy, algorithm)) {
            names.push_back(name);
        }
    }
    report.error("policy.choice", rule.strategy->at,
                 fmt::format("`{}` is no value of `strategy` of {}, which is a {}",
                             engine::nameOf(rule.strategy->value), owner,
                             engine::nameOf(algorithm)),
                 fmt::format("write {}", listOf(names)));
    return false;
}

struct Bound {
    std::string_view name;
    const Given<std::int64_t>& given;
    std::int64_t value;

    [[nodiscard]] std::string words() const
    {
        return fmt::format("`{}` of {}{}", name, value, given ? "" : " (unless given)");
    }
};

bool checkBounds(Report& report, const Rule& rule, const std::string& owner)
{
    engine::Limit limit;
    limit.algorithm = rule.algorithm.value;
    setSlots(limit, rule, rule.values);
    const Bound least {"min", rule.minimum, limit.minimum};
    const Bound first {"initial", rule.initial, limit.initial};
    const Bound most {"max", rule.maximum, limit.maximum};
    for (const auto& [low, high] : {std::pair {&least, &most}, {&least, &first}, {&first, &most}}) {
        if (low->value > high->value) { // not the defaults: one of the two is given
            report.error("policy.bounds", low->given ? low->given->at : high->given->at,
                         fmt::format("{}: {} is above {}", owner, low->words(), high->words()),
                         "write numbers with min <= initial <= max");
            return false;
        }
    }
    return true;
}

bool checkShedder(Report& report, const Rule& rule, const std::string& owner)
{
    const auto tellField = [&](std::string_view field, const Span& at, std::string_view why) {
        report.error("policy.algorithm-field", at,
                     fmt::format("{} has `{}`, which load_shedder does not have", owner, field),
                     std::string(why));
    };
    if (rule.values.cost) {
        tellField("cost", rule.values.cost->key, "leave it out; each request holds one slot");
    }
    if (rule.tighten) {
        tellField("tighten", rule.tighten->key,
                  "leave it out, or write it at a rule that counts costs");
    }
    for (const Override& override : rule.overrides) {
        if (override.values.cost) {
            tellField("cost", override.values.cost->key,
                      "leave it out; each request holds one slot");
        }
    }
    bool isGood = true;
    const auto checkCapacity = [&](const Given<std::int64_t>& capacity) {
        if (isUtilisation(rule) && capacity
            && (capacity->value < 1 || capacity->value > kMostUtilised)) {
            report.error(
                "policy.number-range", capacity->at,
                fmt::format("{}: {} is no capacity that can be utilised", owner, capacity->value),
                fmt::format("write 1 to {}", kMostUtilised));
            isGood = false;
        }
    };
    checkCapacity(rule.values.capacity);
    for (const Override& override : rule.overrides) {
        checkCapacity(override.values.capacity);
    }
    return isGood;
}

} // namespace

Strategy defaultStrategy(Algorithm algorithm)
{
    return algorithm == Algorithm::LoadShedder ? Strategy::Fleet : Strategy::Vegas;
}

Bounds defaultBounds(Strategy strategy)
{
    return strategy == Strategy::Vegas ? Bounds {20, 1, 1000} : Bounds {20, 20, 200};
}

Strategy strategyOf(const Rule& rule)
{
    return rule.strategy ? rule.strategy->value : defaultStrategy(rule.algorithm.value);
}

bool isUtilisation(const Rule& rule)
{
    return rule.algorithm.value == Algorithm::LoadShedder
        && strategyOf(rule) == Strategy::Utilisation;
}

int defaultStatus(Algorithm algorithm)
{
    return algorithm == Algorithm::LoadShedder ? 503 : 429;
}

void setSlots(engine::Limit& limit, const Rule& rule, const Values& values)
{
    if (!engine::holdsSlots(limit.algorithm)) {
        return;
    }
    const auto valueOr = [](const auto& field, std::int64_t otherwise) {
        return field ? field->value : otherwise;
    };
    if (rule.assumeDurationNs) {
        limit.assumeDurationNs = rule.assumeDurationNs->value;
    }
    if (limit.algorithm == Algorithm::Concurrency) {
        limit.inFlight = valueOr(values.inFlight, 0);
        return;
    }
    limit.strategy = strategyOf(rule);
    if (limit.algorithm == Algorithm::LoadShedder) {
        limit.inFlight = valueOr(values.capacity, 0);
        return;
    }
    const Bounds bounds = defaultBounds(limit.strategy);
    limit.initial = valueOr(rule.initial, bounds.initial);
    limit.minimum = valueOr(rule.minimum, bounds.minimum);
    limit.maximum = valueOr(rule.maximum, bounds.maximum);
}

void setClass(engine::Limit& limit, const Rule& rule, std::size_t shedClass)
{
    const std::vector<ShedClass>& classes = rule.classes->value;
    if (isUtilisation(rule)) {
        limit.shedAfter = static_cast<int>(classes.size() - 1 - shedClass);
    } else {
        limit.upTo = classes[shedClass].upTo.value;
    }
}

bool checkSlots(Report& report, const Rule& rule, const std::string& owner)
{
    if (!engine::holdsSlots(rule.algorithm.value)) {
        return true;
    }
    bool isGood = checkStrategy(report, rule, owner);
    if (isGood && rule.algorithm.value == Algorithm::AdaptiveConcurrency) {
        isGood = checkBounds(report, rule, owner);
    } else if (rule.algorithm.value == Algorithm::LoadShedder) {
        isGood = checkShedder(report, rule, owner) && isGood;
    }
    return isGood;
}

} // namespace policies::language
