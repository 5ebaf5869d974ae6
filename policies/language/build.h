#pragma once
#include "policies/read.h"
#include "policies/yaml/node.h"

#include <memory>
#include <string>
#include <vector>

namespace policies::language {

/// What a tree is built into. `found` is what was wrong before the tree was there.
struct Origin {
    std::string file;
    std::string text;
    std::vector<std::string> adjustments;
    std::vector<engine::Diagnostic> found;
};

/// Checks a tree against the language and makes the policy.
Checked build(std::shared_ptr<const yaml::Document> document, Origin origin);

} // namespace policies::language
