#pragma once
#include "app/workbench/compare.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Arrivals from `fromNs` on and before `toNs`.
struct Period {
    std::optional<std::int64_t> fromNs;
    std::optional<std::int64_t> toNs;

    [[nodiscard]] bool holds(std::int64_t timeNs) const
    {
        return (!fromNs || timeNs >= *fromNs) && (!toNs || timeNs < *toNs);
    }

    [[nodiscard]] bool isAll() const { return !fromNs && !toNs; }
};

/// What became of the requests that have one value of an attribute; those of the warm-up left out.
struct ValueTally {
    std::uint64_t requests = 0;
    std::uint64_t rejected = 0;
    std::uint64_t wouldReject = 0;
    std::uint64_t recordedRejected = 0;
};

/// By value; "" is the requests that have none.
using ByValue = std::map<std::string, ValueTally>;

/// Counts the requests of a run by attributes, one list for each of them. The store keeps no
/// attributes of requests that were admitted: the recording is read again (its fingerprint must be
/// the run's), the verdicts are those of the store.
///
/// Example: {"plan"} gives {"free": 1,000 requests, 80 rejected}, {"pro": 200, 0}.
/// Errors: recording.*, those of the store and of runPass(), intake.facet.
engine::Result<std::vector<ByValue>> countByAttributes(storage::RunStore& store, storage::RunId run,
                                                       const std::vector<std::string>& attributes,
                                                       const Period& period,
                                                       const ReadAgain& again);

} // namespace app
