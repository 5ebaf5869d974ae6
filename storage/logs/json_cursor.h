#pragma once
#include "storage/logs/json_keys.h"
#include "storage/logs/line_parser.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <emmintrin.h>
#include <string_view>
#include <vector>

/// The grammar of JSON, value by value, at a place in a line. Lenient as JsonRules says.
namespace storage::logs {

/// Length of the run of digits at `at`, by sixteen.
inline std::size_t digitRun(const char* at)
{
    std::size_t length = 0;
    for (;; at += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
        const auto others = ~static_cast<unsigned>(_mm_movemask_epi8(digits));
        const auto run = static_cast<std::size_t>(std::countr_zero(others));
        length += std::min<std::size_t>(run, 16);
        if (run < 16) {
            return length;
        }
    }
}

/// `size` bytes are the same; up to sixteen behind them may be read.
inline bool isSame(const char* one, const char* other, std::size_t size)
{
    for (;; one += 16, other += 16, size -= 16) {
        const __m128i equal
            = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(one)),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(other)));
        const auto differs = ~static_cast<unsigned>(_mm_movemask_epi8(equal)) & 0xFFFFU;
        if (size <= 16) {
            return (differs & ((1U << size) - 1)) == 0;
        }
        if (differs != 0) {
            return false;
        }
    }
}

template <bool kLenient> class JsonCursor {
public:
    static constexpr int kMaxDepth = 64;

    JsonCursor(std::string_view line, Arena& arena, std::vector<JsonValue>& values)
        : m_at(line.data())
        , m_end(line.data() + line.size())
        , m_arena(arena)
        , m_values(values)
    {
    }

    [[nodiscard]] bool isAtEnd() const { return m_at >= m_end; }

    [[nodiscard]] std::string_view rest() const
    {
        return {m_at, static_cast<std::size_t>(m_end - m_at)};
    }

    [[nodiscard]] char peek() const { return m_at < m_end ? *m_at : '\0'; }

    void blanks()
    {
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r')) {
            ++m_at;
        }
    }

    bool take(char c)
    {
        if (m_at < m_end && *m_at == c) {
            ++m_at;
            return true;
        }
        return false;
    }

    bool word(std::string_view word)
    {
        if (static_cast<std::size_t>(m_end - m_at) < word.size()) {
            const std::string_view rest(m_at, static_cast<std::size_t>(m_end - m_at));
            m_at = word.starts_with(rest) ? m_end : m_at;
            return false;
        }
        if (std::memcmp(m_at, word.data(), word.size()) != 0) {
            return false;
        }
        m_at += word.size();
        return true;
    }

    /// A key and the colon behind it; `written`: as it stands in the line.
    bool key(std::string_view& key, std::string_view& written);
    /// From behind the opening quote to behind the closing one.
    bool text(JsonValue& value);
    /// Where a text without escapes ends whose opening quote is before `at`; nullptr: it is
    /// anything else.
    [[nodiscard]] const char* plainTextEnd(const char* at) const;
    /// The same where the marks are of the line, and it is plain.
    [[nodiscard]] const char* plainTextEnd(const char* at, const LineMarks& marks) const;
    /// Likewise of a number without sign and exponent, and of which kind it is.
    const char* plainNumberEnd(const char* at, JsonValue::Kind& kind) const;
    /// Any value; of an object or a list what `entry` wants of it goes to its slots.
    bool value(JsonValue& value, const JsonKeys::Entry* entry, int depth);

protected:
    const char* m_at;
    const char* const m_end;
    Arena& m_arena;
    std::vector<JsonValue>& m_values;

private:
    bool number(JsonValue& value);
    bool object(const JsonKeys* keys, int depth);
    bool list(const JsonKeys* keys, int depth);
    bool member(const JsonKeys::Entry* entry, int depth);
    bool skip();
    [[nodiscard]] const char* textStop(const char* at) const;

    [[nodiscard]] std::string_view since(const char* begin) const
    {
        return {begin, static_cast<std::size_t>(m_at - begin)};
    }
};

/// The first quote or backslash, strict: or control character, or the end.
template <bool kLenient> inline const char* JsonCursor<kLenient>::textStop(const char* at) const
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i lastControl = _mm_set1_epi8(0x1F);
    for (; at < m_end; at += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        if constexpr (!kLenient) {
            hits = _mm_or_si128(hits, _mm_cmpeq_epi8(_mm_min_epu8(bytes, lastControl), bytes));
        }
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
        if (mask != 0) {
            return std::min(at + std::countr_zero(mask), m_end);
        }
    }
    return m_end;
}

template <bool kLenient> inline const char* JsonCursor<kLenient>::plainTextEnd(const char* at) const
{
    const char* const stop = textStop(at);
    return stop < m_end && *stop == '"' ? stop : nullptr;
}

template <bool kLenient>
inline const char* JsonCursor<kLenient>::plainTextEnd(const char* at, const LineMarks& marks) const
{
    static_assert(kLenient, "control characters are not marked");
    const char* const stop = marks.next(at);
    return stop < m_end ? stop : nullptr;
}

template <bool kLenient>
inline const char* JsonCursor<kLenient>::plainNumberEnd(const char* at, JsonValue::Kind& kind) const
{
    const std::size_t whole = digitRun(at);
    if (whole == 0 || (whole > 1 && *at == '0')) {
        return nullptr;
    }
    at += whole;
    kind = JsonValue::Kind::Whole;
    if (*at == '.') {
        const std::size_t fraction = digitRun(at + 1);
        if (fraction == 0) {
            return nullptr;
        }
        at += 1 + fraction;
        kind = JsonValue::Kind::Fraction;
    }
    // Something else of the line stands behind it, or it is no whole number.
    return at < m_end && (*at | 0x20) != 'e' ? at : nullptr;
}

template <bool kLenient> bool JsonCursor<kLenient>::text(JsonValue& value)
{
    const char* const begin = m_at;
    value.hasEscapes = false;
    for (;;) {
        m_at = textStop(m_at);
        if (m_at >= m_end) {
            return false;
        }
        if (*m_at == '"') {
            break;
        }
        if (*m_at != '\\') {
            return false; // a control character
        }
        value.hasEscapes = true;
        m_at += 2;
    }
    value.text = since(begin);
    value.kind = JsonValue::Kind::Text;
    ++m_at;
    if (!kLenient && value.hasEscapes) {
        value.text = undoJsonEscapes(value.text, false, m_arena);
        value.hasEscapes = false;
        return value.text.data() != nullptr;
    }
    return true;
}

template <bool kLenient> bool JsonCursor<kLenient>::number(JsonValue& value)
{
    const char* const begin = m_at;
    const auto digits = [this] {
        const std::size_t count
            = std::min(digitRun(m_at), static_cast<std::size_t>(std::max(m_end - m_at, 0L)));
        m_at += count;
        return count;
    };
    value.kind = JsonValue::Kind::Whole;
    const bool minus = take('-');
    const char* const first = m_at;
    const std::size_t count = digits();
    if (count == 0) {
        value = {}; // a bare `-` of nginx
        return kLenient && minus && !isAtEnd();
    }
    if (!kLenient && count > 1 && *first == '0') {
        return false;
    }
    if (take('.')) {
        value.kind = JsonValue::Kind::Fraction;
        if (digits() == 0) {
            return false;
        }
    }
    if (m_at < m_end && (*m_at | 0x20) == 'e') {
        value.kind = JsonValue::Kind::Exponent;
        ++m_at;
        if (!take('+')) {
            take('-');
        }
        if (digits() == 0) {
            return false;
        }
    }
    value.text = since(begin);
    return true;
}

template <bool kLenient>
bool JsonCursor<kLenient>::value(JsonValue& value, const JsonKeys::Entry* entry, int depth)
{
    value.hasEscapes = false;
    const char* const begin = m_at;
    const JsonKeys* const inside = entry == nullptr ? nullptr : entry->inside.get();
    switch (peek()) {
    case '"':
        ++m_at;
        return text(value);
    case '{':
        value = {{}, JsonValue::Kind::Object, false};
        return inside == nullptr && kLenient ? skip() : object(inside, depth + 1);
    case '[':
        value.kind = JsonValue::Kind::List;
        if (!(inside == nullptr && kLenient ? skip() : list(inside, depth + 1))) {
            return false;
        }
        value.text = since(begin);
        return true;
    case 't':
    case 'f':
        value.kind = JsonValue::Kind::Word;
        if (!word(*m_at == 't' ? "true" : "false")) {
            return false;
        }
        value.text = since(begin);
        return true;
    case 'n':
        value = {};
        return word("null");
    case ',':
    case '}':
        value = {};
        return kLenient; // `"a":,` where nginx had no value
    default:
        return number(value);
    }
}

/// Behind the object or list that begins here: brackets are counted, no more.
template <bool kLenient> bool JsonCursor<kLenient>::skip()
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i open = _mm_set1_epi8('{'); // `[` with the bit that parts the two
    const __m128i close = _mm_set1_epi8('}');
    const __m128i bit = _mm_set1_epi8(0x20);
    JsonValue ignored;
    for (int depth = 0; m_at < m_end;) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(m_at));
        const __m128i brackets = _mm_or_si128(bytes, bit);
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(
            _mm_cmpeq_epi8(bytes, quote),
            _mm_or_si128(_mm_cmpeq_epi8(brackets, open), _mm_cmpeq_epi8(brackets, close)))));
        if (mask == 0) {
            m_at += 16;
            continue;
        }
        m_at += std::countr_zero(mask);
        if (m_at >= m_end) {
            break;
        }
        const char found = *m_at++;
        if (found == '"') {
            if (!text(ignored)) {
                return false;
            }
        } else if ((found | 0x20) == '{') {
            if (++depth >= kMaxDepth) {
                return false;
            }
        } else if (--depth == 0) {
            return true;
        }
    }
    m_at = m_end;
    return false;
}

template <bool kLenient> bool JsonCursor<kLenient>::member(const JsonKeys::Entry* entry, int depth)
{
    JsonValue ignored;
    blanks();
    return value(entry != nullptr && entry->hasSlot() ? m_values[entry->slot] : ignored, entry,
                 depth);
}

template <bool kLenient> bool JsonCursor<kLenient>::object(const JsonKeys* keys, int depth)
{
    ++m_at;
    if (depth > kMaxDepth) {
        return false;
    }
    blanks();
    if (take('}')) {
        return true;
    }
    for (;;) {
        std::string_view name;
        std::string_view written;
        if (!key(name, written) || !member(keys == nullptr ? nullptr : keys->find(name), depth)) {
            return false;
        }
        blanks();
        if (take('}')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

template <bool kLenient> bool JsonCursor<kLenient>::list(const JsonKeys* keys, int depth)
{
    ++m_at;
    if (depth > kMaxDepth) {
        return false;
    }
    blanks();
    if (take(']')) {
        return true;
    }
    for (std::size_t index = 0;; ++index) {
        if (!member(keys == nullptr ? nullptr : keys->item(index), depth)) {
            return false;
        }
        blanks();
        if (take(']')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

template <bool kLenient>
bool JsonCursor<kLenient>::key(std::string_view& key, std::string_view& written)
{
    JsonValue found;
    blanks();
    const char* const begin = m_at + 1;
    if (!take('"') || !text(found)) {
        return false;
    }
    written = {begin, static_cast<std::size_t>(m_at - 1 - begin)};
    key = found.hasEscapes ? undoJsonEscapes(found.text, true, m_arena) : found.text;
    blanks();
    return take(':');
}

} // namespace storage::logs
