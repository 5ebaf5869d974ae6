#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/scenario.h"
#include "app/workbench/scenario_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::array kAsked {Asked::Outcome,   Asked::Rule,    Asked::Tier, Asked::Shadow,
                             Asked::Remaining, Asked::Retry,   Asked::Next, Asked::Full,
                             Asked::Delay,     Asked::Decided, Asked::Late};

struct Cell {
    std::string text;
    bool isQuoted = false;
    std::int64_t column = 0;

    [[nodiscard]] bool is(std::string_view word) const { return !isQuoted && text == word; }
};

std::optional<Asked> askedBy(std::string_view name)
{
    for (const Asked asked : kAsked) {
        if (nameOf(asked) == name) {
            return asked;
        }
    }
    return std::nullopt;
}

std::vector<std::string> askedNames()
{
    std::vector<std::string> names;
    for (const Asked asked : kAsked) {
        names.emplace_back(nameOf(asked));
    }
    return names;
}

/// Reads the table line by line; reports every mistake.
class Reader {
public:
    explicit Reader(std::string file) { m_scenario.file = std::move(file); }

    ReadScenario read(std::string_view text)
    {
        if (text.starts_with("\xEF\xBB\xBF")) {
            text.remove_prefix(3);
        }
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            line.remove_suffix(line.ends_with('\r') ? 1 : 0);
            text.remove_prefix(std::min(end + 1, text.size()));
            ++m_line;
            readLine(line);
        }
        if (m_scenario.cases.empty() && m_diagnostics.empty()) {
            m_line = 0;
            report("scenario.empty", 0, "the table has no cases",
                   "write a header line and a line for each request");
        }
        ReadScenario result;
        result.diagnostics = std::move(m_diagnostics);
        if (result.diagnostics.empty()) {
            result.scenario = std::move(m_scenario);
        }
        return result;
    }

private:
    void report(const char* code, std::int64_t column, std::string message, std::string help)
    {
        engine::Diagnostic diagnostic
            = engine::fail(code, std::move(message), std::move(help)).diagnostic;
        diagnostic.place = {m_scenario.file, m_line, column};
        m_diagnostics.push_back(std::move(diagnostic));
    }

    void readLine(std::string_view line)
    {
        const std::size_t start = line.find_first_not_of(" \t");
        if (start == line.npos) {
            return;
        }
        if (line[start] == '#') {
            // `#  at  path  ->  outcome` is a header that the eye takes for a comment, too.
            const std::vector<Cell> cells = cut(line, start + 1);
            const bool hasArrow
                = std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return c.is("->"); });
            if (hasArrow && cells.front().is("at")) {
                readHeader(cells);
            }
            return;
        }
        const std::vector<Cell> cells = cut(line, start);
        if (cells.front().text.ends_with(':') && !cells.front().isQuoted) {
            readSetting(cells);
        } else if (cells.front().is("at")) {
            readHeader(cells);
        } else {
            readCase(cells);
        }
    }

    /// Cells between blanks, to the end or a `#`; a quoted one may hold both.
    std::vector<Cell> cut(std::string_view line, std::size_t at)
    {
        std::vector<Cell> cells;
        while ((at = line.find_first_not_of(" \t", at)) != line.npos && line[at] != '#') {
            Cell cell;
            cell.column = static_cast<std::int64_t>(at) + 1;
            if (line[at] == '"') {
                cell.isQuoted = true;
                at = takeQuoted(line, at + 1, cell);
            } else {
                const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
                cell.text = line.substr(at, end - at);
                at = end;
            }
            cells.push_back(std::move(cell));
        }
        return cells;
    }

    std::size_t takeQuoted(std::string_view line, std::size_t at, Cell& cell)
    {
        for (; at < line.size() && line[at] != '"'; ++at) {
            at += line[at] == '\\' && at + 1 < line.size() ? std::size_t {1} : std::size_t {0};
            cell.text += line[at];
        }
        if (at >= line.size()) {
            report("scenario.value", cell.column, "a text in quotes does not end",
                   "close it by a double quote");
        }
        return std::min(at + 1, line.size());
    }

    void readSetting(const std::vector<Cell>& cells)
    {
        const Cell& name = cells.front();
        if (cells.size() != 2) {
            report("scenario.setting", name.column, fmt::format("`{}` takes one value", name.text),
                   fmt::format("write `{} VALUE`", name.text));
        } else if (name.text == "policy:") {
            m_scenario.policy = cells[1].text;
        } else if (name.text == "reorder:") {
            const engine::Result<std::int64_t> duration = parseDuration(cells[1].text);
            if (!duration) {
                report("scenario.setting", cells[1].column, duration.error().message,
                       duration.error().help);
            } else {
                m_scenario.reorderNs = *duration;
            }
        } else {
            const std::vector<std::string> known {"policy:", "reorder:"};
            report("scenario.setting", name.column,
                   fmt::format("there is no setting `{}`", name.text),
                   suggest(name.text, known, "write `policy: FILE` or `reorder: DURATION`"));
        }
    }

    void readHeader(const std::vector<Cell>& cells)
    {
        m_inputs.clear();
        m_outputs.clear();
        m_hasHeader = true;
        const std::size_t mistakes = m_diagnostics.size();
        bool behind = false;
        for (const Cell& cell : cells) {
            if (cell.is("->")) {
                behind = true;
            } else if (!behind) {
                m_inputs.push_back(cell.text);
                const bool isAttribute = cell.text != "at" && cell.text != "duration";
                if (isAttribute) {
                    m_scenario.attributes.emplace_back(
                        cell.text, engine::Place {m_scenario.file, m_line, cell.column});
                }
            } else if (const std::optional<Asked> asked = askedBy(cell.text)) {
                m_outputs.push_back(*asked);
            } else {
                report("scenario.column", cell.column,
                       fmt::format("there is no column `{}` behind the arrow", cell.text),
                       suggest(cell.text, askedNames(), "write one of " + choices(askedNames())));
            }
        }
        if (m_outputs.empty() && m_diagnostics.size() == mistakes) {
            report("scenario.header", cells.front().column, "the header asks for nothing",
                   "write `at ATTRIBUTE... -> outcome rule`");
        }
        m_isBroken = m_diagnostics.size() != mistakes; // its cases would be misread
    }

    void readCase(const std::vector<Cell>& all)
    {
        if (!m_hasHeader) {
            report("scenario.header", all.front().column, "a case comes before the header line",
                   "begin with `at ATTRIBUTE... -> outcome rule`");
            m_hasHeader = true; // said once
            m_isBroken = true;
        }
        if (m_isBroken) {
            return;
        }
        std::vector<Cell> cells;
        std::copy_if(all.begin(), all.end(), std::back_inserter(cells),
                     [](const Cell& c) { return !c.is("->"); });
        const std::size_t wanted = m_inputs.size() + m_outputs.size();
        if (cells.size() != wanted) {
            report("scenario.value", all.front().column,
                   fmt::format("the line has {} cells, the header {}", cells.size(), wanted),
                   "write `-` for an attribute that is missing and `?` for what may be anything");
            return;
        }
        ScenarioCase made;
        made.line = m_line;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            readInput(m_inputs[i], cells[i], made);
        }
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            readOutput(m_outputs[i], cells[m_inputs.size() + i], made);
        }
        m_scenario.cases.push_back(std::move(made));
    }

    void readInput(const std::string& name, const Cell& cell, ScenarioCase& made)
    {
        if (name == "at") {
            made.atNs = readAt(cell);
        } else if (cell.is("-")) {
            return;
        } else if (name == "duration") {
            const std::optional<std::int64_t> ns = readSeconds(cell.text);
            if (!ns) {
                report("scenario.value", cell.column, fmt::format("`{}` is no duration", cell.text),
                       "write seconds (0.25) or 250ms");
            }
            made.durationNs = ns.value_or(-1);
        } else if (!cell.text.empty()) {
            made.attributes.emplace_back(name, cell.text);
        }
    }

    std::int64_t readAt(const Cell& cell)
    {
        const bool isRelative = cell.text.starts_with('+');
        const std::string_view text = std::string_view(cell.text).substr(isRelative ? 1 : 0);
        std::optional<std::int64_t> ns = readSeconds(text);
        if (ns && isRelative) {
            ns = __builtin_add_overflow(m_lastNs, *ns, &*ns) ? std::nullopt : ns;
        } else if (const engine::Result<std::int64_t> time = parseTime(text);
                   !ns && !isRelative && time) {
            ns = *time;
        }
        if (!ns) {
            report("scenario.value", cell.column, fmt::format("`{}` is no time", cell.text),
                   "write seconds (0.25), +1.5s after the line before, or 2026-11-28T12:00:00Z");
        }
        m_lastNs = ns.value_or(m_lastNs);
        return m_lastNs;
    }

    void readOutput(Asked asked, const Cell& cell, ScenarioCase& made)
    {
        if (cell.is("?")) {
            return;
        }
        std::string_view rest = cell.text;
        do {
            const std::size_t end
                = perRule(asked) ? std::min(rest.find(','), rest.size()) : rest.size();
            std::string_view part = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            Expectation expectation;
            expectation.asked = asked;
            expectation.column = cell.column;
            if (const std::size_t colon = part.rfind(':'); perRule(asked) && colon != part.npos) {
                expectation.rule = part.substr(0, colon);
                part.remove_prefix(colon + 1);
            }
            const std::optional<std::string> value = normalised(asked, part);
            if (!value) {
                report("scenario.value", cell.column,
                       fmt::format("`{}` is no value for `{}`", part, nameOf(asked)),
                       std::string(formOf(asked)));
                return;
            }
            expectation.value = *value;
            made.expected.push_back(std::move(expectation));
        } while (!rest.empty());
    }

    Scenario m_scenario;
    std::vector<engine::Diagnostic> m_diagnostics;
    std::vector<std::string> m_inputs;
    std::vector<Asked> m_outputs;
    std::int64_t m_line = 0;
    std::int64_t m_lastNs = 0;
    bool m_hasHeader = false;
    bool m_isBroken = false;
};

} // namespace

ReadScenario readScenario(std::string file, std::string_view text)
{
    return Reader(std::move(file)).read(text);
}

} // namespace app
