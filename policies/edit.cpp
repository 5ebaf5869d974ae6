#include "policies/edit.h"

#include "policies/editing/changes.h"
#include "policies/editing/draft.h"
#include "policies/editing/emit.h"
#include "policies/editing/part_changes.h"
#include "policies/editing/parts.h"
#include "policies/language/words.h"

#include <algorithm>
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

engine::Failure nothingToDo(const Part& part, std::string_view what)
{
    return engine::fail("edit.no-part",
                        fmt::format("{} cannot be {}", editing::titleOf(part), what),
                        "name a rule, an override, a class or an exemption");
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
        if (const engine::Status status = editing::checkTier(owner.name); !status) {
            return engine::fail(status.error());
        }
    }
    return edited(text, [&](Draft& draft) {
        return owner.kind == Part::Kind::Tier && value.empty()
            ? editing::addTier(draft, owner)
            : editing::add(draft, owner, value, position);
    });
}

engine::Result<Edits> duplicatePart(std::string_view text, const Part& part,
                                    std::string_view newName)
{
    if (!isNamed(part.kind)) {
        return nothingToDo(part, "duplicated");
    }
    return edited(text, [&](Draft& draft) { return editing::duplicate(draft, part, newName); });
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
    return edited(text, [&](Draft& draft) { return editing::rename(draft, part, newName); });
}

engine::Result<Edits> movePart(std::string_view text, const Part& part,
                               std::optional<engine::Tier> tier,
                               std::optional<std::size_t> position)
{
    if (!isNamed(part.kind)) {
        return nothingToDo(part, "moved");
    }
    return edited(text, [&](Draft& draft) { return editing::move(draft, part, tier, position); });
}

} // namespace policies
