#include "policies/editing/changes.h"
#include "policies/editing/flow.h"
#include "policies/editing/layout.h"
#include "policies/yaml/lexer.h"

namespace policies::editing {
namespace {

/// Where the comments above a first item may not reach beyond.
std::size_t floorOf(const Draft& draft, const NodePath& path)
{
    return path.empty() ? nodeAt(draft.root(), path).at.begin : itemAt(draft.root(), path).at.begin;
}

/// The last one: `edge:` with lines below becomes `edge: []`.
std::vector<Edits> emptied(const Draft& draft, const NodePath& path)
{
    const std::string_view text = draft.text();
    const yaml::Node& node = nodeAt(draft.root(), path);
    const std::string nothing = node.kind == yaml::Kind::Map ? "{}" : "[]";
    const yaml::Item& only = node.items.front();
    std::vector<Edits> ways;
    const bool isField = !path.empty() && !itemAt(draft.root(), path).key.text.empty();
    if (isField && startsLine(text, only.at.begin)) {
        const std::size_t colon
            = text.find_first_not_of(" \t", itemAt(draft.root(), path).key.at.end);
        if (colon < text.size() && text[colon] == ':') {
            const Range lines {ownBegin(text, node, 0, floorOf(draft, path)), ownEnd(text, only)};
            ways.push_back({inserted(colon + 1, " " + nothing), withoutLines(text, lines)});
        }
    }
    ways.push_back({replaced(text, {only.at.begin, node.at.end}, nothing)});
    ways.push_back({replaced(text, {node.at.begin, node.at.end}, nothing)});
    return ways;
}

/// The first field of a map that begins behind a dash: the next one takes its place.
std::vector<Edits> withoutFirstBehindDash(std::string_view text, const yaml::Node& map)
{
    const yaml::Item& gone = map.items[0];
    const yaml::Item& next = map.items[1];
    const std::size_t end = ownEnd(text, gone);
    std::vector<Edits> ways;
    if (text.substr(end, next.at.begin - end).find('#') == std::string_view::npos) {
        ways.push_back({replaced(text, {gone.at.begin, next.at.begin}, {})});
    }
    const std::size_t dash = text.find_last_not_of(' ', gone.at.begin - 1);
    ways.push_back({replaced(text, {dash + 1, end}, {})});
    return ways;
}

std::vector<Edits> withoutLinesOf(const Draft& draft, const NodePath& path, std::size_t index)
{
    const std::string_view text = draft.text();
    const yaml::Node& node = nodeAt(draft.root(), path);
    const Range lines {ownBegin(text, node, index, floorOf(draft, path)),
                       ownEnd(text, node.items[index])};
    Range more = lines; // with blank lines that are part of a text (`|+`)
    while (lineBelow(text, more.end) < text.size()
           && isBlankLine(text, lineBelow(text, more.end))) {
        more.end = yaml::endOfLine(text, lineBelow(text, more.end));
    }
    return {{node.kind == yaml::Kind::Sequence ? withoutLinesAndGap(text, lines)
                                               : withoutLines(text, lines)},
            {withoutLines(text, lines)},
            {withoutLines(text, more)},
            {replaced(text, {lines.begin, lineBelow(text, lines.end)}, {})}};
}

} // namespace

engine::Status removeItem(Draft& draft, const NodePath& path, std::size_t index)
{
    const std::string_view text = draft.text();
    const yaml::Node& node = nodeAt(draft.root(), path);
    yaml::Node wanted = draft.root();
    yaml::Node& shrunk = nodeAt(wanted, path);
    shrunk.items.erase(shrunk.items.begin() + static_cast<std::ptrdiff_t>(index));
    if (isFlow(text, node)) {
        return draft.commit(wanted, removedFromFlow(text, node, index));
    }
    if (node.items.size() == 1) {
        return draft.commit(wanted, emptied(draft, path));
    }
    if (!startsLine(text, node.items[index].at.begin)) {
        return draft.commit(wanted, withoutFirstBehindDash(text, node));
    }
    return draft.commit(wanted, withoutLinesOf(draft, path, index));
}

} // namespace policies::editing
