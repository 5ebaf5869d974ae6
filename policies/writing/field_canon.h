#pragma once
#include "policies/writing/canon.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Values in canonical form, whichever field has them. Private to policies.
namespace policies::writing {

const yaml::Node* nodeOf(const yaml::Item* item); ///< nullptr: nullptr
const yaml::Node* childOf(const yaml::Node* node, std::string_view name);
const yaml::Item* itemAt(const yaml::Node* list, std::size_t index); ///< nullptr: no such item

Canon numberCanon(std::int64_t number);
Canon durationCanon(std::int64_t ns);
Canon wordsCanon(const std::vector<Word>& words, const yaml::Node* source);
Canon matchCanon(const MatchList& match, const yaml::Node* source);

/// One value of a match: `absent`, and "absent" where the text is meant.
std::string valueText(const Word& word, const engine::Test& test);

/// Adds a field that is given and not what holds anyway, else keeps its comments only.
template <class T, class Text>
void addGiven(Gather& gather, std::string_view name, const Given<T>& field, bool isDefault,
              const Text& text)
{
    if (field && !isDefault) {
        gather.add(name, text(field->value));
    } else {
        gather.drop(name);
    }
}

} // namespace policies::writing
