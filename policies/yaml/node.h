#pragma once
#include "policies/policy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The text of a policy as a tree that remembers bytes and comments. Private to policies.
namespace policies::yaml {

enum class Kind : std::uint8_t { Null, Scalar, Sequence, Map };

struct Item;

/// A value. `at` covers its bytes; of an empty value, the place where it would stand.
struct Node {
    Kind kind = Kind::Null;
    bool quoted = false; ///< Scalar in quotes or as a block
    bool unusable = false; ///< reported already (an alias, a tag, ...): later checks pass over it
    std::string text;
    Span at;
    std::vector<Item> items;
    std::vector<std::string> after; ///< comments behind the last item, "# ..." without line end
};

/// An entry of a map (with key) or an item of a sequence (without).
struct Item {
    Word key;
    Node value;
    Span at; ///< from the key, or from the dash of a block sequence, to the end of the value
    std::vector<std::string> before; ///< comments on lines of their own above it
    std::string beside; ///< comment at the end of its line
};

struct Document {
    Node root;
    std::vector<std::string> head; ///< comments before everything else
};

const Item* find(const Node& map, std::string_view key);
Item* find(Node& map, std::string_view key);

} // namespace policies::yaml
