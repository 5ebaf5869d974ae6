#pragma once
#include "app/workbench/figure_table.h"
#include "engine/conditions.h"
#include "engine/plan.h"
#include "storage/run_reader.h"

#include <string>
#include <vector>

namespace app {

/// A run that is set beside another one.
struct ConditionSide {
    std::string title; ///< of its column: "base"
    const storage::RunDetail* run = nullptr; ///< borrowed
};

/// What came of the conditions of several runs, and of what their rules learned, a figure in each
/// row and a run in each column: attempts and how they ended, how much one key was admitted by all
/// servers, what each outage let in or turned away, classes, learned limits. The figures are those
/// of condition_tables.h. A figure that no side has, or all have as 0, has no row; a side that
/// lacks it an empty cell.
///
/// Left out, since it is of one run alone: which key was admitted most and which client never got
/// through, what came to each server and how far its clock is off, when each figure was reached,
/// and limits and attempts second by second. Each run shows them for itself.
///
/// Example: base without and candidate with clients that come again: {"all clients", "retries", "",
/// "312"}. Errors: the store's.
engine::Result<FigureTable> conditionSides(const storage::RunReader& reader,
                                           const std::vector<ConditionSide>& sides);

/// Can a run of the plan under these conditions have a figure in conditionSides()? Not under the
/// usual ones, of rules without classes that learn nothing.
bool hasConditionSides(const engine::Plan& plan, const engine::Conditions& conditions);

} // namespace app
