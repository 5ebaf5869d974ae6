#pragma once
#include "policies/edit.h"
#include "policies/editing/emit.h"

#include <string_view>
#include <vector>

namespace policies::editing {

/// What is to be put between brackets: on one line, or on lines that may end in comments.
struct FlowLines {
    Lines last; ///< if nothing follows
    Lines followed; ///< with a comma behind it
    bool isOneLine = true;
};

/// Ways to add something to a collection in brackets, behind its item `index`.
std::vector<Edits> addedBehind(std::string_view text, const yaml::Node& collection,
                               std::size_t index, const FlowLines& added);

/// Ways to remove an item of a collection in brackets.
std::vector<Edits> removedFromFlow(std::string_view text, const yaml::Node& collection,
                                   std::size_t index);

} // namespace policies::editing
