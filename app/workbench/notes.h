#pragma once
#include "app/workbench/replay.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What was read and how, for the store. Example: an nginx log of 20,000 lines gives reading
/// options format "nginx-combined", spread "even", reorder "auto", who "client_ip".
storage::RecordingRecord recordingOf(const Pass& pass, const ReplayRequest& request);

/// What stands beside every figure of a log that is a sample: of "1/10".
std::string sampledText(std::string_view sampled);

std::vector<storage::BadLines> badLinesOf(const std::vector<ReadLog>& logs);

/// Everything that a reader of one plan's figures must know: what was guessed (format, who), what
/// was placed (spread), what came late, what could not be read, what the policy asks for and no
/// line had. Codes start with "replay." or "log.".
std::vector<storage::Note> notesOf(const Pass& pass, const engine::Tally& tally,
                                   const ReplayRequest& request, std::size_t plan);

} // namespace app
