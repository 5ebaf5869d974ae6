#pragma once
#include "app/workbench/figure_table.h"

#include <string>
#include <vector>

namespace app {

/// Tables as JSON: {"keys": [{"rule": "search", "denied": 12, ...}, ...], ...}, each under its id.
/// A cell stands under its column's id; columns without one are left out, since their neighbours
/// say it exactly, and so are empty cells. Counts are numbers, durations ns, times RFC 3339, values
/// escaped().
std::string jsonTables(const std::vector<FigureTable>& tables);

} // namespace app
