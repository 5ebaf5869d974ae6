#include "policies/editing/layout.h"

#include "policies/yaml/lexer.h"

#include <algorithm>

namespace policies::editing {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

std::size_t firstOnLine(std::string_view text, std::size_t at)
{
    return std::min(text.find_first_not_of(" \t\r", lineBegin(text, at)), text.size());
}

bool isCommentLine(std::string_view text, std::size_t at)
{
    const std::size_t first = firstOnLine(text, at);
    return first < text.size() && text[first] == '#';
}

} // namespace

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    const std::size_t feed = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (feed != std::string_view::npos) {
        return feed + 1;
    }
    return text.substr(0, kMark.size()) == kMark && at >= kMark.size() ? kMark.size() : 0;
}

std::size_t lineBelow(std::string_view text, std::size_t at)
{
    const std::size_t feed = text.find('\n', at);
    return feed == std::string_view::npos ? text.size() : feed + 1;
}

bool startsLine(std::string_view text, std::size_t at)
{
    return firstOnLine(text, at) >= at;
}

bool isBlankLine(std::string_view text, std::size_t at)
{
    const std::size_t first = firstOnLine(text, at);
    return first >= text.size() || text[first] == '\n';
}

std::string_view lineEndAt(std::string_view text, std::size_t at)
{
    std::size_t feed = text.find('\n', at);
    feed = feed == std::string_view::npos ? text.rfind('\n') : feed;
    const bool isPair = feed != std::string_view::npos && feed > 0 && text[feed - 1] == '\r';
    return isPair ? "\r\n" : "\n";
}

bool isFlow(std::string_view text, const yaml::Node& node)
{
    const bool isCollection = node.kind == yaml::Kind::Map || node.kind == yaml::Kind::Sequence;
    return isCollection && node.at.begin < text.size()
        && (text[node.at.begin] == '{' || text[node.at.begin] == '[');
}

std::size_t indentOf(const yaml::Item& item)
{
    return static_cast<std::size_t>(item.at.column - 1);
}

std::size_t indentInFlow(std::string_view text, const yaml::Item& item)
{
    const std::size_t line = lineBegin(text, item.at.begin);
    const std::size_t first = text.find_first_not_of(' ', line);
    return first >= item.at.begin ? item.at.begin - line : first - line + 4;
}

std::size_t ownBegin(std::string_view text, const yaml::Node& collection, std::size_t index,
                     std::size_t floor)
{
    const yaml::Item& item = collection.items[index];
    floor = index > 0 ? std::max(floor, collection.items[index - 1].at.end) : floor;
    std::size_t begin = lineBegin(text, item.at.begin);
    while (begin > 0 && lineBegin(text, begin - 1) > floor) {
        const std::size_t above = lineBegin(text, begin - 1);
        const bool isDeeper = firstOnLine(text, above) - above > indentOf(item);
        if (!isCommentLine(text, above) || isDeeper) {
            break;
        }
        begin = above;
    }
    return begin;
}

std::size_t ownEnd(std::string_view text, const yaml::Item& item)
{
    std::size_t end = yaml::endOfLine(text, item.at.end);
    for (std::size_t at = lineBelow(text, end); at < text.size(); at = lineBelow(text, at)) {
        const std::size_t first = firstOnLine(text, at);
        if (isCommentLine(text, at) && first - at > indentOf(item)) {
            end = yaml::endOfLine(text, at);
        } else if (!isBlankLine(text, at)) {
            break;
        }
    }
    return end;
}

Edit withoutLines(std::string_view text, Range lines)
{
    const std::size_t below = lineBelow(text, lines.end);
    const bool hasLineEnd = below > 0 && below > lines.end && text[below - 1] == '\n';
    if (hasLineEnd || lines.begin == 0) {
        return replaced(text, {lines.begin, below}, {});
    }
    const std::size_t feed = lines.begin - 1;
    const bool isPair = feed > 0 && text[feed - 1] == '\r';
    return replaced(text, {isPair ? feed - 1 : feed, lines.end}, {});
}

Edit withoutLinesAndGap(std::string_view text, Range lines)
{
    const std::size_t below = lineBelow(text, lines.end);
    if (below >= text.size() || isBlankLine(text, below)) {
        while (lines.begin > 0 && isBlankLine(text, lines.begin - 1)) {
            lines.begin = lineBegin(text, lines.begin - 1);
        }
    }
    return withoutLines(text, lines);
}

Edit inserted(std::size_t at, std::string after)
{
    return {at, {}, std::move(after)};
}

Edit replaced(std::string_view text, Range range, std::string after)
{
    return {range.begin, std::string(text.substr(range.begin, range.end - range.begin)),
            std::move(after)};
}

} // namespace policies::editing
