#pragma once
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Rates, durations, names and other values as a policy has them, for those who speak of limits.
namespace policies {

/// "1000/10min" is {1000, 600 s}. Errors: policy.rate, policy.month, policy.number,
/// policy.number-range.
engine::Result<engine::Rate> readRate(std::string_view text);

std::string textOf(const engine::Rate& rate); ///< {60, 60 s} is "60/min"
std::string textOfDuration(std::int64_t ns); ///< 90 s is "90s", 120 s "2min"
std::string textOfName(std::string_view name); ///< as a YAML scalar: client_ip, "plan: x"
/// In one line: "[{ name: batch, match: { path: /export }, up_to: 50% }]".
std::string textOfClasses(const Rule& rule);
std::string textOfTighten(const Rule& rule); ///< "{ rule: shed, above: 80%, factor: 2 }"; "": none

} // namespace policies
