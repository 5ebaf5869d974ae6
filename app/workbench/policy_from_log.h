#pragma once
#include "app/workbench/log_choice.h"
#include "storage/run_records.h"

#include <string>
#include <vector>

namespace app {

/// Logs to start a policy from.
struct PolicyFromLogRequest {
    std::vector<LogChoice> logs; ///< regular files: they are read twice
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
};

struct PolicyDraft {
    std::string text;
    std::vector<storage::Note> notes; ///< how the logs were read, and what of them was not
};

/// A policy that passes `weir check` (advice aside): a rule in `mode: shadow` for each
/// key that requests have, at the largest peak that any of its keys had, so that a replay of the
/// same logs has nothing that a rule would reject; what keys did stands in comments.
///
/// Example: 3 addresses with at most 2, 9 and 40 requests within a minute: per-address with
/// `rate: 40/min`. Errors: those of inspect() and suggest(); new.stream (a LOG that cannot be read
/// twice), log.nothing-read.
engine::Result<PolicyDraft> policyFromLog(const PolicyFromLogRequest& request);

} // namespace app
