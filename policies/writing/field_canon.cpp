#include "policies/writing/field_canon.h"

#include "policies/language/match.h"
#include "policies/language/numbers.h"
#include "policies/writing/scalar.h"

namespace policies::writing {
namespace {

Canon valuesCanon(const MatchEntry& entry, const yaml::Node* source)
{
    if (entry.values.size() == 1) {
        return scalarCanon(valueText(entry.values[0], entry.tests[0]));
    }
    Gather list(source);
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        list.addItem(scalarCanon(valueText(entry.values[i], entry.tests[i])), itemAt(source, i));
    }
    return list.finish(Canon::Form::List, false);
}

} // namespace

const yaml::Node* nodeOf(const yaml::Item* item)
{
    return item == nullptr ? nullptr : &item->value;
}

const yaml::Node* childOf(const yaml::Node* node, std::string_view name)
{
    return node == nullptr ? nullptr : nodeOf(yaml::find(*node, name));
}

const yaml::Item* itemAt(const yaml::Node* list, std::size_t index)
{
    return list != nullptr && list->kind == yaml::Kind::Sequence && index < list->items.size()
        ? &list->items[index]
        : nullptr;
}

Canon wordsCanon(const std::vector<Word>& words, const yaml::Node* source)
{
    Gather list(source);
    for (std::size_t i = 0; i < words.size(); ++i) {
        list.addItem(scalarCanon(scalar(words[i].text)), itemAt(source, i));
    }
    return list.finish(Canon::Form::List, false);
}

std::string valueText(const Word& word, const engine::Test& test)
{
    if (test.kind == engine::TestKind::Absent) {
        return "absent";
    }
    const std::string value = language::normalValue(word, test);
    return value == "absent" ? quoted(value) : scalar(value);
}

Canon matchCanon(const MatchList& match, const yaml::Node* source)
{
    Gather map(source);
    for (const MatchEntry& entry : match.entries) {
        const yaml::Node* value = childOf(source, entry.attribute.text);
        if (!entry.negated) {
            map.add(entry.attribute.text, valuesCanon(entry, value));
            continue;
        }
        Gather negation(value);
        negation.add("not", valuesCanon(entry, childOf(value, "not")));
        map.add(entry.attribute.text, negation.finish(Canon::Form::Map, false));
    }
    return map.finish(Canon::Form::Map, false);
}

Canon numberCanon(std::int64_t number)
{
    return scalarCanon(std::to_string(number));
}

Canon durationCanon(std::int64_t ns)
{
    return scalarCanon(language::durationText(ns));
}

} // namespace policies::writing
