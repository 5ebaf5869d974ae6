#include "policies/writing/slots_canon.h"

#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/writing/field_canon.h"
#include "policies/writing/policy_canon.h"
#include "policies/writing/scalar.h"

#include <fmt/format.h>

namespace policies::writing {
namespace {

Canon classesCanon(const std::vector<ShedClass>& classes, const yaml::Node* source)
{
    Gather list(source);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const yaml::Item* item = itemAt(source, i);
        Gather map(nodeOf(item));
        map.add("name", scalarCanon(scalar(classes[i].name.value)));
        map.add("match", matchCanon(classes[i].match, childOf(nodeOf(item), "match")));
        map.add("up_to", scalarCanon(language::percentText(classes[i].upTo.value)));
        list.addItem(map.finish(Canon::Form::Map, false), item);
    }
    return list.finish(Canon::Form::List, true);
}

Canon tightenCanon(const Tighten& tighten, const yaml::Node* source)
{
    Gather map(source);
    map.add("rule", scalarCanon(scalar(tighten.rule.value)));
    map.add("above", scalarCanon(language::percentText(tighten.above.value)));
    map.add("factor", numberCanon(tighten.factor.value));
    return map.finish(Canon::Form::Map, false);
}

} // namespace

void addSlots(Gather& map, const Rule& rule, const yaml::Node* source)
{
    const auto isDefault = [](const Given<std::int64_t>& field, std::int64_t otherwise) {
        return field && field->value == otherwise;
    };
    addGiven(map, "classes", rule.classes, classesOf(rule).empty(),
             [&](const std::vector<ShedClass>& classes) {
                 return classesCanon(classes, childOf(source, "classes"));
             });
    addGiven(map, "strategy", rule.strategy,
             language::strategyOf(rule) == language::defaultStrategy(rule.algorithm.value),
             [](engine::Strategy strategy) {
                 return scalarCanon(std::string(engine::nameOf(strategy)));
             });
    const language::Bounds bounds = language::defaultBounds(language::strategyOf(rule));
    addGiven(map, "initial", rule.initial, isDefault(rule.initial, bounds.initial), numberCanon);
    addGiven(map, "min", rule.minimum, isDefault(rule.minimum, bounds.minimum), numberCanon);
    addGiven(map, "max", rule.maximum, isDefault(rule.maximum, bounds.maximum), numberCanon);
}

std::string tightenText(const Tighten& tighten, const std::string& rule)
{
    return fmt::format("{{ rule: {}, above: {}, factor: {} }}", scalar(rule),
                       language::percentText(tighten.above.value), tighten.factor.value);
}

std::string classesText(const std::vector<ShedClass>& classes)
{
    std::vector<std::string> texts;
    for (const ShedClass& shed : classes) {
        texts.push_back(fmt::format("{{ name: {}, match: {}, up_to: {} }}", scalar(shed.name.value),
                                    matchText(shed.match), language::percentText(shed.upTo.value)));
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

void addTighten(Gather& map, const Rule& rule, const yaml::Node* source)
{
    addGiven(map, "tighten", rule.tighten, false, [&](const Tighten& tighten) {
        return tightenCanon(tighten, childOf(source, "tighten"));
    });
}

} // namespace policies::writing
