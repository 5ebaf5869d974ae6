#pragma once
#include "app/workbench/explain_key.h"
#include "app/workbench/figure_table.h"

#include <string>

namespace app {

/// All that is known of a key at a rule: its limit, its episodes, and what would have been enough.
/// Escaped, ready to be shown.
std::string keyHistoryText(const KeyHistory& history, bool colour = false);

/// What came of its requests where clients come again: "312 times, 280 of them denied; 12 requests
/// were admitted later, 40 were given up (8 for want of budget)", "never"; "" where nobody does.
/// Ours: no escapes.
std::string comebacksText(const KeyHistory& history);

/// The same as a sentence: "Clients came again 312 times, ...", "No client came again."
std::string comebackSentence(const KeyHistory& history);

/// One row for each episode.
FigureTable episodesTable(const KeyHistory& history);

} // namespace app
