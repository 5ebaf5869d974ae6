#include "storage/logs/row_cursor.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Size of the value between `"` at the start of `text` and the quote that ends it, or npos.
std::size_t quotedSize(std::string_view text)
{
    const std::size_t blank = text.find("\" ", 1);
    if (blank != std::string_view::npos) {
        return blank - 1;
    }
    return text.size() > 1 && text.back() == '"' ? text.size() - 2 : std::string_view::npos;
}

/// A status and the end of the value that it is, behind a request line.
bool beginsWithStatus(std::string_view text)
{
    const std::string_view value = text.substr(0, text.find(' '));
    return value == "-" || (isWhole(value) && value.size() <= 3);
}

bool endsWithVersion(std::string_view requestLine)
{
    const std::size_t blank = requestLine.rfind(' ');
    return blank != std::string_view::npos && requestLine.substr(blank + 1).starts_with("HTTP/");
}

std::size_t requestSize(std::string_view text, bool (*isBehind)(std::string_view))
{
    std::size_t first = std::string_view::npos;
    for (std::size_t at = text.find("\" ", 1); at != std::string_view::npos;
         at = text.find("\" ", at + 1)) {
        if (!isBehind(text.substr(at + 2))) {
            continue;
        }
        if (endsWithVersion(text.substr(1, at - 1))) {
            return at - 1;
        }
        first = std::min(first, at - 1);
    }
    return first;
}

} // namespace

void RowCursor::skip(std::size_t size)
{
    m_rest.remove_prefix(std::min(size, m_rest.size()));
    if (!m_rest.empty() && m_rest.front() == ' ') {
        m_rest.remove_prefix(1);
    }
}

bool RowCursor::bare(std::string_view& value)
{
    const std::string_view found = m_rest.substr(0, m_rest.find(' '));
    if (found.empty()) {
        return false;
    }
    value = found;
    skip(found.size());
    return true;
}

bool RowCursor::quoted(std::string_view& value)
{
    const std::size_t size = atQuote() ? quotedSize(m_rest) : std::string_view::npos;
    if (size == std::string_view::npos) {
        return false;
    }
    quotedOf(size, value);
    return true;
}

void RowCursor::quotedOf(std::size_t size, std::string_view& value)
{
    value = m_rest.substr(1, size);
    skip(size + 2);
}

bool RowCursor::bracketed(std::string_view& value)
{
    const std::size_t end = m_rest.starts_with('[') ? m_rest.find(']') : std::string_view::npos;
    if (end == std::string_view::npos) {
        return false;
    }
    value = m_rest.substr(1, end - 1);
    skip(end + 1);
    return true;
}

bool RowCursor::any(std::string_view& value)
{
    return atQuote() ? quoted(value) : bare(value);
}

bool RowCursor::lastBare(std::string_view& value)
{
    const std::size_t blank = m_rest.rfind(' ');
    const std::string_view found = m_rest.substr(blank + 1); // npos + 1 is the start
    if (found.empty()) {
        return false;
    }
    value = found;
    m_rest.remove_suffix(blank == std::string_view::npos ? found.size() : found.size() + 1);
    return true;
}

bool RowCursor::lastQuoted(std::string_view& value)
{
    if (m_rest.size() < 2 || m_rest.back() != '"') {
        return false;
    }
    const std::size_t begin = m_rest.rfind('"', m_rest.size() - 2);
    if (begin == std::string_view::npos || (begin > 0 && m_rest[begin - 1] != ' ')) {
        return false;
    }
    value = m_rest.substr(begin + 1, m_rest.size() - begin - 2);
    m_rest = m_rest.substr(0, begin > 0 ? begin - 1 : 0);
    return true;
}

AddressAndPort splitPort(std::string_view text)
{
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end != std::string_view::npos) {
            const std::string_view behind = text.substr(end + 1);
            return {text.substr(1, end - 1), behind.substr(behind.starts_with(':') ? 1 : 0)};
        }
    }
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return {text, {}};
    }
    return {text.substr(0, colon), text.substr(colon + 1)};
}

std::size_t requestSizeBeforeStatus(std::string_view text)
{
    return requestSize(text, beginsWithStatus);
}

std::size_t requestSizeBeforeQuote(std::string_view text)
{
    return requestSize(text, [](std::string_view behind) { return behind.starts_with('"'); });
}

} // namespace storage::logs
