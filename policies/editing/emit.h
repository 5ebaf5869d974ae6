#pragma once
#include "engine/result.h"
#include "policies/yaml/node.h"

#include <string>
#include <string_view>
#include <vector>

/// Writing values anew, where their bytes cannot be taken as they are. Private to policies.
namespace policies::editing {

/// A value and the text that its bytes lie in.
struct Written {
    yaml::Node node;
    std::string source;

    /// As it was written, on one line.
    [[nodiscard]] std::string text() const;
};

/// One value of YAML: `20/min`, `[GET, HEAD]`, `{ name: x }`.
/// Errors: edit.value (none, no YAML, or with a comment).
engine::Result<Written> readValue(std::string_view text);
/// The text itself as a value, whatever is in it.
Written textValue(std::string_view text);

/// Lines without line ends, to be indented by whoever puts them somewhere.
using Lines = std::vector<std::string>;

/// On one line, without comments. Scalars keep their notation where it fits.
std::string flowText(const yaml::Node& node, std::string_view source);

/// `key: value`; lists of maps get a line for each item.
Lines fieldLines(const yaml::Item& item, std::string_view source);

/// An item of a list that has lines of its own, from the dash on, with all its comments.
Lines blockItemLines(yaml::Item item, std::string_view source, bool asFlow);
/// An item of a list in brackets, with all its comments; one line if there are none. With a comma
/// behind it if something follows, or a comment would swallow it.
Lines flowItemLines(yaml::Item item, std::string_view source, bool isFollowed);

/// Comments on or in an item.
bool hasComments(const yaml::Item& item);

std::string joined(const Lines& lines, std::size_t indent, std::string_view lineEnd);

} // namespace policies::editing
