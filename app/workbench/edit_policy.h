#pragma once
#include "app/workbench/policy_files.h"
#include "policies/edit.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// Changes of a policy's text as they are written on a command line. They are made in the order of
/// the lists here: what is removed makes room for new names, what is added can be given values.
struct PolicyChanges {
    std::vector<std::string> removals; ///< "RULE", "RULE/OVERRIDE", "exempt.NAME", "tiers.TIER"
    std::vector<std::string> renamings; ///< "OLD=NEW", OLD as in removals
    std::vector<std::string> additions; ///< "TIER={ name: x, ... }", "RULE/=...", "exempt=..."
    std::vector<std::string> copies; ///< "RULE=NEW"
    std::vector<std::string> values; ///< "RULE.FIELD=VALUE"; without VALUE the field goes
    std::vector<std::string> moves; ///< "RULE=TIER", "RULE=TIER:N", "RULE/OVERRIDE=N", N from 1
};

/// The text after all changes, and the edits that lead there.
struct EditedPolicy {
    std::string text;
    policies::Edits edits;
    /// Comments that stood in a value that another took the place of: the change, the comment.
    std::vector<std::pair<std::string, std::string>> replacedComments;
};

/// Makes the changes in a text; nothing is written anywhere.
///
/// Example: {.values = {"search.rate=20/min", "login.burst="}}.
/// Errors: edit.form (not of the forms above), the codes of policies/edit.h; each names the change.
engine::Result<EditedPolicy> editPolicy(std::string text, const PolicyChanges& changes);

} // namespace app
