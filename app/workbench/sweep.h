#pragma once
#include "app/workbench/pass.h"
#include "engine/sweep.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// A policy and the same with one value after another in one place.
struct SweepRequest {
    PassOptions pass; ///< `decides` is not looked at
    std::vector<const engine::Plan*> plans; ///< borrowed; the first is the base
};

/// What one of the plans does to the recorded requests.
struct SweepRow {
    std::uint64_t rejected = 0;
    std::uint64_t wouldReject = 0;
    std::uint64_t newlyRejected = 0; ///< that the base admits
    std::uint64_t newlyAdmitted = 0; ///< that the base rejects
    std::uint64_t keysRejected = 0; ///< known `who` with at least one rejection
    std::uint64_t newlyRejectedKeys = 0; ///< known `who` with at least one new one
    std::vector<engine::Sweep::RuleCounts> rules; ///< by Plan::rules of that plan
};

struct SweepOutcome {
    Pass pass;
    std::string who;
    std::uint64_t requests = 0; ///< without those of the warm-up
    std::uint64_t withWho = 0; ///< of them, those of which it is known who sent them
    std::uint64_t recordedRejected = 0; ///< of them, by production
    std::uint64_t warmup = 0;
    std::string separately; ///< why the plans were decided by separate limiters; "": they were not
    std::vector<SweepRow> rows; ///< by plan
};

/// Reads the logs once and decides by all plans. Each row has exactly what a replay by that plan
/// has, and a comparison of it with the base.
///
/// Plans that differ in limits only share states (engine/sweep.h); where that cannot be, they have
/// limiters of their own, which takes longer by the number of plans.
/// Errors: those of runPass(); run.interrupted.
engine::Result<SweepOutcome> sweep(const SweepRequest& request);

} // namespace app
