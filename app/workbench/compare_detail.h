#pragma once
#include "app/workbench/compare.h"
#include "app/workbench/run_moments.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// What both sides rejected by one rule, by its name in the policy, overrides included. A side that
/// has no such rule, and what production did, has 0.
struct RuleChange {
    std::string rule;
    std::uint64_t base = 0; ///< rejected on that side
    std::uint64_t candidate = 0;
    std::uint64_t newlyRejected = 0; ///< by this rule of the candidate
    std::uint64_t newlyAdmitted = 0; ///< that this rule of the base had rejected
};

/// Requests of one who, one right behind the other, that all are newly rejected.
/// Example: {7, 63 ms} is seven in a row, the last 63 ms after the first.
struct Streak {
    std::uint64_t requests = 0;
    std::int64_t lengthNs = 0;
};

/// Who has requests that only the candidate rejects.
struct NewlyRejectedWho {
    std::string who; ///< raw bytes; "" are the requests that say nothing of their sender
    std::string rule; ///< that rejected most of them; of several the first by name
    std::uint64_t requests = 0; ///< newly rejected
    std::uint64_t all = 0; ///< requests of this who; 0: not kept
    std::int64_t firstNs = 0;
    std::uint64_t firstN = 0;
    WorstMinute worst;
    Streak longest; ///< the first of several
};

/// A comparison with what a page about it shows beside.
struct CompareDetail {
    CompareOutcome outcome;
    std::vector<RuleChange>
        rules; ///< of the candidate in policy order, then those of the base alone
    std::uint64_t byAnotherRule = 0; ///< still rejected, but not by the rule that did on the base
    std::vector<NewlyRejectedWho> newlyRejected; ///< most first, then by who
};

/// As compareStored(), and with its errors.
engine::Result<CompareDetail> compareInDetail(storage::RunStore& store, StoredBase base,
                                              storage::RunId candidate,
                                              const CompareOptions& options,
                                              const ReadAgain& again);

} // namespace app
