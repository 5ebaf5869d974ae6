#pragma once

#include "app/workbench/policy_files.h"
#include "app/workbench/progress.h"
#include "app/workbench/rule_curve.h"
#include "storage/run_results.h"

#include <string>

/// What the page of suggestions has worked out off the GUI thread.
namespace app::console {

/// What a curve is asked of, as values.
struct CurveQuestion {
    PolicySource policy;
    std::string rule;
    std::string store;
    storage::RunId run = 0;
    std::string stop;
    std::string protect;
};

/// Reads the run's own log again, as the run read it, and tries the rule's limits on it. Opens the
/// store by its path. Any thread. Errors: match.*, those of openStoredRun() and ruleCurve().
engine::Result<RuleCurve> answerOf(CurveQuestion question, const StopFlag& stop);

} // namespace app::console
