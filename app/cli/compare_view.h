#pragma once
#include "app/cli/context.h"
#include "app/workbench/compare.h"
#include "app/workbench/gate_figures.h"
#include "app/workbench/key_names.h"
#include "app/workbench/report_sheet.h"
#include "policies/policy.h"
#include "storage/run_reader.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace app::cli {

/// The runs that are compared, in the store that has them.
struct ComparedSides {
    const storage::RunReader* reader = nullptr; ///< borrowed
    std::vector<std::pair<std::string, storage::RunDetail>> runs {}; ///< "base", if it is a run;
                                                                     ///< "candidate"
    FigureTable conditions {}; ///< what came of theirs, side by side
};

/// What `weir compare` prints: who is newly rejected, newly admitted, still rejected; by rule, who,
/// path and each attribute of --by.
struct CompareView {
    const CompareOutcome& outcome;
    const std::vector<std::string>& by; ///< facets that are shown: the first of the comparison's
    std::size_t top = 10; ///< rows of each table
    const CompareGate* gate = nullptr;
    bool saysNo = false;
    std::vector<std::optional<storage::RunId>> runs {}; ///< that a pass over a log made
    std::vector<storage::Note> notes {}; ///< of the candidate
    std::vector<storage::BadLines> badLines {};
    std::string sampled {}; ///< "1/10" where the log is a sample
    KeyNames names {}; ///< of the values of both sides, in the form that is asked
    std::optional<policies::Policy> policy {}; ///< the candidate: where its rules stand
    ComparedSides sides {};
};

/// Fills in the sides of the view: what came of their conditions. Errors: the store's.
engine::Status describeSides(const storage::RunReader& reader, std::optional<storage::RunId> base,
                             storage::RunId candidate, CompareView& view);

/// The same, and what the candidate's run says beside the comparison: notes, bad lines, its policy.
engine::Status describe(const storage::RunReader& reader, std::optional<storage::RunId> base,
                        storage::RunId candidate, CompareView& view);

void writeComparison(Context& context, const CompareView& view);
/// Errors: the store's.
engine::Result<std::string> comparisonJson(const CompareView& view,
                                           std::span<const engine::Diagnostic> diagnostics);

/// The comparison as values, for the forms that share them; without charts and facts.
ReportSheet sheetOf(const CompareView& view);

/// Workflow commands of GitHub and nothing else: one for the whole (an error where the gate says
/// no, a warning where somebody is newly rejected, else a notice) with who is hit, and a warning at
/// the place of each rule that newly rejects. GitHub shows ten of each kind in a step; what does
/// not fit is counted in the first, and so are requests and lines that are in no figure, and notes.
std::string githubComparison(const CompareView& view);

} // namespace app::cli
