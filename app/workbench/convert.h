#pragma once
#include "app/workbench/pass.h"

#include <functional>
#include <string_view>

namespace app {

struct ConvertRequest {
    LogChoice log; ///< log.spread: none unless asked for
    /// By arrival; else in input order. Unsorted output is never spread, whatever log.spread says:
    /// a request's place in its second is known only when all of that second were read. It keeps
    /// its coarse stamp, and a replay of it can spread it as it would the original.
    bool sorted = true;
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
    /// Takes whole lines of the neutral format, in order. A failure ends the conversion.
    std::function<engine::Status(std::string_view lines)> write;
    std::function<void(const std::vector<storage::LineReject>&)> rejected;
};

struct ConvertOutcome {
    std::unique_ptr<storage::LogReader> reader; ///< its report and warnings
    storage::SequencerStatistics order;
    bool interrupted = false;
};

/// Turns a log into the neutral format. Every request becomes one line with all fields that the log
/// has, time_ns its arrival; sorting is exact whatever the order of the log.
/// Errors: those of LogReader and Sequencer, and what `write` says.
engine::Result<ConvertOutcome> convert(const ConvertRequest& request);

} // namespace app
