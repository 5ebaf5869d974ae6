#pragma once
#include <span>
#include <string>
#include <string_view>

namespace policies::language {

/// Insertions, deletions, exchanges and swaps of neighbours between two words, letter case aside.
/// Gives up at `limit`: any distance of `limit` or more is `limit`.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

/// The word of a closed set that was probably meant, or "". "brust" among rule fields is "burst".
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

/// "did you mean `burst`?", or else "leave it out" with the words there are.
std::string suggest(std::string_view word, std::span<const std::string_view> words,
                    std::string_view otherwise);

/// "`a`, `b` or `c`".
std::string listOf(std::span<const std::string_view> words, std::string_view joint = "or");

/// Text as it may stand in a message: at most 60 bytes, cut at a character. Raw, as diagnostics
/// are.
std::string shown(std::string_view text);

} // namespace policies::language
