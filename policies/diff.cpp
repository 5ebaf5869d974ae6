#include "policies/diff.h"

#include "policies/diffing/things.h"
#include "policies/writing/slots_canon.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace policies {
namespace {

using diffing::Fact;
using diffing::Thing;

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
            if (m_new.count(idOf(thing)) == 0 && !isToldWithRule(thing, m_new)) {
                add(DiffKind::Removed, thing, "", thing.summary, "");
            }
        }
        for (const Thing& thing : m_after) {
            const auto old = m_old.find(idOf(thing));
            if (old != m_old.end()) {
                compare(*old->second, thing);
            } else if (!isToldWithRule(thing, m_old)) {
                add(DiffKind::Added, thing, "", "", thing.summary);
            }
        }
        compareOrder();
        return std::move(m_differences);
    }

private:
    using Id = std::pair<std::string, std::pair<std::string, std::string>>;

    static Id idOf(const Thing& thing) { return {thing.what, {thing.name, thing.partName}}; }

    /// Classes of a shedder that the other side does not have are part of what is said of it.
    static bool isToldWithRule(const Thing& thing, const std::map<Id, const Thing*>& others)
    {
        return thing.what == "class" && others.count({"rule", {thing.name, ""}}) == 0;
    }

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
        const std::string title = diffing::titleOf(thing);
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
    return Differ(diffing::thingsOf(before), diffing::thingsOf(after)).run();
}

} // namespace policies
