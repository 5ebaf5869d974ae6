#pragma once
#include "engine/diagnostic.h"
#include "policies/policy.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policies {

/// What reading a policy gives: the policy if there are no errors, and everything that was found,
/// sorted by place. Advice stands in the same list with Severity::Advice.
struct Checked {
    std::optional<Policy> policy;
    std::vector<engine::Diagnostic> diagnostics;
    /// What could be read of a text with errors, for who shows a text while it is written; never to
    /// be decided by. What is wrong or missing is left as it was made: rules without a rate, a name
    /// of "". Nothing beside a policy, and where the text is no YAML.
    std::optional<Policy> draft = std::nullopt;
};

/// Reads and checks the text of a policy. Every mistake is reported, not the first one only.
///
/// Example: "weir: 1\nname: p\ntiers: { edge: [] }\nbrust: 3\n" gives no policy and one diagnostic,
/// policy.unknown-field at 4:1 with the help "leave it out; the fields here are ...".
///
/// `fileName` is used in messages only; nothing is opened. Any bytes are fine: the call ends, in
/// time proportional to their number, and never throws. Codes: policies/README.md.
/// Pure; safe from any thread.
Checked read(std::string fileName, std::string_view bytes);

/// "rules.yaml:12:7: error[policy.rate]: message | help", the one-line form that tests and logs
/// use.
std::string render(const engine::Diagnostic& diagnostic);

} // namespace policies
