#pragma once
#include "engine/result.h"

#include <string>
#include <string_view>

namespace policies::language {

/// "80%" is 80: whole per cents, with their sign, up to `most`.
/// Errors: policy.percentage, policy.number-range.
engine::Result<int> parsePercent(std::string_view text, int most);

std::string percentText(int percent); ///< 80 is "80%"

} // namespace policies::language
