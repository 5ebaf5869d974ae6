#pragma once

#include "app/workbench/given_options.h"
#include "app/workbench/progress.h"
#include "engine/diagnostic.h"
#include "storage/run_results.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace app::console {

/// A policy that a job replays: a text, which need not be the one on disk.
struct JobPolicy {
    std::string file; ///< that it has, or might have
    std::string text;
    std::string runName {}; ///< "" takes the policy's name
    std::map<std::string, std::string> lookups {}; ///< name, bytes: those that are on no disk yet
};

/// A replay as it was asked for: the same as one `weir replay` command line.
struct JobOrder {
    std::vector<JobPolicy> policies; ///< one; two are decided in one pass, to be compared
    std::vector<std::string> logs; ///< files, folders, log descriptions
    GivenOptions given;
    std::uint64_t seed = 1;

    /// "public-api.yaml", or the name that its run gets.
    [[nodiscard]] std::string name() const;
};

/// What came of it. `runs` are there also where it was cancelled or failed on its way.
struct JobResult {
    std::vector<storage::RunId> runs; ///< by policy
    std::uint64_t requests = 0;
    bool isInterrupted = false;
    std::vector<engine::Diagnostic> warnings; ///< of the logs
    std::optional<engine::Diagnostic> failure;
};

/// Replays into the store at `storePath`, with its own connection. The run is what the command line
/// makes of the same words, to the byte of its figures. When `stop` is set, what was decided is
/// kept. Any thread.
JobResult runJob(const JobOrder& order, const std::string& storePath, const StopFlag& stop,
                 Progress& progress);

} // namespace app::console
