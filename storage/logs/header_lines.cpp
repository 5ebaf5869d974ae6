#include "storage/logs/header_lines.h"

#include "storage/logs/text.h"

#include <cstring>

namespace storage::logs {

HeaderLines::HeaderLines(const LogFormat& format, WrapperRules wrappers, std::string_view head)
    : m_wrappers(wrappers)
    , m_marks(format.headerMarks())
    , m_lines(m_marks.size() + 1)
{
    if (format.hasHeaderLine()) {
        m_lines.back() = innermostText(head.substr(0, head.find('\n')), m_wrappers);
    }
}

void HeaderLines::note(std::string_view lines)
{
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        noteMark(i, lines);
    }
}

/// Few logs have the mark anywhere but in a header line.
void HeaderLines::noteMark(std::size_t mark, std::string_view lines)
{
    const std::string& wanted = m_marks[mark];
    const char* const end = lines.data() + lines.size();
    const char* at = lines.data();
    while (at < end) {
        at = static_cast<const char*>(
            ::memmem(at, static_cast<std::size_t>(end - at), wanted.data(), wanted.size()));
        if (at == nullptr) {
            return;
        }
        const std::string_view before(lines.data(), static_cast<std::size_t>(at - lines.data()));
        const std::size_t begin = before.rfind('\n') + 1; // npos + 1 is the start
        const char* const stop = findByte(at, end, '\n');
        std::string line = innermostText(
            {lines.data() + begin, static_cast<std::size_t>(stop - lines.data()) - begin},
            m_wrappers);
        if (line.starts_with(wanted)) {
            m_lines[mark] = std::move(line);
        }
        at = stop;
    }
}

std::string HeaderLines::text() const
{
    std::string all;
    for (const std::string& line : m_lines) {
        all += (all.empty() || line.empty() ? "" : "\n") + line;
    }
    return all;
}

} // namespace storage::logs
