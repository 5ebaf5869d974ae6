#pragma once
#include "engine/intake.h"
#include "storage/run_records.h"

#include <cstddef>
#include <string_view>
#include <vector>

/// What is asked of requests, and none of them has: mostly a name that was misspelt.
namespace app {

/// "no line has `pth`, which --stop asks for": each attribute of a match that no request has.
std::vector<storage::Note> missingNotesOf(const engine::Intake& intake, const engine::Match& match,
                                          std::string_view option);

/// "no line has `api_key`, which the policy reads": the same of one plan of the intake.
std::vector<storage::Note> missingNotesOf(const engine::Intake& intake, std::size_t plan);

/// Of all its plans, each attribute once.
std::vector<storage::Note> missingNotesOf(const engine::Intake& intake);

} // namespace app
