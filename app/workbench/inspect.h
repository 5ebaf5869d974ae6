#pragma once
#include "app/workbench/pass.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app {

struct InspectRequest {
    LogChoice log;
    std::size_t firstRequests = 3; ///< shown as read
    unsigned jobs = 2;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
    std::function<void(const std::vector<storage::LineReject>&)> rejected;
};

/// One request as it was read: times, then the fields that it has.
struct InspectedRequest {
    engine::Request request;
    std::vector<std::pair<std::string, std::string>> fields;
};

/// What a log is, before anything is decided by it. The report has spans, rejects and fills; fill
/// i belongs to reader->selectedFields()[i].
struct Inspection {
    std::unique_ptr<storage::LogReader> reader;
    std::vector<InspectedRequest> first;
    std::map<std::string, std::uint64_t> statuses; ///< "200" -> requests; "" without one
    std::int64_t longestStepBackNs
        = 0; ///< how far the arrival of a line lies before an earlier one's
    bool interrupted = false;
};

/// Reads the whole log. Errors: those of LogReader.
engine::Result<Inspection> inspect(const InspectRequest& request);

} // namespace app
