#include "app/console/explain/explain_tables.h"

#include "app/console/explain/visit_model.h"
#include "app/console/frame/values.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/figures_text.h"

#include <algorithm>
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
    if (const std::string comeback = comebackText(explanation); !comeback.empty()) {
        add("came again", Cell::words(comeback));
        for (const LaterAttempt& attempt : explanation.client->attempts) {
            add(fmt::format("attempt {}", attempt.attempt),
                Cell::value(momentText(attempt.atNs, TimeForm::Full).toStdString() + ": "
                            + outcomeText(attempt)));
        }
    }
    add("production", Cell::words(productionText(explanation)));
    add("line",
        Cell::value(fmt::format("{} of {}", grouped(explanation.line), logName(explanation))));
    return table;
}

FigureTable foundTable(const std::vector<FoundRequest>& requests)
{
    FigureTable table {"requests",
                       "Requests",
                       {{"n", "n"},
                        {"time", "time", Align::Left},
                        {"who", "who", Align::Left},
                        {"path", "path", Align::Left},
                        {"outcome", "outcome", Align::Left},
                        {"rule", "rule", Align::Left}}};
    for (const FoundRequest& request : requests) {
        const char* outcome = request.outcome == FoundOutcome::Rejected ? "rejected"
            : request.outcome == FoundOutcome::WouldReject              ? "would be rejected"
                                                                        : "admitted";
        table.add({Cell::number(request.n), Cell::time(request.timeNs), Cell::value(request.who),
                   Cell::value(request.path), Cell::words(outcome), Cell::value(request.rule)});
    }
    return table;
}

FigureTable visitsTable(const std::vector<KeyVisit>& visits)
{
    FigureTable table {"visits",
                       "Requests of the key",
                       {{"n", "n"},
                        {"time", "time", Align::Left},
                        {"path", "path", Align::Left},
                        {"found_used", "found used"},
                        {"capacity", "of"},
                        {"outcome", "outcome", Align::Left}}};
    for (auto visit = visits.rbegin(); visit != visits.rend(); ++visit) {
        table.add(
            {Cell::number(visit->n), Cell::time(visit->atNs), Cell::value(visit->path),
             Cell::number(static_cast<std::uint64_t>(std::max<std::int64_t>(0, visit->before))),
             Cell::number(static_cast<std::uint64_t>(visit->capacity)),
             Cell::words(visitText(*visit).toStdString())});
    }
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
