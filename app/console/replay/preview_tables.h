#pragma once

#include "app/workbench/figure_table.h"
#include "app/workbench/log_preview.h"

#include <cstdint>
#include <vector>

namespace app::console {

/// What a preview shows, as tables for FigureModel. Values are raw bytes; the model shows them
/// safely.

/// n, time, then the attributes that the requests have: those that people look for first, in a
/// fixed order, then the others.
FigureTable firstRequestsTable(const LogPreview& preview);

/// Each attribute, in how many of `requests` it is, and an example.
FigureTable attributesTable(const std::vector<LogPreview::Attribute>& attributes,
                            std::uint64_t requests);

/// Each reason in words, how many lines, the first of them and its begin, cut at 300 characters.
FigureTable notReadTable(const std::vector<LogPreview::Reason>& reasons);

} // namespace app::console
