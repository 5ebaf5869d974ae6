#pragma once
#include "engine/plan.h"
#include "storage/run_writer.h"
#include "storage/runs/steps.h"

#include <string_view>
#include <vector>

/// The rows of a run that are written when it begins and when it ends. All inside the caller's
/// transaction; failures stay in `steps`.
namespace storage::runs {

/// The run, its policy (shared by runs of the same text) and its rules without figures.
RunId insertRun(Steps& steps, const RunHeader& header, const engine::Plan& plan);

struct RunEnd {
    const engine::Plan& plan;
    const RunFigures& figures;
    const RunClosing& closing;
    const std::vector<bool>& pathGroups; ///< that rows name
    RunLimits limits;
    bool gathersAside = false; ///< another thread may walk through the figures
};

/// Totals, rules, conditions, keys, whos, path groups, exemptions, bad lines, notes, recording, and
/// the state.
void insertEnd(Steps& steps, RunId run, RunState state, const RunEnd& end);

} // namespace storage::runs
