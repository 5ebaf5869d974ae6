#pragma once

#include "engine/diagnostic.h"
#include "policies/policy.h"

#include <functional>
#include <string>
#include <vector>

namespace app::console {

/// The field that a problem is about: the one whose value stands at its place in the text, else one
/// that its message names; "" where it is none of those that are shown.
///
/// Example: "      rate: 60/mon" with a problem at the value gives "rate"; "rule `sms` has no
/// `queue`" gives "queue".
std::string fieldOfProblem(const std::string& text, const engine::Diagnostic& problem,
                           const std::function<bool(const std::string&)>& isShown);

/// Attributes that one may key on and match by: those that the policy derives, the usual ones, and
/// those that its rules use.
std::vector<std::string> knownAttributes(const policies::Policy& policy);

} // namespace app::console
