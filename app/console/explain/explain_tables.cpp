#include "app/console/explain/explain_tables.h"

#include "app/console/frame/values.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/figures_text.h"

#include <filesystem>
#include <fmt/format.h>

namespace app::console {

namespace {

using Align = TextTable::Align;

std::string logName(const Explanation& explanation)
{
    const std::string path = explanation.file < explanation.logs.size()
        ? explanation.logs[explanation.file]
        : explanation.run.summary.source;
    return std::filesystem::path(path).filename().string();
}

} // namespace

FigureTable requestTable(const Explanation& explanation)
{
    FigureTable table {
        "request", "Request", {{"name", "Name", Align::Right}, {"value", "Value", Align::Left}}};
    const auto add = [&](std::string name, Cell cell) {
        table.add({Cell::words(std::move(name)), std::move(cell)});
    };
    add("n",
        Cell::words(fmt::format("{} of {}", grouped(explanation.n),
                                grouped(explanation.run.recording
                                            ? explanation.run.recording->requests
                                            : explanation.run.summary.totals.requests))));
    add("time", Cell::words(momentText(explanation.arrivalNs, TimeForm::Full).toStdString()));
    if (explanation.late) {
        add("", Cell::words("late: decided at the clock's time"));
    }
    if (explanation.decidedNs != explanation.arrivalNs) {
        add("decided",
            Cell::words(momentText(explanation.decidedNs, TimeForm::Full).toStdString()));
    }
    for (const auto& [name, value] : explanation.fields) {
        if (name != "duration") {
            add(name, Cell::value(explanation.secrets.shown(name, value)));
        }
    }
    if (explanation.durationNs >= 0) {
        add("duration", Cell::words(durationText(explanation.durationNs)));
    }
    add("production", Cell::words(productionText(explanation)));
    add("line",
        Cell::value(fmt::format("{} of {}", grouped(explanation.line), logName(explanation))));
    return table;
}

FigureTable enoughTable(const KeyHistory& history)
{
    FigureTable table {"enough",
                       "Just enough",
                       {{"field", "Field", Align::Left},
                        {"value", "Just enough", Align::Left},
                        {"current", "Instead of", Align::Left}}};
    for (const EnoughField& field : history.enough) {
        table.add({Cell::words(field.field),
                   Cell::words(field.value.empty() ? "no number is" : field.value),
                   Cell::words(field.current)});
    }
    return table;
}

} // namespace app::console
