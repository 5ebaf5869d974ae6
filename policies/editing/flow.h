#pragma once
#include "policies/edit.h"
#include "policies/editing/emit.h"

#include <string_view>
#include <vector>

namespace policies::editing {

/// Ways to add something to a collection in brackets, behind its item `index`. `last` is what to
/// write if nothing follows, `followed` the same with a comma; their last lines may end in a
/// comment.
std::vector<Edits> addedBehind(std::string_view text, const yaml::Node& collection,
                               std::size_t index, const Lines& last, const Lines& followed);

/// Does it stay on one line, whatever comes behind it?
bool isOneLine(const Lines& lines);

/// Ways to remove an item of a collection in brackets.
std::vector<Edits> removedFromFlow(std::string_view text, const yaml::Node& collection,
                                   std::size_t index);

} // namespace policies::editing
