#include "policies/yaml/node.h"

#include <algorithm>

namespace policies::yaml {

const Item* find(const Node& map, std::string_view key)
{
    const auto found = std::find_if(map.items.begin(), map.items.end(),
                                    [&](const Item& item) { return item.key.text == key; });
    return map.kind == Kind::Map && found != map.items.end() ? &*found : nullptr;
}

Item* find(Node& map, std::string_view key)
{
    return const_cast<Item*>(
        find(static_cast<const Node&>(map), key)); // NOLINT: the map is not const
}

} // namespace policies::yaml
