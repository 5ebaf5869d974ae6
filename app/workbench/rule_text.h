#pragma once
#include "app/workbench/json.h"
#include "engine/plan.h"

#include <string>
#include <vector>

/// What explanations say of a rule and of one of its keys. `key`: its values in the order of
/// rule.key, as they may be shown; raw bytes.
namespace app {

/// "sliding_window_counter, 10 per 1 min": what a rule admits, in words.
std::string limitText(const engine::PlanRule& rule);

/// "api_key=k-free, method=GET"; of a rule without a key "one bucket for all". Raw bytes.
std::string keyText(const engine::PlanRule& rule, const std::vector<std::string>& key);

/// The fields rule, override, tier, mode, algorithm and key, into an open object.
void writeRuleFields(Json& json, const engine::PlanRule& rule, const std::vector<std::string>& key);

} // namespace app
