#include "policies/edit.h"

#include "policies/editing/changes.h"
#include "policies/editing/draft.h"
#include "policies/editing/emit.h"
#include "policies/editing/parts.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>

namespace policies {
namespace {

using editing::Draft;
using editing::NodePath;
using editing::Written;

/// Opens the text, lets `change` work on it and gives what that made.
template <class Change> engine::Result<Edits> edited(std::string_view text, const Change& change)
{
    engine::Result<Draft> draft = Draft::open(text);
    if (!draft) {
        return engine::fail(draft.error());
    }
    const engine::Status status = change(*draft);
    if (!status) {
        return engine::fail(status.error());
    }
    return draft->take();
}

bool isNamed(Part::Kind kind)
{
    return kind != Part::Kind::Policy && kind != Part::Kind::Tier;
}

Part withName(Part part, std::string_view name)
{
    part.name = std::string(name);
    return part;
}

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

engine::Failure nothingToDo(const Part& part, std::string_view what)
{
    return engine::fail("edit.no-part",
                        fmt::format("{} cannot be {}", editing::titleOf(part), what),
                        "name a rule, an override, a class or an exemption");
}

/// May a part be called so?
engine::Status checkName(const Draft& draft, const Part& part)
{
    if (part.name.empty()) {
        return engine::fail("edit.value", "the new name is empty", "write a name");
    }
    if (editing::find(draft.root(), part)) {
        return engine::fail("edit.name-taken",
                            fmt::format("{} is there already", editing::titleOf(part)),
                            "choose another name");
    }
    return part.kind == Part::Kind::Tier ? checkTier(part.name) : engine::Status(engine::Done {});
}

/// `x` below `a`, `b` is `{ a: { b: x } }`.
engine::Result<Written> nested(const Written& value, const FieldPath& field, std::size_t from)
{
    std::string text = editing::flowText(value.node, value.source);
    for (std::size_t i = field.size(); i > from; --i) {
        const Written key = editing::textValue(field[i - 1]);
        text = fmt::format("{{ {}: {} }}", key.source, text);
    }
    return editing::readValue(text);
}

engine::Failure noField(const Part& part, const FieldPath& field)
{
    return engine::fail("edit.no-field",
                        fmt::format("{} does not have a field `{}`", editing::titleOf(part),
                                    language::shown(fmt::format("{}", fmt::join(field, ".")))),
                        "name one that is there");
}

engine::Status setField(Draft& draft, const Part& part, const FieldPath& field,
                        const Written& value)
{
    const engine::Result<NodePath> found = editing::find(draft.root(), part);
    if (!found) {
        return engine::fail(found.error());
    }
    NodePath path = *found;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const yaml::Node& map = editing::nodeAt(draft.root(), path);
        if (map.kind != yaml::Kind::Map && map.kind != yaml::Kind::Null) {
            return noField(part, field);
        }
        const auto index = editing::fieldIndex(map, field[i]);
        if (index) {
            path.push_back(*index);
            continue;
        }
        const engine::Result<Written> whole
            = i + 1 == field.size() ? value : nested(value, field, i + 1);
        if (!whole) {
            return engine::fail(whole.error());
        }
        const std::size_t place
            = i == 0 ? editing::placeOf(map, part.kind, field[i]) : map.items.size();
        return editing::addField(draft, path, place, field[i], *whole);
    }
    return editing::replaceValue(draft, path, value);
}

engine::Status rename(Draft& draft, const Part& part, std::string_view newName)
{
    const engine::Result<NodePath> path = editing::find(draft.root(), part);
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
        return editing::replaceKey(draft, *path, std::string(newName));
    }
    std::vector<NodePath> places;
    if (part.kind == Part::Kind::Rule) {
        places = editing::referencesTo(draft.root(), part.name);
    }
    const yaml::Node& map = editing::nodeAt(draft.root(), *path);
    places.push_back(editing::below(*path, *editing::fieldIndex(map, "name")));
    return editing::replaceTexts(draft, places, newName);
}

/// The list that new parts of the owner go into, made if it is not there.
engine::Result<NodePath> listOf(Draft& draft, const Part& owner)
{
    engine::Result<std::optional<NodePath>> list = editing::findList(draft.root(), owner);
    if (!list) {
        return engine::fail(list.error());
    }
    if (!*list) {
        const Written nothing = *editing::readValue("[]");
        const bool isTier = owner.kind == Part::Kind::Tier;
        const std::string field = isTier     ? owner.name
            : owner.kind == Part::Kind::Rule ? "overrides"
                                             : "exempt";
        const NodePath map = isTier ? NodePath {*editing::fieldIndex(draft.root(), "tiers")}
                                    : *editing::find(draft.root(), owner);
        const yaml::Node& node = editing::nodeAt(draft.root(), map);
        const std::size_t place = editing::placeOf(node, owner.kind, field);
        if (const engine::Status status = editing::addField(draft, map, place, field, nothing);
            !status) {
            return engine::fail(status.error());
        }
        list = editing::findList(draft.root(), owner);
    }
    return **list;
}

engine::Status insertAt(Draft& draft, const NodePath& list, std::optional<std::size_t> position,
                        const editing::NewItem& added)
{
    const yaml::Node& node = editing::nodeAt(draft.root(), list);
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
    return editing::insertItem(draft, list, position.value_or(count), added);
}

engine::Status addTier(Draft& draft, const Part& tier)
{
    if (engine::Status status = checkName(draft, tier); !status) {
        return status;
    }
    const engine::Result<NodePath> list = listOf(draft, tier);
    return list ? engine::Status(engine::Done {}) : engine::fail(list.error());
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

engine::Status add(Draft& draft, const Part& owner, std::string_view value,
                   std::optional<std::size_t> position)
{
    engine::Result<Written> written = editing::readValue(value);
    if (!written) {
        return engine::fail(written.error());
    }
    const auto name = editing::fieldIndex(written->node, "name");
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
    editing::NewItem added;
    added.item.value = std::move(written->node);
    added.source = std::move(written->source);
    added.asFlow = owner.kind != Part::Kind::Tier; // as short as such lists mostly are
    return insertAt(draft, *list, position, added);
}

engine::Status duplicate(Draft& draft, const Part& part, std::string_view newName)
{
    const engine::Result<NodePath> path = editing::find(draft.root(), part);
    if (!path) {
        return engine::fail(path.error());
    }
    if (engine::Status status = checkName(draft, withName(part, newName)); !status) {
        return status;
    }
    editing::NewItem copy = editing::itemAsItIs(draft, *path, false);
    yaml::Node& map = copy.item.value;
    yaml::Node& name = map.items[*editing::fieldIndex(map, "name")].value;
    const Written written = editing::textValue(newName);
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
    return editing::insertItem(draft, list, path->back() + 1, copy);
}

engine::Status move(Draft& draft, const Part& part, std::optional<engine::Tier> tier,
                    std::optional<std::size_t> position)
{
    const engine::Result<NodePath> path = editing::find(draft.root(), part);
    if (!path) {
        return engine::fail(path.error());
    }
    const NodePath from(path->begin(), path->end() - 1);
    const std::size_t count = editing::nodeAt(draft.root(), from).items.size();
    const bool isElsewhere = part.kind == Part::Kind::Rule && tier
        && engine::nameOf(*tier) != editing::itemAt(draft.root(), from).key.text;
    if (!isElsewhere && position.value_or(count - 1) == path->back()) {
        return engine::Done {};
    }
    editing::NewItem taken = editing::itemAsItIs(draft, *path, true);
    const editing::Comments before = draft.comments();
    if (engine::Status status = editing::removeItem(draft, from, path->back()); !status) {
        return status;
    }
    editing::bringComments(taken, before, draft.comments());
    const engine::Result<NodePath> to = isElsewhere ? listOf(draft, Part::ofTier(*tier)) : from;
    return to ? insertAt(draft, *to, position, taken) : engine::fail(to.error());
}

} // namespace

std::string applied(std::string text, const Edits& edits)
{
    for (const Edit& edit : edits) {
        if (edit.begin > text.size()
            || text.compare(edit.begin, edit.before.size(), edit.before) != 0) {
            std::abort(); // an edit of another text
        }
        text.replace(edit.begin, edit.before.size(), edit.after);
    }
    return text;
}

Edits inverse(const Edits& edits)
{
    Edits back;
    std::transform(edits.rbegin(), edits.rend(), std::back_inserter(back), [](const Edit& edit) {
        return Edit {edit.begin, edit.after, edit.before};
    });
    return back;
}

std::vector<std::string> commentsLost(std::string_view before, std::string_view after)
{
    std::vector<std::string> lost;
    const engine::Result<Draft> was = Draft::open(before);
    const engine::Result<Draft> is = Draft::open(after);
    if (was && is) {
        std::set_difference(was->comments().begin(), was->comments().end(), is->comments().begin(),
                            is->comments().end(), std::back_inserter(lost));
    }
    return lost;
}

engine::Result<Edits> setValue(std::string_view text, const Part& part, const FieldPath& field,
                               std::string_view value)
{
    const engine::Result<Written> written = editing::readValue(value);
    if (!written) {
        return engine::fail(written.error());
    }
    if (field.empty()) {
        return noField(part, field);
    }
    if (isNamed(part.kind) && field == FieldPath {"name"}) {
        return renamePart(text, part, written->node.text);
    }
    return edited(text, [&](Draft& draft) { return setField(draft, part, field, *written); });
}

engine::Result<Edits> unsetValue(std::string_view text, const Part& part, const FieldPath& field)
{
    if (field.empty()) {
        return noField(part, field);
    }
    if (isNamed(part.kind) && field == FieldPath {"name"}) {
        return engine::fail("edit.required",
                            fmt::format("{} needs its name", editing::titleOf(part)),
                            "rename it, or remove it as a whole");
    }
    return edited(text, [&](Draft& draft) -> engine::Status {
        engine::Result<NodePath> path = editing::find(draft.root(), part);
        for (std::size_t i = 0; path && i < field.size(); ++i) {
            const auto index = editing::fieldIndex(editing::nodeAt(draft.root(), *path), field[i]);
            path = index ? engine::Result<NodePath>(editing::below(*path, *index))
                         : noField(part, field);
        }
        if (!path) {
            return engine::fail(path.error());
        }
        return editing::removeItem(draft, NodePath(path->begin(), path->end() - 1), path->back());
    });
}

engine::Result<Edits> addPart(std::string_view text, const Part& owner, std::string_view value,
                              std::optional<std::size_t> position)
{
    if (isNamed(owner.kind) && owner.kind != Part::Kind::Rule) {
        return nothingToDo(owner, "added to");
    }
    if (owner.kind == Part::Kind::Tier) {
        if (const engine::Status status = checkTier(owner.name); !status) {
            return engine::fail(status.error());
        }
    }
    return edited(text, [&](Draft& draft) {
        return owner.kind == Part::Kind::Tier && value.empty() ? addTier(draft, owner)
                                                               : add(draft, owner, value, position);
    });
}

engine::Result<Edits> duplicatePart(std::string_view text, const Part& part,
                                    std::string_view newName)
{
    if (!isNamed(part.kind)) {
        return nothingToDo(part, "duplicated");
    }
    return edited(text, [&](Draft& draft) { return duplicate(draft, part, newName); });
}

engine::Result<Edits> removePart(std::string_view text, const Part& part)
{
    if (part.kind == Part::Kind::Policy) {
        return nothingToDo(part, "removed");
    }
    return edited(text, [&](Draft& draft) -> engine::Status {
        const engine::Result<NodePath> path = editing::find(draft.root(), part);
        if (!path) {
            return engine::fail(path.error());
        }
        return editing::removeItem(draft, NodePath(path->begin(), path->end() - 1), path->back());
    });
}

engine::Result<Edits> renamePart(std::string_view text, const Part& part, std::string_view newName)
{
    if (part.kind == Part::Kind::Policy) {
        return setValue(text, part, {"name"}, editing::textValue(newName).source);
    }
    return edited(text, [&](Draft& draft) { return rename(draft, part, newName); });
}

engine::Result<Edits> movePart(std::string_view text, const Part& part,
                               std::optional<engine::Tier> tier,
                               std::optional<std::size_t> position)
{
    if (!isNamed(part.kind)) {
        return nothingToDo(part, "moved");
    }
    return edited(text, [&](Draft& draft) { return move(draft, part, tier, position); });
}

} // namespace policies
