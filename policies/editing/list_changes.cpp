#include "policies/editing/changes.h"
#include "policies/editing/flow.h"
#include "policies/editing/layout.h"
#include "policies/yaml/lexer.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace policies::editing {
namespace {

bool isInFlow(std::string_view text, const yaml::Node& root, const NodePath& path)
{
    NodePath way;
    for (const std::size_t index : path) {
        if (isFlow(text, nodeAt(root, way))) {
            return true;
        }
        way.push_back(index);
    }
    return false;
}

bool isBlockList(std::string_view text, const yaml::Node& node)
{
    return node.kind == yaml::Kind::Sequence && !node.items.empty() && !isFlow(text, node);
}

/// Lines that stood `from` deep, `to` deep. Blank lines stay.
std::string reindented(std::string_view lines, std::size_t from, std::size_t to)
{
    std::string text;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t next = lineBelow(lines, at);
        std::string_view line = lines.substr(at, next - at);
        const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
        if (from > to) {
            line.remove_prefix(std::min(from - to, blanks));
        } else if (line.find_first_not_of(" \r\n") != std::string_view::npos) {
            text.append(to - from, ' ');
        }
        text += line;
        at = next;
    }
    return text;
}

bool isFlowList(std::string_view text, const yaml::Node& list)
{
    return std::all_of(list.items.begin(), list.items.end(),
                       [text](const yaml::Item& item) { return isFlow(text, item.value); });
}

/// Do blank lines part the items?
bool isSpaced(std::string_view text, const yaml::Node& list)
{
    if (list.items.size() < 2) {
        return false;
    }
    const std::size_t begin = ownBegin(text, list, 1, 0);
    return begin > 0 && isBlankLine(text, begin - 1);
}

/// The text of an item at another depth: its own lines if it has some, else written anew.
std::vector<std::string> formsOf(const NewItem& added, std::size_t indent, bool asFlow,
                                 std::string_view lineEnd)
{
    std::vector<std::string> forms;
    if (!added.lines.empty()) {
        forms.push_back(reindented(added.lines, added.indent, indent));
    }
    const bool keepsFlow = asFlow || added.asFlow;
    forms.push_back(joined(blockItemLines(added.item, added.source, keepsFlow), indent, lineEnd));
    forms.push_back(joined(blockItemLines(added.item, added.source, !keepsFlow), indent, lineEnd));
    return forms;
}

/// `floor`: behind the key of the list.
std::vector<Edits> intoBlock(std::string_view text, const yaml::Node& list, std::size_t index,
                             std::size_t floor, const NewItem& added)
{
    const bool isLast = index == list.items.size();
    const std::size_t above = index == 0 ? 0 : ownEnd(text, list.items[index - 1]);
    std::size_t below = isLast ? lineBelow(text, above) : ownBegin(text, list, index, floor);
    while (isLast && below < text.size() && isBlankLine(text, below)) {
        below = lineBelow(text, below); // blank lines may be part of a text above (`|+`)
    }
    const std::string end(lineEndAt(text, index == 0 ? below : above));
    const std::string gap = isSpaced(text, list) ? end : "";
    const bool asFlow = added.lines.empty() && isFlowList(text, list);
    std::vector<Edits> ways;
    for (const std::string& form : formsOf(added, indentOf(list.items.front()), asFlow, end)) {
        if (index > 0) {
            ways.push_back({inserted(above, end + gap + form)});
        }
        const bool isEnded = below == 0 || text[below - 1] == '\n';
        ways.push_back({inserted(below, (isEnded ? "" : end) + form + end + gap)});
    }
    return ways;
}

/// A list without items: `edge: []` or `edge:` gets lines below.
std::vector<Edits> intoEmpty(std::string_view text, const yaml::Item& holder, const NewItem& added)
{
    const std::size_t lineEnd = yaml::endOfLine(text, holder.key.at.end);
    const std::size_t colon = text.find(':', holder.key.at.end);
    std::vector<Edits> ways;
    if (colon >= lineEnd || holder.value.at.end > lineEnd) {
        return ways;
    }
    const std::string end(lineEndAt(text, lineEnd));
    const std::size_t behind = std::max(colon + 1, holder.value.at.end);
    const bool isLast = text.find_first_not_of(" \t", behind) >= lineEnd;
    for (const std::string& form : formsOf(added, indentOf(holder) + 2, false, end)) {
        const Edit gone = replaced(text, {colon + 1, isLast ? lineEnd : behind}, {});
        ways.push_back({gone, inserted(lineEnd, end + form)});
    }
    return ways;
}

std::vector<Edits> intoFlow(std::string_view text, const yaml::Node& list, std::size_t index,
                            const NewItem& added)
{
    const FlowLines item {flowItemLines(added.item, added.source, false),
                          flowItemLines(added.item, added.source, true), !hasComments(added.item)};
    const std::string bare = flowText(added.item.value, added.source);
    const FlowLines plain {{bare}, {bare + ","}};
    if (index > 0) {
        std::vector<Edits> ways = addedBehind(text, list, index - 1, item);
        const std::vector<Edits> more = addedBehind(text, list, index - 1, plain);
        ways.insert(ways.end(), more.begin(), more.end());
        return ways;
    }
    const bool isEmpty = list.items.empty();
    std::vector<Edits> ways;
    if (!isEmpty && startsLine(text, list.items.front().at.begin)) {
        const std::size_t line = ownBegin(text, list, 0, list.at.begin);
        const std::string end(lineEndAt(text, line));
        ways.push_back(
            {inserted(line, joined(item.followed, indentOf(list.items.front()), end) + end)});
    }
    const Lines& lines = isEmpty ? item.last : item.followed;
    const std::size_t at = isEmpty ? list.at.begin + 1 : list.items.front().at.begin;
    const std::size_t indent
        = isEmpty ? static_cast<std::size_t>(list.at.column) : indentOf(list.items.front());
    const std::string feed(lineEndAt(text, at));
    const std::string rest = feed + std::string(indent, ' ');
    const std::string body = item.isOneLine ? lines.front() + (isEmpty ? "" : " ")
                                            : (isEmpty || lines.front().front() == '#' ? rest : "")
            + joined(lines, indent, feed).substr(indent) + rest;
    ways.push_back({inserted(at, body)});
    ways.push_back({inserted(at, bare + (isEmpty ? "" : ", "))});
    return ways;
}

} // namespace

NewItem itemAsItIs(const Draft& draft, const NodePath& path, bool withCommentsAbove)
{
    const NodePath parent(path.begin(), path.end() - 1);
    const yaml::Node& list = nodeAt(draft.root(), parent);
    NewItem taken;
    taken.item = itemAt(draft.root(), path);
    taken.source = draft.text();
    taken.asFlow = isFlow(taken.source, taken.item.value);
    if (!withCommentsAbove) {
        taken.item.before.clear();
    }
    const std::string_view text = taken.source;
    if (isBlockList(text, list) && startsLine(text, taken.item.at.begin)) {
        const std::size_t begin = withCommentsAbove
            ? ownBegin(text, list, path.back(),
                       parent.empty() ? 0 : itemAt(draft.root(), parent).key.at.end)
            : lineBegin(text, taken.item.at.begin);
        taken.lines = std::string(text.substr(begin, ownEnd(text, taken.item) - begin));
        taken.indent = indentOf(taken.item);
    }
    return taken;
}

namespace {

/// Takes a comment out of the list, if it is there.
bool took(Comments& list, const std::string& comment)
{
    const auto found = std::find(list.begin(), list.end(), comment);
    if (found == list.end()) {
        return false;
    }
    list.erase(found);
    return true;
}

void dropOthers(yaml::Node& node, Comments& gone);

void dropOthers(yaml::Item& item, Comments& gone)
{
    const auto isOther = [&gone](const std::string& comment) { return !took(gone, comment); };
    std::erase_if(item.before, isOther);
    if (!item.beside.empty() && isOther(item.beside)) {
        item.beside.clear();
    }
    dropOthers(item.value, gone);
}

void dropOthers(yaml::Node& node, Comments& gone)
{
    for (yaml::Item& item : node.items) {
        dropOthers(item, gone);
    }
    std::erase_if(node.after, [&gone](const std::string& comment) { return !took(gone, comment); });
}

} // namespace

void bringComments(NewItem& taken, Comments before, const Comments& left)
{
    Comments gone;
    std::set_difference(before.begin(), before.end(), left.begin(), left.end(),
                        std::back_inserter(gone));
    dropOthers(taken.item, gone);
    taken.item.before.insert(taken.item.before.end(), gone.begin(), gone.end());
    taken.comments = std::move(before);
}

engine::Status insertItem(Draft& draft, const NodePath& path, std::size_t index,
                          const NewItem& added)
{
    const std::string_view text = draft.text();
    const yaml::Node& list = nodeAt(draft.root(), path);
    yaml::Node wanted = draft.root();
    yaml::Node& grown = nodeAt(wanted, path);
    grown.kind = yaml::Kind::Sequence;
    grown.text.clear();
    grown.items.insert(grown.items.begin() + static_cast<std::ptrdiff_t>(index), added.item);

    const Comments kept = added.comments.value_or(draft.comments());
    const bool isExact = added.comments.has_value();
    if (isBlockList(text, list)) {
        const std::size_t floor = itemAt(draft.root(), path).key.at.end;
        return draft.commit(wanted, intoBlock(text, list, index, floor, added), kept, isExact);
    }
    std::vector<Edits> ways;
    if (list.items.empty() && !isInFlow(text, draft.root(), path)) {
        ways = intoEmpty(text, itemAt(draft.root(), path), added);
    }
    if (isFlow(text, list)) {
        const std::vector<Edits> more = intoFlow(text, list, index, added);
        ways.insert(ways.end(), more.begin(), more.end());
    } else if (list.kind == yaml::Kind::Null) {
        const std::string flow = "[" + flowText(added.item.value, added.source) + "]";
        const Range range {list.at.begin, list.at.end};
        ways.push_back({replaced(text, range, range.begin == range.end ? " " + flow : flow)});
    }
    return draft.commit(wanted, ways, kept, isExact);
}

} // namespace policies::editing
