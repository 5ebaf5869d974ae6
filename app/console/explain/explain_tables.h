#pragma once

#include "app/workbench/explain.h"
#include "app/workbench/explain_key.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/find_requests.h"

#include <vector>

namespace app::console {

/// What the log says of the request that is explained, as name and value; values as they may be
/// shown, raw bytes.
FigureTable requestTable(const Explanation& explanation);

/// The requests of a list, and those of a key up to the one that is explained, newest first.
FigureTable foundTable(const std::vector<FoundRequest>& requests);
FigureTable visitsTable(const std::vector<KeyVisit>& visits);

/// What would have been enough for a key: field, value, instead of.
FigureTable enoughTable(const KeyHistory& history);

} // namespace app::console
