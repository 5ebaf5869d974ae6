#pragma once
#include "engine/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace app {

/// The text of a --fail-if expression, and how far it is read. What is taken stands behind blanks.
/// The first mistake counts. Borrows the text; one thread.
class GateCursor {
public:
    static constexpr std::string_view kDigits = "0123456789";
    static constexpr std::string_view kAttribute
        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-";
    static constexpr std::string_view kWord = kAttribute.substr(0, kAttribute.size() - 1);

    explicit GateCursor(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] std::size_t at() const { return m_at; }

    [[nodiscard]] std::string_view since(std::size_t start) const
    {
        return m_text.substr(start, m_at - start);
    }

    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }

    [[nodiscard]] bool isAtEnd() const { return m_at == m_text.size(); }

    [[nodiscard]] bool isAtDigit() const;

    void skipBlanks();
    bool take(std::string_view symbol);
    bool takeWord(std::string_view word);
    /// The letters, digits and _ that come next; "" where the first one is a digit.
    std::string_view peekWord();
    /// As many of these as come next, without skipping blanks; maybe "".
    std::string_view takeAllOf(std::string_view characters);
    /// All before the next of `ends`; nothing if there is none, or nothing before it.
    std::optional<std::string> takeUntil(std::string_view ends);
    /// A text in double quotes; nothing if it does not start here or does not end.
    std::optional<std::string> quoted();

    /// `at`: bytes from the start of the text.
    std::nullopt_t mistake(const char* code, std::string message, std::size_t at, std::string help);

    [[nodiscard]] const std::optional<engine::Diagnostic>& mistake() const { return m_mistake; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    std::optional<engine::Diagnostic> m_mistake;
};

} // namespace app
