#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <emmintrin.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Every line that is parsed has so many readable bytes behind it, so that scans need no tail loop.
inline constexpr std::size_t kPadding = 64;

/// A line of more bytes is rejected as it is.
inline constexpr std::size_t kLongestLine = std::size_t {64} << 10;

/// May stand before the first byte of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// First byte from `from` on that is the one of which `wanted` has 16. Without one before the end
/// it is the end or something behind it.
inline const char* findBytes(const char* from, const char* end, __m128i wanted)
{
    for (; from < end; from += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
        if (mask != 0) {
            return from + std::countr_zero(mask);
        }
    }
    return end;
}

/// First `wanted` in [from, end), or end.
inline const char* findByte(const char* from, const char* end, char wanted)
{
    return std::min(findBytes(from, end, _mm_set1_epi8(wanted)), end);
}

/// Memory for texts that had to be written anew. Views stay valid until clear().
class Arena {
public:
    /// Room for `size` bytes; keep() says how many of them stay.
    char* room(std::size_t size)
    {
        if (m_used + size > m_capacity) {
            grow(size);
        }
        return m_chunks[m_current].get() + m_used;
    }

    std::string_view keep(const char* text, std::size_t size)
    {
        m_used += size;
        return {text, size};
    }

    std::string_view copy(std::string_view text)
    {
        char* at = room(text.size());
        std::memcpy(at, text.data(), text.size());
        return keep(at, text.size());
    }

    void clear();

private:
    void grow(std::size_t size);

    static constexpr std::size_t kChunk = std::size_t {64} << 10;
    std::vector<std::unique_ptr<char[]>> m_chunks; // NOLINT: raw bytes
    std::vector<std::size_t> m_sizes;
    std::size_t m_current = 0;
    std::size_t m_used = 0;
    std::size_t m_capacity = 0;
};

/// Undoes \xHH, \", \\, \b \n \r \t \v; anything else behind a backslash stays as it is. nginx's
/// default escaping writes the first only; the rest is what look-alikes of it write.
std::string_view undoHexEscapes(std::string_view text, Arena& arena);

/// Undoes #HH; a `#` without two hex digits behind it stays.
std::string_view undoSharpEscapes(std::string_view text, Arena& arena);

/// Undoes the neutral format's own \xHH and doubled backslash; a backslash followed by neither
/// stays.
std::string_view undoNeutralEscapes(std::string_view text, Arena& arena);

/// Undoes JSON's escapes. Lenient: \xHH is one byte, an unknown escape stays, half a surrogate pair
/// is U+FFFD; strict: any of these gives a view without data.
std::string_view undoJsonEscapes(std::string_view text, bool lenient, Arena& arena);

/// 0 to 15, or -1.
inline int hexDigit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

inline bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

inline std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

inline std::string_view withoutReturn(std::string_view line)
{
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

/// Without zeros at its begin, which a log has that was truncated under its writer: they are no
/// part of the line, however many.
inline std::string_view withoutZeros(std::string_view line)
{
    while (!line.empty() && line.front() == '\0') {
        line.remove_prefix(1);
    }
    return line;
}

/// A line that is rejected as it is.
inline bool isTooLong(std::string_view raw)
{
    return raw.size() > kLongestLine && withoutZeros(raw).size() > kLongestLine;
}

/// What a line says, without a CR at its end, zeros at its begin and the byte order mark that a
/// file in the middle of others had.
inline std::string_view lineText(std::string_view line)
{
    line = withoutZeros(withoutReturn(line));
    if (!line.empty() && line.front() == '\xEF' && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
    }
    return line;
}

inline bool isBlankText(std::string_view text)
{
    return text.empty() || (isBlank(text.front()) && trimmed(text).empty());
}

/// All of `text` is digits, and there is at least one.
inline bool isWhole(std::string_view text)
{
    for (const char c : text) {
        if (!isDigit(c)) {
            return false;
        }
    }
    return !text.empty();
}

/// Decimal digits of `value` in the arena.
std::string_view digitsOf(long long value, Arena& arena);

} // namespace storage::logs
