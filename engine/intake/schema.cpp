#include "engine/intake/schema.h"

#include "engine/intake/slot_builder.h"

#include <algorithm>
#include <map>
#include <utility>

namespace engine::intake {
namespace {

class Builder {
public:
    Builder(const std::vector<const Plan*>& plans, const IntakeOptions& options)
        : m_plans(plans)
        , m_options(options)
        , m_slots(m_schema, options.resolved)
    {
    }

    Schema build()
    {
        for (const Plan* plan : m_plans) {
            addPlan(*plan);
        }
        if (m_plans.empty()) {
            addFirst(SlotScope(m_slots, Plan {}, {}));
        }
        addRaw();
        m_schema.facetTuples.resize(m_schema.tuples.size());
        for (const SchemaPlan& plan : m_schema.plans) {
            for (const std::size_t tuple : plan.facets) {
                m_schema.facetTuples[tuple] = true;
            }
        }
        placeWords();
        return std::move(m_schema);
    }

private:
    void addPlan(const Plan& plan)
    {
        const bool first = m_schema.plans.empty();
        const SlotScope scope(m_slots, plan, namesOf(plan, first));
        SchemaPlan& made = m_schema.plans.emplace_back();
        for (const PlanRule& rule : plan.rules) {
            made.rules.push_back(ruleOf(rule, scope));
        }
        for (const Exemption& exemption : plan.exempt) {
            made.exempt.push_back(bitsOf(exemption.match, scope));
        }
        for (const std::string& facet : m_options.facets) {
            made.facets.push_back(tupleOf({scope.slot(facet)}));
        }
        made.grouping = groupingOf(plan, scope);
        if (first) {
            addFirst(scope);
        }
    }

    /// What this plan asks of a request, so that nothing else is read and derived.
    [[nodiscard]] std::vector<std::string_view> namesOf(const Plan& plan, bool first) const
    {
        std::vector<std::string_view> names {"path"};
        const auto add = [&names](const Match& match) {
            for (const Matcher& matcher : match) {
                names.emplace_back(matcher.attribute);
            }
        };
        for (const PlanRule& rule : plan.rules) {
            add(rule.match);
            add(rule.overrideMatch);
            std::for_each(rule.unless.begin(), rule.unless.end(), add);
            names.insert(names.end(), rule.key.begin(), rule.key.end());
            if (!rule.cost.attribute.empty()) {
                names.emplace_back(rule.cost.attribute);
            }
        }
        for (const Exemption& exemption : plan.exempt) {
            add(exemption.match);
        }
        names.insert(names.end(), m_options.facets.begin(), m_options.facets.end());
        if (first) {
            names.insert(names.end(), m_options.who.begin(), m_options.who.end());
            add(m_options.where);
            add(m_options.mark);
        }
        return names;
    }

    /// Options that speak in the terms of the first plan.
    void addFirst(const SlotScope& scope)
    {
        m_schema.where = bitsOf(m_options.where, scope);
        m_schema.mark = bitsOf(m_options.mark, scope);
        m_schema.markAsked = !m_options.mark.empty();
        for (const std::string& name : m_options.who) {
            m_schema.who.push_back(scope.slot(name));
            m_schema.slots[m_schema.who.back()].needsText = true;
        }
    }

    /// Options that speak of the log's own attributes.
    void addRaw()
    {
        const SlotScope raw(m_slots, Plan {}, {});
        m_schema.recordedAsked = !m_options.recordedRejection.empty();
        if (m_schema.recordedAsked) {
            m_schema.recordedRejections.push_back(bitsOf(m_options.recordedRejection, raw));
        }
        for (const Match& other : m_options.otherRejections) {
            m_schema.recordedRejections.push_back(bitsOf(other, raw));
        }
        for (const std::string& attribute : m_options.recordedBy) {
            m_schema.recordedBy.push_back(withPresence(raw.slot(attribute)));
        }
        m_schema.dropRecorded = m_options.dropRecorded;
        for (const Matcher& matcher : m_options.recordedRejection) {
            const bool absentCounts = !matcher.negated
                && std::any_of(matcher.anyOf.begin(), matcher.anyOf.end(),
                               [](const Test& test) { return test.kind == TestKind::Absent; });
            if (!absentCounts) {
                m_schema.recordedNeeds.push_back(withPresence(raw.slot(matcher.attribute)));
            }
        }
    }

    BitMatch bitsOf(const Match& match, const SlotScope& scope)
    {
        BitMatch bits;
        for (const Matcher& matcher : match) {
            const std::uint32_t slot = scope.slot(matcher.attribute);
            const std::size_t entry = m_schema.slots[slot].tests.add(matcher);
            bits.push_back({slot, static_cast<std::uint32_t>(entry)});
        }
        return bits;
    }

    SchemaRule ruleOf(const PlanRule& rule, const SlotScope& scope)
    {
        SchemaRule made;
        made.off = rule.mode == Mode::Off;
        made.match = bitsOf(rule.match, scope);
        for (const Match* const inner : {&rule.overrideMatch, &rule.classMatch}) {
            const BitMatch more = bitsOf(*inner, scope);
            made.match.insert(made.match.end(), more.begin(), more.end());
        }
        for (const Match& match : rule.unless) {
            made.unless.push_back(bitsOf(match, scope));
        }
        for (const std::string& name : rule.key) {
            made.key.push_back(withPresence(scope.slot(name)));
        }
        made.tuple = tupleOf(made.key);
        if (holdsSlots(rule.limit.algorithm) && !rule.limit.assumeDurationNs) {
            made.needsDuration = true;
            m_schema.durationSlot = withPresence(m_slots.raw("duration"));
        }
        if (!rule.cost.attribute.empty()) {
            made.cost = costOf(
                {scope.slot(rule.cost.attribute), std::max<std::int64_t>(1, rule.cost.per)});
        }
        return made;
    }

    std::uint32_t withPresence(std::uint32_t slot)
    {
        if (m_schema.slots[slot].presence == kNoId) {
            m_schema.slots[slot].presence = m_presences++;
        }
        return slot;
    }

    std::size_t tupleOf(const std::vector<std::uint32_t>& slots)
    {
        const auto [known, isNew] = m_tuples.emplace(slots, m_schema.tuples.size());
        if (isNew) {
            m_schema.tuples.push_back(slots);
            for (const std::uint32_t slot : slots) {
                m_schema.slots[slot].needsText = true;
            }
        }
        return known->second;
    }

    std::size_t costOf(const SchemaCost& cost)
    {
        const auto [known, isNew]
            = m_costs.emplace(std::pair(cost.slot, cost.per), m_schema.costs.size());
        if (isNew) {
            m_schema.costs.push_back(cost);
        }
        return known->second;
    }

    std::size_t groupingOf(const Plan& plan, const SlotScope& scope)
    {
        Grouping grouping;
        grouping.slot = scope.slot("path");
        const auto add = [&grouping](const Match& match) { addPatterns(match, grouping); };
        for (const PlanRule& rule : plan.rules) {
            add(rule.match);
            add(rule.overrideMatch);
        }
        for (const Exemption& exemption : plan.exempt) {
            add(exemption.match);
        }
        for (const Derivation& derivation : plan.attributes) {
            if (derivation.kind == DerivationKind::Pattern && derivation.from == "path") {
                addNamed(derivation.pattern, true, grouping);
            }
        }
        std::string signature = std::to_string(grouping.slot);
        for (const Grouping::Named& named : grouping.patterns) {
            signature += ' ' + std::to_string(named.text.size()) + (named.pattern ? '~' : '=')
                + named.text;
        }
        const auto [known, isNew] = m_groupings.emplace(signature, m_schema.groupings.size());
        if (isNew) {
            m_schema.slots[grouping.slot].groupings.push_back(
                static_cast<std::uint32_t>(known->second));
            m_schema.groupings.push_back(std::move(grouping));
        }
        return known->second;
    }

    static void addPatterns(const Match& match, Grouping& grouping)
    {
        for (const Matcher& matcher : match) {
            if (matcher.attribute != "path" || matcher.negated) {
                continue;
            }
            for (const Test& test : matcher.anyOf) {
                if (test.kind == TestKind::Path || test.kind == TestKind::Equals) {
                    addNamed(test.text, test.kind == TestKind::Path, grouping);
                }
            }
        }
    }

    static void addNamed(const std::string& text, bool isPattern, Grouping& grouping)
    {
        const bool known = std::any_of(
            grouping.patterns.begin(), grouping.patterns.end(), [&](const auto& named) {
                return named.text == text && named.pattern.has_value() == isPattern;
            });
        if (!known) {
            Grouping::Named& named = grouping.patterns.emplace_back();
            named.text = text;
            named.hash = attributes::hashText(text);
            if (isPattern) {
                named.pattern.emplace(text, '/');
            }
        }
    }

    void placeWords()
    {
        std::size_t word = 0;
        for (Slot& slot : m_schema.slots) {
            slot.firstWord = word;
            word += slot.tests.wordCount();
            slot.needsText = slot.needsText || slot.tests.needsText();
        }
        m_schema.presenceWord = word;
        m_schema.wordCount = word + (m_presences + 63) / 64;
    }

    const std::vector<const Plan*>& m_plans;
    const IntakeOptions& m_options;
    Schema m_schema;
    SlotBuilder m_slots;
    std::map<std::vector<std::uint32_t>, std::size_t> m_tuples;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> m_costs;
    std::map<std::string, std::size_t> m_groupings;
    std::uint32_t m_presences = 0;
};

} // namespace

bool Schema::holds(const std::uint64_t* words, const BitMatch& match) const
{
    return std::all_of(match.begin(), match.end(), [&](const BitRef& bit) {
        return (words[slots[bit.slot].firstWord + bit.entry / 64] >> (bit.entry % 64) & 1) != 0;
    });
}

bool Schema::isPresent(const std::uint64_t* words, std::uint32_t slot) const
{
    const std::uint32_t bit = slots[slot].presence;
    return (words[presenceWord + bit / 64] >> (bit % 64) & 1) != 0;
}

Schema makeSchema(const std::vector<const Plan*>& plans, const IntakeOptions& options)
{
    return Builder(plans, options).build();
}

} // namespace engine::intake
