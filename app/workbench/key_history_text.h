#pragma once
#include "app/workbench/explain_key.h"
#include "app/workbench/figure_table.h"

#include <string>

namespace app {

/// All that is known of a key at a rule: its limit, its episodes, and what would have been enough.
/// Escaped, ready to be shown.
std::string keyHistoryText(const KeyHistory& history, bool colour = false);

/// One row for each episode.
FigureTable episodesTable(const KeyHistory& history);

} // namespace app
