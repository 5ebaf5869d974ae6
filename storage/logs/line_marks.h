#pragma once
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <emmintrin.h>
#include <string_view>

namespace storage::logs {

/// What one pass over a line finds: its end, its quotes (a bit for each byte), and whether it may
/// hold a CR or a backslash. Values in quotes are of all lengths, and a search of its own for each
/// ends with a branch that a processor cannot foretell.
///
/// Example: in `"GET /" 200` next() gives the quotes at 0 and 6. Texts have kPadding readable bytes
/// behind them, and views of them stay valid as long as the marks are used.
class LineMarks {
public:
    /// Marks the line at `from`; returns its newline, or end.
    const char* scanLine(const char* from, const char* end)
    {
        begin(from);
        Others others;
        std::uint64_t newlines = 0;
        const char* at = from;
        for (; at < end && newlines == 0; at += kStep) {
            newlines = step(at, others);
        }
        const char* const found = newlines == 0 ? end : at - kStep + std::countr_zero(newlines);
        finish(std::min(found, end), others);
        return m_end;
    }

    /// Marks a text that is the line, whatever is in it.
    void scan(std::string_view text)
    {
        begin(text.data());
        Others others;
        const char* const end = text.data() + text.size();
        for (const char* at = text.data(); at < end; at += kStep) {
            step(at, others);
        }
        finish(end, others);
    }

    [[nodiscard]] bool cover(std::string_view text) const
    {
        return text.data() >= m_begin && text.data() + text.size() <= m_end;
    }

    /// No backslash, before which a quote may be part of a value, and short enough for next().
    [[nodiscard]] bool isPlain() const { return m_isPlain; }

    [[nodiscard]] bool mayHoldReturn() const { return m_mayHoldReturn; }

    /// Of a plain line: the first quote from `from` on. Without one the end of the line, or
    /// something behind it.
    [[nodiscard]] const char* next(const char* from) const
    {
        const auto offset = static_cast<std::size_t>(from - m_begin);
        std::size_t word = offset / kStep;
        std::uint64_t left = m_quotes[word] & ~std::uint64_t {0} << (offset % kStep);
        while (left == 0) {
            if (++word >= m_count) {
                return m_end;
            }
            left = m_quotes[word];
        }
        return m_begin + word * kStep + std::countr_zero(left);
    }

private:
    static constexpr std::size_t kStep = 64;
    static constexpr std::size_t kMost = 32; ///< steps whose quotes are kept
    static_assert(kPadding >= kStep);

    /// Where a byte was such a one; only whether any was counts.
    struct Others {
        __m128i returns = _mm_setzero_si128();
        __m128i backslashes = _mm_setzero_si128();
    };

    void begin(const char* from)
    {
        m_begin = from;
        m_count = 0;
    }

    /// Marks kStep bytes; gives the newlines among them.
    std::uint64_t step(const char* at, Others& others)
    {
        std::uint64_t newlines = 0;
        std::uint64_t quotes = 0;
        for (std::size_t part = 0; part < kStep; part += 16) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + part));
            newlines |= maskOf(bytes, '\n') << part;
            quotes |= maskOf(bytes, '"') << part;
            others.returns
                = _mm_or_si128(others.returns, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
            others.backslashes
                = _mm_or_si128(others.backslashes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        }
        m_quotes[std::min(m_count, kMost)] = quotes;
        ++m_count;
        return newlines;
    }

    static std::uint64_t maskOf(__m128i bytes, char wanted)
    {
        const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)));
        return static_cast<std::uint64_t>(static_cast<unsigned>(mask));
    }

    void finish(const char* end, const Others& others)
    {
        m_end = end;
        m_mayHoldReturn = _mm_movemask_epi8(others.returns) != 0;
        m_isPlain = m_count <= kMost && _mm_movemask_epi8(others.backslashes) == 0;
        m_quotes[std::min(m_count, kMost)] = 0;
    }

    const char* m_begin = nullptr;
    const char* m_end = nullptr;
    std::size_t m_count = 0;
    bool m_isPlain = false;
    bool m_mayHoldReturn = true;
    std::array<std::uint64_t, kMost + 1> m_quotes;
};

} // namespace storage::logs
