#pragma once
#include "engine/plan.h"

#include <string>

namespace policies {

/// 32 lower-case hex digits that stand for what a plan means: what it decides and under which
/// names.
///
/// The same for texts that mean the same (comments, order of fields, `60/min` or `60/60s`, defaults
/// written or not, rules that are off, order of entries and values in a match); different, but for
/// chance, where a limit, a match, a name, a key or a row of a lookup differs. Description, notes
/// and `allow` are no part of it. Not made to withstand somebody who searches for collisions.
/// Stable between versions of the program as long as kFingerprintForm stays. Pure.
std::string fingerprint(const engine::Plan& plan);

inline constexpr int kFingerprintForm = 1;

} // namespace policies
