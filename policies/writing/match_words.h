#pragma once
#include "engine/plan.h"

#include <string>
#include <string_view>
#include <vector>

/// What a match lets through, in plain words. Raw names and values.
namespace policies::writing {

std::string joined(const std::vector<std::string>& words, std::string_view last); ///< "a, b and c"

/// "every request", "plan is free", "GET, HEAD  /search/**, no user".
std::string conditionWords(const engine::Match& match);

/// "For GET and HEAD of /search/** with plan free: ", or nothing where everything matches.
std::string scopeWords(const engine::Match& match);

} // namespace policies::writing
