#pragma once
#include "tests/support/model/engine_run.h"

#include <string>

namespace tests::properties {

/// What does not add up in the figures of a run under conditions: attempts, clients, loads of
/// servers, outages, the most that was admitted, each counted once more from the decisions; "" if
/// all does.
std::string complaintAboutSums(const model::Case& given, const model::EngineRun& run,
                               std::size_t plan);

/// The limits over time of what learns, found once more in the decisions.
std::string complaintAboutLimits(const model::Case& given, const model::EngineRun& run,
                                 std::size_t plan);

} // namespace tests::properties
