#include "policies/advice/survey.h"

#include "engine/attributes.h"
#include "policies/language/limits.h"
#include "policies/language/match.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::advice {
namespace {

constexpr std::size_t kLongestChain = 64; ///< so that chains of chains stay small

Part partOf(const Rule& rule, const Override* override)
{
    const Values values = language::valuesOf(rule, override);
    Part part;
    part.override = override;
    part.mode = language::modeOf(values);
    if (const engine::Result<engine::Limit> limit = language::limitOf(rule, values)) {
        part.limit = *limit; // read() takes no rule without
    }
    if (values.cost) {
        part.cost = values.cost->value;
    }
    if (override != nullptr && override->values.rate) {
        part.rate = &*override->values.rate;
    } else if (rule.values.rate) {
        part.rate = &*rule.values.rate;
    }
    return part;
}

Origin logField(std::string_view name)
{
    Origin origin;
    origin.root = name;
    origin.chain = {origin.root};
    origin.isAlwaysThere = name == "client_ip" || name == "method" || name == "path";
    origin.isAfterResponse = name == "status" || name == "bytes" || name == "duration";
    return origin;
}

} // namespace

std::int64_t Part::most() const
{
    return limit.algorithm == engine::Algorithm::AdaptiveConcurrency ? limit.maximum
                                                                     : engine::capacityOf(limit);
}

bool Part::deniesAll() const
{
    const std::int64_t least = hasFixedCost() ? cost.fixed : 1;
    return least > most();
}

bool Part::judgesAll() const
{
    return !engine::holdsSlots(limit.algorithm) || limit.assumeDurationNs;
}

bool SurveyedRule::isEnforced() const
{
    return std::any_of(parts.begin(), parts.end(),
                       [](const Part& part) { return part.isEnforced(); });
}

const Part* SurveyedRule::alone() const
{
    return rule->overrides.empty() && isEnforced() ? &parts.front() : nullptr;
}

engine::StoreFailure SurveyedRule::onStoreFailure() const
{
    return rule->onStoreFailure ? rule->onStoreFailure->value : engine::StoreFailure::Open;
}

bool SurveyedRule::isRepeated(const Part& part) const
{
    if (part.override == nullptr || parts.back().override != nullptr) {
        return false;
    }
    const Values& own = part.override->values;
    return part.mode == parts.back().mode && !own.rate && !own.burst && !own.toleranceNs
        && !own.queue && !own.inFlight && !own.capacity && !own.cost;
}

std::string SurveyedRule::named() const
{
    return fmt::format("rule `{}`", language::shown(rule->name.value));
}

std::string SurveyedRule::named(const Part& part) const
{
    return part.override == nullptr
        ? named()
        : fmt::format("override `{}` of {}", language::shown(part.override->name.value), named());
}

Survey::Survey(const Policy& surveyed)
    : policy(surveyed)
{
    for (const Attribute& attribute : policy.attributes) {
        Origin origin = originOf(attribute);
        m_origins[attribute.name.text] = std::move(origin);
    }
    for (const std::vector<Rule>& tier : policy.tiers) {
        for (const Rule& rule : tier) {
            addRule(rule);
        }
    }
}

void Survey::addRule(const Rule& rule)
{
    SurveyedRule surveyed;
    surveyed.rule = &rule;
    surveyed.place = rules.size();
    if (rule.match) {
        surveyed.match = language::matchOf(*rule.match);
    }
    const auto add = [&](const Override* override) {
        Part part = partOf(rule, override);
        if (part.mode != engine::Mode::Off) {
            surveyed.parts.push_back(std::move(part));
        }
    };
    for (const Override& override : rule.overrides) {
        add(&override);
    }
    add(nullptr);
    rules.push_back(std::move(surveyed));
}

/// Of what stands in front of it: an attribute that takes its own name's field comes from the
/// log's.
Origin Survey::originOf(const Attribute& attribute) const
{
    using engine::DerivationKind;
    const Origin& from = origin(attribute.from.value);
    Origin origin = from;
    origin.derived = &attribute;
    origin.chain.insert(origin.chain.begin(), attribute.name.text);
    origin.chain.resize(std::min(origin.chain.size(), kLongestChain));
    switch (attribute.kind) {
    case DerivationKind::Copy:
        break;
    case DerivationKind::Pattern:
    case DerivationKind::Param:
        origin.isAlwaysThere = false;
        break;
    case DerivationKind::Prefix: // of a client that is no address there is none, and few logs have
                                 // one
        origin.isOneToOne = false;
        break;
    case DerivationKind::Lookup:
        origin.isAlwaysThere = from.isAlwaysThere && attribute.fallback.has_value();
        origin.isOneToOne = false;
        break;
    }
    return origin;
}

const Origin& Survey::origin(std::string_view attribute) const
{
    std::string name(attribute);
    const auto known = m_origins.find(name);
    if (known != m_origins.end()) {
        return known->second;
    }
    Origin origin = logField(attribute);
    return m_origins.emplace(std::move(name), std::move(origin)).first->second;
}

bool Survey::needs(std::string_view attribute, std::string_view other) const
{
    const std::vector<std::string>& chain = origin(attribute).chain;
    return std::find(chain.begin(), chain.end(), other) != chain.end();
}

LookupValues lookupValues(const engine::Plan* plan)
{
    LookupValues all;
    if (plan == nullptr) {
        return all;
    }
    for (const engine::Derivation& derivation : plan->attributes) {
        if (!derivation.table) {
            continue;
        }
        std::set<std::string_view>& values = all[derivation.name];
        for (const auto& [key, value] : *derivation.table) {
            values.insert(value);
        }
        if (derivation.fallback) {
            values.insert(*derivation.fallback);
        }
    }
    return all;
}

bool isOnly(const engine::Matcher& entry, engine::TestKind kind)
{
    return !entry.negated
        && std::all_of(entry.anyOf.begin(), entry.anyOf.end(),
                       [kind](const engine::Test& test) { return test.kind == kind; });
}

} // namespace policies::advice
