#pragma once
#include "app/cli/run_view.h"

namespace app::cli {

/// The two results of --spread both: runs that differ in where stamps of whole seconds were placed
/// within their second, and in nothing else.
struct BothRuns {
    storage::RunId even = 0;
    storage::RunId none = 0;
};

/// Side by side: totals, tiers, rules, the most rejected; and that the truth may lie outside of
/// both.
engine::Status writeBoth(Context& context, const storage::RunReader& reader, const BothRuns& runs,
                         const RunViewOptions& options);

/// {"spread": "both", "warning": "...", "even": {...}, "none": {...}, "diagnostics": [...]}, each
/// with the fields of `weir show RUN --json`; `more` adds to the outer object.
engine::Status writeBothJson(Context& context, const storage::RunReader& reader,
                             const BothRuns& runs, const RunViewOptions& options);

} // namespace app::cli
