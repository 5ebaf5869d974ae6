#include "policies/diff.h"

#include "policies/language/limits.h"
#include "policies/language/numbers.h"
#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/writing/policy_canon.h"
#include "policies/writing/scalar.h"
#include "policies/writing/slots_canon.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace policies {
namespace {

/// A field and its value as people read it; empty: not given. Facts of one field that have a
/// meaning are the same if their meanings are, however they are written.
struct Fact {
    std::string field;
    std::string value;
    std::string meaning {};
    bool isPlain = false; ///< what holds anyway: not said of what is added or removed

    [[nodiscard]] bool isSame(const Fact& other) const
    {
        return value == other.value || (!meaning.empty() && meaning == other.meaning);
    }
};

/// In the order in which people read them.
using Facts = std::vector<Fact>;

struct Thing {
    std::string what;
    std::string name;
    std::string partName;
    std::string tier; ///< of a rule
    const Tighten* tighten = nullptr; ///< of a rule
    std::string group; ///< things of one group stand in an order that matters
    Facts facts;
    std::string summary; ///< for "added" and "removed"
};

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

void addRule(std::vector<Thing>& things, const Rule& rule)
{
    const std::string tier(engine::nameOf(rule.tier));
    Thing made = thing("rule", rule.name.value, "rules of " + tier, factsOf(rule));
    made.tier = tier;
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

class Differ {
public:
    Differ(std::vector<Thing> before, std::vector<Thing> after)
        : m_before(std::move(before))
        , m_after(std::move(after))
    {
        findRenamed();
        for (const Thing& thing : m_before) {
            m_old.emplace(idOf(thing), &thing);
        }
        for (const Thing& thing : m_after) {
            m_new.emplace(idOf(thing), &thing);
        }
    }

    std::vector<Difference> run()
    {
        for (const auto& [was, is] : m_renamed) {
            add(DiffKind::Renamed, *is, "", was, is->name);
        }
        for (const Thing& thing : m_before) {
            if (m_new.count(idOf(thing)) == 0) {
                add(DiffKind::Removed, thing, "", thing.summary, "");
            }
        }
        for (const Thing& thing : m_after) {
            const auto old = m_old.find(idOf(thing));
            if (old == m_old.end()) {
                add(DiffKind::Added, thing, "", "", thing.summary);
            } else {
                compare(*old->second, thing);
            }
        }
        compareOrder();
        return std::move(m_differences);
    }

private:
    using Id = std::pair<std::string, std::pair<std::string, std::string>>;

    static Id idOf(const Thing& thing) { return {thing.what, {thing.name, thing.partName}}; }

    static bool isOfRule(const Thing& thing)
    {
        return thing.what == "rule" || thing.what == "override" || thing.what == "class";
    }

    /// A rule with all that belongs to it, apart from its name.
    static std::string contentOf(const std::vector<Thing>& things, const Thing& rule)
    {
        std::string content = rule.tier;
        for (const Thing& thing : things) {
            if (thing.name == rule.name && isOfRule(thing)) {
                content += "\n" + thing.what + " " + thing.partName;
                for (const Fact& fact : thing.facts) {
                    content += "\n" + (fact.meaning.empty() ? fact.value : fact.meaning);
                }
            }
        }
        return content;
    }

    static std::map<std::string, std::vector<const Thing*>>
    rulesMissingIn(const std::vector<Thing>& others, const std::vector<Thing>& things)
    {
        std::set<std::string> names;
        for (const Thing& other : others) {
            names.insert(other.what == "rule" ? other.name : "");
        }
        std::map<std::string, std::vector<const Thing*>> missing;
        for (const Thing& thing : things) {
            if (thing.what == "rule" && names.count(thing.name) == 0) {
                missing[contentOf(things, thing)].push_back(&thing);
            }
        }
        return missing;
    }

    /// Gives the rules of before their new names, where there is no doubt which is which.
    void findRenamed()
    {
        const auto gone = rulesMissingIn(m_after, m_before);
        std::map<std::string, std::string> names;
        for (const auto& [content, rules] : rulesMissingIn(m_before, m_after)) {
            const auto old = gone.find(content);
            if (old != gone.end() && old->second.size() == 1 && rules.size() == 1) {
                m_renamed.emplace_back(old->second.front()->name, rules.front());
                names[old->second.front()->name] = rules.front()->name;
            }
        }
        for (Thing& thing : m_before) {
            followTighten(thing, names);
            const auto found = names.find(thing.name);
            if (found != names.end() && isOfRule(thing)) {
                thing.name = found->second;
                thing.group = thing.what == "rule" ? thing.group
                    : thing.what == "class"        ? "classes of " + thing.name
                                                   : "overrides of " + thing.name;
            }
        }
    }

    /// What a rule says of one that has another name now has not changed.
    static void followTighten(Thing& thing, const std::map<std::string, std::string>& names)
    {
        const auto found = thing.tighten ? names.find(thing.tighten->rule.value) : names.end();
        for (Fact& fact : thing.facts) {
            if (found != names.end() && fact.field == "tighten") {
                fact.value = writing::tightenText(*thing.tighten, found->second);
            }
        }
    }

    void add(DiffKind kind, const Thing& thing, const std::string& field, const std::string& before,
             const std::string& after)
    {
        Difference difference {kind,  thing.what, thing.name, thing.partName,
                               field, before,     after,      {}};
        const std::string title = titleOf(thing);
        const std::string where = thing.tier.empty()
            ? ""
            : fmt::format(" {} tier {}", kind == DiffKind::Removed ? "from" : "to", thing.tier);
        switch (kind) {
        case DiffKind::Added:
            difference.text = fmt::format("{} added{}: {}", title, where, thing.summary);
            break;
        case DiffKind::Removed:
            difference.text = fmt::format("{} removed{}: {}", title, where, thing.summary);
            break;
        case DiffKind::Renamed:
            difference.text = fmt::format("{} {} renamed to {}", thing.what, before, after);
            break;
        case DiffKind::Moved:
            difference.text = fmt::format("{} moved from tier {} to {}", title, before, after);
            break;
        case DiffKind::Changed:
            difference.text = before.empty() ? fmt::format("{}: {} {} added", title, field, after)
                : after.empty() ? fmt::format("{}: {} {} removed", title, field, before)
                                : fmt::format("{}: {} {} -> {}", title, field, before, after);
            break;
        }
        m_differences.push_back(std::move(difference));
    }

    void compare(const Thing& before, const Thing& after)
    {
        if (before.tier != after.tier) {
            add(DiffKind::Moved, after, "", before.tier, after.tier);
        }
        std::map<std::string, const Fact*> old;
        for (const Fact& fact : before.facts) {
            old.emplace(fact.field, &fact);
        }
        for (const Fact& fact : after.facts) {
            const auto found = old.find(fact.field);
            const Fact was = found == old.end() ? Fact {} : *found->second;
            if (!was.isSame(fact)) {
                add(DiffKind::Changed, after, fact.field, was.value, fact.value);
            }
        }
    }

    /// Things that both sides have, in one group on both: their order decides who is first.
    void compareOrder()
    {
        std::map<std::string, std::vector<std::string>> old = ordersOf(m_before, m_new);
        std::map<std::string, std::vector<std::string>> now = ordersOf(m_after, m_old);
        for (const auto& [group, names] : now) {
            if (old[group] == names) {
                continue;
            }
            Difference difference;
            difference.what = "policy";
            difference.field = fmt::format("order of {}", group);
            difference.before = fmt::format("{}", fmt::join(old[group], ", "));
            difference.after = fmt::format("{}", fmt::join(names, ", "));
            difference.text = fmt::format("policy: {} {} -> {}", difference.field,
                                          difference.before, difference.after);
            m_differences.push_back(std::move(difference));
        }
    }

    static std::map<std::string, std::vector<std::string>>
    ordersOf(const std::vector<Thing>& things, const std::map<Id, const Thing*>& others)
    {
        std::map<std::string, std::vector<std::string>> orders;
        for (const Thing& thing : things) {
            const auto other = others.find(idOf(thing));
            if (!thing.group.empty() && other != others.end()
                && other->second->group == thing.group) {
                orders[thing.group].push_back(thing.partName.empty() ? thing.name : thing.partName);
            }
        }
        return orders;
    }

    std::vector<Thing> m_before;
    std::vector<Thing> m_after;
    std::vector<std::pair<std::string, const Thing*>> m_renamed; ///< old name, in m_after
    std::map<Id, const Thing*> m_old;
    std::map<Id, const Thing*> m_new;
    std::vector<Difference> m_differences;
};

} // namespace

std::vector<Difference> diff(const Policy& before, const Policy& after)
{
    return Differ(thingsOf(before), thingsOf(after)).run();
}

} // namespace policies
