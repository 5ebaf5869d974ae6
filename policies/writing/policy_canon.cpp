#include "policies/writing/policy_canon.h"

#include "engine/attributes.h"
#include "policies/language/limits.h"
#include "policies/language/numbers.h"
#include "policies/language/slot_limits.h"
#include "policies/writing/field_canon.h"
#include "policies/writing/scalar.h"
#include "policies/writing/slots_canon.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace policies::writing {
namespace {

Canon textCanon(const std::string& text)
{
    Canon canon = scalarCanon(sentence(text));
    if (isLiteral(text)) {
        canon.form = Canon::Form::Literal;
        canon.text = text;
    }
    return canon;
}

Canon costCanon(const engine::Cost& cost, const yaml::Node* source)
{
    if (cost.attribute.empty()) {
        return scalarCanon(std::to_string(cost.fixed));
    }
    Gather map(source);
    map.add("attribute", scalarCanon(scalar(cost.attribute)));
    map.add("per", scalarCanon(std::to_string(cost.per)));
    return map.finish(Canon::Form::Map, false);
}

Canon modeCanon(engine::Mode mode)
{
    return scalarCanon(std::string(engine::nameOf(mode)));
}

/// token_bucket without burst has B = N; but an override that gives the rate alone keeps the
/// rule's.
bool isBurstImplied(const Rule& rule)
{
    const Values& values = rule.values;
    if (!values.burst || rule.algorithm.value != engine::Algorithm::TokenBucket
        || values.burst->value.timesRate) {
        return false;
    }
    const bool isInherited
        = std::any_of(rule.overrides.begin(), rule.overrides.end(), [](const Override& override) {
              return override.values.rate && !override.values.burst;
          });
    return !isInherited && values.burst->value.number == values.rate->value.count;
}

void addMode(Gather& gather, const Values& values, bool isOverride)
{
    const bool isDefault
        = !isOverride && values.mode && values.mode->value == engine::Mode::Enforce;
    addGiven(gather, "mode", values.mode, isDefault, modeCanon);
}

void addValues(Gather& gather, const Values& values, bool isOverride, bool isBurstDefault)
{
    addGiven(gather, "rate", values.rate, false,
             [](const engine::Rate& rate) { return scalarCanon(language::rateText(rate)); });
    addGiven(gather, "burst", values.burst, isBurstDefault,
             [](const Burst& burst) { return scalarCanon(language::burstText(burst)); });
    addGiven(gather, "tolerance", values.toleranceNs, false, durationCanon);
    addGiven(gather, "queue", values.queue, false, numberCanon);
    const auto isDefault = [&](const auto& field, auto otherwise) {
        return !isOverride && field && field->value == otherwise;
    };
    addGiven(gather, "delay_after", values.delayAfter,
             isDefault(values.delayAfter, std::int64_t {0}), numberCanon);
    addGiven(gather, "in_flight", values.inFlight, false, numberCanon);
    addGiven(gather, "capacity", values.capacity, false, numberCanon);
}

void addCost(Gather& gather, const Values& values, bool isOverride, const yaml::Node* source)
{
    const bool isOne = !isOverride && values.cost && values.cost->value.attribute.empty()
        && values.cost->value.fixed == 1;
    addGiven(gather, "cost", values.cost, isOne,
             [&](const engine::Cost& cost) { return costCanon(cost, childOf(source, "cost")); });
}

void addTexts(Gather& gather, const Given<std::vector<Word>>& allow, const Given<std::string>& note,
              const yaml::Node* source)
{
    addGiven(gather, "allow", allow, allow && allow->value.empty(),
             [&](const std::vector<Word>& words) {
                 return wordsCanon(words, childOf(source, "allow"));
             });
    addGiven(gather, "note", note, false, textCanon);
}

Canon overrideCanon(const Override& override, const yaml::Node* source)
{
    Gather map(source);
    map.add("name", scalarCanon(scalar(override.name.value)));
    addMode(map, override.values, true);
    map.add("match", matchCanon(override.match, childOf(source, "match")));
    addValues(map, override.values, true, false);
    addCost(map, override.values, true, source);
    addGiven(map, "note", override.note, false, textCanon);
    return map.finish(Canon::Form::Map, true);
}

Canon overridesCanon(const Rule& rule, const yaml::Node* source)
{
    Gather list(source);
    for (std::size_t i = 0; i < rule.overrides.size(); ++i) {
        const yaml::Item* item = itemAt(source, i);
        list.addItem(overrideCanon(rule.overrides[i], nodeOf(item)), item);
    }
    return list.finish(Canon::Form::List, true);
}

void addOptions(Gather& map, const Rule& rule)
{
    const auto isFalse = [](const Given<bool>& field) { return field && !field->value; };
    const auto word = [](const char* text) { return [text](bool) { return scalarCanon(text); }; };
    addGiven(map, "align", rule.alignToFirstRequest, isFalse(rule.alignToFirstRequest),
             word("first_request"));
    Given<std::int64_t> anchor = rule.anchorNs;
    if (anchor && rule.values.rate) {
        const bool isSame = std::all_of(
            rule.overrides.begin(), rule.overrides.end(), [&](const Override& override) {
                return !override.values.rate
                    || override.values.rate->value.periodNs == rule.values.rate->value.periodNs;
            });
        anchor->value = isSame ? anchor->value % rule.values.rate->value.periodNs : anchor->value;
    }
    addGiven(map, "anchor", anchor, anchor && anchor->value == 0, durationCanon);
    addGiven(map, "rounding", rule.floorEstimate, false, word("floor"));
    addGiven(map, "count_rejected", rule.countRejected, isFalse(rule.countRejected), word("true"));
    addGiven(map, "assume_duration", rule.assumeDurationNs, false, durationCanon);
    const int status = language::defaultStatus(rule.algorithm.value);
    addGiven(map, "status", rule.status, rule.status && rule.status->value == status,
             [](int given) { return numberCanon(given); });
    addGiven(map, "on_store_failure", rule.onStoreFailure,
             rule.onStoreFailure && rule.onStoreFailure->value == engine::StoreFailure::Open,
             [](engine::StoreFailure failure) { return scalarCanon(storeFailureText(failure)); });
}

Canon ruleCanon(const Rule& rule, const yaml::Node* source)
{
    Gather map(source);
    map.add("name", scalarCanon(scalar(rule.name.value)));
    addMode(map, rule.values, false);
    if (rule.match && !rule.match->entries.empty()) {
        map.add("match", matchCanon(*rule.match, childOf(source, "match")));
    } else {
        map.drop("match");
    }
    map.add("key", wordsCanon(rule.key.value, childOf(source, "key")));
    map.add("algorithm", scalarCanon(std::string(engine::nameOf(rule.algorithm.value))));
    addValues(map, rule.values, false, isBurstImplied(rule));
    addSlots(map, rule, source);
    addCost(map, rule.values, false, source);
    addTighten(map, rule, source);
    addOptions(map, rule);
    addTexts(map, rule.allow, rule.note, source);
    if (rule.overrides.empty()) {
        map.drop("overrides");
    } else {
        map.add("overrides", overridesCanon(rule, childOf(source, "overrides")));
    }
    return map.finish(Canon::Form::Map, true);
}

bool isTakeImplied(const Attribute& attribute)
{
    const auto captures = engine::capturesOf(attribute.from.value, attribute.pattern->value);
    return captures && (attribute.take->value == attribute.name.text || captures->size() == 1);
}

Canon attributeCanon(const Attribute& attribute, const yaml::Node* source)
{
    Gather map(source);
    map.add("from", scalarCanon(scalar(attribute.from.value)));
    const auto text = [](const std::string& value) { return scalarCanon(scalar(value)); };
    addGiven(map, "pattern", attribute.pattern, false, text);
    addGiven(map, "take", attribute.take, attribute.take && isTakeImplied(attribute), text);
    if (attribute.kind == engine::DerivationKind::Prefix) {
        Gather prefix(childOf(source, "prefix"));
        const auto bits = [](int value) { return numberCanon(value); };
        addGiven(prefix, "ipv4", attribute.ipv4Bits, false, bits);
        addGiven(prefix, "ipv6", attribute.ipv6Bits, false, bits);
        map.add("prefix", prefix.finish(Canon::Form::Map, false));
    }
    addGiven(map, "lookup", attribute.lookup, false, text);
    addGiven(map, "default", attribute.fallback, false, text);
    addGiven(map, "param", attribute.param, false, text);
    return map.finish(Canon::Form::Map, false);
}

Canon exemptCanon(const Exempt& exempt, const yaml::Node* source)
{
    Gather map(source);
    map.add("name", scalarCanon(scalar(exempt.name.value)));
    map.add("match", matchCanon(exempt.match, childOf(source, "match")));
    addTexts(map, exempt.allow, exempt.note, source);
    return map.finish(Canon::Form::Map, true);
}

void addExemptions(Gather& top, const Policy& policy, const yaml::Node& root)
{
    if (policy.exempt.empty()) {
        top.drop("exempt");
        return;
    }
    const yaml::Node* source = childOf(&root, "exempt");
    Gather list(source);
    for (std::size_t i = 0; i < policy.exempt.size(); ++i) {
        const yaml::Item* item = itemAt(source, i);
        list.addItem(exemptCanon(policy.exempt[i], nodeOf(item)), item);
    }
    top.add("exempt", list.finish(Canon::Form::List, true)).isApart = true;
}

void addAttributes(Gather& top, const Policy& policy, const yaml::Node& root)
{
    if (policy.attributes.empty()) {
        top.drop("attributes");
        return;
    }
    const yaml::Node* source = childOf(&root, "attributes");
    Gather map(source);
    for (const Attribute& attribute : policy.attributes) {
        map.add(attribute.name.text,
                attributeCanon(attribute, childOf(source, attribute.name.text)));
    }
    top.add("attributes", map.finish(Canon::Form::Map, true)).isApart = true;
}

void addTiers(Gather& top, const Policy& policy, const yaml::Node& root)
{
    const yaml::Node* source = childOf(&root, "tiers");
    Gather map(source);
    for (std::size_t t = 0; t < engine::kTierCount; ++t) {
        const std::string_view name = engine::nameOf(static_cast<engine::Tier>(t));
        const std::vector<Rule>& rules = policy.tiers[t];
        if (rules.empty()) {
            map.drop(name);
            continue;
        }
        const yaml::Node* list = childOf(source, name);
        Gather items(list);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const yaml::Item* item = itemAt(list, i);
            items.addItem(ruleCanon(rules[i], nodeOf(item)), item);
        }
        map.add(name, items.finish(Canon::Form::List, true));
    }
    top.add("tiers", map.finish(Canon::Form::Map, true)).isApart = true;
}

} // namespace

std::string storeFailureText(engine::StoreFailure failure)
{
    static constexpr std::array<std::string_view, 3> kNames {"open", "closed", "local"};
    return std::string(kNames[static_cast<std::size_t>(failure)]);
}

std::string costText(const engine::Cost& cost)
{
    return cost.attribute.empty()
        ? std::to_string(cost.fixed)
        : fmt::format("{{ attribute: {}, per: {} }}", scalar(cost.attribute), cost.per);
}

std::string matchText(const MatchList& match)
{
    std::vector<std::string> entries;
    for (const MatchEntry& entry : match.entries) {
        std::string values;
        for (std::size_t i = 0; i < entry.values.size(); ++i) {
            values += fmt::format("{}{}", i == 0 ? "" : ", ",
                                  valueText(entry.values[i], entry.tests[i]));
        }
        values = entry.values.size() == 1 ? values : fmt::format("[{}]", values);
        values = entry.negated ? fmt::format("{{ not: {} }}", values) : values;
        entries.push_back(fmt::format("{}: {}", scalar(entry.attribute.text), values));
    }
    return entries.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

Canon canonOf(const Policy& policy)
{
    const yaml::Node& root = policy.document->root;
    Gather top(&root);
    top.add("weir", scalarCanon("1"));
    top.add("name", scalarCanon(scalar(policy.name.value)));
    addGiven(top, "description", policy.description, false, textCanon);
    const bool isPerTier = policy.counting && policy.counting->value == engine::Counting::PerTier;
    addGiven(top, "counting", policy.counting, isPerTier,
             [](engine::Counting) { return scalarCanon("all_or_nothing"); });
    addExemptions(top, policy, root);
    addAttributes(top, policy, root);
    addTiers(top, policy, root);
    return top.finish(Canon::Form::Map, true);
}

} // namespace policies::writing
