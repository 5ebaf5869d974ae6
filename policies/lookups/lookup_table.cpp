#include "policies/lookups/lookup_table.h"

#include "engine/attributes.h"

#include <algorithm>
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

std::optional<std::size_t> columnOf(const Row& header, const std::string& name)
{
    const auto found = std::find_if(header.begin(), header.end(),
                                    [&](const Cell& cell) { return cell.text == name; });
    return found == header.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - header.begin()));
}

std::string namesOf(const Row& header)
{
    std::string names;
    for (const Cell& cell : header) {
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", cell.text);
    }
    return names;
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
    const auto keyAt = columnOf(header, from);
    const auto valueAt = columnOf(header, attribute);
    for (const auto& [column, name] : {std::pair(keyAt, &from), std::pair(valueAt, &attribute)}) {
        if (!column) {
            diagnostics.push_back(columnError(
                file, header.front().line, 1,
                fmt::format("the lookup file has no column `{}`, only {}", *name, namesOf(header)),
                fmt::format("name a column `{}` in its first line", *name)));
        }
    }
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
