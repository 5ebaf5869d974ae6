#pragma once
#include "engine/answer.h"
#include "engine/answer/told_rule.h"

#include <vector>

namespace engine::answering {

/// The fields that tell of limits, in the form that is asked for; none where no rule is told of.
std::vector<HeaderField> limitFields(const std::vector<ToldRule>& rules, HeaderStyle style);

} // namespace engine::answering
