#pragma once

#include "app/workbench/given_options.h"
#include "app/workbench/policy_files.h"
#include "engine/conditions.h"
#include "engine/plan.h"
#include "engine/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app::console {

struct LogRow;

/// What options come to, as far as they can be read without the logs.
struct CheckedOptions {
    engine::Conditions conditions;
    std::vector<engine::Diagnostic> advice; ///< about the clients, and where they meet the policy
};

/// Can the options be read, and do their conditions fit the policy? nullptr: no valid one is there
/// yet. Errors: as those of replayRequestOf(), logChoiceOf() and engine::checkConditions().
engine::Result<CheckedOptions> checkOptions(const GivenOptions& given, const LoadedPolicy* policy);

/// What a replay of the chosen logs will do, in a sentence or two: "651,125 requests of
/// edge.log.gz through 8 rules in 4 tiers. Spread: none." `plan`: of the policy.
QString whatWillHappen(const std::vector<LogRow>& logs, const engine::Plan& plan,
                       const GivenOptions& given, const engine::Conditions& conditions);

/// Which option a message is about: the first whose name or value it has; "" for none.
QString optionOf(const engine::Diagnostic& diagnostic, const GivenOptions& given);

/// What a log's format is called: its name, or "nginx log_format" and "Apache LogFormat" for one
/// that is a text.
QString formatName(const std::string& format);

} // namespace app::console
