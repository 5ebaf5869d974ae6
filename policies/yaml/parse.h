#pragma once
#include "engine/diagnostic.h"
#include "policies/yaml/node.h"
#include "policies/yaml/source.h"

#include <optional>
#include <vector>

namespace policies::yaml {

inline constexpr std::size_t kMaxDepth = 32;
inline constexpr std::size_t kMaxNodes = 2'000'000;

/// The tree, if one could be made, and what was wrong. With errors the tree may still be good
/// enough to look for more; nodes that were refused are marked unusable.
struct Parsed {
    std::optional<Document> document;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Reads one YAML document: no anchors, aliases, tags, merge keys, directives, duplicate keys or
/// second documents; see policy-language and the README for the codes.
Parsed parse(const Source& source);

} // namespace policies::yaml
