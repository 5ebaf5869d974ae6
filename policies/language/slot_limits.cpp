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
                 fmt::format("`{}` is no value of `strategy` of {}, which goes by {}",
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
        return fmt::format("`{}` of {}{}", name, value, given ? "" : " (the default)");
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

/// What one set of values of a load_shedder cannot have.
bool checkValues(Report& report, const Values& values, bool isUtilised, const std::string& owner)
{
    if (values.cost) {
        report.error("policy.algorithm-field", values.cost->key,
                     fmt::format("{} has `cost`, which load_shedder does not have", owner),
                     "leave it out; each request holds one slot");
    }
    const bool isGood = !isUtilised || !values.capacity
        || (values.capacity->value >= 1 && values.capacity->value <= kMostUtilised);
    if (!isGood) {
        report.error("policy.number-range", values.capacity->at,
                     fmt::format("{}: {} is no capacity that can be utilised", owner,
                                 values.capacity->value),
                     fmt::format("write 1 to {}", kMostUtilised));
    }
    return isGood;
}

bool checkShedder(Report& report, const Rule& rule, const std::string& owner)
{
    if (rule.tighten) {
        report.error("policy.algorithm-field", rule.tighten->key,
                     fmt::format("{} has `tighten`, which load_shedder does not have", owner),
                     "leave it out, or write it at a rule that counts costs");
    }
    const bool isUtilised = isUtilisation(rule);
    bool isGood = checkValues(report, rule.values, isUtilised, owner);
    for (const Override& override : rule.overrides) {
        const std::string name
            = fmt::format("override `{}` of {}", shown(override.name.value), owner);
        isGood = checkValues(report, override.values, isUtilised, name) && isGood;
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
