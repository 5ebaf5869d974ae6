#include "app/workbench/table.h"

#include "app/workbench/text.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

std::string_view codeOf(Style style)
{
    switch (style) {
    case Style::Plain:
        return "";
    case Style::Strong:
        return "\x1b[1m";
    case Style::Faint:
        return "\x1b[2m";
    case Style::Good:
        return "\x1b[32m";
    case Style::Bad:
        return "\x1b[31m";
    case Style::Warn:
        return "\x1b[33m";
    }
    return "";
}

} // namespace

std::string painted(std::string_view text, Style style, bool colour)
{
    if (!colour || style == Style::Plain || text.empty()) {
        return std::string(text);
    }
    return std::string(codeOf(style)).append(text).append("\x1b[0m");
}

std::string bar(std::uint64_t part, std::uint64_t largest)
{
    constexpr std::uint64_t kWidth = 20;
    const std::uint64_t length = part / (largest / kWidth + 1);
    return part == 0 ? std::string() : std::string(std::max<std::uint64_t>(1, length), '#');
}

std::string shortened(std::string_view text, std::size_t width)
{
    const std::string safe = escaped(text);
    if (displayWidth(safe) <= width) {
        return safe;
    }
    const std::size_t room = width > 3 ? width - 3 : 0;
    std::size_t used = 0;
    std::size_t at = 0;
    while (at < safe.size()) {
        const std::size_t length = std::max<std::size_t>(codePointAt(safe, at).length, 1);
        const std::size_t columns = displayWidth(std::string_view(safe).substr(at, length));
        if (used + columns > room) {
            break;
        }
        used += columns;
        at += length;
    }
    return safe.substr(0, at) + std::string(std::min<std::size_t>(width, 3), '.');
}

TextTable::TextTable(std::vector<Column> columns, std::size_t indent)
    : m_columns(std::move(columns))
    , m_indent(indent)
{
}

void TextTable::add(std::vector<std::string> cells, Style style)
{
    cells.resize(m_columns.size());
    m_rows.push_back({std::move(cells), style});
}

std::string TextTable::line(const Row& row, const std::vector<std::size_t>& widths,
                            bool colour) const
{
    std::string out(m_indent, ' ');
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const std::string pad(widths[i] - displayWidth(row.cells[i]), ' ');
        const bool right = m_columns[i].align == Align::Right;
        out += i == 0 ? "" : "  ";
        out += right ? pad : "";
        out += row.cells[i];
        out += right ? "" : pad;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return painted(out, row.style, colour) + '\n';
}

std::string TextTable::render(bool colour, std::size_t widest) const
{
    std::vector<Row> rows;
    const bool hasTitles = std::any_of(m_columns.begin(), m_columns.end(),
                                       [](const Column& column) { return !column.title.empty(); });
    if (hasTitles) {
        Row titles {{}, Style::Faint};
        for (const Column& column : m_columns) {
            titles.cells.push_back(column.title);
        }
        rows.push_back(std::move(titles));
    }
    rows.insert(rows.end(), m_rows.begin(), m_rows.end());
    std::vector<std::size_t> widths(m_columns.size());
    for (Row& row : rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            row.cells[i] = widest == 0 ? escaped(row.cells[i]) : shortened(row.cells[i], widest);
            widths[i] = std::max(widths[i], displayWidth(row.cells[i]));
        }
    }
    std::string out;
    for (const Row& row : rows) {
        out += line(row, widths, colour);
    }
    return out;
}

} // namespace app
