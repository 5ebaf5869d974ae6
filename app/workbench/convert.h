#pragma once
#include "app/workbench/convert_shape.h"
#include "app/workbench/log_choice.h"
#include "app/workbench/read_log.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace app {

struct ConvertRequest {
    std::vector<LogChoice> logs; ///< spread: none unless asked for, and the same for all
    ConvertShape shape;
    std::optional<std::int64_t> fromNs; ///< by arrival, included
    std::optional<std::int64_t> toNs; ///< not included
    /// By arrival; else in input order. Unsorted output is never spread, whatever log.spread says:
    /// a request's place in its second is known only when all of that second were read. It keeps
    /// its coarse stamp, and a replay of it can spread it as it would the original.
    bool sorted = true;
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
    /// Takes whole lines of the neutral format, in order. A failure ends the conversion.
    std::function<engine::Status(std::string_view lines)> write;
    std::function<void(std::size_t log, const std::vector<storage::LineReject>&)> rejected;
};

struct ConvertOutcome {
    std::vector<ReadLog> logs; ///< with their reports and warnings
    storage::LogReport report; ///< of all of them
    Shaper::LeftOut leftOut;
    std::vector<std::pair<std::string, std::uint64_t>> stillShown; ///< fields; see Shaper::LeftOut
    std::vector<std::string> notThere; ///< what ConvertShape::where asks for and no LOG has
    std::vector<std::string> fieldNotes; ///< fields beyond those that are listed were left out
    std::uint64_t outOfRange = 0; ///< left out by fromNs and toNs
    std::uint64_t written = 0;
    std::vector<std::string> secrets; ///< fields with Authorization or Cookie, written as they came
    bool interrupted = false;
};

/// Turns logs into one in the neutral format. Every request becomes one line with all fields that
/// its log has (or what the shape keeps of them), time_ns its arrival; sorting is exact whatever
/// the order of the logs, equal times in order of (LOG, line).
/// Errors: those of LogFeed, Sequencer and Shaper, and what `write` says.
engine::Result<ConvertOutcome> convert(const ConvertRequest& request);

} // namespace app
