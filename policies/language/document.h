#pragma once
#include "policies/language/report.h"
#include "policies/yaml/parse.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace policies::language {

/// Reads a document that is no policy by the same layers: bytes, YAML, then `read`, which is given
/// the tree and reports what is wrong with it. Codes begin with `prefix` ("logs.") in place of
/// "policy."; `beginning` is what to write into an empty file.
///
/// Gives everything that was found, sorted by place.
std::vector<engine::Diagnostic>
readDocument(const std::string& file, std::string_view bytes, std::string_view prefix,
             std::string_view beginning,
             const std::function<void(Report&, const yaml::Node&)>& read);

} // namespace policies::language
