#pragma once
#include "policies/edit.h"

#include <string_view>

namespace policies {

/// A part of a policy and a field of it, or none: what a path on a command line means.
struct Address {
    Part part;
    FieldPath field;
};

/// What a path means in this policy: `search` (a rule), `search.rate`, `search.match.path`,
/// `pro-plan/acme.rate` or `pro-plan.acme.rate` (an override), `exempt.monitoring`, `tiers.edge`,
/// `description`, `attributes.tenant.from`. The longest name that fits holds, so that names may
/// have dots; a rule goes before a field of the policy of the same name.
///
/// Errors: edit.no-part (nothing is called so), the codes of read() where the text is no YAML.
/// Pure.
engine::Result<Address> addressOf(std::string_view text, std::string_view path);

} // namespace policies
