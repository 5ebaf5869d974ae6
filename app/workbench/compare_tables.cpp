#include "app/workbench/compare_tables.h"

#include "app/workbench/figures_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

using Align = TextTable::Align;
using engine::Change;
using engine::ChangeCounts;

std::string wordsOf(Change change)
{
    std::string words(engine::nameOf(change));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

bool isBefore(const ChangeRow& a, const ChangeRow& b)
{
    for (const Change change : kShownChanges) {
        if (a.second[change] != b.second[change]) {
            return a.second[change] > b.second[change];
        }
    }
    return a.first < b.first;
}

FigureTable changeTable(std::string id, std::string title, std::string caption,
                        bool withStillAdmitted)
{
    FigureTable table {
        std::move(id), std::move(caption), {{"value", std::move(title), Align::Left}}};
    for (const Change change : kShownChanges) {
        if (change != Change::StillAdmitted || withStillAdmitted) {
            table.columns.push_back({std::string(engine::nameOf(change)), wordsOf(change)});
        }
    }
    return table;
}

void addChanges(FigureTable& table, Cell value, const ChangeCounts& counts)
{
    std::vector<Cell> cells {std::move(value)};
    for (std::size_t i = 0; i + 1 < table.columns.size(); ++i) {
        cells.push_back(Cell::number(counts[kShownChanges[i]]));
    }
    table.add(std::move(cells), counts[Change::NewlyRejected] > 0);
}

/// The first `top` of the rows; `attribute` says whose values they are, "" that they are of none.
FigureTable filled(FigureTable table, const std::string& attribute,
                   const std::vector<ChangeRow>& rows, const CompareTableOptions& options)
{
    const std::size_t count = std::min(options.top, rows.size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [value, counts] = rows[i];
        const std::string shown = attribute.empty() ? value : options.names.of(attribute, value);
        addChanges(table, value.empty() ? Cell::words("(none)") : Cell::value(shown), counts);
    }
    table.more = rows.size() - count;
    return table;
}

} // namespace

std::vector<ChangeRow> sortedChanges(const std::map<std::string, ChangeCounts>& counts)
{
    std::vector<ChangeRow> rows(counts.begin(), counts.end());
    std::sort(rows.begin(), rows.end(), isBefore);
    return rows;
}

std::vector<ChangeRow> sortedWhos(const engine::Comparison& comparison)
{
    std::vector<ChangeRow> rows;
    rows.reserve(comparison.byWho().size());
    for (const auto& [who, change] : comparison.byWho()) {
        rows.emplace_back(who, change.counts);
    }
    std::sort(rows.begin(), rows.end(), isBefore);
    return rows;
}

std::uint64_t distinctWho(const engine::Comparison& comparison, Change change)
{
    const auto& all = comparison.byWho();
    return static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [change](const auto& who) {
            return !who.first.empty() && who.second.counts[change] > 0;
        }));
}

FigureTable compareTotals(const CompareOutcome& outcome)
{
    const engine::Comparison& comparison = *outcome.comparison;
    const ChangeCounts& totals = comparison.totals();
    FigureTable table {"totals",
                       "All requests",
                       {{"value", "", Align::Left},
                        {"requests", "", Align::Right},
                        {"", "", Align::Right},
                        {"", "", Align::Left}}};
    table.add({Cell::words("requests"), Cell::number(totals.total())});
    for (const Change change : kShownChanges) {
        const std::uint64_t whos
            = change == Change::StillAdmitted ? 0 : distinctWho(comparison, change);
        table.add({Cell::words(wordsOf(change)), Cell::number(totals[change]),
                   Cell::share(totals[change], totals.total()),
                   whos > 0 ? Cell::words(fmt::format("{} distinct {}", grouped(whos), outcome.who))
                            : Cell {}},
                  change == Change::NewlyRejected && totals[change] > 0);
    }
    if (comparison.wouldReject() > 0) {
        table.add({Cell::words("would be rejected (shadow)"),
                   Cell::number(comparison.wouldReject()),
                   Cell::share(comparison.wouldReject(), totals.total())});
    }
    if (outcome.skipped > 0) {
        table.add(
            {Cell::words("left out (warm-up, or not recorded)"), Cell::number(outcome.skipped)});
    }
    return table;
}

std::vector<FigureTable> compareTables(const CompareOutcome& outcome,
                                       const CompareTableOptions& options)
{
    const engine::Comparison& comparison = *outcome.comparison;
    std::vector<FigureTable> tables {
        filled(changeTable("rule", "rule", "By rule", false), "",
               sortedChanges(comparison.byRule()), options),
        filled(changeTable("who", outcome.who, "Who is hit, by " + outcome.who, false), outcome.who,
               sortedWhos(comparison), options),
        filled(changeTable("path", "path", "By path", false), "",
               sortedChanges(comparison.byPathGroup()), options)};
    for (std::size_t facet = 0; facet < options.by.size(); ++facet) {
        const std::string& name = options.by[facet];
        tables.push_back(filled(changeTable("by " + name, name, "By " + name, true), name,
                                sortedChanges(comparison.byFacet(facet)), options));
    }
    std::erase_if(tables, [](const FigureTable& table) { return table.rows.empty(); });
    return tables;
}

std::vector<BarChart> compareBars(const CompareOutcome& outcome, const KeyNames& names)
{
    const std::vector<std::string> noFacets;
    const std::vector<FigureTable> whole
        = compareTables(outcome, {noFacets, std::numeric_limits<std::size_t>::max(), names});
    const BarColumns columns {"value", "newly_rejected"};
    return {barsOf(whole, "rule", columns, "Newly rejected by rule"),
            barsOf(whole, "who", columns, "Newly rejected by " + outcome.who)};
}

std::vector<FigureTable> compareCsvTables(const CompareOutcome& outcome,
                                          const CompareTableOptions& options)
{
    std::vector<FigureTable> tables {changeTable("totals", "", "", true)};
    addChanges(tables.front(), {}, outcome.comparison->totals());
    for (FigureTable& table : compareTables(outcome, options)) {
        tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace app
