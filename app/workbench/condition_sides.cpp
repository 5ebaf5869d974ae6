#include "app/workbench/condition_sides.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/stored_run.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace app {
namespace {

using Align = TextTable::Align;

/// A column of a run's table that is set side by side, and how it is called there.
struct SharedColumn {
    std::string_view table;
    std::string_view column; ///< its id
    std::string_view figure;
};

constexpr std::array kColumns {
    SharedColumn {"classes", "judged", "judged"},
    SharedColumn {"classes", "denied", "denied"},
    SharedColumn {"classes", "share", "share denied"},
    SharedColumn {"classes", "rejected", "rejected"},
    SharedColumn {"admitted", "admitted", "most that one key was admitted"},
    SharedColumn {"admitted", "times_one_state", "times what one state admits"},
    SharedColumn {"admitted", "in_second", "most that one key was admitted in one second"},
    SharedColumn {"outages", "let_in", "let in unjudged"},
    SharedColumn {"outages", "turned_away", "turned away"},
    SharedColumn {"outages", "judged_locally", "judged locally"},
    SharedColumn {"outages", "denied_locally", "denied locally"},
    SharedColumn {"clients", "clients", "clients that asked"},
    SharedColumn {"clients", "first", "first attempts"},
    SharedColumn {"clients", "retries", "retries"},
    SharedColumn {"clients", "amplification", "attempts for each first one"},
    SharedColumn {"clients", "admitted_at_once", "admitted at once"},
    SharedColumn {"clients", "admitted_later", "admitted later"},
    SharedColumn {"clients", "gave_up", "gave up"},
    SharedColumn {"clients", "out_of_budget", "gave up for want of budget"},
};

constexpr std::string_view kAllClients = "all clients";

/// A figure in words, and its value on each side.
struct Line {
    std::string_view table;
    std::string subject; ///< raw bytes: a rule's name, an outage
    std::string figure;
    std::vector<Cell> sides;
};

class Lines {
public:
    explicit Lines(std::size_t sides)
        : m_sides(sides)
    {
    }

    void add(std::size_t side, const Line& named, Cell value)
    {
        const auto isSame = [&named](const Line& line) {
            return line.table == named.table && line.subject == named.subject
                && line.figure == named.figure;
        };
        auto line = std::find_if(m_lines.begin(), m_lines.end(), isSame);
        if (line == m_lines.end()) {
            // Behind what the sides before say of the same table.
            const auto last
                = std::find_if(m_lines.rbegin(), m_lines.rend(),
                               [&named](const Line& one) { return one.table == named.table; });
            line = m_lines.insert(last == m_lines.rend() ? m_lines.end() : last.base(), named);
            line->sides.resize(m_sides);
        }
        line->sides[side] = std::move(value);
    }

    [[nodiscard]] const std::vector<Line>& all() const { return m_lines; }

private:
    std::size_t m_sides;
    std::vector<Line> m_lines;
};

bool saysNothing(const Cell& cell)
{
    return cell.kind == Cell::Kind::Empty || (cell.kind == Cell::Kind::Count && cell.count == 0)
        || (cell.kind == Cell::Kind::Share && cell.count == 0);
}

FigureTable classesTable(const storage::RunDetail& run)
{
    FigureTable table {"classes",
                       "Classes",
                       {{"rule", "rule", Align::Left},
                        {"judged", "judged"},
                        {"denied", "denied"},
                        {"share", ""},
                        {"rejected", "rejected"}}};
    for (const storage::RuleTotals& rule : run.rules) {
        if (isOfClass(rule)) {
            table.add({Cell::value(fullName(rule)), Cell::number(rule.judged),
                       Cell::number(rule.denied), Cell::share(rule.denied, rule.judged),
                       Cell::number(rule.rejected)});
        }
    }
    return table;
}

const Cell& cellOf(const FigureTable& table, const FigureTable::Row& row, std::string_view column)
{
    const std::optional<std::size_t> at = table.columnAt(column);
    assert(at); // a figure would be dropped in silence
    return row.cells[at.value_or(0)];
}

/// What a row of the table is about: "search", "search, outage from 2026-11-28 12:00:00 UTC", "all
/// clients".
std::string subjectOf(const FigureTable& table, const FigureTable::Row& row)
{
    if (table.id == "outages") {
        return fmt::format("{}, outage from {}", cellOf(table, row, "rule").text,
                           textOf(cellOf(table, row, "from")));
    }
    if (table.id == "clients") {
        const Cell& behaviour = cellOf(table, row, "behaviour");
        return table.rows.size() == 1 || behaviour.text.empty() // the sum has no name
            ? std::string(kAllClients)
            : "clients " + behaviour.text;
    }
    return cellOf(table, row, "rule").text;
}

void addTable(Lines& lines, std::size_t side, const FigureTable& table)
{
    for (const FigureTable::Row& row : table.rows) {
        for (const SharedColumn& shared : kColumns) {
            if (shared.table == table.id) {
                lines.add(side,
                          {shared.table, subjectOf(table, row), std::string(shared.figure), {}},
                          cellOf(table, row, shared.column));
            }
        }
    }
}

/// Of each rule that learns what its limit went by, or how many of its classes it shed.
engine::Status addLimits(Lines& lines, std::size_t side, const storage::RunReader& reader,
                         const storage::RunDetail& run)
{
    const auto learned = learnedLimits(reader, run);
    if (!learned) {
        return engine::fail(learned.error());
    }
    for (const LearnedLimits& limits : *learned) {
        const auto add = [&](std::string_view limit, std::string_view shed, std::int64_t value) {
            lines.add(
                side,
                {"limits", fullName(*limits.rule), std::string(limits.isLimit ? limit : shed), {}},
                limits.isLimit ? Cell::number(static_cast<std::uint64_t>(value))
                               : Cell::words(timesText(value, 1000)));
        };
        add("lowest limit learned", "fewest classes shed", limits.lowest());
        add("highest limit learned", "most classes shed", limits.highest());
        add("last limit learned", "classes shed at last", limits.last());
    }
    return engine::Done {};
}

/// How many servers were asked: what came to each of them has no counterpart.
void addServers(Lines& lines, std::size_t side, const FigureTable& servers)
{
    if (!servers.rows.empty()) {
        lines.add(side, {"servers", "servers", "that were asked", {}},
                  Cell::number(servers.rows.size()));
    }
}

/// What is told of all clients together, and who cannot be told apart.
void addClients(Lines& lines, std::size_t side, const storage::RunDetail& run)
{
    const FigureTable attempts = attemptsTable(run);
    for (const FigureTable::Row& row : attempts.rows) { // which has a figure in each row
        lines.add(side,
                  {"clients", std::string(kAllClients), cellOf(attempts, row, "figure").text, {}},
                  cellOf(attempts, row, "value"));
    }
    if (run.conditions.clients) {
        lines.add(side, {"clients", "requests", "that say nothing of their client", {}},
                  Cell::number(run.conditions.clients->nameless));
    }
}

/// In the order in which a run shows them. No key and no client is taken, so that names do not
/// matter.
engine::Status addRun(Lines& lines, std::size_t side, const storage::RunReader& reader,
                      const storage::RunDetail& run)
{
    addTable(lines, side, classesTable(run));
    if (engine::Status added = addLimits(lines, side, reader, run); !added) {
        return added;
    }
    addServers(lines, side, serversTable(run, KeyNames()));
    if (!run.conditions.rules.empty()) {
        const engine::Result<StoredPlan> stored = planOfRun(run);
        addTable(lines, side, admittedTable(run, stored ? &stored->plan : nullptr, KeyNames()));
    }
    addTable(lines, side, outagesTable(run));
    addTable(lines, side, clientsTable(run));
    addClients(lines, side, run);
    return engine::Done {};
}

} // namespace

engine::Result<FigureTable> conditionSides(const storage::RunReader& reader,
                                           const std::vector<ConditionSide>& sides)
{
    FigureTable table {"conditions",
                       "What came of conditions, classes and limits that are learned",
                       {{"subject", "conditions", Align::Left}, {"figure", "figure", Align::Left}}};
    Lines lines(sides.size());
    for (std::size_t side = 0; side < sides.size(); ++side) {
        table.columns.push_back({sides[side].title, sides[side].title});
        if (engine::Status added = addRun(lines, side, reader, *sides[side].run); !added) {
            return engine::fail(added.error());
        }
    }
    for (const Line& line : lines.all()) {
        if (!std::all_of(line.sides.begin(), line.sides.end(), saysNothing)) {
            std::vector<Cell> cells {Cell::value(line.subject), Cell::words(line.figure)};
            cells.insert(cells.end(), line.sides.begin(), line.sides.end());
            table.add(std::move(cells));
        }
    }
    return table;
}

bool hasConditionSides(const engine::Plan& plan, const engine::Conditions& conditions)
{
    return !conditionWords(conditions).empty()
        || std::any_of(plan.rules.begin(), plan.rules.end(), [](const engine::PlanRule& rule) {
               return rule.className || learns(rule.limit.algorithm);
           });
}

} // namespace app
