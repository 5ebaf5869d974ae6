#pragma once
#include "app/workbench/log_choice.h"
#include "app/workbench/peaks.h"
#include "app/workbench/read_log.h"
#include "app/workbench/secrets.h"
#include "storage/time_math.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app {

struct InspectRequest {
    std::vector<LogChoice> logs;
    std::size_t firstRequests = 3; ///< shown as read
    std::size_t busiest = 5; ///< clients shown
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
    std::function<void(std::size_t log, const std::vector<storage::LineReject>&)> rejected;
};

/// One request as it was read: times, then the fields that it has.
struct InspectedRequest {
    std::size_t log = 0;
    engine::Request request;
    std::vector<std::pair<std::string, std::string>> fields;
};

/// A time without any request.
struct Gap {
    std::int64_t fromNs = 0; ///< the last arrival before
    std::int64_t toNs = 0; ///< the first behind

    [[nodiscard]] std::int64_t lengthNs() const { return storage::cappedDifference(toNs, fromNs); }
};

/// What a log lets a policy do: a key that it can limit by, or a figure that it needs.
struct Ability {
    std::string what; ///< "per address", "per API key", "per user", "concurrency"
    std::string attribute; ///< "client_ip"; "duration" for concurrency
    std::uint64_t filled = 0; ///< requests that have it
    std::uint64_t values = 0; ///< different ones; 0 for duration
    bool looksMasked = false; ///< few values, each from many addresses
    std::string help; ///< what would make it possible; empty where it is
};

/// What the logs are, before anything is decided by them. filled[i] of the report belongs to
/// fields[i].
struct Inspection {
    std::vector<ReadLog> logs;
    std::vector<std::string> fields; ///< that any of them has
    storage::LogReport report; ///< of all of them
    std::vector<std::vector<std::string>> remarks; ///< of each LOG's format
    SecretAttributes secrets; ///< as the logs are read
    std::vector<InspectedRequest> first;
    std::map<std::string, std::uint64_t> statuses; ///< "200" -> requests; "" without one
    std::int64_t longestStepBackNs
        = 0; ///< how far the arrival of a line lies before an earlier one's
    std::vector<Ability> abilities;
    std::vector<Gap> gaps; ///< the longest, longest first; none is shorter than a minute
    std::string peaksBy; ///< the attribute whose peaks are counted: client_ip, else none
    std::vector<Peaks::Busiest> busiest;
    std::array<Peaks::Spread, Peaks::kWindows> peaks {};
    std::uint64_t late = 0; ///< requests further out of order than 60 s: their peaks are not sure
    bool interrupted = false;
};

/// Reads the whole logs. Errors: those of LogFeed and Sequencer.
engine::Result<Inspection> inspect(const InspectRequest& request);

} // namespace app
