#pragma once
#include "app/cli/context.h"
#include "app/workbench/compare.h"
#include "app/workbench/gate_figures.h"
#include "app/workbench/secrets.h"

#include <optional>

namespace app::cli {

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
    SecretAttributes secrets {}; ///< of both sides
    std::string sampled {}; ///< "1/10" where the log is a sample
};

void writeComparison(Context& context, const CompareView& view);
void writeComparisonJson(Context& context, const CompareView& view);

} // namespace app::cli
