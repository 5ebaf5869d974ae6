#pragma once
#include "engine/replay.h"
#include "engine/tally.h"
#include "engine/verdict.h"
#include "tests/support/model/model.h"
#include "tests/support/model/random_case.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tests::model {

/// How the same requests are led through the engine's doors.
struct EngineOptions {
    std::uint64_t cuts = 1; ///< seed of where batches are cut; 0: one batch
    bool prepareBackwards = false; ///< last batch first; interned in order all the same
    bool disguise = true; ///< values as logs write them instead of in their normal form
    std::int64_t warmupNs = 0; ///< decided, not counted
    bool decisions = true; ///< ask for figures
    bool conditions = true; ///< false: the replay is not told of any
};

/// What the engine said of one request, by plan.
struct SettledCopy {
    std::uint64_t n = 0;
    std::vector<engine::Verdict> verdicts;
    std::vector<std::vector<std::uint32_t>> denied;
};

struct EngineRun {
    std::vector<std::vector<Decision>> decisions; ///< by plan, in order of decision
    std::vector<SettledCopy> settled; ///< in order of arrival
    std::vector<engine::RunTally> tallies; ///< by plan
    std::vector<engine::ClientTally> clients; ///< by plan; empty where none come again
    std::vector<std::vector<engine::ServerLoad>> loads; ///< by plan, then server
    std::vector<std::vector<engine::ServerFigures>> servers; ///< by plan, then rule
    std::vector<std::vector<engine::LimitSecond>> limits; ///< by plan, as they were told
    std::vector<std::vector<engine::AttemptSecond>> attempts; ///< by plan, as they were told
};

/// Reads, prepares, interns, sorts, replays and tallies the case with the engine.
EngineRun runEngine(const Case& given, const EngineOptions& options = {});

/// The first thing in which the engine's run is not what the model says, as text; "" if none.
std::string firstDifference(const Case& given, const EngineRun& run);

bool operator==(const Decision& a, const Decision& b);
bool sameVerdicts(const std::vector<SettledCopy>& a, const std::vector<SettledCopy>& b);

/// The case with requests, then rules, dropped as long as `fails` still holds.
Case shrunk(Case failing, const std::function<bool(const Case&)>& fails);

/// For a property: what is wrong with a case, "" if nothing.
using Complaint = std::function<std::string(const Case&)>;

/// Asks about random cases from the seed on until `decisions` decisions were asked about. Returns
/// "", or the first complaint with its seed and the smallest case that still has one.
std::string firstComplaint(std::uint64_t decisions, const CaseOptions& options,
                           const Complaint& complaint);

} // namespace tests::model
