#include "policies/editing/parts.h"

#include "policies/language/field_table.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace policies::editing {
namespace {

std::string_view nameOf(const yaml::Node& map)
{
    const auto name = fieldIndex(map, "name");
    return name ? std::string_view(map.items[*name].value.text) : std::string_view {};
}

std::optional<NodePath> listBelow(const yaml::Node& root, const NodePath& map,
                                  std::string_view field)
{
    const auto index = fieldIndex(nodeAt(root, map), field);
    return index ? std::optional(below(map, *index)) : std::nullopt;
}

std::optional<NodePath> named(const yaml::Node& root, const std::optional<NodePath>& list,
                              std::string_view name)
{
    if (!list) {
        return std::nullopt;
    }
    const yaml::Node& node = nodeAt(root, *list);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (node.kind == yaml::Kind::Sequence && nameOf(node.items[i].value) == name) {
            return below(*list, i);
        }
    }
    return std::nullopt;
}

std::optional<NodePath> findRule(const yaml::Node& root, std::string_view name)
{
    for (const auto& [rule, path] : rulesIn(root)) {
        if (rule == name) {
            return path;
        }
    }
    return std::nullopt;
}

engine::Failure noPart(const yaml::Node& root, const Part& part)
{
    std::vector<std::string_view> names;
    const std::vector<std::pair<std::string, NodePath>> rules = rulesIn(root);
    std::string help = "name one that is there";
    if (part.kind == Part::Kind::Rule) {
        for (const auto& [name, path] : rules) {
            names.push_back(name);
        }
        help = names.empty() ? "add a rule first"
                             : language::suggest(part.name, names, "the rules are");
    }
    return engine::fail("edit.no-part", fmt::format("the policy does not have {}", titleOf(part)),
                        std::move(help));
}

language::Owner ownerOf(Part::Kind kind)
{
    switch (kind) {
    case Part::Kind::Rule:
        return language::Owner::Rule;
    case Part::Kind::Override:
        return language::Owner::Override;
    case Part::Kind::Class:
        return language::Owner::Class;
    case Part::Kind::Exemption:
        return language::Owner::Exemption;
    case Part::Kind::Policy:
    case Part::Kind::Tier:
        break;
    }
    return language::Owner::Policy;
}

} // namespace

std::optional<std::size_t> fieldIndex(const yaml::Node& map, std::string_view field)
{
    for (std::size_t i = 0; map.kind == yaml::Kind::Map && i < map.items.size(); ++i) {
        if (map.items[i].key.text == field) {
            return i;
        }
    }
    return std::nullopt;
}

std::size_t placeOf(const yaml::Node& map, Part::Kind kind, std::string_view field)
{
    static constexpr std::array<std::string_view, engine::kTierCount> kTiers {"edge", "gateway",
                                                                              "endpoint", "tenant"};
    const std::vector<std::string_view> order = kind == Part::Kind::Tier
        ? std::vector<std::string_view>(kTiers.begin(), kTiers.end())
        : language::fieldNames(ownerOf(kind));
    const auto own = std::find(order.begin(), order.end(), field);
    std::size_t place = own == order.end() ? map.items.size() : 0;
    for (std::size_t i = 0; i < map.items.size(); ++i) {
        if (std::find(order.begin(), own, map.items[i].key.text) != own) {
            place = i + 1;
        }
    }
    return place;
}

engine::Result<NodePath> find(const yaml::Node& root, const Part& part)
{
    std::optional<NodePath> path;
    switch (part.kind) {
    case Part::Kind::Policy:
        path = NodePath {};
        break;
    case Part::Kind::Tier:
        if (const auto tiers = fieldIndex(root, "tiers")) {
            path = listBelow(root, {*tiers}, part.name);
        }
        break;
    case Part::Kind::Rule:
        path = findRule(root, part.name);
        break;
    case Part::Kind::Override:
    case Part::Kind::Class:
        if (const auto rule = findRule(root, part.rule)) {
            const bool isClass = part.kind == Part::Kind::Class;
            path
                = named(root, listBelow(root, *rule, isClass ? "classes" : "overrides"), part.name);
        } else {
            return noPart(root, Part::ofRule(part.rule));
        }
        break;
    case Part::Kind::Exemption:
        path = named(root, listBelow(root, {}, "exempt"), part.name);
        break;
    }
    return path ? engine::Result<NodePath>(*path) : noPart(root, part);
}

engine::Result<std::optional<NodePath>> findList(const yaml::Node& root, const Part& owner)
{
    if (owner.kind == Part::Kind::Tier) {
        const auto tiers = fieldIndex(root, "tiers");
        if (!tiers) {
            return engine::fail("edit.no-part", "the policy does not have `tiers`",
                                "write `tiers:` first");
        }
        return listBelow(root, {*tiers}, owner.name);
    }
    const engine::Result<NodePath> path = find(root, owner);
    if (!path) {
        return engine::fail(path.error());
    }
    return listBelow(root, *path, owner.kind == Part::Kind::Rule ? "overrides" : "exempt");
}

std::string titleOf(const Part& part)
{
    switch (part.kind) {
    case Part::Kind::Policy:
        return "the policy";
    case Part::Kind::Tier:
        return fmt::format("the tier `{}`", language::shown(part.name));
    case Part::Kind::Rule:
        return fmt::format("the rule `{}`", language::shown(part.name));
    case Part::Kind::Exemption:
        return fmt::format("the exemption `{}`", language::shown(part.name));
    case Part::Kind::Override:
    case Part::Kind::Class:
        break;
    }
    return fmt::format("the {} `{}` of the rule `{}`",
                       part.kind == Part::Kind::Class ? "class" : "override",
                       language::shown(part.name), language::shown(part.rule));
}

std::vector<std::pair<std::string, NodePath>> rulesIn(const yaml::Node& root)
{
    std::vector<std::pair<std::string, NodePath>> rules;
    const auto tiers = fieldIndex(root, "tiers");
    if (!tiers) {
        return rules;
    }
    const yaml::Node& map = root.items[*tiers].value;
    for (std::size_t t = 0; t < map.items.size(); ++t) {
        const yaml::Node& list = map.items[t].value;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            if (fieldIndex(list.items[i].value, "name")) {
                rules.emplace_back(std::string(nameOf(list.items[i].value)),
                                   NodePath {*tiers, t, i});
            }
        }
    }
    return rules;
}

std::vector<NodePath> referencesTo(const yaml::Node& root, std::string_view rule)
{
    std::vector<NodePath> references;
    for (const auto& [name, path] : rulesIn(root)) {
        const yaml::Node& map = nodeAt(root, path);
        const auto tighten = fieldIndex(map, "tighten");
        const auto named = tighten ? fieldIndex(map.items[*tighten].value, "rule") : std::nullopt;
        if (named && map.items[*tighten].value.items[*named].value.text == rule) {
            references.push_back(below(below(path, *tighten), *named));
        }
    }
    return references;
}

} // namespace policies::editing
