#pragma once
#include "app/cli/context.h"
#include "app/workbench/run_tables.h"
#include "storage/run_reader.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app::cli {

/// How much of a run is shown.
struct RunViewOptions {
    std::size_t top = 10; ///< rows of the tables of keys
    bool isStored = true; ///< else the run ends with the process
    bool withCost = false; ///< what the run took, too
    bool withSeconds = false; ///< JSON: learned limits and attempts, second by second
    const PeriodView* narrowed = nullptr; ///< to `period`
    Period period {};
    std::vector<Attribute> by {};
    std::function<void(Json&)> more = {}; ///< adds fields to the JSON document
};

/// The warning below every block of figures of a log that is a sample ("1/10"); nothing for "".
void writeSampled(Context& context, std::string_view sampled);

/// What must be said beside the figures, and the lines that were not read, by reason.
void writeNotes(Context& context, const std::vector<storage::Note>& notes,
                const std::vector<storage::BadLines>& badLines, const KeyNames& names);
void writeNotesJson(Json& json, const std::vector<storage::Note>& notes,
                    const std::vector<storage::BadLines>& badLines);

/// What `weir show` and `weir replay` print of a run: totals, tiers, rules, who was hit, notes.
/// Every number comes from the store (for --no-store from one that ends with the process, see
/// RunStore). Errors: the store's.
engine::Status writeRun(Context& context, const storage::RunReader& reader, storage::RunId run,
                        const RunViewOptions& options);

/// The fields of the JSON document, into an open object; without `more` and diagnostics.
engine::Status writeRunFields(Json& json, const storage::RunReader& reader, storage::RunId run,
                              const RunViewOptions& options);

/// The same as one JSON document; fields are documented in app/README.md.
engine::Status writeRunJson(Context& context, const storage::RunReader& reader, storage::RunId run,
                            const RunViewOptions& options);

} // namespace app::cli
