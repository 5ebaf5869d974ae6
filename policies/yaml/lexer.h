#pragma once
#include <cstddef>
#include <string_view>

/// Where things end in the source text: what the events of the YAML library do not say.
namespace policies::yaml {

struct ScalarEnd {
    std::size_t end = 0;
    bool isQuoted = false; ///< in quotes, or a block scalar
    bool isBlock = false; ///< `|` or `>`
    bool isOpen = false; ///< the closing quote is missing
};

/// `begin` is where the scalar starts, `value` what the library made of it.
ScalarEnd endOfScalar(std::string_view text, std::size_t begin, std::string_view value);

/// Behind the bracket that closes the flow collection opened at `begin`, whose last child ends at
/// `childEnd` (begin + 1 if it has none). Returns childEnd if there is no bracket.
std::size_t endOfFlow(std::string_view text, std::size_t begin, std::size_t childEnd);

/// The first byte at or behind `at` that is no blank, line end or comment.
std::size_t skipBlanks(std::string_view text, std::size_t at);

/// End of the line that `at` is in, without its CR LF or LF.
std::size_t endOfLine(std::string_view text, std::size_t at);

/// The dash of the block sequence item whose value starts at `begin`, or `begin`. Not before
/// `floor`.
std::size_t dashBefore(std::string_view text, std::size_t begin, std::size_t floor);

} // namespace policies::yaml
