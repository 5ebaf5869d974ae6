#include "policies/editing/part_changes.h"

#include "policies/editing/changes.h"
#include "policies/editing/emit.h"
#include "policies/editing/parts.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace policies::editing {
namespace {

Part withName(Part part, std::string_view name)
{
    part.name = std::string(name);
    return part;
}

/// May a part be called so?
engine::Status checkName(const Draft& draft, const Part& part)
{
    if (part.name.empty()) {
        return engine::fail("edit.value", "the new name is empty", "write a name");
    }
    if (find(draft.root(), part)) {
        return engine::fail("edit.name-taken", fmt::format("{} is there already", titleOf(part)),
                            "choose another name");
    }
    return part.kind == Part::Kind::Tier ? checkTier(part.name) : engine::Status(engine::Done {});
}

/// The list that new parts of the owner go into, made if it is not there.
engine::Result<NodePath> listOf(Draft& draft, const Part& owner)
{
    engine::Result<std::optional<NodePath>> list = findList(draft.root(), owner);
    if (!list) {
        return engine::fail(list.error());
    }
    if (!*list) {
        const Written nothing = *readValue("[]");
        const bool isTier = owner.kind == Part::Kind::Tier;
        const std::string field = isTier     ? owner.name
            : owner.kind == Part::Kind::Rule ? "overrides"
                                             : "exempt";
        const NodePath map
            = isTier ? NodePath {*fieldIndex(draft.root(), "tiers")} : *find(draft.root(), owner);
        const yaml::Node& node = nodeAt(draft.root(), map);
        const std::size_t place = placeOf(node, owner.kind, field);
        if (const engine::Status status = addField(draft, map, place, field, nothing); !status) {
            return engine::fail(status.error());
        }
        list = findList(draft.root(), owner);
    }
    return **list;
}

engine::Status insertAt(Draft& draft, const NodePath& list, std::optional<std::size_t> position,
                        const NewItem& added)
{
    const yaml::Node& node = nodeAt(draft.root(), list);
    const std::size_t count = node.items.size();
    if (node.kind == yaml::Kind::Scalar || node.kind == yaml::Kind::Map) {
        return engine::fail("edit.no-part", "what should be a list is none", "write a list there");
    }
    if (position && *position > count) {
        return engine::fail("edit.position",
                            fmt::format("there is no place {} in a list that has {} with it",
                                        *position + 1, count + 1),
                            fmt::format("write 1 to {}", count + 1));
    }
    return insertItem(draft, list, position.value_or(count), added);
}

Part partIn(const Part& owner, std::string name)
{
    switch (owner.kind) {
    case Part::Kind::Tier:
        return Part::ofRule(std::move(name));
    case Part::Kind::Rule:
        return Part::ofOverride(owner.name, std::move(name));
    case Part::Kind::Policy:
    case Part::Kind::Override:
    case Part::Kind::Class:
    case Part::Kind::Exemption:
        break;
    }
    return Part::ofExemption(std::move(name));
}

} // namespace

engine::Status checkTier(std::string_view name)
{
    static constexpr std::array<std::string_view, engine::kTierCount> kTiers {"edge", "gateway",
                                                                              "endpoint", "tenant"};
    if (std::find(kTiers.begin(), kTiers.end(), name) != kTiers.end()) {
        return engine::Done {};
    }
    return engine::fail("edit.value", fmt::format("there is no tier `{}`", language::shown(name)),
                        language::suggest(name, kTiers, "the tiers are"));
}

engine::Status rename(Draft& draft, const Part& part, std::string_view newName)
{
    const engine::Result<NodePath> path = find(draft.root(), part);
    if (!path) {
        return engine::fail(path.error());
    }
    if (part.name == newName) {
        return engine::Done {};
    }
    if (engine::Status status = checkName(draft, withName(part, newName)); !status) {
        return status;
    }
    if (part.kind == Part::Kind::Tier) {
        return replaceKey(draft, *path, std::string(newName));
    }
    std::vector<NodePath> places;
    if (part.kind == Part::Kind::Rule) {
        places = referencesTo(draft.root(), part.name);
    }
    const yaml::Node& map = nodeAt(draft.root(), *path);
    places.push_back(below(*path, *fieldIndex(map, "name")));
    return replaceTexts(draft, places, newName);
}

engine::Status addTier(Draft& draft, const Part& tier)
{
    if (engine::Status status = checkName(draft, tier); !status) {
        return status;
    }
    const engine::Result<NodePath> list = listOf(draft, tier);
    return list ? engine::Status(engine::Done {}) : engine::fail(list.error());
}

engine::Status add(Draft& draft, const Part& owner, std::string_view value,
                   std::optional<std::size_t> position)
{
    engine::Result<Written> written = readValue(value);
    if (!written) {
        return engine::fail(written.error());
    }
    const auto name = fieldIndex(written->node, "name");
    if (!name) {
        return engine::fail("edit.value", "what is to be added has no `name`",
                            "write `{ name: NAME, ... }`");
    }
    const Part part = partIn(owner, written->node.items[*name].value.text);
    if (engine::Status status = checkName(draft, part); !status) {
        return status;
    }
    const engine::Result<NodePath> list = listOf(draft, owner);
    if (!list) {
        return engine::fail(list.error());
    }
    NewItem added;
    added.item.value = std::move(written->node);
    added.source = std::move(written->source);
    added.asFlow = owner.kind != Part::Kind::Tier; // as short as such lists mostly are
    return insertAt(draft, *list, position, added);
}

engine::Status duplicate(Draft& draft, const Part& part, std::string_view newName)
{
    const engine::Result<NodePath> path = find(draft.root(), part);
    if (!path) {
        return engine::fail(path.error());
    }
    if (engine::Status status = checkName(draft, withName(part, newName)); !status) {
        return status;
    }
    NewItem copy = itemAsItIs(draft, *path, false);
    yaml::Node& map = copy.item.value;
    yaml::Node& name = map.items[*fieldIndex(map, "name")].value;
    const Written written = textValue(newName);
    if (!copy.lines.empty()) {
        const std::size_t begin = draft.text().rfind('\n', copy.item.at.begin);
        const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
        copy.lines.replace(name.at.begin - first, name.at.end - name.at.begin, written.source);
    }
    name = written.node;
    name.at.begin = copy.source.size();
    copy.source += written.source;
    name.at.end = copy.source.size();
    map.at = {};
    NodePath list = *path;
    list.pop_back();
    return insertItem(draft, list, path->back() + 1, copy);
}

engine::Status move(Draft& draft, const Part& part, std::optional<engine::Tier> tier,
                    std::optional<std::size_t> position)
{
    const engine::Result<NodePath> path = find(draft.root(), part);
    if (!path) {
        return engine::fail(path.error());
    }
    const NodePath from(path->begin(), path->end() - 1);
    const std::size_t count = nodeAt(draft.root(), from).items.size();
    const bool isElsewhere = part.kind == Part::Kind::Rule && tier
        && engine::nameOf(*tier) != itemAt(draft.root(), from).key.text;
    if (!isElsewhere && position.value_or(count - 1) == path->back()) {
        return engine::Done {};
    }
    NewItem taken = itemAsItIs(draft, *path, true);
    const Comments before = draft.comments();
    if (engine::Status status = removeItem(draft, from, path->back()); !status) {
        return status;
    }
    bringComments(taken, before, draft.comments());
    const engine::Result<NodePath> to = isElsewhere ? listOf(draft, Part::ofTier(*tier)) : from;
    return to ? insertAt(draft, *to, position, taken) : engine::fail(to.error());
}

} // namespace policies::editing
