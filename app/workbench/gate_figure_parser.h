#pragma once
#include "app/workbench/gate.h"
#include "app/workbench/gate_cursor.h"

#include <optional>

namespace app {

/// The figure that stands next: `rule("search").rejected[plan=pro]`. It must be one that there is
/// in this context, of a rule, class and attribute that there are. Nothing: the cursor has the
/// mistake.
std::optional<GateFigure> parseGateFigure(GateCursor& cursor, const GateNames& names);

} // namespace app
