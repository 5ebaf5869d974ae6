#pragma once
#include "engine/answer.h"
#include "engine/answer/told_rule.h"

#include <vector>

namespace engine::answering {

/// Of a rejection: what the rules that denied say of themselves. `rules`: toldRules().
Problem problemOf(const Plan& plan, const Decision& decision, const std::vector<ToldRule>& rules);

} // namespace engine::answering
