#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace storage::logs {

class LineParser;

/// A number that nothing else of this process has; never 0.
inline std::uint64_t newNumber()
{
    static std::atomic<std::uint64_t> last {0};
    return ++last;
}

/// The header lines that hold for a line, with a number that changes with the text: many rows ask
/// whether the header is still the one they know, and it may be long.
class HeaderText {
public:
    void set(std::string_view text)
    {
        if (m_text != text) {
            m_text = text;
            m_number = newNumber();
        }
    }

    [[nodiscard]] const std::string& text() const { return m_text; }

    [[nodiscard]] std::uint64_t number() const { return m_number; }

private:
    std::string m_text;
    std::uint64_t m_number = 0;
};

/// The parser that was made of a header last.
class MadeParser {
public:
    /// What `make` gives for the header; it is asked only when that is not the one before, or of
    /// another `owner` (newNumber(): a scratch may come from a parser for other attributes).
    template <class Make>
    const LineParser* find(std::uint64_t owner, const HeaderText& header, Make make)
    {
        if (m_owner != owner || m_header != header.number()) {
            m_parser = make(std::string_view(header.text()));
            m_owner = owner;
            m_header = header.number();
        }
        return m_parser.get();
    }

private:
    std::uint64_t m_owner = 0;
    std::uint64_t m_header = 0;
    std::shared_ptr<const LineParser> m_parser;
};

} // namespace storage::logs
