#include "policies/editing/changes.h"
#include "policies/editing/flow.h"
#include "policies/editing/layout.h"
#include "policies/writing/scalar.h"
#include "policies/yaml/lexer.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::editing {
namespace {

/// Behind the colon of `key:`, or nothing where there is none right behind the key.
std::optional<std::size_t> behindColon(std::string_view text, const yaml::Item& item)
{
    const std::size_t at = text.find_first_not_of(" \t", item.key.at.end);
    return at < text.size() && text[at] == ':' ? std::optional(at + 1) : std::nullopt;
}

/// In the quotes that were there before.
std::optional<std::string> inQuotesOf(std::string_view text, const yaml::Node& old,
                                      const yaml::Node& now, std::string_view written)
{
    const char quote = old.quoted ? text[old.at.begin] : '\0';
    const bool isPlain = now.kind == yaml::Kind::Scalar && !now.quoted && now.text == written
        && written.find_first_of("\"'\\\n") == std::string_view::npos;
    if (!isPlain || (quote != '"' && quote != '\'')) {
        return std::nullopt;
    }
    return fmt::format("{}{}{}", quote, written, quote);
}

/// `key:  # comment` and lines below it become `key: VALUE  # comment`.
std::optional<Edits> ontoKeyLine(std::string_view text, const yaml::Item& item,
                                 const std::string& written)
{
    const auto colon = behindColon(text, item);
    const std::size_t keyLine = yaml::endOfLine(text, item.key.at.end);
    if (!colon || item.value.at.end <= keyLine) {
        return std::nullopt;
    }
    const std::size_t end = yaml::endOfLine(text, item.value.at.end);
    return Edits {inserted(*colon, " " + written), replaced(text, {keyLine, end}, {})};
}

/// The comment behind `|` or `>` belongs to the line, not to the text below.
std::string headerComment(std::string_view text, const yaml::Node& node)
{
    if (!node.quoted || (text[node.at.begin] != '|' && text[node.at.begin] != '>')) {
        return {};
    }
    const std::size_t end = yaml::endOfLine(text, node.at.begin);
    const std::size_t hash = text.find('#', node.at.begin);
    return hash < end ? " " + std::string(text.substr(hash, end - hash)) : std::string();
}

std::vector<Edits> waysToReplace(std::string_view text, const yaml::Item& item,
                                 const Written& value)
{
    const yaml::Node& old = item.value;
    const Range range {old.at.begin, old.at.end};
    std::vector<std::string> forms;
    if (const auto kept = inQuotesOf(text, old, value.node, value.text())) {
        forms.push_back(*kept);
    }
    forms.push_back(value.text());
    forms.push_back(flowText(value.node, value.source));
    if (value.node.kind == yaml::Kind::Scalar) {
        forms.push_back(writing::quoted(value.node.text));
    }
    std::vector<Edits> ways;
    for (const std::string& form : forms) {
        const bool isBlock = !old.items.empty() && !isFlow(text, old);
        if (const auto way = isBlock ? ontoKeyLine(text, item, form) : std::nullopt) {
            ways.push_back(*way);
            continue;
        }
        const auto colon = behindColon(text, item);
        if (range.begin == range.end) {
            ways.push_back(
                {inserted(colon.value_or(item.key.at.end), (colon ? " " : ": ") + form)});
        } else {
            ways.push_back({replaced(text, range, form + headerComment(text, old))});
        }
    }
    return ways;
}

Edits addedToBlock(std::string_view text, const yaml::Node& map, std::size_t index,
                   const Lines& lines)
{
    const std::size_t indent = indentOf(map.items.front());
    if (index == 0) {
        const std::size_t at = ownBegin(text, map, 0, 0);
        const std::string end(lineEndAt(text, at));
        return {inserted(at, joined(lines, indent, end) + end)};
    }
    const std::size_t at = ownEnd(text, map.items[index - 1]);
    const std::string end(lineEndAt(text, at));
    return {inserted(at, end + joined(lines, indent, end))};
}

/// Behind blank lines that are part of a text above (`|+`).
Edits addedBelowBlanks(std::string_view text, const yaml::Node& map, std::size_t index,
                       const Lines& lines)
{
    std::size_t at = lineBelow(text, ownEnd(text, map.items[std::max<std::size_t>(index, 1) - 1]));
    while (at < text.size() && isBlankLine(text, at)) {
        at = lineBelow(text, at);
    }
    const std::string end(lineEndAt(text, at));
    const bool isEnded = at == 0 || text[at - 1] == '\n';
    return {
        inserted(at, (isEnded ? "" : end) + joined(lines, indentOf(map.items.front()), end) + end)};
}

std::vector<Edits> addedToFlow(std::string_view text, const yaml::Node& map, std::size_t index,
                               const std::string& field)
{
    if (map.items.empty()) {
        return {{inserted(map.at.begin + 1, fmt::format(" {} ", field))}};
    }
    if (index == 0) {
        return {{inserted(map.items.front().at.begin, field + ", ")}};
    }
    return addedBehind(text, map, index - 1, {{field}, {field + ","}});
}

} // namespace

engine::Status replaceValue(Draft& draft, const NodePath& path, const Written& value)
{
    yaml::Node wanted = draft.root();
    nodeAt(wanted, path) = value.node;
    return draft.commit(wanted, waysToReplace(draft.text(), itemAt(draft.root(), path), value));
}

engine::Status replaceTexts(Draft& draft, const std::vector<NodePath>& paths, std::string_view text)
{
    const Written value = textValue(text);
    yaml::Node wanted = draft.root();
    Edits first;
    Edits quoted;
    for (const NodePath& path : paths) {
        nodeAt(wanted, path) = value.node;
        const std::vector<Edits> ways
            = waysToReplace(draft.text(), itemAt(draft.root(), path), value);
        first.insert(first.end(), ways.front().begin(), ways.front().end());
        quoted.insert(quoted.end(), ways.back().begin(), ways.back().end());
    }
    return draft.commit(wanted, {first, quoted});
}

engine::Status replaceKey(Draft& draft, const NodePath& path, const std::string& key)
{
    yaml::Node wanted = draft.root();
    itemAt(wanted, path).key.text = key;
    const Span& at = itemAt(draft.root(), path).key.at;
    return draft.commit(wanted,
                        {{replaced(draft.text(), {at.begin, at.end}, writing::scalar(key))}});
}

engine::Status addField(Draft& draft, const NodePath& path, std::size_t index,
                        const std::string& key, const Written& value)
{
    const yaml::Node& map = nodeAt(draft.root(), path);
    if (map.kind != yaml::Kind::Map && map.kind != yaml::Kind::Null) {
        return engine::fail("edit.no-field", "what should be a map is none", "write a map there");
    }
    const bool isFixed = !map.items.empty() && !isFlow(draft.text(), map)
        && (path.empty() || !startsLine(draft.text(), map.items.front().at.begin));
    index = std::max<std::size_t>(index, isFixed ? 1 : 0); // behind a dash, or the policy's head
    yaml::Item item;
    item.key.text = key;
    item.value = value.node;
    yaml::Node wanted = draft.root();
    yaml::Node& grown = nodeAt(wanted, path);
    grown.kind = yaml::Kind::Map;
    grown.items.insert(grown.items.begin() + static_cast<std::ptrdiff_t>(index), item);

    const std::string name = key.empty() ? "\"\"" : writing::scalar(key);
    const std::string flow = fmt::format("{}: {}", name, flowText(value.node, value.source));
    if (map.kind == yaml::Kind::Null) { // `match:` without a value
        Written whole;
        whole.source = fmt::format("{{ {} }}", flow);
        whole.node = grown;
        whole.node.at.begin = 0;
        whole.node.at.end = whole.source.size();
        return draft.commit(wanted, waysToReplace(draft.text(), itemAt(draft.root(), path), whole));
    }
    if (isFlow(draft.text(), map)) {
        return draft.commit(wanted, addedToFlow(draft.text(), map, index, flow), draft.comments(),
                            true);
    }
    const bool isOneLine = value.node.kind == yaml::Kind::Scalar;
    const Lines lines = isOneLine ? Lines {fmt::format("{}: {}", name, value.text())}
                                  : fieldLines(item, value.source);
    return draft.commit(wanted,
                        {addedToBlock(draft.text(), map, index, lines),
                         addedToBlock(draft.text(), map, index, {flow}),
                         addedBelowBlanks(draft.text(), map, index, lines)},
                        draft.comments(), true);
}

} // namespace policies::editing
