#pragma once
#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "engine/tally.h"
#include "storage/run_records.h"

#include <cstddef>
#include <vector>

namespace app {

/// What has to be said beside the figures of one plan about the conditions under which it decided,
/// and about limits that are learned.
///
/// Example: with `--state sync:1s` and a concurrency rule: "rule in-flight holds slots, of which
/// servers learn nothing from each other: each counts for itself".
std::vector<storage::Note> conditionNotesOf(const engine::Intake& intake,
                                            const engine::Replay& replay,
                                            const engine::Conditions& conditions, std::size_t plan);

} // namespace app
