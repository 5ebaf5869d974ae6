#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/report_sheet.h"
#include "app/workbench/text.h"
#include "app/workbench/version.h"

#include <fmt/format.h>

namespace app {
namespace {

/// Blue and orange stay apart for every eye, and on grey paper one is light, the other dark.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #5b6470; --paper: #ffffff;
  --line: #d4d9df; --admitted: #8fb8e0; --rejected: #b5460f; --before: #5b6470;
  --recorded: #6b3fa0; --hit: #fbeee6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --faint: #a2abb6; --paper: #14171b;
  --line: #3a4149; --admitted: #3d6a9a; --rejected: #f08a4b; --before: #a2abb6;
  --recorded: #c3a3ee; --hit: #33241b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h1 small { display: block; font-size: 1rem; font-weight: normal; color: var(--faint); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { font-size: 1.1rem; } .warning { border-left: .3rem solid var(--rejected);
  padding-left: .7rem; } .more, footer, dt { color: var(--faint); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } figure { margin: 1rem 0; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { font-weight: normal; } thead th { color: var(--faint); }
.n { text-align: right; } tr.hit { background: var(--hit); }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--line); fill: none; }
svg .admitted { fill: var(--admitted); } svg .rejected { fill: var(--rejected); }
svg .line { fill: none; stroke-width: 2; } svg .line.rejected { stroke: var(--rejected); }
svg .line.before { stroke: var(--before); stroke-dasharray: 6 3; }
svg .line.recorded { stroke: var(--recorded); stroke-dasharray: 2 2; }
svg rect.before { fill: var(--before); } svg rect.recorded { fill: var(--recorded); }
@page { margin: 15mm; }
@media print { :root { color-scheme: light; --ink: #000; --faint: #444; --paper: #fff; --line: #bbb;
  --admitted: #a9c8e6; --rejected: #8f3508; --before: #444; --recorded: #5a2f90; --hit: #fff; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  * { print-color-adjust: exact; } .scroll { overflow: visible; } table { font-size: 8pt; }
  th, td { padding-right: .4rem; overflow-wrap: anywhere; }
  h2 { break-after: avoid; } figure, tr, .keep { break-inside: avoid; } thead { display:
  table-header-group; } tr.hit th { font-weight: bold; } }
)";

std::string factHtml(const Cell& cell)
{
    return cell.kind == Cell::Kind::Value ? "<code>" + htmlText(cell.text) + "</code>"
                                          : htmlText(textOf(cell));
}

std::string head(const ReportSheet& sheet)
{
    // The policy makes sure of what the page promises: nothing is loaded, nothing runs.
    const std::string title = sheet.against.empty()
        ? sheet.subject
        : fmt::format("{} against {}", sheet.subject, sheet.against);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
        "<meta name=\"generator\" content=\"weir {}\"/>\n"
        "<title>{} - weir</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
        kVersion, htmlText(title), kStyle);
}

std::string summary(const ReportSheet& sheet)
{
    std::string text = fmt::format(
        "<h1>{}{}</h1>\n", htmlText(sheet.subject),
        sheet.against.empty() ? std::string()
                              : fmt::format(" <small>against {}</small>", htmlText(sheet.against)));
    text += fmt::format("<p class=\"verdict\">{}</p>\n", htmlText(sheet.verdict));
    if (!sheet.gate.empty()) {
        text += fmt::format("<p class=\"{}\">Gate {}: <code>{}</code></p>\n",
                            sheet.gateFails ? "warning" : "gate",
                            sheet.gateFails ? "fails" : "passes", htmlText(sheet.gate));
    }
    if (!sheet.sampled.empty()) {
        text += fmt::format("<p class=\"warning\">{}</p>\n", htmlText(sampledText(sheet.sampled)));
    }
    if (!sheet.facts.empty()) {
        text += "<dl>\n";
        for (const auto& [name, value] : sheet.facts) {
            text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", htmlText(name), factHtml(value));
        }
        text += "</dl>\n";
    }
    return text;
}

template <class Chart> std::string figures(const std::vector<Chart>& charts, const char* prefix)
{
    std::string text;
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const std::string svg = svgChart(charts[i], fmt::format("{}{}", prefix, i + 1));
        if (!svg.empty()) {
            text += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n",
                                htmlText(charts[i].title), svg);
        }
    }
    return text;
}

std::string section(std::string_view title, const std::string& content)
{
    return content.empty() ? std::string()
                           : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, content);
}

std::string tables(const std::vector<FigureTable>& all)
{
    std::string text;
    for (const FigureTable& table : all) {
        const std::string html = htmlTable(table);
        text += html.empty() ? html : "<div class=\"scroll\">\n" + html + "</div>\n";
    }
    return text;
}

std::string limits(const ReportSheet& sheet)
{
    std::string items;
    const auto item = [&items](std::string_view text) {
        items += fmt::format("<li>{}</li>\n", htmlText(text));
    };
    for (const storage::BadLines& bad : sheet.badLines) {
        item("not read: " + badLinesText(bad, sheet.names));
    }
    for (const storage::Note& note : sheet.notes) {
        item(note.text);
    }
    for (const std::string& limit : sheet.limits) {
        item(limit);
    }
    if (sheet.names.hides()) {
        item(sheet.names.remark());
    }
    return items.empty() ? items : "<ul>\n" + items + "</ul>\n";
}

} // namespace

std::string htmlReport(const ReportSheet& sheet)
{
    std::vector<FigureTable> timelines;
    for (std::size_t i = 0; i < sheet.timelines.size(); ++i) {
        timelines.push_back(tableOf(sheet.timelines[i], fmt::format("time{}", i + 1)));
    }
    return head(sheet) + "<header>\n" + summary(sheet) + "</header>\n"
        + section("Over time", figures(sheet.timelines, "time"))
        + section("Where and who", figures(sheet.bars, "bars"))
        + section("Figures", tables(sheet.tables))
        + section("What these figures do not say", limits(sheet))
        + section("The charts over time, as tables", tables(timelines))
        + fmt::format("</main>\n<footer><p>Made by weir {} from its store of runs. Times are "
                      "UTC.</p></footer>\n</body>\n</html>\n",
                      kVersion);
}

} // namespace app
