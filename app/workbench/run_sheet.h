#pragma once
#include "app/workbench/report_sheet.h"
#include "app/workbench/run_tables.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace app {

struct RunSheetOptions {
    std::size_t top = 10;
    const KeyNames& names;
    std::vector<Attribute> by {};
};

/// A stored run as values: facts, tables, timelines (all requests, and each tier that judged any),
/// bars by rule and who. Errors: the store's.
engine::Result<ReportSheet> runSheet(const storage::RunReader& reader, storage::RunId run,
                                     const RunSheetOptions& options);

/// Adds to the sheet of a comparison what the two runs say of themselves: facts, what each rejected
/// over time. Without `base` it is what production did. Errors: the store's.
engine::Status describeComparison(const storage::RunReader& reader,
                                  std::optional<storage::RunId> base, storage::RunId candidate,
                                  ReportSheet& sheet);

} // namespace app
