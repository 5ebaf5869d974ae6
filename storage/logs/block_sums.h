#pragma once
#include "engine/request.h"
#include "storage/logs/block_bytes.h"

#include <cstdint>
#include <vector>

/// What is told of a block once all its lines are read, in one go over its requests.
namespace storage::logs {

/// Adds `clockNs` (LogOptions::clockNs) to the arrivals, and sums up the times of the requests in
/// `bytes`: with a duration, with a coarse stamp, steps back, first and last.
void settleTimes(std::int64_t clockNs, std::vector<engine::Request>& requests, BlockBytes& bytes);

/// Adds to `filled`, by field, how many requests have a value.
void countFilled(const engine::RequestBatch& batch, std::vector<std::uint64_t>& filled);

} // namespace storage::logs
