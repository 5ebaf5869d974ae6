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
/// `pro-plan/acme.rate` or `pro-plan.acme.rate` (an override), `shed.batch.up_to` (a class),
/// `exempt.monitoring`, `tiers.edge`, `description`, `attributes.tenant.from`. The longest name
/// that fits holds, so that names may have dots; a rule goes before a part or field of the policy
/// of the same name where what is behind it is a field of rules, or where the policy has nothing of
/// that name.
///
/// Errors: edit.no-part (nothing is called so), the codes of read() where the text is no YAML.
/// Pure.
engine::Result<Address> addressOf(std::string_view text, std::string_view path);

/// "PATH=VALUE", parted.
struct Assignment {
    Address address;
    std::string_view value; ///< borrows what was parted
};

/// Parts it where the path leads to the part with the longest name (names may have a `=`), at the
/// first `=` of several that do. `hasField`: the path ends in a field, or it names a part alone.
///
/// Example: `a=b.rate=9/min` sets the rate of a rule `a=b`.
/// Errors: edit.form (no `=`, or nothing before it), those of addressOf for the first `=`.
engine::Result<Assignment> assignmentOf(std::string_view text, std::string_view written,
                                        bool hasField);

} // namespace policies
