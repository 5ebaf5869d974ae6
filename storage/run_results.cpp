#include "storage/run_results.h"

namespace storage {

std::string_view nameOf(RunState state)
{
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Complete:
        return "complete";
    case RunState::Interrupted:
        return "interrupted";
    case RunState::Failed:
        return "failed";
    }
    return "failed";
}

DelayTotals totalsOf(const engine::DelayHistogram& delays)
{
    if (delays.count() == 0) {
        return {};
    }
    return {delays.count(),           delays.meanNs(),          delays.percentileNs(500),
            delays.percentileNs(900), delays.percentileNs(950), delays.percentileNs(990),
            delays.percentileNs(999), delays.maximumNs()};
}

} // namespace storage
