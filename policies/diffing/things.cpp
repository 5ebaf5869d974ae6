#include "policies/diffing/things.h"

#include "policies/language/limits.h"
#include "policies/language/numbers.h"
#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/writing/policy_canon.h"
#include "policies/writing/scalar.h"
#include "policies/writing/slots_canon.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace policies::diffing {
namespace {

std::string sortedMatch(MatchList match)
{
    for (MatchEntry& entry : match.entries) {
        std::vector<std::pair<std::string, std::size_t>> order;
        for (std::size_t i = 0; i < entry.values.size(); ++i) {
            MatchEntry one = entry;
            one.values = {entry.values[i]};
            one.tests = {entry.tests[i]};
            MatchList list;
            list.entries = {one};
            order.emplace_back(writing::matchText(list), i);
        }
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end(),
                                [](const auto& a, const auto& b) { return a.first == b.first; }),
                    order.end());
        MatchEntry sorted = entry;
        sorted.values.clear();
        sorted.tests.clear();
        for (const auto& [text, index] : order) {
            sorted.values.push_back(entry.values[index]);
            sorted.tests.push_back(entry.tests[index]);
        }
        entry = std::move(sorted);
    }
    std::sort(match.entries.begin(), match.entries.end(),
              [](const MatchEntry& a, const MatchEntry& b) {
                  return a.attribute.text < b.attribute.text;
              });
    return writing::matchText(match);
}

std::string wordList(const std::vector<Word>& words)
{
    std::string list;
    for (const Word& word : words) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", writing::scalar(word.text));
    }
    return "[" + list + "]";
}

std::string textOf(const Given<std::string>& text)
{
    return text ? text->value : std::string();
}

/// What the values amount to, with everything that is left to a default resolved.
void addLimit(Facts& facts, const Rule& rule, const Override* override)
{
    using engine::Algorithm;
    const Values values = language::valuesOf(rule, override);
    const engine::Result<engine::Limit> made = language::limitOf(rule, values);
    if (!made) {
        return;
    }
    const engine::Limit& limit = *made;
    const Algorithm algorithm = limit.algorithm;
    const bool hasBurst = algorithm == Algorithm::TokenBucket
        || (algorithm == Algorithm::Gcra && !limit.toleranceNs);
    const bool isLeaky = algorithm == Algorithm::LeakyBucket;
    const bool isConcurrency = algorithm == Algorithm::Concurrency;
    const bool isAdaptive = algorithm == Algorithm::AdaptiveConcurrency;
    const bool isShedder = algorithm == Algorithm::LoadShedder;
    const auto numberIf = [](bool isThere, std::int64_t number) {
        return isThere ? std::to_string(number) : std::string();
    };
    const engine::Rate comparable = language::comparableRate(limit);
    facts.push_back({"rate", engine::holdsSlots(algorithm) ? "" : language::rateText(limit.rate),
                     language::isBucket(algorithm)
                         ? fmt::format("{}/{}ns", comparable.count, comparable.periodNs)
                         : ""});
    facts.push_back({"burst", numberIf(hasBurst, limit.burst)});
    facts.push_back(
        {"tolerance", limit.toleranceNs ? language::durationText(*limit.toleranceNs) : ""});
    facts.push_back({"queue", numberIf(isLeaky, limit.queue)});
    facts.push_back({"delay_after", numberIf(isLeaky, limit.delayAfter)});
    facts.push_back({"in_flight", numberIf(isConcurrency, limit.inFlight)});
    facts.push_back({"capacity", numberIf(isShedder, limit.inFlight)});
    facts.push_back(
        {"strategy", isAdaptive || isShedder ? std::string(engine::nameOf(limit.strategy)) : ""});
    facts.push_back({"initial", numberIf(isAdaptive, limit.initial)});
    facts.push_back({"min", numberIf(isAdaptive, limit.minimum)});
    facts.push_back({"max", numberIf(isAdaptive, limit.maximum)});
    facts.push_back({"anchor", limit.anchorNs != 0 ? language::durationText(limit.anchorNs) : ""});
    facts.push_back(
        {"cost", writing::costText(values.cost ? values.cost->value : engine::Cost {})});
    facts.push_back({"mode", std::string(engine::nameOf(language::modeOf(values)))});
}

Facts factsOf(const ShedClass& shed)
{
    return {{"match", sortedMatch(shed.match)}, {"up_to", language::percentText(shed.upTo.value)}};
}

Facts factsOf(const Rule& rule)
{
    const auto yes = [](const Given<bool>& field, const char* text) {
        return field && field->value ? std::string(text) : std::string();
    };
    Facts facts;
    facts.push_back({"match", rule.match ? sortedMatch(*rule.match) : "{}"});
    facts.push_back({"key", wordList(rule.key.value)});
    facts.push_back({"algorithm", std::string(engine::nameOf(rule.algorithm.value))});
    addLimit(facts, rule, nullptr);
    facts.push_back({"align", yes(rule.alignToFirstRequest, "first_request")});
    facts.push_back({"rounding", yes(rule.floorEstimate, "floor")});
    facts.push_back({"count_rejected", yes(rule.countRejected, "true")});
    facts.push_back(
        {"assume_duration",
         rule.assumeDurationNs ? language::durationText(rule.assumeDurationNs->value) : ""});
    facts.push_back({"tighten",
                     rule.tighten
                         ? writing::tightenText(rule.tighten->value, rule.tighten->value.rule.value)
                         : ""});
    const int usual = language::defaultStatus(rule.algorithm.value);
    const int status = rule.status ? rule.status->value : usual;
    facts.push_back({"status", std::to_string(status), {}, status == usual});
    facts.push_back({"on_store_failure",
                     writing::storeFailureText(rule.onStoreFailure ? rule.onStoreFailure->value
                                                                   : engine::StoreFailure::Open)});
    facts.push_back(
        {"allow", rule.allow && !rule.allow->value.empty() ? wordList(rule.allow->value) : ""});
    facts.push_back({"note", textOf(rule.note)});
    return facts;
}

std::string summaryOf(const Facts& facts)
{
    std::string summary;
    for (const auto& [field, value, meaning, isDefault] : facts) {
        const bool isPlain = isDefault || value.empty() || value == "{}"
            || (field == "cost" && value == "1") || (field == "mode" && value == "enforce")
            || (field == "on_store_failure" && value == "open")
            || (field == "delay_after" && value == "0");
        if (!isPlain) {
            summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", field, value);
        }
    }
    return summary;
}

Thing thing(std::string what, std::string name, std::string group, Facts facts)
{
    Thing made;
    made.what = std::move(what);
    made.name = std::move(name);
    made.group = std::move(group);
    made.summary = summaryOf(facts);
    made.facts = std::move(facts);
    return made;
}

Facts factsOf(const Attribute& attribute)
{
    const bool isPrefix = attribute.kind == engine::DerivationKind::Prefix;
    const auto bits = [&](const Given<int>& given, int whole) {
        return isPrefix ? std::to_string(given ? given->value : whole) : std::string();
    };
    return {{"from", attribute.from.value},
            {"pattern", textOf(attribute.pattern)},
            {"take", attribute.takes},
            {"prefix ipv4", bits(attribute.ipv4Bits, 32)},
            {"prefix ipv6", bits(attribute.ipv6Bits, 128)},
            {"lookup", textOf(attribute.lookup)},
            {"default", textOf(attribute.fallback)},
            {"param", textOf(attribute.param)}};
}

/// ", classes [a { path: /a } up to 80%, b { path: /b } up to 50%]", of utilisation without shares.
std::string classesText(const Rule& rule)
{
    std::string list;
    for (const ShedClass& shed : classesOf(rule)) {
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", shed.name.value,
                            sortedMatch(shed.match));
        if (!language::isUtilisation(rule)) {
            list += " up to " + language::percentText(shed.upTo.value);
        }
    }
    return list.empty() ? list : fmt::format(", classes [{}]", list);
}

void addRule(std::vector<Thing>& things, const Rule& rule)
{
    const std::string tier(engine::nameOf(rule.tier));
    Thing made = thing("rule", rule.name.value, "rules of " + tier, factsOf(rule));
    made.tier = tier;
    made.summary += classesText(rule);
    made.tighten = rule.tighten ? &rule.tighten->value : nullptr;
    things.push_back(std::move(made));
    for (const Override& override : rule.overrides) {
        Facts facts {{"match", sortedMatch(override.match)}};
        addLimit(facts, rule, &override);
        facts.push_back({"note", textOf(override.note)});
        Thing inner = thing("override", rule.name.value, "overrides of " + rule.name.value,
                            std::move(facts));
        inner.partName = override.name.value;
        things.push_back(std::move(inner));
    }
    for (const ShedClass& shed : classesOf(rule)) {
        Thing inner
            = thing("class", rule.name.value, "classes of " + rule.name.value, factsOf(shed));
        inner.partName = shed.name.value;
        things.push_back(std::move(inner));
    }
}

} // namespace

std::vector<Thing> thingsOf(const Policy& policy)
{
    std::vector<Thing> things;
    const bool isAll = policy.counting && policy.counting->value == engine::Counting::AllOrNothing;
    things.push_back(thing("policy", "", "",
                           {{"name", policy.name.value},
                            {"description", textOf(policy.description)},
                            {"counting", isAll ? "all_or_nothing" : "per_tier"}}));
    for (const Exempt& exempt : policy.exempt) {
        things.push_back(thing(
            "exemption", exempt.name.value, "exemptions",
            {{"match", sortedMatch(exempt.match)},
             {"note", textOf(exempt.note)},
             {"allow",
              exempt.allow && !exempt.allow->value.empty() ? wordList(exempt.allow->value) : ""}}));
    }
    for (const Attribute& attribute : policy.attributes) {
        things.push_back(thing("attribute", attribute.name.text, "attributes", factsOf(attribute)));
    }
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            addRule(things, rule);
        }
    }
    return things;
}

std::string titleOf(const Thing& thing)
{
    if (thing.what == "policy") {
        return "policy";
    }
    return thing.partName.empty()
        ? fmt::format("{} {}", thing.what, thing.name)
        : fmt::format("{} {} of rule {}", thing.what, thing.partName, thing.name);
}

} // namespace policies::diffing
