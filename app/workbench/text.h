#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Text on its way to a person or a file. Everything that came from a log, a policy or a file name
/// passes escaped() (or a function here that calls it) before it is shown. Pure functions, any
/// thread, no locale.
namespace app {

/// `text` without anything that a terminal, a pager or an eye could take for something else.
///
/// Written as \xHH, byte by byte: control characters (C0, DEL, C1), line separators, characters
/// that turn the direction of text or cannot be seen, noncharacters (what is left is what XML 1.0
/// can hold), and bytes that are not valid UTF-8. A backslash is written as two, so that every byte
/// survives: the neutral log format reads it back. Example: ESC ] 0 ; X BEL gives `\x1b]0;X\x07`.
std::string escaped(std::string_view text);

/// As escaped(), but a backslash stays one: for lines of a text that are shown as they are and
/// never read back. Example: `"a\tb"` (a backslash, a t) stays.
std::string visible(std::string_view text);

/// Does a name say that it is of Authorization or Cookie, or of what carries them
/// (`http_authorization`, `Set-Cookie`, `request.headers.Cookie`), in any case? Values are shown
/// through secrets.h, which also knows what else carries them.
bool isSecretAttribute(std::string_view attribute);

/// `text` as one word of a command for a POSIX shell (bash, zsh, ksh where it has what escaped()
/// would write otherwise: `$'a\x1bb'`). To be shown as it is, not escaped again: that would undo
/// the quotes. `my log` gives `'my log'`, `it's` gives `'it'"'"'s'`.
std::string shellWord(std::string_view text);

/// A CSV cell, RFC 4180: escaped, quoted where needed, and with a leading ' where a spreadsheet
/// would take it for a formula (it starts with = + - @ TAB or CR), except a lone - and plain
/// numbers. `=1+1` gives `'=1+1`, `-12.5` stays, `a,"b"` gives `"a,""b"""`.
std::string csvCell(std::string_view text);

/// Where Markdown stands: a cell of a table ends at a pipe, even in a code span.
enum class MarkdownPlace : std::uint8_t { Text, Cell };

/// A code span for Markdown: `a|b` gives `` `a|b` ``, in a cell `` `a\|b` ``.
std::string markdownCode(std::string_view text, MarkdownPlace place = MarkdownPlace::Text);

/// Names that stand for keys: the same text and secret give the same name, which does not say what
/// the text was to anybody who lacks the secret. SipHash-2-4; 48 bits are shown.
/// Example: pseudonym("k1", {1, 2}) is "key-" and twelve hexadecimal digits.
struct PseudonymSecret {
    std::uint64_t k0 = 0;
    std::uint64_t k1 = 0;
};

std::string pseudonym(std::string_view text, PseudonymSecret secret);
std::uint64_t sipHash(std::string_view bytes, PseudonymSecret secret);

/// How many columns of a terminal `text` takes: combining marks none, wide East Asian ones two.
std::size_t displayWidth(std::string_view text);

/// The code point that starts at `at` and its length in bytes; length 0: no valid UTF-8 there.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;
};

CodePoint codePointAt(std::string_view text, std::size_t at);

} // namespace app
