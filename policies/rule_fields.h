#pragma once
#include "engine/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace policies {

/// A field of a limit, as an algorithm has it.
struct LimitField {
    std::string_view name; ///< "rate"
    std::string_view description; ///< one sentence, the one of the JSON schema
    bool isRequired = false; ///< gcra needs `burst` or `tolerance`: neither is said to be
};

/// The fields that an algorithm has, in the order in which people write them.
/// Example: leaky_bucket has rate and queue, both required, and delay_after.
std::vector<LimitField> limitFields(engine::Algorithm algorithm);

/// What a field of a rule means; "" for none of that name.
std::string_view ruleFieldDescription(std::string_view field);

/// All algorithms, in the order in which they are named where one may choose.
std::vector<engine::Algorithm> algorithms();

} // namespace policies
