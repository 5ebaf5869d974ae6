#include "storage/logs/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace storage::logs {
namespace {

/// Two hex digits at `at`, or -1.
int hexByte(const char* at, const char* end)
{
    if (end - at < 2) {
        return -1;
    }
    const int high = hexDigit(at[0]);
    const int low = hexDigit(at[1]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/// Four hex digits at `at`, or -1.
int hexUnit(const char* at, const char* end)
{
    const int high = hexByte(at, end);
    const int low = end - at < 4 ? -1 : hexByte(at + 2, end);
    return high < 0 || low < 0 ? -1 : high * 256 + low;
}

char simpleEscape(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    case '"':
    case '\\':
        return letter;
    default:
        return 0;
    }
}

char* putUtf8(std::uint32_t code, char* to)
{
    const auto put = [&to](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
    return to;
}

/// Reads the XXXX of a \uXXXX at `from` (and the second half of a pair); false: half a pair, or no
/// hex.
bool readUnicode(const char*& from, const char* end, std::uint32_t& code)
{
    const int unit = hexUnit(from, end);
    if (unit < 0) {
        return false;
    }
    from += 4;
    code = static_cast<std::uint32_t>(unit);
    if (unit < 0xD800 || unit > 0xDFFF) {
        return true;
    }
    const bool paired = unit < 0xDC00 && end - from >= 6 && from[0] == '\\' && from[1] == 'u';
    const int low = paired ? hexUnit(from + 2, end) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        code = 0xFFFD;
        return false;
    }
    from += 6;
    code = 0x10000 + ((code - 0xD800) << 10) + static_cast<std::uint32_t>(low - 0xDC00);
    return true;
}

} // namespace

void Arena::clear()
{
    m_current = 0;
    m_used = 0;
    m_capacity = m_sizes.empty() ? 0 : m_sizes.front();
}

void Arena::grow(std::size_t size)
{
    m_used = 0;
    if (!m_chunks.empty()) {
        ++m_current;
    }
    while (m_current < m_chunks.size() && m_sizes[m_current] < size) {
        ++m_current;
    }
    if (m_current >= m_chunks.size()) {
        const std::size_t bytes = std::max(size, kChunk);
        m_chunks.push_back(std::make_unique<char[]>(bytes + kPadding)); // NOLINT: raw bytes
        m_sizes.push_back(bytes);
        m_current = m_chunks.size() - 1;
    }
    m_capacity = m_sizes[m_current];
}

std::string_view undoHexEscapes(std::string_view text, Arena& arena)
{
    char* const begin = arena.room(text.size());
    char* to = begin;
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from < end) {
        if (*from != '\\' || from + 1 == end) {
            *to++ = *from++;
            continue;
        }
        const int byte = from[1] == 'x' ? hexByte(from + 2, end) : -1;
        const char simple = simpleEscape(from[1]);
        if (byte >= 0) {
            *to++ = static_cast<char>(byte);
            from += 4;
        } else if (simple != 0) {
            *to++ = simple;
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    return arena.keep(begin, static_cast<std::size_t>(to - begin));
}

std::string_view undoSharpEscapes(std::string_view text, Arena& arena)
{
    char* const begin = arena.room(text.size());
    char* to = begin;
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from < end) {
        const int byte = *from == '#' ? hexByte(from + 1, end) : -1;
        *to++ = byte >= 0 ? static_cast<char>(byte) : *from;
        from += byte >= 0 ? 3 : 1;
    }
    return arena.keep(begin, static_cast<std::size_t>(to - begin));
}

std::string_view undoNeutralEscapes(std::string_view text, Arena& arena)
{
    char* const begin = arena.room(text.size());
    char* to = begin;
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from < end) {
        const bool escape = *from == '\\' && from + 1 < end;
        const int byte = escape && from[1] == 'x' ? hexByte(from + 2, end) : -1;
        if (byte >= 0) {
            *to++ = static_cast<char>(byte);
            from += 4;
        } else {
            from += escape && from[1] == '\\' ? 1 : 0;
            *to++ = *from++;
        }
    }
    return arena.keep(begin, static_cast<std::size_t>(to - begin));
}

std::string_view undoJsonEscapes(std::string_view text, bool lenient, Arena& arena)
{
    // U+FFFD takes three bytes where the escape took six, so that nothing grows.
    char* const begin = arena.room(text.size());
    char* to = begin;
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from < end) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char letter = from + 1 < end ? from[1] : '\0';
        const char simple = letter == '/' ? '/'
            : letter == 'f'               ? '\f'
            : letter == 'v'               ? '\0'
                                          : simpleEscape(letter);
        const int byte = lenient && letter == 'x' ? hexByte(from + 2, end) : -1;
        if (simple != 0) {
            *to++ = simple;
            from += 2;
        } else if (letter == 'u' && hexUnit(from + 2, end) >= 0) {
            std::uint32_t code = 0;
            from += 2;
            if (!readUnicode(from, end, code) && !lenient) {
                return {};
            }
            to = putUtf8(code, to);
        } else if (byte >= 0) {
            *to++ = static_cast<char>(byte);
            from += 4;
        } else if (lenient) {
            *to++ = *from++;
        } else {
            return {};
        }
    }
    return arena.keep(begin, static_cast<std::size_t>(to - begin));
}

std::string_view digitsOf(long long value, Arena& arena)
{
    constexpr std::size_t kLongest = 24;
    char* const begin = arena.room(kLongest);
    const auto written = std::to_chars(begin, begin + kLongest, value);
    return arena.keep(begin, static_cast<std::size_t>(written.ptr - begin));
}

} // namespace storage::logs
