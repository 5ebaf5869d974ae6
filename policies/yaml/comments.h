#pragma once
#include "policies/yaml/node.h"
#include "policies/yaml/source.h"

#include <utility>
#include <vector>

namespace policies::yaml {

/// Finds the comments of a text and hangs them on the items that they belong to.
///
/// `scalars` are the [begin, end) of all scalars in order; a `#` between them starts a comment. One
/// beside something belongs to the last item that began before it, but not to one in brackets that
/// are closed by then. One on a line of its own belongs to the next item within the brackets that
/// it stands in, or ends them. Outside of brackets it belongs to the next item, unless it is
/// indented deeper than that one: then it ends the collection of the deepest item before it that is
/// not indented deeper than itself.
void attachComments(const Source& source,
                    const std::vector<std::pair<std::size_t, std::size_t>>& scalars,
                    Document& document);

} // namespace policies::yaml
