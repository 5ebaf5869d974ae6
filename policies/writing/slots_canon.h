#pragma once
#include "policies/writing/canon.h"

namespace policies::writing {

/// What a load_shedder has and an adaptive limit: classes, strategy, initial, min, max. `source` is
/// the rule's map in the text.
void addSlots(Gather& map, const Rule& rule, const yaml::Node* source);

void addTighten(Gather& map, const Rule& rule, const yaml::Node* source);

} // namespace policies::writing
