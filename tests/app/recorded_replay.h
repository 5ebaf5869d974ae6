#pragma once
#include "engine/tally.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Recordings in which a real server decided, and what weir decides for the same lines. The replay
/// takes the whole way: log file, reader, policy text, compiler, replay.
namespace tests {

/// One line of a server's access log, read by the test itself.
struct RecordedLine {
    std::int64_t seq = 0; ///< the client's number; rows of a truth file name it
    std::int64_t arrivalMs = 0; ///< msec - request_time
    std::int64_t endMs = 0; ///< msec
    std::string key;
    std::string uri;
    std::string verdict; ///< $limit_req_status or $limit_conn_status
    int status = 0;
};

/// The lines of a log of JSON objects, gzipped or not, in the order of the file.
std::vector<RecordedLine> recordedLines(const std::string& path);

/// What a truth file says of one request, by column. Empty cells are missing.
using TruthRow = std::map<std::string, std::int64_t>;

/// The rows of a truth file by `seq`.
std::map<std::int64_t, TruthRow> truthRows(const std::string& path);

/// What one rule of the policy said, in policy order.
struct RuleAnswer {
    bool denies = false;
    bool counted = false;
    std::int64_t remaining = 0;
    std::optional<std::int64_t> retryAfterNs;
    std::int64_t delayNs = 0;
};

/// What weir decided for one line.
struct LineDecision {
    std::int64_t arrivalNs = 0;
    bool rejected = false; ///< by a rule that enforces
    std::string rejectedBy; ///< name of that rule
    std::vector<RuleAnswer> rules; ///< those that were judged
    bool recordedRejected = false;

    /// Some rule denied, whatever its mode: what a dry run calls rejected.
    [[nodiscard]] bool denied() const;
    /// The longest that a rule makes it wait, whatever its mode.
    [[nodiscard]] std::int64_t longestDelayNs() const;
};

struct ReplayedLog {
    std::vector<LineDecision> lines; ///< lines[0] is line 1
    engine::RunTally totals;
};

/// How a log is replayed, in the words of the command line.
struct HowToReplay {
    std::vector<std::string> map; ///< --map
    std::string recordedRejection; ///< --recorded-rejection; empty: not given
    std::string format; ///< --log-format; empty: not given
};

/// Replays every line of a log by the text of a policy. A policy that is invalid, and a log with a
/// line that is no request, end the test.
ReplayedLog replayLog(const std::string& log, const std::string& policy, const HowToReplay& how);

} // namespace tests
