#include "app/workbench/rule_edits.h"

#include "policies/rates.h"
#include "policies/rule_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

using engine::Algorithm;
using policies::Part;

bool has(const std::vector<policies::LimitField>& fields, std::string_view name)
{
    return std::any_of(fields.begin(), fields.end(),
                       [&](const policies::LimitField& field) { return field.name == name; });
}

/// The fields of a limit that stand in a rule or an override.
template <class Owner> std::vector<std::string_view> givenIn(const Owner& owner)
{
    std::vector<std::string_view> names;
    const auto add = [&names](std::string_view name, bool isGiven) {
        if (isGiven) {
            names.push_back(name);
        }
    };
    const policies::Values& values = owner.values;
    add("rate", values.rate.has_value());
    add("burst", values.burst.has_value());
    add("tolerance", values.toleranceNs.has_value());
    add("queue", values.queue.has_value());
    add("delay_after", values.delayAfter.has_value());
    add("in_flight", values.inFlight.has_value());
    add("capacity", values.capacity.has_value());
    if constexpr (requires { owner.floorEstimate; }) {
        add("align", owner.alignToFirstRequest.has_value());
        add("anchor", owner.anchorNs.has_value());
        add("rounding", owner.floorEstimate.has_value());
        add("count_rejected", owner.countRejected.has_value());
        add("assume_duration", owner.assumeDurationNs.has_value());
        add("classes", owner.classes.has_value());
        add("strategy", owner.strategy.has_value());
        add("initial", owner.initial.has_value());
        add("min", owner.minimum.has_value());
        add("max", owner.maximum.has_value());
    }
    return names;
}

/// How many the rule lets through at one instant now, as far as it says so.
std::int64_t atOnce(const policies::Rule& rule)
{
    const policies::Values& values = rule.values;
    if (values.queue) {
        return values.queue->value + 1;
    }
    if (values.inFlight) {
        return values.inFlight->value;
    }
    if (values.capacity) {
        return values.capacity->value;
    }
    if (values.burst && !values.burst->value.timesRate) {
        return values.burst->value.number;
    }
    return values.rate ? values.rate->value.count : 20;
}

/// What a field that the new algorithm needs is to begin with.
std::string firstValue(std::string_view field, const policies::Rule& rule)
{
    if (field == "rate") {
        return "60/min";
    }
    const std::int64_t count = std::max<std::int64_t>(1, atOnce(rule));
    return std::to_string(field == "queue" ? count - 1 : count);
}

} // namespace

EditSteps& EditSteps::add(const engine::Result<policies::Edits>& edits)
{
    if (m_failure) {
        return *this;
    }
    if (!edits) {
        m_failure = edits.error();
        return *this;
    }
    m_text = policies::applied(std::move(m_text), *edits);
    m_edits.insert(m_edits.end(), edits->begin(), edits->end());
    return *this;
}

engine::Result<policies::Edits> EditSteps::take()
{
    if (m_failure) {
        return engine::fail(*m_failure);
    }
    return std::move(m_edits);
}

std::string freeRuleName(const policies::Policy& policy, const std::string& base)
{
    std::string name = base;
    for (int number = 2; policy.rule(name) != nullptr; ++number) {
        name = fmt::format("{}-{}", base, number);
    }
    return name;
}

engine::Result<policies::Edits> addRule(std::string_view text, engine::Tier tier,
                                        const std::string& name,
                                        std::optional<std::size_t> position)
{
    return policies::addPart(text, Part::ofTier(tier),
                             fmt::format("{{ name: {}, key: [client_ip], algorithm: "
                                         "sliding_window_counter, rate: 60/min }}",
                                         policies::textOfName(name)),
                             position);
}

engine::Result<policies::Edits> setMode(std::string_view text, const policies::Rule& rule,
                                        engine::Mode mode)
{
    return setField(text, Part::ofRule(rule.name.value), {"mode"},
                    mode == engine::Mode::Enforce ? "" : engine::nameOf(mode));
}

engine::Result<policies::Edits> setField(std::string_view text, const policies::Part& part,
                                         const policies::FieldPath& field, std::string_view value)
{
    if (!value.empty()) {
        return policies::setValue(text, part, field, value);
    }
    engine::Result<policies::Edits> removed = policies::unsetValue(text, part, field);
    return !removed && removed.error().code == "edit.no-field" ? policies::Edits {} : removed;
}

engine::Result<policies::Edits> setAlgorithm(std::string_view text, const policies::Rule& rule,
                                             Algorithm algorithm)
{
    const Part part = Part::ofRule(rule.name.value);
    const std::vector<policies::LimitField> fields = policies::limitFields(algorithm);
    EditSteps steps {std::string(text)};
    steps.add(policies::setValue(text, part, {"algorithm"}, engine::nameOf(algorithm)));
    const bool isOther = algorithm != rule.algorithm.value; // its strategies are others
    const auto strip = [&](const Part& owner, const std::vector<std::string_view>& given) {
        for (const std::string_view name : given) {
            if (!has(fields, name) || (isOther && name == "strategy")) {
                steps.add(policies::unsetValue(steps.text(), owner, {std::string(name)}));
            }
        }
    };
    const auto stripCosts = [&](const Part& owner) {
        if (algorithm == Algorithm::LoadShedder) { // which counts requests
            steps.add(setField(steps.text(), owner, {"cost"}, ""));
            steps.add(setField(steps.text(), owner, {"tighten"}, ""));
        }
    };
    const std::vector<std::string_view> given = givenIn(rule);
    strip(part, given);
    stripCosts(part);
    for (const policies::Override& override : rule.overrides) {
        const Part owner = Part::ofOverride(rule.name.value, override.name.value);
        strip(owner, givenIn(override));
        stripCosts(owner);
    }
    const auto isGiven = [&](std::string_view name) {
        return std::find(given.begin(), given.end(), name) != given.end();
    };
    for (const policies::LimitField& field : fields) {
        const bool isMissingBurst
            = algorithm == Algorithm::Gcra && field.name == "burst" && !isGiven("tolerance");
        if ((field.isRequired || isMissingBurst) && !isGiven(field.name)) {
            steps.add(policies::setValue(steps.text(), part, {std::string(field.name)},
                                         firstValue(field.name, rule)));
        }
    }
    return steps.take();
}

std::optional<std::size_t> dropPosition(const policies::Policy& policy, const std::string& rule,
                                        engine::Tier tier, std::size_t before)
{
    const std::vector<policies::Rule>& rules = policy.tiers[static_cast<std::size_t>(tier)];
    const auto own = std::find_if(rules.begin(), rules.end(), [&](const policies::Rule& one) {
        return one.name.value == rule;
    });
    before = std::min(before, rules.size());
    if (own == rules.end()) {
        return before;
    }
    const auto at = static_cast<std::size_t>(own - rules.begin());
    if (before == at || before == at + 1) {
        return std::nullopt;
    }
    return before > at ? before - 1 : before;
}

} // namespace app
