#pragma once
#include "policies/editing/draft.h"

#include <optional>
#include <string>
#include <string_view>

/// Finding parts of a policy in its tree, however good or bad the policy is. Private to policies.
namespace policies::editing {

/// The index of a field of a map.
std::optional<std::size_t> fieldIndex(const yaml::Node& map, std::string_view field);

/// Where a field that is not there belongs, in the usual order of the part's fields.
std::size_t placeOf(const yaml::Node& map, Part::Kind kind, std::string_view field);

/// The way to a part. Errors: edit.no-part.
engine::Result<NodePath> find(const yaml::Node& root, const Part& part);

/// The way to a list that holds parts: a tier's rules, the overrides of a rule, the exemptions;
/// nothing if there is none. Errors: edit.no-part (no such rule, no `tiers`).
engine::Result<std::optional<NodePath>> findList(const yaml::Node& root, const Part& owner);

/// What a message calls a part: "the rule `search`".
std::string titleOf(const Part& part);

/// The names of all rules and the ways to them.
std::vector<std::pair<std::string, NodePath>> rulesIn(const yaml::Node& root);

/// Texts elsewhere that name a rule (`tighten`).
std::vector<NodePath> referencesTo(const yaml::Node& root, std::string_view rule);

} // namespace policies::editing
