#pragma once
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <cstdint>
#include <string>
#include <string_view>

/// The grammars of numbers, durations, rates and bursts, and their canonical forms. No locale, no
/// octal, no sign, no fraction. Every failure says what to write instead.
namespace policies::language {

/// "60" is 60. Errors: policy.number, policy.number-range.
engine::Result<std::int64_t> parseWhole(std::string_view text);

/// "1500ms" is 1500000000. Errors: policy.duration, policy.number-range.
engine::Result<std::int64_t> parseDuration(std::string_view text);

/// "1000/10min" is {1000, 600 s}. Errors: policy.rate, policy.month, policy.number,
/// policy.number-range.
engine::Result<engine::Rate> parseRate(std::string_view text);

/// "60" or "5x". Errors: policy.burst, policy.number, policy.number-range.
engine::Result<Burst> parseBurst(std::string_view text);

std::string durationText(std::int64_t ns); ///< 90000000000 is "90s", 120000000000 "2min"
std::string rateText(const engine::Rate& rate); ///< {60, 60 s} is "60/min"
std::string burstText(const Burst& burst);

/// Digits only, so that it can be a number at all (of any size).
bool isDigits(std::string_view text);

} // namespace policies::language
