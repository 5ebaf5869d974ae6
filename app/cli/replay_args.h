#pragma once
#include "app/cli/context.h"
#include "app/cli/log_args.h"
#include "app/workbench/gate.h"
#include "app/workbench/replay.h"

#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// The options that `replay` and `compare --log` share, as the start of a request: log, jobs, who,
/// where, warm-up, seed, and the options as given for the run's record. Policies, store and
/// listeners are the verb's. Errors: cli.usage and those of the options' own parsers.
engine::Result<ReplayRequest> replayRequestOf(const Context& context, const std::string& log);

/// A policy on its way into a replay. `loaded` must outlive the request.
ReplayPolicy replayPolicyOf(const LoadedPolicy& loaded, const policies::Adjustments& adjustments,
                            const std::optional<std::string>& name);

/// --fail-if, if given. Attributes that it may narrow by are the built-in ones, those that the
/// policies derive, and the further fields of the log's format. Errors: gate.*, log.*.
engine::Result<std::optional<Gate>> gateOf(const LowArgs& args, GateContext context,
                                           const std::vector<const engine::Plan*>& plans,
                                           const LogChoice& log);

/// Names that an attribute may have where a policy is at hand, for messages about unknown ones.
std::vector<std::string> attributeNames(const std::vector<const engine::Plan*>& plans,
                                        const LogChoice& log);

/// "rejected[plan=pro] is 12", one line for each figure, and whether the gate says no.
void writeGate(Context& context, const Gate& gate,
               const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo);
void writeGateJson(Json& json, const Gate& gate,
                   const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo);

} // namespace app::cli
