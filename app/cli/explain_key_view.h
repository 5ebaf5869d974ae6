#pragma once
#include "app/cli/context.h"
#include "app/workbench/explain_key.h"

namespace app::cli {

/// What `weir explain RUN --key` prints: the rule and its key, the episodes, and what would have
/// been enough.
void writeKeyHistory(Context& context, const KeyHistory& history);
/// The same as one JSON document; fields are documented in app/README.md.
void writeKeyHistoryJson(Context& context, const KeyHistory& history);

} // namespace app::cli
