#pragma once
#include "app/workbench/pass.h"
#include "engine/plan.h"
#include "policies/policy.h"
#include "storage/run_results.h"

#include <string>

namespace app {

/// How to read a recording again.
struct ReadAgain {
    /// Other places of the same logs, in their order, or a folder that has them; none: where the
    /// run found them.
    std::vector<std::string> recordings;
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
};

/// A stored run made ready to be decided again: its plan, and how its recording is read.
struct StoredRun {
    engine::Plan plan;
    PassOptions pass; ///< logs, intake and warm-up as they were
    storage::RequestNumbers numbers; ///< that the run's requests have
};

/// The plan of a stored run and how its log was read, without the log itself.
struct StoredPlan {
    engine::Plan plan;
    std::vector<LogChoice> logs;
};

/// The policy that the run was decided by: its text, under its --set and --mode.
/// Errors: policy.* (the stored policy cannot be read by this version).
engine::Result<policies::Policy> policyOfRun(const storage::RunDetail& run);

/// Errors: those of openStoredRun() but for the log.
engine::Result<StoredPlan> planOfRun(const storage::RunDetail& run);

/// Compiles the policy that the run keeps (text, lookups, --set and --mode) and finds its
/// recording.
///
/// Errors: recording.streamed (it came through a pipe: --recording FILE), recording.missing (moved:
/// --recording FILE), recording.changed (not the same bytes), recording.unknown (the run keeps no
/// reading, it was killed), recording.seed (it was decided by draws whose seed it does not keep),
/// policy.* (the stored policy cannot be read by this version).
engine::Result<StoredRun> openStoredRun(const storage::RunDetail& run, const ReadAgain& again);

} // namespace app
