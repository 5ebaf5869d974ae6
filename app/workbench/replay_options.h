#pragma once
#include "app/workbench/conditions_options.h"
#include "app/workbench/given_options.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// What the options of a replay say, as the start of a request, the same for every face: `logs`,
/// who, where, period, warm-up, what production did, the options as given for the run's record,
/// conditions, version and clock. Policies, masking, threads, store and listeners are the caller's;
/// so is what to do with the advice about the clients.
///
/// Example: {"from", "2026-11-28"}, {"where", "method=GET"} gives pass.fromNs, intake.where, and
/// both among `options`. `readClients` is asked once for the file of --clients, if it names one;
/// nothing: readFile(). Errors: cli.usage and those of the options' own parsers.
engine::Result<ReplayRequest> replayRequestOf(const GivenOptions& given,
                                              std::vector<LogChoice> logs, std::uint64_t seed = 1,
                                              const ReadText& readClients = {});

/// A policy on its way into a replay. `loaded` must outlive the request.
ReplayPolicy replayPolicyOf(const LoadedPolicy& loaded, const policies::Adjustments& adjustments,
                            const std::optional<std::string>& name);

/// The command line of the same replay, as a POSIX shell takes it. Example: policy "my api.yaml",
/// log "day.log", {"name", "pro 600"} gives `weir replay 'my api.yaml' day.log --name 'pro 600'`.
/// A name that begins with a dash becomes `./-name`.
std::string replayCommand(const std::string& policy, const std::vector<std::string>& logs,
                          const GivenOptions& given);

/// Wall clock in ns since the epoch.
std::int64_t wallClockNs();

} // namespace app
