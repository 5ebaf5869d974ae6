#include "app/workbench/condition_sides.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace app {
namespace {

using Align = TextTable::Align;

/// A column of a run's table that is set side by side, and how it is called there.
struct SharedColumn {
    std::string_view table;
    std::string_view title;
    std::string_view figure;
};

/// What is not here says whose figure it is (keys, clients), or is of one run alone.
constexpr std::array kColumns {
    SharedColumn {"limits", "lowest", "lowest limit learned"},
    SharedColumn {"limits", "highest", "highest limit learned"},
    SharedColumn {"limits", "last", "last limit learned"},
    SharedColumn {"classes", "judged", "judged"},
    SharedColumn {"classes", "denied", "denied"},
    SharedColumn {"classes", "", "share denied"},
    SharedColumn {"classes", "rejected", "rejected"},
    SharedColumn {"admitted", "admitted", "most that one key was admitted"},
    SharedColumn {"admitted", "times that", "times what one state admits"},
    SharedColumn {"outages", "let in unjudged", "let in unjudged"},
    SharedColumn {"outages", "turned away", "turned away"},
    SharedColumn {"outages", "judged locally", "judged locally"},
    SharedColumn {"outages", "denied of these", "denied locally"},
    SharedColumn {"clients", "first attempts", "first attempts"},
    SharedColumn {"clients", "retries", "retries"},
    SharedColumn {"clients", "attempts for each", "attempts for each first one"},
    SharedColumn {"clients", "admitted at once", "admitted at once"},
    SharedColumn {"clients", "later", "admitted later"},
    SharedColumn {"clients", "gave up", "gave up"},
    SharedColumn {"clients", "for want of budget", "gave up for want of budget"},
};

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
                        {"", ""},
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

/// What a row of the table is about: "search", "search, 2026-11-28 12:00:00Z to ...", "all
/// clients".
std::string subjectOf(const FigureTable& table, const FigureTable::Row& row)
{
    const std::string first = row.cells.front().kind == Cell::Kind::Value
        ? row.cells.front().text
        : textOf(row.cells.front());
    if (table.id == "outages") {
        return fmt::format("{}, outage from {}", row.cells[2].text, first);
    }
    if (table.id == "clients") {
        const bool isAll = &row == &table.rows.back();
        return isAll ? std::string("all clients") : "clients " + first;
    }
    return first;
}

void addTable(Lines& lines, std::size_t side, const FigureTable& table)
{
    for (const FigureTable::Row& row : table.rows) {
        if (table.id == "attempts") { // which has a figure in each row
            lines.add(side, {"clients", "all clients", row.cells[0].text, {}}, row.cells[1]);
        }
        for (const SharedColumn& shared : kColumns) {
            const auto column
                = std::find_if(table.columns.begin(), table.columns.end(),
                               [&shared](const auto& one) { return one.title == shared.title; });
            if (shared.table == table.id && column != table.columns.end()) {
                const auto at = static_cast<std::size_t>(column - table.columns.begin());
                lines.add(side,
                          {shared.table, subjectOf(table, row), std::string(shared.figure), {}},
                          row.cells[at]);
            }
        }
    }
    if (table.id == "servers") {
        lines.add(side, {"servers", "servers", "that were asked", {}},
                  Cell::number(table.rows.size()));
    }
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
        const storage::RunDetail& run = *sides[side].run;
        // All outages and behaviours; no key and no client is shown, so that names do not matter.
        auto tables
            = conditionTables(reader, run, std::numeric_limits<std::size_t>::max(), KeyNames());
        if (!tables) {
            return engine::fail(tables.error());
        }
        addTable(lines, side, classesTable(run));
        for (const FigureTable& one : *tables) {
            addTable(lines, side, one);
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
