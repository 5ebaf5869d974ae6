#pragma once
#include "policies/yaml/node.h"
#include "tests/support/json.h"

#include <optional>
#include <string>

namespace tests::policies {

/// Validates a tree of YAML, as an editor reads it (plain `60` is a number, `true` a truth value),
/// against a JSON Schema. Knows the keywords that policies/schema.h names; any other is an error of
/// the schema.
///
/// Returns the first thing that is wrong: "/tiers/edge/0/rate: pattern".
std::optional<std::string> whatIsWrong(const ::policies::yaml::Node& node,
                                       const support::Json& schema, const support::Json& root,
                                       const std::string& path = {});

} // namespace tests::policies
