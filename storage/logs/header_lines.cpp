#include "storage/logs/header_lines.h"

#include "storage/logs/text.h"

namespace storage::logs {

HeaderLines::HeaderLines(const LogFormat& format, std::string_view head)
    : m_marks(format.headerMarks())
    , m_lines(m_marks.size() + 1)
{
    if (format.hasHeaderLine()) {
        m_lines.back() = withoutReturn(head.substr(0, head.find('\n')));
    }
}

void HeaderLines::note(std::string_view lines)
{
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const std::string wanted = "\n" + m_marks[i];
        std::size_t at = lines.rfind(wanted);
        if (at != std::string_view::npos || lines.starts_with(m_marks[i])) {
            at = at == std::string_view::npos ? 0 : at + 1;
            m_lines[i] = withoutReturn(lines.substr(at, lines.find('\n', at) - at));
        }
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
