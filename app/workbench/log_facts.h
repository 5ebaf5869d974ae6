#pragma once
#include "app/workbench/pass.h"
#include "policies/advice.h"

#include <vector>

namespace app {

/// What the logs say about each policy, and the pass that read them.
struct FactsOutcome {
    std::vector<policies::LogFacts> facts; ///< by plan
    Pass pass;
};

/// Reads the logs once and decides by all plans, to count what advice asks for: requests, their
/// span, durations, which attributes they have, and the keys of rules that remember each request.
///
/// `options.warmupNs` is passed on to the facts, not to the pass: everything is counted.
/// Example: 1,000 requests within an hour, 400 of them with api_key, which a plan keys on: requests
/// 1000, spanNs 3600 s, having {"api_key", 400}.
/// Errors: those of runPass(); run.interrupted.
engine::Result<FactsOutcome> factsOf(const std::vector<const engine::Plan*>& plans,
                                     PassOptions options);

} // namespace app
