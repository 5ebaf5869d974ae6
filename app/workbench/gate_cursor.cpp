#include "app/workbench/gate_cursor.h"

#include <algorithm>
#include <utility>

namespace app {

bool GateCursor::isAtDigit() const
{
    return !isAtEnd() && kDigits.find(m_text[m_at]) != kDigits.npos;
}

void GateCursor::skipBlanks()
{
    m_at = std::min(m_text.find_first_not_of(" \t\n", m_at), m_text.size());
}

bool GateCursor::take(std::string_view symbol)
{
    skipBlanks();
    const bool isIt = rest().starts_with(symbol);
    m_at += isIt ? symbol.size() : 0;
    return isIt;
}

bool GateCursor::takeWord(std::string_view word)
{
    const bool isIt = peekWord() == word;
    m_at += isIt ? word.size() : 0;
    return isIt;
}

std::string_view GateCursor::peekWord()
{
    skipBlanks();
    const std::size_t end = m_text.find_first_not_of(kWord, m_at);
    return isAtDigit() ? std::string_view() : m_text.substr(m_at, end - m_at);
}

std::string_view GateCursor::takeAllOf(std::string_view characters)
{
    const std::size_t start = m_at;
    m_at = std::min(m_text.find_first_not_of(characters, m_at), m_text.size());
    return since(start);
}

std::optional<std::string> GateCursor::takeUntil(std::string_view ends)
{
    const std::size_t end = m_text.find_first_of(ends, m_at);
    if (end == m_text.npos || end == m_at) {
        return std::nullopt;
    }
    const std::size_t start = std::exchange(m_at, end);
    return std::string(since(start));
}

std::optional<std::string> GateCursor::quoted()
{
    if (!take("\"")) {
        return std::nullopt;
    }
    std::string out;
    for (; m_at < m_text.size(); ++m_at) {
        const char c = m_text[m_at];
        if (c == '"') {
            ++m_at;
            return out;
        }
        if (c == '\\' && m_at + 1 < m_text.size()) {
            ++m_at;
        }
        out += m_text[m_at];
    }
    return std::nullopt;
}

std::nullopt_t GateCursor::mistake(const char* code, std::string message, std::size_t at,
                                   std::string help)
{
    if (!m_mistake) {
        m_mistake = engine::fail(code, std::move(message), std::move(help)).diagnostic;
        m_mistake->place = {"--fail-if", 1, static_cast<std::int64_t>(at) + 1};
    }
    return std::nullopt;
}

} // namespace app
