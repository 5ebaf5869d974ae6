#pragma once
#include "policies/writing/canon.h"

namespace policies::writing {

/// What a load_shedder has and an adaptive limit: classes, strategy, initial, min, max. `source` is
/// the rule's map in the text.
void addSlots(Gather& map, const Rule& rule, const yaml::Node* source);

/// In one line: "{ rule: shed, above: 80%, factor: 2 }". `rule` is the name that the other one has.
std::string tightenText(const Tighten& tighten, const std::string& rule);
/// "[{ name: batch, match: { path: /export }, up_to: 50% }]".
std::string classesText(const std::vector<ShedClass>& classes);

void addTighten(Gather& map, const Rule& rule, const yaml::Node* source);

} // namespace policies::writing
