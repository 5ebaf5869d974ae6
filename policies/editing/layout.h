#pragma once
#include "policies/edit.h"
#include "policies/yaml/node.h"

#include <string_view>

/// How a text lies on its lines. Private to policies.
namespace policies::editing {

/// Bytes [begin, end).
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::size_t lineBegin(std::string_view text, std::size_t at);
/// The begin of the line below, or the end of the text.
std::size_t lineBelow(std::string_view text, std::size_t at);
/// Is there nothing but blanks before it on its line?
bool startsLine(std::string_view text, std::size_t at);
bool isBlankLine(std::string_view text, std::size_t at);
/// The line end in use at `at`: "\r\n" or "\n".
std::string_view lineEndAt(std::string_view text, std::size_t at);

bool isFlow(std::string_view text, const yaml::Node& node);

/// Bytes before the item on its line: the blanks to write before its siblings.
std::size_t indentOf(const yaml::Item& item);

/// Where to write more lines of a collection in brackets, one of whose items this is.
std::size_t indentInFlow(std::string_view text, const yaml::Item& item);

/// Where the lines of item `index` of a block collection begin: with the comments right above it.
std::size_t ownBegin(std::string_view text, const yaml::Node& collection, std::size_t index,
                     std::size_t floor);
/// Where its last line ends (without line end): with comments below that are indented deeper.
std::size_t ownEnd(std::string_view text, const yaml::Item& item);

/// Removes whole lines, from a line's begin to a line's end. The last line of a text that ends
/// without a line end takes that of the line above with it.
Edit withoutLines(std::string_view text, Range lines);
/// Also the blank lines above, where others below or the end of the text take their place.
Edit withoutLinesAndGap(std::string_view text, Range lines);

Edit inserted(std::size_t at, std::string after);
Edit replaced(std::string_view text, Range range, std::string after);

} // namespace policies::editing
