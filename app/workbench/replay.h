#pragma once
#include "app/workbench/masked_figures.h"
#include "app/workbench/pass.h"
#include "engine/comparison.h"
#include "engine/tally.h"
#include "storage/run_store.h"
#include "storage/run_writer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// A policy that takes part in a replay.
struct ReplayPolicy {
    const engine::Plan* plan = nullptr; ///< borrowed
    storage::PolicyRecord record;
    std::string runName; ///< "" takes the policy's name
    std::vector<storage::Option> options; ///< of this policy alone: "set", "mode"
};

/// One pass over a log by one or more policies, into a store or not.
struct ReplayRequest {
    std::vector<ReplayPolicy> policies;
    PassOptions pass;
    /// Borrowed; also one that ends with the process. nullptr: nothing of the runs is kept.
    storage::RunStore* store = nullptr;
    Masking mask; ///< of what goes into the store
    std::vector<storage::Option> options; ///< as given, for the run's record
    std::vector<storage::Option> reading; ///< where, from, to ...: those of kReadingOptions that
                                          ///< the pass does not know itself
    std::vector<engine::Diagnostic> advice; ///< about the options, for whoever runs it
    std::uint64_t seed = 0;
    std::string version;
    std::int64_t startedNs = 0; ///< wall clock
    std::function<std::int64_t()> clock; ///< wall clock in ns, for the end
    /// Sees every settled request, after the tally has counted it. begin() included.
    std::vector<PassListener*> listeners;
};

/// What came out. The tally, the intake's names and the replay's key counts stay readable.
struct ReplayOutcome {
    Pass pass;
    std::unique_ptr<engine::Tally> tally;
    std::vector<std::optional<storage::RunId>> runs; ///< by policy
    storage::RecordingRecord recording;
    std::vector<storage::BadLines> badLines;
    std::vector<std::vector<storage::Note>> notes; ///< by policy
};

/// Replays. Each policy becomes a run of its own when there is a store: complete, interrupted
/// (stop flag: what was decided is kept) or failed.
///
/// Errors: those of runPass() and of the store (then the run is marked as far as that is possible).
engine::Result<ReplayOutcome> replay(const ReplayRequest& request);

} // namespace app
