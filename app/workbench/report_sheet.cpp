#include "app/workbench/report_sheet.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app {
namespace {

/// The begin of a line, cut between characters. Raw bytes.
std::string beginOf(const std::string& line)
{
    constexpr std::size_t kMost = 60;
    if (line.size() <= kMost) {
        return line;
    }
    std::size_t end = kMost - 3;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U) {
        --end;
    }
    return line.substr(0, end) + "...";
}

std::string markdownFact(const Cell& cell)
{
    return cell.kind == Cell::Kind::Value ? markdownCode(cell.text) : markdownText(textOf(cell));
}

std::string markdownRemarks(const ReportSheet& sheet)
{
    std::string text;
    for (const storage::Note& note : sheet.notes) {
        text += "- " + markdownText(note.text) + "\n";
    }
    for (const storage::BadLines& bad : sheet.badLines) {
        text += fmt::format("- not read: {}\n", markdownCode(badLinesText(bad, sheet.names)));
    }
    for (const std::string& limit : sheet.limits) {
        text += "- " + markdownText(limit) + "\n";
    }
    return text.empty() ? text : "\n#### What to know about these figures\n\n" + text;
}

} // namespace

std::string markdownReport(const ReportSheet& sheet)
{
    std::string text = "### " + markdownCode(sheet.subject);
    text += sheet.against.empty() ? "\n" : " against " + markdownCode(sheet.against) + "\n";
    text += fmt::format("\n**{}**\n", markdownText(sheet.verdict));
    if (!sheet.gate.empty()) {
        text += fmt::format("\n**Gate {}:** {}\n", sheet.gateFails ? "fails" : "passes",
                            markdownCode(sheet.gate));
    }
    if (!sheet.sampled.empty()) {
        text += fmt::format("\n**{}**\n", markdownText(sampledText(sheet.sampled)));
    }
    if (!sheet.facts.empty()) {
        text += "\n";
    }
    for (const auto& [name, value] : sheet.facts) {
        text += fmt::format("- {}: {}\n", markdownText(name), markdownFact(value));
    }
    for (const FigureTable& table : sheet.tables) {
        if (!table.rows.empty()) {
            text += fmt::format("\n#### {}\n\n{}", markdownText(table.caption),
                                markdownTable(table));
        }
    }
    if (sheet.names.hides()) {
        text += "\n" + markdownText(sheet.names.remark()) + "\n";
    }
    return text + markdownRemarks(sheet);
}

std::string csvReport(const ReportSheet& sheet)
{
    return csvTables(sheet.csvTables);
}

std::string badLinesText(const storage::BadLines& bad, const KeyNames& names)
{
    std::string text = fmt::format("{} {}, {}", grouped(bad.count),
                                   bad.count == 1 ? "line" : "lines", bad.reason);
    if (!bad.examples.empty()) {
        const storage::BadLineExample& first = bad.examples.front();
        text += fmt::format(", first line {}", first.line);
        const std::optional<std::string> line = names.ofLine(first.text);
        text += line ? ": " + beginOf(*line) : std::string();
    }
    return text;
}

} // namespace app
