#pragma once
#include "app/cli/context.h"
#include "app/cli/log_args.h"
#include "app/workbench/by_attribute.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/gate.h"
#include "app/workbench/replay_options.h"
#include "policies/policy.h"

#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// The options that `replay` and `compare --log` share, as the start of a request: logs, jobs, who,
/// where, warm-up, seed, and the options as given for the run's record. Policies, store and
/// listeners are the verb's. Errors: cli.usage and those of the options' own parsers.
engine::Result<ReplayRequest> replayRequestOf(const Context& context,
                                              const std::vector<std::string>& logs);

/// Reads the file of --clients, if it names one, and gives its text from then on: a pipe cannot be
/// read again. Every mistake in it but the last is shown; that is the error. Errors: file.*, those
/// of a profile.
engine::Result<ReadText> readClients(const Context& context);

/// replayRequestOf() of a verb that has read the clients.
engine::Result<ReplayRequest> replayRequestOf(const Context& context,
                                              const std::vector<std::string>& logs,
                                              const ReadText& clients);

/// Shows what is worth a second look in --clients, for themselves and where they meet the policy.
void showClientAdvice(const Context& context, const ReplayRequest& request,
                      const policies::Policy& policy);

/// --clients alone, with the advice about them, for who reads no log. Errors: cli.usage.
engine::Result<GivenConditions> clientsOf(const Context& context, const ReadText& clients);

/// What the policies and the log at hand give names to, for options that speak of them.
struct KnownNames {
    std::vector<std::string> rules; ///< those that are off, too
    std::vector<RuleClass> classes; ///< of load_shedders
    std::vector<std::string>
        attributes; ///< built-in, derived, of the log's lines, or asked for by a rule
};

KnownNames knownNames(const std::vector<const policies::Policy*>& policies,
                      const std::vector<const engine::Plan*>& plans,
                      const std::vector<LogChoice>& logs);

/// Are these attributes to count by (--by)? Errors: cli.usage.
engine::Status checkAttributes(const std::vector<std::string>& attributes, const KnownNames& known);

/// Is there what --mask names? Nobody would see that a misspelt name hides nothing. Errors:
/// cli.usage.
engine::Status checkMask(const Masking& mask, const KnownNames& known);

/// --fail-if, if given. Errors: gate.*.
engine::Result<std::optional<Gate>> gateOf(const LowArgs& args, GateContext context,
                                           const KnownNames& known);

/// "rejected > 10 (rejected is 12)": the gate, and what its figures came to. Raw bytes.
std::string gateText(const Gate& gate, const std::vector<std::pair<std::string, Ratio>>& values);

/// "rejected[plan=pro] is 12", one line for each figure, and whether the gate says no; `of` which
/// of several results.
void writeGate(Context& context, const Gate& gate,
               const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo,
               std::string_view of = {});
void writeGateJson(Json& json, const Gate& gate,
                   const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo);

} // namespace app::cli
