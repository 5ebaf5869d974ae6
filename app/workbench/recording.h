#pragma once
#include "app/workbench/replay.h"

#include <vector>

namespace app {

/// What was read and how, for the store. Example: an nginx log of 20,000 lines gives reading
/// options format "nginx-combined", spread "even", reorder "auto", who "client_ip".
storage::RecordingRecord recordingOf(const Pass& pass, const ReplayRequest& request);

/// The lines that could not be read, by reason, with the first examples of all LOGs; each says of
/// which LOG it is.
std::vector<storage::BadLines> badLinesOf(const std::vector<ReadLog>& logs);

} // namespace app
