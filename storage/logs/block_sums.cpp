#include "storage/logs/block_sums.h"

#include "storage/time_math.h"

#include <algorithm>

namespace storage::logs {

void settleTimes(std::int64_t clockNs, std::vector<engine::Request>& requests, BlockBytes& bytes)
{
    std::int64_t before = INT64_MIN;
    bytes.firstNs = INT64_MAX; // without requests nobody asks
    bytes.lastNs = INT64_MIN;
    for (engine::Request& request : requests) {
        request.timeNs = clockNs == 0 ? request.timeNs : cappedSum(request.timeNs, clockNs);
        bytes.withDuration += request.durationNs >= 0 ? 1U : 0U;
        bytes.coarse += request.resolutionNs > 0 ? 1U : 0U;
        bytes.stepsBack += request.timeNs < before ? 1U : 0U;
        bytes.firstNs = std::min(bytes.firstNs, request.timeNs);
        bytes.lastNs = std::max(bytes.lastNs, request.timeNs);
        before = request.timeNs;
    }
}

void countFilled(const engine::RequestBatch& batch, std::vector<std::uint64_t>& filled)
{
    const std::string_view* value = batch.values.data();
    for (std::size_t i = 0; i < batch.requests.size(); ++i) {
        for (std::uint64_t& count : filled) {
            count += (value++)->data() != nullptr ? 1U : 0U;
        }
    }
}

} // namespace storage::logs
