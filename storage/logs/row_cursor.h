#pragma once
#include "storage/logs/text.h"

#include <cstddef>
#include <string_view>

namespace storage::logs {

/// Takes the values of a line one by one: bare ones end at a blank, others stand in quotes or
/// brackets. A value in quotes ends at a quote with a blank or nothing behind it, since many
/// writers do not escape quotes.
///
/// Example: `a "b "c" d" [e]` is bare a, quoted `b "c`, bare `d"`, bracketed e.
class RowCursor {
public:
    explicit RowCursor(std::string_view line)
        : m_rest(line)
    {
    }

    [[nodiscard]] std::string_view rest() const { return m_rest; }

    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }

    [[nodiscard]] bool atQuote() const { return m_rest.starts_with('"'); }

    /// From the left. False: no such value is there, or its end is missing; nothing is taken.
    bool bare(std::string_view& value);
    bool quoted(std::string_view& value);
    bool bracketed(std::string_view& value); ///< time in `[ ]`
    /// In quotes or bare, as it comes.
    bool any(std::string_view& value);
    /// A quoted value of `size` bytes.
    void quotedOf(std::size_t size, std::string_view& value);

    /// From the right.
    bool lastBare(std::string_view& value);
    bool lastQuoted(std::string_view& value); ///< one without quotes inside

private:
    void skip(std::size_t size);

    std::string_view m_rest;
};

/// The address of "192.0.2.1:80", "[2001:db8::1]:80" (without brackets) and "2001:db8::1:80": a
/// port always follows, behind the last colon. What has no colon is an address without a port.
struct AddressAndPort {
    std::string_view address;
    std::string_view port;
};

AddressAndPort splitPort(std::string_view text);

/// How long a request line is that stands behind the quote at the start of `text`, where quotes
/// inside are not escaped: it ends at a quote with a status ("404", "0", "-") behind it, the first
/// one with ` HTTP/x.y` before it if there is one. npos: there is no such end.
std::size_t requestSizeBeforeStatus(std::string_view text);

/// The same where another value in quotes is behind the request.
std::size_t requestSizeBeforeQuote(std::string_view text);

} // namespace storage::logs
