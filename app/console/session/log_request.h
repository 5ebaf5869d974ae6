#pragma once

#include "app/workbench/given_options.h"
#include "app/workbench/progress.h"
#include "app/workbench/replay.h"
#include "engine/result.h"

#include <string>
#include <vector>

namespace app::console {

/// The start of a replay of these logs (files, folders, log descriptions), read as the options say:
/// what the command line makes of the same words. Policies and store are the caller's. `stop` must
/// outlive it. Errors: those of expandLogs() and replayRequestOf(). Any thread.
///
/// Example: {"day.log"}, {"log-format", "weir"} gives one log of that format in pass.logs.
engine::Result<ReplayRequest> logRequest(const std::vector<std::string>& logs,
                                         const GivenOptions& given, const StopFlag& stop);

} // namespace app::console
