#pragma once

#include "app/workbench/given_options.h"
#include "engine/plan.h"
#include "engine/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app::console {

struct LogRow;

/// What a replay of the chosen logs will do, in a sentence or two: "651,125 requests of
/// edge.log.gz through 8 rules in 4 tiers. Spread: none." `plan`: of the policy.
QString whatWillHappen(const std::vector<LogRow>& logs, const engine::Plan& plan,
                       const GivenOptions& given);

/// Can the options be read? Errors: as those of replayRequestOf() and logChoiceOf().
engine::Status checkOptions(const GivenOptions& given);

/// Which option a message is about: the first whose name or value it has; "" for none.
QString optionOf(const engine::Diagnostic& diagnostic, const GivenOptions& given);

/// What a log's format is called: its name, or "nginx log_format" and "Apache LogFormat" for one
/// that is a text.
QString formatName(const std::string& format);

} // namespace app::console
