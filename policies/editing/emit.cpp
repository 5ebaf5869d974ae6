#include "policies/editing/emit.h"

#include "policies/writing/scalar.h"
#include "policies/yaml/parse.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::editing {
namespace {

std::string_view bytesOf(const Span& span, std::string_view source)
{
    return source.substr(span.begin, span.end - span.begin);
}

std::string scalarText(const yaml::Node& node, std::string_view source, bool isInFlow)
{
    if (node.kind == yaml::Kind::Null) {
        return "~";
    }
    const std::string_view raw = bytesOf(node.at, source);
    const bool isOneLine = raw.find('\n') == std::string_view::npos;
    const bool isBlock = node.quoted && !raw.empty() && (raw.front() == '|' || raw.front() == '>');
    const bool isPlain = !node.quoted && raw == node.text
        && (!isInFlow || raw.find_first_of(",[]{}") == std::string_view::npos);
    if (isOneLine && !raw.empty() && (isPlain || (node.quoted && !isBlock))) {
        return std::string(raw);
    }
    return node.quoted ? writing::quoted(node.text) : writing::scalar(node.text);
}

bool hasComments(const yaml::Node& node)
{
    return !node.after.empty()
        || std::any_of(node.items.begin(), node.items.end(),
                       [](const yaml::Item& item) { return editing::hasComments(item); });
}

/// A comment at the end of a line hangs on the innermost item there; out of it, where that item is
/// going to share its line with the brackets around it.
void hoistBeside(yaml::Item& item)
{
    yaml::Node* node = &item.value;
    while (item.beside.empty() && node->after.empty() && !node->items.empty()) {
        item.beside = std::move(node->items.back().beside);
        node->items.back().beside.clear();
        node = &node->items.back().value;
    }
}

void append(Lines& lines, const Lines& more, std::size_t indent)
{
    for (const std::string& line : more) {
        lines.push_back(std::string(indent, ' ') + line);
    }
}

std::string keyText(const yaml::Item& item)
{
    return item.key.text.empty() ? "\"\"" : writing::scalar(item.key.text);
}

Lines flowLines(const yaml::Node& node, std::string_view source)
{
    if (!hasComments(node)) {
        const std::string_view raw = bytesOf(node.at, source);
        const bool isAsItWas = !raw.empty() && (raw.front() == '{' || raw.front() == '[')
            && raw.find('\n') == std::string_view::npos;
        return {isAsItWas && !node.quoted ? std::string(raw) : flowText(node, source)};
    }
    const bool isMap = node.kind == yaml::Kind::Map;
    Lines lines {isMap ? "{" : "["};
    for (yaml::Item item : node.items) {
        hoistBeside(item);
        Lines value = flowLines(item.value, source);
        value.front() = isMap ? fmt::format("{}: {}", keyText(item), value.front()) : value.front();
        value.back() += "," + (item.beside.empty() ? "" : " " + item.beside);
        append(lines, item.before, 2);
        append(lines, value, 2);
    }
    append(lines, node.after, 2);
    lines.emplace_back(isMap ? "}" : "]");
    return lines;
}

bool isListOfMaps(const yaml::Node& node)
{
    return node.kind == yaml::Kind::Sequence && !node.items.empty()
        && std::all_of(node.items.begin(), node.items.end(),
                       [](const yaml::Item& item) { return item.value.kind == yaml::Kind::Map; });
}

} // namespace

std::string Written::text() const
{
    const std::string_view raw = bytesOf(node.at, source);
    const bool isBlock = node.quoted && (raw.front() == '|' || raw.front() == '>');
    return raw.find('\n') == std::string_view::npos && !raw.empty() && !isBlock
        ? std::string(raw)
        : flowText(node, source);
}

engine::Result<Written> readValue(std::string_view text)
{
    const yaml::Source source("", text, 1);
    std::vector<engine::Diagnostic> found = yaml::checkBytes(source);
    yaml::Parsed parsed;
    if (found.empty()) {
        parsed = yaml::parse(source);
        found = std::move(parsed.diagnostics);
    }
    if (found.empty() ? parsed.document->root.kind == yaml::Kind::Null
                      : found.front().code == "policy.empty") {
        return engine::fail("edit.value", "there is no value",
                            "write one as in a policy, or `\"\"` for an empty text");
    }
    if (!found.empty()) {
        return engine::fail("edit.value", found.front().message, found.front().help);
    }
    yaml::Item item;
    item.value = std::move(parsed.document->root);
    const bool isCommented = text.find_first_not_of(" \t\r\n", item.value.at.end) < text.size();
    if (isCommented || hasComments(item.value) || !parsed.document->head.empty()) {
        return engine::fail("edit.value", "the value has a comment in it",
                            "put the value in quotes if ` #` is part of it");
    }
    return Written {std::move(item.value), std::string(text)};
}

Written textValue(std::string_view text)
{
    Written written;
    written.source = writing::scalar(text);
    written.node.kind = yaml::Kind::Scalar;
    written.node.text = std::string(text);
    written.node.quoted = written.source.front() == '"';
    written.node.at.end = written.source.size();
    return written;
}

std::string flowText(const yaml::Node& node, std::string_view source)
{
    if (node.kind == yaml::Kind::Null || node.kind == yaml::Kind::Scalar) {
        return scalarText(node, source, true);
    }
    const bool isMap = node.kind == yaml::Kind::Map;
    std::string text;
    for (const yaml::Item& item : node.items) {
        text += text.empty() ? "" : ", ";
        text += isMap ? keyText(item) + ": " : "";
        text += flowText(item.value, source);
    }
    if (isMap) {
        return text.empty() ? "{}" : "{ " + text + " }";
    }
    return "[" + text + "]";
}

Lines fieldLines(const yaml::Item& given, std::string_view source)
{
    yaml::Item item = given;
    Lines lines = item.before;
    const std::string key = keyText(item) + ":";
    if (isListOfMaps(item.value)) {
        lines.push_back(key + (item.beside.empty() ? "" : " " + item.beside));
        for (const yaml::Item& entry : item.value.items) {
            append(lines, blockItemLines(entry, source, true), 2);
        }
        append(lines, item.value.after, 2);
        return lines;
    }
    hoistBeside(item);
    const bool isScalar = item.value.kind == yaml::Kind::Scalar;
    Lines value
        = isScalar ? Lines {scalarText(item.value, source, false)} : flowLines(item.value, source);
    value.back() += item.beside.empty() ? "" : " " + item.beside;
    lines.push_back(key + " " + value.front());
    append(lines, Lines(value.begin() + 1, value.end()), 2);
    return lines;
}

Lines blockItemLines(yaml::Item item, std::string_view source, bool asFlow)
{
    Lines lines = item.before;
    Lines body;
    if (asFlow || item.value.kind != yaml::Kind::Map || item.value.items.empty()) {
        hoistBeside(item);
        body = flowLines(item.value, source);
        body.back() += item.beside.empty() ? "" : " " + item.beside;
    } else {
        append(lines, item.beside.empty() ? Lines {} : Lines {item.beside}, 0);
        for (const yaml::Item& field : item.value.items) {
            append(body, fieldLines(field, source), 0);
        }
        append(body, item.value.after, 0);
    }
    if (body.front().front() == '#') { // a comment above the first field goes above the dash
        const auto first = std::find_if(body.begin(), body.end(),
                                        [](const std::string& line) { return line[0] != '#'; });
        lines.insert(lines.end(), body.begin(), first);
        body.erase(body.begin(), first);
    }
    lines.push_back("- " + body.front());
    append(lines, Lines(body.begin() + 1, body.end()), 2);
    return lines;
}

Lines flowItemLines(yaml::Item item, std::string_view source, bool isFollowed)
{
    hoistBeside(item);
    Lines lines = item.before;
    Lines body = flowLines(item.value, source);
    body.back() += isFollowed || !item.beside.empty() ? "," : "";
    body.back() += item.beside.empty() ? "" : " " + item.beside;
    append(lines, body, 0);
    return lines;
}

bool hasComments(const yaml::Item& item)
{
    return !item.before.empty() || !item.beside.empty() || hasComments(item.value);
}

std::string joined(const Lines& lines, std::size_t indent, std::string_view lineEnd)
{
    std::string text;
    for (const std::string& line : lines) {
        text += text.empty() ? "" : lineEnd;
        text += std::string(indent, ' ') + line;
    }
    return text;
}

} // namespace policies::editing
