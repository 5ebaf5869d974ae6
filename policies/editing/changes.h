#pragma once
#include "policies/editing/draft.h"
#include "policies/editing/emit.h"

#include <optional>
#include <string>
#include <vector>

/// Single changes of a draft: each knows the tree that it wants and several ways to write it, the
/// kindest to the layout first. Private to policies. Errors of all: edit.layout.
namespace policies::editing {

/// Puts `value` in the place of the value that `path` leads to; quotes around a text stay.
engine::Status replaceValue(Draft& draft, const NodePath& path, const Written& value);

/// The same text in several places at once (a name and what refers to it).
engine::Status replaceTexts(Draft& draft, const std::vector<NodePath>& paths,
                            std::string_view text);

engine::Status replaceKey(Draft& draft, const NodePath& path, const std::string& key);

/// Adds a field to the map at `path`, as its item `index`, or as the second where the first stands
/// behind a dash. A list of maps gets lines of its own.
engine::Status addField(Draft& draft, const NodePath& path, std::size_t index,
                        const std::string& key, const Written& value);

/// Removes one entry of a map or list with its comments. What is left empty stays as `{}` or `[]`.
engine::Status removeItem(Draft& draft, const NodePath& collection, std::size_t index);

/// What is to be put into a list: the item with its comments, the text that its bytes are in, and
/// its lines as they stand in a block list, if they do.
struct NewItem {
    yaml::Item item;
    std::string source;
    std::string lines {}; ///< from a line's begin to a line's end; empty: to be written anew
    std::size_t indent = 0; ///< of the dash in `lines`
    bool asFlow = false; ///< better written as `- { ... }`
    std::optional<Comments> comments {}; ///< exactly those of the whole text with the item in it
};

/// The lines of an item of a block list, with the comments above if they are to come along.
NewItem itemAsItIs(const Draft& draft, const NodePath& item, bool withCommentsAbove);

/// Lets the item bring the comments that went with it from the text (which had `before`), no other.
void bringComments(NewItem& taken, Comments before, const Comments& left);

/// Adds an item to the list at `list` (which may be empty or have no value yet).
engine::Status insertItem(Draft& draft, const NodePath& list, std::size_t index,
                          const NewItem& added);

} // namespace policies::editing
