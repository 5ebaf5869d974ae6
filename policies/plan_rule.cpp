#include "policies/plan_rule.h"

#include "policies/language/limits.h"
#include "policies/language/match.h"
#include "policies/language/slot_limits.h"

namespace policies {

namespace {

engine::PlanRule partOf(const Rule& rule, const Override* override, const Values& values)
{
    engine::PlanRule part;
    part.rule = rule.name.value;
    part.tier = rule.tier;
    part.mode = language::modeOf(values);
    if (override != nullptr) {
        part.overrideName = override->name.value;
        part.overrideMatch = language::matchOf(override->match);
    }
    if (rule.match) {
        part.match = language::matchOf(*rule.match);
    }
    for (const Word& word : rule.key.value) {
        part.key.push_back(word.text);
    }
    if (values.cost) {
        part.cost = values.cost->value;
    }
    if (rule.tighten) {
        part.tighten = engine::Tighten {0, rule.tighten->value.above.value,
                                        rule.tighten->value.factor.value};
    }
    part.status = rule.status ? rule.status->value : language::defaultStatus(rule.algorithm.value);
    part.onStoreFailure
        = rule.onStoreFailure ? rule.onStoreFailure->value : engine::StoreFailure::Open;
    return part;
}

} // namespace

engine::Result<engine::PlanRule> planRule(const Rule& rule, const Override* override)
{
    const Values values = language::valuesOf(rule, override);
    engine::Result<engine::Limit> limit = language::limitOf(rule, values);
    if (!limit) {
        return engine::fail(limit.error());
    }
    engine::PlanRule part = partOf(rule, override, values);
    part.limit = *limit;
    return part;
}

engine::Result<std::vector<engine::PlanRule>> planRules(const Rule& rule, const Override* override)
{
    const engine::Result<engine::PlanRule> whole = planRule(rule, override);
    if (!whole) {
        return engine::fail(whole.error());
    }
    std::vector<engine::PlanRule> parts;
    std::vector<engine::Match> earlier;
    const auto add = [&] {
        engine::PlanRule& part = parts.emplace_back(*whole);
        part.stateBefore = static_cast<std::uint32_t>(parts.size() - 1);
        part.unless = earlier;
        return &part;
    };
    for (const ShedClass& shed : classesOf(rule)) {
        engine::PlanRule* part = add();
        part->className = shed.name.value;
        part->classMatch = language::matchOf(shed.match);
        language::setClass(part->limit, rule, earlier.size());
        earlier.push_back(part->classMatch);
    }
    add();
    return parts;
}

bool isComplete(const Rule& rule)
{
    using engine::Algorithm;
    if (rule.algorithm.at.line == 0 || rule.key.key.line == 0) {
        return false;
    }
    const Values& values = rule.values;
    switch (rule.algorithm.value) {
    case Algorithm::Concurrency:
        return values.inFlight.has_value();
    case Algorithm::AdaptiveConcurrency:
        return true;
    case Algorithm::LoadShedder:
        return values.capacity.has_value();
    case Algorithm::LeakyBucket:
        return values.rate && values.queue;
    case Algorithm::Gcra:
        return values.rate && (values.burst || values.toleranceNs);
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::TokenBucket:
        break;
    }
    return values.rate.has_value();
}

bool countsAllItAdmits(const Policy& policy, const Rule& rule)
{
    return language::countsAllItAdmits(policy, rule);
}

} // namespace policies
