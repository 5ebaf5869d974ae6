#pragma once
#include "storage/run_writer.h"

#include <cstddef>
#include <string>

namespace tests {

/// How much there is to be in a run that is written straight into a store, without a log.
struct BigRunOptions {
    std::string name = "big";
    std::size_t requests = 5'000'000; ///< spread over a day
    std::size_t keys = 200'000; ///< denied, over six rules
    std::uint32_t rejectOneIn = 20;
    std::uint32_t salt = 0; ///< other verdicts over the same requests
};

/// Writes such a run: 4 tiers, 8 rules (one in shadow), a quiet night, a busy day, a spike from
/// 14:02 to 14:05. What the store says of it adds up as that of a replay does.
storage::RunId writeBigRun(storage::RunStore& store, const BigRunOptions& options = {});

/// When the first request of such a run arrives: 2026-03-10 00:00 UTC.
inline constexpr std::int64_t kBigRunStart = 1'773'100'800;

} // namespace tests
