#pragma once
#include "storage/run_results.h"
#include "storage/runs/steps.h"

#include <vector>

/// The rows of what servers, outages and clients did to a run: written when it ends, and read.
/// Failures stay in `steps`.
namespace storage::runs {

/// Inside the caller's transaction; the rules have their rows already.
void insertConditions(Steps& steps, RunId run, const RunConditions& conditions);

/// `rules`: of that run. All empty for a store that is older than this; store.damaged where rows
/// name a rule or an outage that the run does not have.
RunConditions conditionsOf(Steps& steps, RunId run, const std::vector<RuleTotals>& rules);

/// Eight columns from `column` on: count, mean, percentiles, maximum.
DelayTotals delaysFrom(const Statement& row, int column);

} // namespace storage::runs
