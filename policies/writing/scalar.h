#pragma once
#include <string>
#include <string_view>

namespace policies::writing {

/// A text as a YAML scalar on one line: plain where every reader takes it for this text, else in
/// double quotes. `/login` stays, `/search/**`, `no`, `1e3` and "" get quotes.
std::string scalar(std::string_view text);

/// The same for a text that has its line for itself: commas and brackets are nothing special there.
std::string sentence(std::string_view text);

std::string quoted(std::string_view text);

/// May it stand as a literal block (`|`), one line of the text a line of the block?
bool isLiteral(std::string_view text);

} // namespace policies::writing
