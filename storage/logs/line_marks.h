#pragma once
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace storage::logs {

/// A bit for each byte of a window of LineMarks, 64 in a word, and behind it a word full of them,
/// where searches end.
using MarkBits = std::array<std::uint64_t, 65>;

/// The processor has registers of 32 bytes (AVX2); those of 16 it always has.
bool hasWideRegisters();

/// Marks the newlines and quotes of `steps` * 64 bytes. Returns a bit for each step: it holds a CR
/// or a backslash. The same with registers of both widths.
std::uint64_t markBytes(const char* at, std::size_t steps, MarkBits& newlines, MarkBits& quotes,
                        bool isWide = hasWideRegisters());

/// Newlines in `size` bytes; likewise.
std::uint64_t countNewlines(const char* from, std::size_t size, bool isWide = hasWideRegisters());

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
    static_assert(kPadding >= kStep && kSteps == 64 && kSteps < std::tuple_size_v<MarkBits>);

    /// First byte of the kind from `from` on, which is inside of the window.
    [[nodiscard]] const char* find(const MarkBits& bits, const char* from) const
    {
        const auto offset = static_cast<std::size_t>(from - m_begin);
        std::size_t step = offset / kStep;
        std::uint64_t left = bits[step] & ~std::uint64_t {0} << (offset % kStep);
        while (left == 0) {
            left = bits[++step];
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
        m_odd = markBytes(from, m_steps, m_newlines, m_quotes);
        m_newlines[m_steps] = ~std::uint64_t {0};
        m_quotes[m_steps] = ~std::uint64_t {0};
        if (size < m_steps * kStep) { // the end of all ends a line
            m_newlines[size / kStep] |= std::uint64_t {1} << size % kStep;
        }
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
    MarkBits m_newlines {};
    MarkBits m_quotes {};
};

} // namespace storage::logs
