#include "policies/editing/flow.h"

#include "policies/editing/layout.h"
#include "policies/yaml/lexer.h"

#include <algorithm>
#include <optional>
#include <string>

namespace policies::editing {

std::vector<Edits> addedBehind(std::string_view text, const yaml::Node& collection,
                               std::size_t index, const FlowLines& added)
{
    const yaml::Item& before = collection.items[index];
    const std::size_t end = before.at.end;
    const std::size_t lineEnd = yaml::endOfLine(text, end);
    const std::size_t comma = yaml::skipBlanks(text, end);
    const std::string feed(lineEndAt(text, lineEnd));
    const std::size_t indent = indentInFlow(text, before);
    std::vector<Edits> ways;
    if (startsLine(text, before.at.begin) && lineEnd < collection.at.end) {
        if (text[comma] != ',') {
            ways.push_back(
                {inserted(end, ","), inserted(lineEnd, feed + joined(added.last, indent, feed))});
        } else if (comma < lineEnd) {
            ways.push_back({inserted(lineEnd, feed + joined(added.followed, indent, feed))});
        }
    }
    if (added.isOneLine) {
        ways.push_back({inserted(end, ", " + added.last.front())});
    } else {
        const std::string rest = feed + std::string(indent, ' ');
        ways.push_back(
            {text[comma] == ','
                 ? inserted(comma + 1, feed + joined(added.followed, indent, feed) + rest)
                 : inserted(end, "," + feed + joined(added.last, indent, feed) + rest)});
    }
    return ways;
}

namespace {

/// Where the separator before an item begins, if both are on one line: what was put in behind
/// another item goes as it came.
std::optional<std::size_t> withSeparator(std::string_view text, const yaml::Node& collection,
                                         std::size_t index)
{
    if (index == 0) {
        return std::nullopt;
    }
    const std::size_t begin = collection.items[index - 1].at.end;
    const std::size_t end = collection.items[index].at.begin;
    const bool isOneLine = text.substr(begin, end - begin).find('\n') == std::string_view::npos;
    return isOneLine ? std::optional(begin) : std::nullopt;
}

} // namespace

std::vector<Edits> removedFromFlow(std::string_view text, const yaml::Node& collection,
                                   std::size_t index)
{
    const yaml::Item& item = collection.items[index];
    const std::size_t behind = yaml::skipBlanks(text, item.at.end);
    const bool isFollowed = behind < text.size() && text[behind] == ',';
    const std::size_t end = isFollowed ? behind + 1 : item.at.end;
    const std::size_t lineEnd = yaml::endOfLine(text, end);
    const std::size_t rest = std::min(text.find_first_not_of(" \t", end), text.size());
    std::vector<Edits> ways;
    const bool isCommaNear = !isFollowed || behind < yaml::endOfLine(text, item.at.end);
    if (isCommaNear && startsLine(text, item.at.begin) && (rest >= lineEnd || text[rest] == '#')
        && lineBegin(text, item.at.begin) > collection.at.begin) {
        ways.push_back({withoutLines(
            text, {ownBegin(text, collection, index, collection.at.begin), lineEnd})});
    }
    if (const auto begin = withSeparator(text, collection, index)) {
        ways.push_back({replaced(text, {*begin, item.at.end}, {})});
    }
    if (isFollowed) {
        ways.push_back({replaced(text, {item.at.begin, std::min(rest, lineEnd)}, {})});
    }
    if (index > 0) {
        const std::size_t comma = yaml::skipBlanks(text, collection.items[index - 1].at.end);
        if (comma < item.at.begin && text[comma] == ',') {
            ways.push_back({replaced(text, {comma, comma + 1}, {}),
                            replaced(text, {item.at.begin, item.at.end}, {})});
        }
    }
    ways.push_back({replaced(text, {item.at.begin, end}, {})});
    return ways;
}

} // namespace policies::editing
