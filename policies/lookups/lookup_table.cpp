#include "policies/lookups/lookup_table.h"

#include "engine/attributes.h"

#include <fmt/format.h>
#include <optional>

namespace policies::lookups {
namespace {

constexpr int kMostRows = 10; ///< bad rows that are told one by one

engine::Diagnostic columnError(const std::string& file, std::int64_t line, std::int64_t column,
                               std::string message, std::string help)
{
    engine::Diagnostic diagnostic;
    diagnostic.code = "policy.lookup-column";
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    diagnostic.place = {file, line, column};
    return diagnostic;
}

/// Where the columns of that name are.
std::vector<std::size_t> columnsOf(const Row& header, const std::string& name)
{
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (header[i].text == name) {
            columns.push_back(i);
        }
    }
    return columns;
}

std::string namesOf(const Row& header)
{
    std::string names;
    for (const Cell& cell : header) {
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", cell.text);
    }
    return names;
}

/// The one column of that name; it is told if there is none, or more than one.
std::optional<std::size_t> columnOf(const Row& header, const std::string& name,
                                    const std::string& file,
                                    std::vector<engine::Diagnostic>& diagnostics)
{
    const std::vector<std::size_t> columns = columnsOf(header, name);
    if (columns.empty()) {
        diagnostics.push_back(columnError(
            file, header.front().line, 1,
            fmt::format("the lookup file has no column `{}`, only {}", name, namesOf(header)),
            fmt::format("name a column `{}` in its first line", name)));
        return std::nullopt;
    }
    if (columns.size() > 1) {
        const Cell& second = header[columns[1]];
        diagnostics.push_back(
            columnError(file, second.line, second.column,
                        fmt::format("the lookup file has {} columns named `{}`: {}", columns.size(),
                                    name, namesOf(header)),
                        fmt::format("keep the name `{}` for one of them", name)));
        return std::nullopt;
    }
    return columns.front();
}

} // namespace

std::shared_ptr<const engine::LookupTable> lookupTable(const Table& table, const std::string& file,
                                                       const std::string& from,
                                                       const std::string& attribute,
                                                       std::vector<engine::Diagnostic>& diagnostics)
{
    auto rows = std::make_shared<engine::LookupTable>();
    if (table.rows.empty()) {
        diagnostics.push_back(
            columnError(file, 1, 1, "the lookup file has no header line",
                        fmt::format("write `{},{}` as its first line", from, attribute)));
        return rows;
    }
    const Row& header = table.rows.front();
    const std::optional<std::size_t> keyAt = columnOf(header, from, file, diagnostics);
    const std::optional<std::size_t> valueAt
        = attribute == from ? keyAt : columnOf(header, attribute, file, diagnostics);
    if (!keyAt || !valueAt) {
        return rows;
    }
    int bad = 0;
    std::string out;
    rows->reserve(table.rows.size());
    for (auto row = table.rows.begin() + 1; row != table.rows.end(); ++row) {
        if (row->size() != header.size()) {
            if (++bad <= kMostRows) {
                diagnostics.push_back(columnError(
                    file, row->front().line, 1,
                    fmt::format("the row has {} fields, the header {}", row->size(), header.size()),
                    "write one field for each column; put a field with a comma in quotes"));
            }
            continue;
        }
        const std::string_view key = engine::normalise(from, (*row)[*keyAt].text, out);
        const std::string& value = (*row)[*valueAt].text;
        if (key.data() != nullptr && !key.empty() && !value.empty()) {
            rows->emplace(std::string(key), value);
        }
    }
    return rows;
}

} // namespace policies::lookups
