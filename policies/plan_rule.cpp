#include "policies/plan_rule.h"

#include "policies/language/limits.h"
#include "policies/language/match.h"

namespace policies {

engine::Result<engine::PlanRule> planRule(const Rule& rule, const Override* override)
{
    const Values values = language::valuesOf(rule, override);
    engine::Result<engine::Limit> limit = language::limitOf(rule, values);
    if (!limit) {
        return engine::fail(limit.error());
    }
    engine::PlanRule part;
    part.rule = rule.name.value;
    part.tier = rule.tier;
    part.mode = language::modeOf(values);
    part.limit = *limit;
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
    part.status = rule.status ? rule.status->value : 429;
    part.onStoreFailure
        = rule.onStoreFailure ? rule.onStoreFailure->value : engine::StoreFailure::Open;
    return part;
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
