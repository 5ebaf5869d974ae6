#pragma once
#include "app/workbench/chart.h"
#include "app/workbench/compare.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/key_names.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// A value and how its requests changed.
using ChangeRow = std::pair<std::string, engine::ChangeCounts>;

/// In the order in which every form shows them.
inline constexpr std::array kShownChanges {
    engine::Change::NewlyRejected, engine::Change::NewlyAdmitted, engine::Change::StillRejected,
    engine::Change::StillAdmitted};

/// Most newly rejected first, then most changed at all, then by name.
std::vector<ChangeRow> sortedChanges(const std::map<std::string, engine::ChangeCounts>& counts);
std::vector<ChangeRow> sortedWhos(const engine::Comparison& comparison);

/// How many distinct `who` have at least one such change.
std::uint64_t distinctWho(const engine::Comparison& comparison, engine::Change change);

/// What the tables of a comparison are made from, and how.
struct CompareTableOptions {
    const std::vector<std::string>& by; ///< facets that are shown: the first of the comparison's
    std::size_t top = 10; ///< rows of each table
    const KeyNames& names;
};

/// Requests, the four changes, what shadow rules and the warm-up add: a line of words each.
FigureTable compareTotals(const CompareOutcome& outcome);

/// By rule, who, path and each attribute of `by`; those without rows are left out.
std::vector<FigureTable> compareTables(const CompareOutcome& outcome,
                                       const CompareTableOptions& options);

/// Who is newly rejected, by rule and by who: of all rows, not of those that a table shows.
std::vector<BarChart> compareBars(const CompareOutcome& outcome, const KeyNames& names);

/// For CSV: the totals as one row in the columns of the others, then the others.
std::vector<FigureTable> compareCsvTables(const CompareOutcome& outcome,
                                          const CompareTableOptions& options);

} // namespace app
