#include "policies/yaml/lexer.h"

#include <algorithm>

namespace policies::yaml {
namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

ScalarEnd endOfQuoted(std::string_view text, std::size_t begin)
{
    const char quote = text[begin];
    std::size_t at = begin + 1;
    while (at < text.size()) {
        if (quote == '"' && text[at] == '\\') {
            at += 2;
        } else if (text[at] != quote) {
            ++at;
        } else if (quote == '\'' && at + 1 < text.size() && text[at + 1] == '\'') {
            at += 2;
        } else {
            return {at + 1, true, false, false};
        }
    }
    return {text.size(), true, false, true};
}

/// Walks value and text side by side, blanks and line ends aside: folding changes nothing else.
std::size_t endOfFolded(std::string_view text, std::size_t begin, std::string_view value)
{
    std::size_t at = begin;
    std::size_t end = begin;
    for (const char c : value) {
        if (isBlank(c)) {
            continue;
        }
        while (at < text.size() && isBlank(text[at])) {
            ++at;
        }
        if (at >= text.size() || text[at] != c) {
            break;
        }
        end = ++at;
    }
    return end;
}

} // namespace

ScalarEnd endOfScalar(std::string_view text, std::size_t begin, std::string_view value)
{
    if (begin >= text.size()) {
        return {text.size(), false, false, false};
    }
    const char first = text[begin];
    if (first == '"' || first == '\'') {
        return endOfQuoted(text, begin);
    }
    if (first == '|' || first == '>') {
        const std::size_t header = endOfLine(text, begin);
        const std::size_t end = std::max(header, endOfFolded(text, header, value));
        return {endOfLine(text, end), true, true, false}; // blanks at the end are of the text
    }
    if (text.substr(begin, value.size()) == value) {
        return {begin + value.size(), false, false, false};
    }
    return {endOfFolded(text, begin, value), false, false, false};
}

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        if (text[at] == '#') {
            at = endOfLine(text, at);
        } else if (isBlank(text[at])) {
            ++at;
        } else {
            break;
        }
    }
    return at;
}

std::size_t endOfFlow(std::string_view text, std::size_t begin, std::size_t childEnd)
{
    if (begin >= text.size() || (text[begin] != '{' && text[begin] != '[')) {
        return childEnd;
    }
    const char close = text[begin] == '{' ? '}' : ']';
    std::size_t at = skipBlanks(text, childEnd);
    while (at < text.size() && (text[at] == ',' || text[at] == ':')) {
        at = skipBlanks(text, at + 1);
    }
    return at < text.size() && text[at] == close ? at + 1 : childEnd;
}

std::size_t endOfLine(std::string_view text, std::size_t at)
{
    const std::size_t feed = std::min(text.find('\n', at), text.size());
    return feed > at && feed < text.size() && text[feed - 1] == '\r' ? feed - 1 : feed;
}

std::size_t dashBefore(std::string_view text, std::size_t begin, std::size_t floor)
{
    // The first thing behind the previous item is the dash, comments aside.
    const std::size_t at = skipBlanks(text, floor);
    return at < begin && text[at] == '-' ? at : begin;
}

} // namespace policies::yaml
