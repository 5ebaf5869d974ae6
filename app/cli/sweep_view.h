#pragma once
#include "app/cli/pass_notes.h"
#include "app/workbench/sweep.h"

#include <string>
#include <vector>

namespace app::cli {

/// What `weir sweep` prints: the policy as it is and with each value, a row for each.
struct SweepView {
    const SweepOutcome& outcome;
    const PassNotes& notes;
    const std::string& path; ///< "search.rate"
    const std::string& rule; ///< that is varied: "search"
    const std::vector<std::string>& values; ///< of each row but the first
    std::vector<const engine::Plan*> plans; ///< of each row
};

void writeSweep(Context& context, const SweepView& view);
void writeSweepJson(Context& context, const SweepView& view);
/// What stands beside the figures goes to stderr.
void writeSweepCsv(Context& context, const SweepView& view);

} // namespace app::cli
