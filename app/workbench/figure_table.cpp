#include "app/workbench/figure_table.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

using Align = TextTable::Align;

bool hasTitles(const FigureTable& table)
{
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [](const auto& column) { return !column.title.empty(); });
}

/// GitHub makes a link, a mention or a formula of it, and a backslash does not keep it from that.
bool isActive(std::string_view word)
{
    return word.find_first_of("@$") != word.npos || word.find("://") != word.npos
        || word.find("www.") != word.npos;
}

std::string markdownWord(std::string_view word)
{
    std::string out;
    for (const char c : escaped(word)) {
        if (std::string_view("\\`*_{}[]<>#|~&!").find(c) != std::string_view::npos) {
            out += '\\';
        }
        out += c;
    }
    return out;
}

std::string markdownCell(const Cell& cell)
{
    if (cell.kind == Cell::Kind::Value) {
        return cell.text.empty() ? std::string() : markdownCode(cell.text, MarkdownPlace::Cell);
    }
    return markdownText(textOf(cell), MarkdownPlace::Cell);
}

std::string csvText(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Empty:
        return {};
    case Cell::Kind::Words:
    case Cell::Kind::Value:
        return csvCell(cell.text);
    case Cell::Kind::Count:
        return std::to_string(cell.count);
    case Cell::Kind::Share:
        return fmt::format("{}/{}", cell.count, cell.whole);
    case Cell::Kind::Duration:
        return std::to_string(cell.ns);
    case Cell::Kind::Time:
        return rfc3339(cell.ns);
    }
    return {};
}

/// The columns of all tables, each once, in the order in which they come.
std::vector<std::string> csvColumns(const std::vector<FigureTable>& tables)
{
    std::vector<std::string> ids;
    for (const FigureTable& table : tables) {
        for (const FigureTable::Column& column : table.columns) {
            if (!column.id.empty() && std::find(ids.begin(), ids.end(), column.id) == ids.end()) {
                ids.push_back(column.id);
            }
        }
    }
    return ids;
}

std::string htmlCell(const Cell& cell)
{
    if (cell.kind == Cell::Kind::Value && !cell.text.empty()) {
        return "<code>" + htmlText(cell.text) + "</code>";
    }
    return htmlText(textOf(cell));
}

} // namespace

std::optional<std::size_t> FigureTable::columnAt(std::string_view columnId) const
{
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [columnId](const auto& one) { return one.id == columnId; });
    return column == columns.end()
        ? std::nullopt
        : std::optional(static_cast<std::size_t>(column - columns.begin()));
}

std::string textOf(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Empty:
        return {};
    case Cell::Kind::Words:
    case Cell::Kind::Value:
        return cell.text;
    case Cell::Kind::Count:
        return grouped(cell.count);
    case Cell::Kind::Share:
        return percent(cell.count, cell.whole);
    case Cell::Kind::Duration:
        return durationText(cell.ns);
    case Cell::Kind::Time:
        return timeText(cell.ns);
    }
    return {};
}

std::string plainTable(const FigureTable& table, bool colour, std::size_t widest)
{
    if (table.rows.empty()) {
        return {};
    }
    std::vector<TextTable::Column> columns;
    for (const FigureTable::Column& column : table.columns) {
        columns.push_back({column.title, column.align});
    }
    TextTable plain(std::move(columns), 2);
    for (const FigureTable::Row& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row.cells) {
            cells.push_back(textOf(cell));
        }
        plain.add(std::move(cells), row.isHit ? Style::Bad : Style::Plain);
    }
    std::string text = plain.render(colour, widest);
    if (table.more > 0) {
        text += fmt::format("  and {} more (--top N)\n", grouped(table.more));
    }
    if (!table.remark.empty()) {
        text += "  " + table.remark + "\n";
    }
    return text;
}

std::string markdownText(std::string_view text, MarkdownPlace place)
{
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        out += isActive(word) ? markdownCode(word, place) : markdownWord(word);
        out += end < text.size() ? " " : "";
        begin = end + 1;
    }
    return out;
}

std::string markdownTable(const FigureTable& table)
{
    if (table.rows.empty()) {
        return {};
    }
    std::string head = "|";
    std::string rule = "|";
    for (const FigureTable::Column& column : table.columns) {
        head += fmt::format(" {} |", markdownText(column.title, MarkdownPlace::Cell));
        rule += column.align == Align::Right ? "--:|" : ":--|";
    }
    std::string text = head + "\n" + rule + "\n";
    for (const FigureTable::Row& row : table.rows) {
        text += '|';
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            text += fmt::format(" {} |", i < row.cells.size() ? markdownCell(row.cells[i]) : "");
        }
        text += '\n';
    }
    if (table.more > 0) {
        text += fmt::format("\nand {} more\n", grouped(table.more));
    }
    if (!table.remark.empty()) {
        text += "\n" + markdownText(table.remark) + "\n";
    }
    return text;
}

std::string csvTables(const std::vector<FigureTable>& tables)
{
    const std::vector<std::string> ids = csvColumns(tables);
    std::string text = "table";
    for (const std::string& id : ids) {
        text += ',' + csvCell(id);
    }
    text += "\r\n";
    for (const FigureTable& table : tables) {
        for (const FigureTable::Row& row : table.rows) {
            text += csvCell(table.id);
            for (const std::string& id : ids) {
                const std::optional<std::size_t> at = table.columnAt(id);
                text += ','
                    + (at && *at < row.cells.size() ? csvText(row.cells[*at]) : std::string());
            }
            text += "\r\n";
        }
    }
    return text;
}

std::string htmlText(std::string_view text)
{
    return entities(escaped(text));
}

std::string entities(std::string_view safe)
{
    std::string out;
    for (const char c : safe) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string htmlTable(const FigureTable& table)
{
    if (table.rows.empty()) {
        return {};
    }
    const auto classOf = [&table](std::size_t column) {
        return table.columns[column].align == Align::Right ? " class=\"n\"" : "";
    };
    std::string text = fmt::format("<table>\n<caption>{}</caption>\n", htmlText(table.caption));
    if (hasTitles(table)) {
        text += "<thead><tr>";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const std::string& title = table.columns[i].title;
            text += title.empty()
                ? "<td></td>"
                : fmt::format("<th scope=\"col\"{}>{}</th>", classOf(i), htmlText(title));
        }
        text += "</tr></thead>\n";
    }
    text += "<tbody>\n";
    for (const FigureTable::Row& row : table.rows) {
        text += row.isHit ? "<tr class=\"hit\">" : "<tr>";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const std::string cell = i < row.cells.size() ? htmlCell(row.cells[i]) : std::string();
            text += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", cell)
                           : fmt::format("<td{}>{}</td>", classOf(i), cell);
        }
        text += "</tr>\n";
    }
    text += "</tbody>\n</table>\n";
    if (table.more > 0) {
        text += fmt::format("<p class=\"more\">and {} more</p>\n", grouped(table.more));
    }
    if (!table.remark.empty()) {
        text += fmt::format("<p class=\"more\">{}</p>\n", htmlText(table.remark));
    }
    return text;
}

} // namespace app
