#pragma once
#include "app/workbench/explain.h"

namespace app {

/// Adds to an explanation whose line and verdict are known what only the line itself can say: its
/// fields, and why the rules that were not judged had no part.
engine::Status describeRequest(const engine::Plan& plan, const LogChoice& log,
                               Explanation& explanation);

} // namespace app
