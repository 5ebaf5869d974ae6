#pragma once
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <string_view>

namespace storage::logs {

/// What one pass over lines finds: their ends, their quotes (a bit for each byte), and whether they
/// hold a CR or a backslash. Values in quotes are of all lengths, and a search of its own for each
/// ends with a branch that a processor cannot foretell.
///
/// Example: in `"GET /" 200` next() gives the quotes at 0 and 6. The pass goes ahead of the lines a
/// window at a time, so that it knows no lines. Texts have kPadding readable bytes behind them, and
/// views of them stay valid as long as the marks are used.
class LineMarks {
public:
    /// Longer lines are not plain.
    static constexpr std::size_t kWindow = 4096;

    /// Begins with `lines`.
    void restart(std::string_view lines)
    {
        m_begin = lines.data();
        m_end = m_begin + lines.size();
        m_steps = 0;
    }

    /// Goes to the line that begins at `from`, behind the line before; returns its newline, or the
    /// end of all.
    const char* goTo(const char* from)
    {
        const char* stop = newlineFrom(from);
        if (stop == nullptr) {
            mark(from);
            stop = newlineFrom(from);
        }
        if (stop == nullptr) {
            return goToLong(from);
        }
        settle(from, stop);
        return stop;
    }

    /// Goes to a text that is one line, whatever is in it.
    void scan(std::string_view text)
    {
        restart(text);
        mark(text.data());
        if (text.size() < kWindow) {
            settle(text.data(), m_end);
        } else {
            settleLong(text.data(), m_end);
        }
    }

    [[nodiscard]] bool cover(std::string_view text) const
    {
        return text.data() >= m_line && text.data() + text.size() <= m_stop;
    }

    /// The line has no backslash, before which a quote may be part of a value, and next() works.
    [[nodiscard]] bool isPlain() const { return m_isPlain; }

    /// Whether a CR is in the line that does not end it.
    [[nodiscard]] bool mayHoldReturn() const { return m_mayHoldReturn; }

    /// Of a plain line: the first quote from `from` on. Without one the end of the line, or
    /// something behind it.
    [[nodiscard]] const char* next(const char* from) const { return find(m_quotes, from); }

private:
    static constexpr std::size_t kStep = 64;
    static constexpr std::size_t kSteps = kWindow / kStep;
    static constexpr std::size_t kParts = kStep / 16;
    static_assert(kPadding >= kStep && kSteps == 64);

    /// A bit for each byte of the window, and behind it a step full of them, where searches end.
    using Bits = std::array<std::uint16_t, (kSteps + 1) * kParts>;

    static std::uint64_t word(const Bits& bits, std::size_t step)
    {
        std::uint64_t all = 0; // the parts lie side by side
        std::memcpy(&all, bits.data() + step * kParts, sizeof all);
        return all;
    }

    /// First byte of the kind from `from` on, which is inside of the window.
    [[nodiscard]] const char* find(const Bits& bits, const char* from) const
    {
        const auto offset = static_cast<std::size_t>(from - m_begin);
        std::size_t step = offset / kStep;
        std::uint64_t left = word(bits, step) & ~std::uint64_t {0} << (offset % kStep);
        while (left == 0) {
            left = word(bits, ++step);
        }
        return m_begin + step * kStep + std::countr_zero(left);
    }

    /// The end of a line; nullptr: it is not in the window.
    [[nodiscard]] const char* newlineFrom(const char* from) const
    {
        const char* const behind = m_begin + m_steps * kStep;
        if (from >= behind) {
            return nullptr;
        }
        const char* const found = find(m_newlines, from);
        return found < behind ? found : nullptr;
    }

    /// Makes the marks from `from` on.
    void mark(const char* from)
    {
        m_begin = from;
        const auto size = static_cast<std::size_t>(m_end - from);
        m_steps = std::min(kSteps, size / kStep + 1);
        m_odd = 0;
        for (std::size_t step = 0; step < m_steps; ++step) {
            m_odd |= std::uint64_t {markStep(from + step * kStep, step * kParts)} << step;
        }
        for (std::size_t part = m_steps * kParts; part < (m_steps + 1) * kParts; ++part) {
            m_newlines[part] = 0xFFFF;
            m_quotes[part] = 0xFFFF;
        }
        if (size < m_steps * kStep) { // the end of all ends a line
            const auto bit = static_cast<unsigned>(1U << (size % 16));
            m_newlines[size / 16] = static_cast<std::uint16_t>(m_newlines[size / 16] | bit);
        }
    }

    /// Marks kStep bytes; whether there is a CR or a backslash among them.
    bool markStep(const char* at, std::size_t firstPart)
    {
        __m128i odd = _mm_setzero_si128();
        for (std::size_t part = 0; part < kParts; ++part) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + part * 16));
            m_newlines[firstPart + part] = maskOf(bytes, '\n');
            m_quotes[firstPart + part] = maskOf(bytes, '"');
            odd = _mm_or_si128(odd, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
            odd = _mm_or_si128(odd, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        }
        return _mm_movemask_epi8(odd) != 0;
    }

    static std::uint16_t maskOf(__m128i bytes, char wanted)
    {
        return static_cast<std::uint16_t>(
            _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted))));
    }

    void settle(const char* from, const char* stop)
    {
        const auto first = static_cast<std::size_t>(from - m_begin) / kStep;
        const auto last = static_cast<std::size_t>(stop - m_begin) / kStep;
        const std::uint64_t ofLine
            = ~std::uint64_t {0} << first & ~std::uint64_t {0} >> (kSteps - 1 - last);
        m_line = from;
        m_stop = stop;
        m_isPlain = true;
        m_mayHoldReturn = false;
        if ((m_odd & ofLine) != 0) {
            look();
        }
    }

    /// The CR or backslash may be of a line beside it.
    void look()
    {
        const char* const end = m_stop - (m_stop > m_line && m_stop[-1] == '\r' ? 1 : 0);
        m_isPlain = findByte(m_line, m_stop, '\\') == m_stop;
        m_mayHoldReturn = findByte(m_line, end, '\r') != end;
    }

    void settleLong(const char* from, const char* stop)
    {
        m_line = from;
        m_stop = stop;
        m_isPlain = false;
        m_mayHoldReturn = true;
    }

    const char* goToLong(const char* from)
    {
        const char* const stop = findByte(from, m_end, '\n');
        settleLong(from, stop);
        return stop;
    }

    const char* m_begin = nullptr; ///< of the window
    const char* m_end = nullptr; ///< of all
    std::size_t m_steps = 0; ///< that are marked
    std::uint64_t m_odd = 0; ///< a bit for each step: it holds a CR or a backslash
    const char* m_line = nullptr;
    const char* m_stop = nullptr;
    bool m_isPlain = false;
    bool m_mayHoldReturn = true;
    Bits m_newlines;
    Bits m_quotes;
};

} // namespace storage::logs
