#include "app/console/replay/preview_tables.h"

#include "app/console/frame/values.h"

#include <algorithm>
#include <array>
#include <string>

namespace app::console {

namespace {

using Align = TextTable::Align;

constexpr std::array<std::string_view, 9> kFirst {"client_ip", "method", "path", "host",  "api_key",
                                                  "user",      "tenant", "plan", "status"};

std::vector<std::string> columnsOf(const LogPreview& preview)
{
    std::vector<std::string> columns;
    const auto has = [&](std::string_view name) {
        return std::any_of(preview.attributes.begin(), preview.attributes.end(),
                           [name](const auto& attribute) { return attribute.name == name; });
    };
    for (const std::string_view name : kFirst) {
        if (has(name)) {
            columns.emplace_back(name);
        }
    }
    for (const LogPreview::Attribute& attribute : preview.attributes) {
        const bool isKnown = attribute.name == "duration"
            || std::find(kFirst.begin(), kFirst.end(), attribute.name) != kFirst.end();
        if (!isKnown) {
            columns.push_back(attribute.name);
        }
    }
    return columns;
}

std::string valueOf(const InspectedRequest& request, const std::string& name)
{
    for (const auto& [field, value] : request.fields) {
        if (field == name) {
            return value;
        }
    }
    return {};
}

} // namespace

FigureTable firstRequestsTable(const LogPreview& preview)
{
    FigureTable table {
        "first", "First requests", {{"n", "n", Align::Right}, {"time", "time", Align::Left}}};
    const std::vector<std::string> columns = columnsOf(preview);
    const bool hasDuration = std::any_of(
        preview.first.begin(), preview.first.end(), [](const InspectedRequest& request) {
            return request.request.durationNs != engine::kUnknownDuration;
        });
    for (const std::string& column : columns) {
        table.columns.push_back({column, column, Align::Left});
    }
    if (hasDuration) {
        table.columns.push_back({"duration", "duration", Align::Right});
    }
    std::uint64_t n = 0;
    for (const InspectedRequest& request : preview.first) {
        std::vector<Cell> cells {
            Cell::number(++n),
            Cell::value(momentText(request.request.timeNs, TimeForm::Millisecond).toStdString())};
        for (const std::string& column : columns) {
            std::string value = valueOf(request, column);
            cells.push_back(value.empty() ? Cell {} : Cell::value(std::move(value)));
        }
        if (hasDuration) {
            const std::int64_t ns = request.request.durationNs;
            cells.push_back(ns == engine::kUnknownDuration ? Cell {} : Cell::duration(ns));
        }
        table.add(std::move(cells));
    }
    return table;
}

FigureTable attributesTable(const std::vector<LogPreview::Attribute>& attributes,
                            std::uint64_t requests)
{
    FigureTable table {"attributes",
                       "Attributes",
                       {{"attribute", "Attribute", Align::Left},
                        {"requests", "Requests that have it"},
                        {"", "Share"},
                        {"example", "Example", Align::Left}}};
    for (const LogPreview::Attribute& attribute : attributes) {
        table.add({Cell::value(attribute.name), Cell::number(attribute.filled),
                   Cell::share(attribute.filled, requests), Cell::value(attribute.example)});
    }
    return table;
}

FigureTable notReadTable(const std::vector<LogPreview::Reason>& reasons)
{
    constexpr std::size_t kMost = 300;
    FigureTable table {"not_read",
                       "Lines not read",
                       {{"lines", "Lines"},
                        {"reason", "Reason", Align::Left},
                        {"first_line", "First at line"},
                        {"example", "Example", Align::Left}}};
    for (const LogPreview::Reason& reason : reasons) {
        table.add({Cell::number(reason.count), Cell::words(rejectText(reason.code)),
                   Cell::number(reason.firstLine), Cell::value(reason.example.substr(0, kMost))});
    }
    return table;
}

} // namespace app::console
