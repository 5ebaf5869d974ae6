#pragma once
#include "policies/language/report.h"

namespace policies::language {

/// Reports values for `status`, `bytes` and `duration` that can match nothing, since a log gives
/// these as numbers: `>5` for status is read as text, and no status is that text. `"5*"` is fine.
/// An attribute that the policy derives itself is text and is left alone. Error: policy.comparison.
void checkResponseMatches(Report& report, const Policy& policy);

} // namespace policies::language
