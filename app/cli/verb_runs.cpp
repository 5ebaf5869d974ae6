#include "app/cli/log_args.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/table.h"
#include "storage/run_reader.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

void writeJson(Context& context, const std::vector<storage::RunSummary>& runs)
{
    Json json;
    json.beginObject();
    json.beginList("runs");
    for (const storage::RunSummary& run : runs) {
        json.beginObject();
        json.field("run", run.id);
        json.field("name", run.name);
        json.field("state", storage::nameOf(run.state));
        json.field("policy", run.policyName);
        json.field("source", run.source);
        json.field("started_ns", run.startedNs);
        json.field("ended_ns", run.endedNs);
        json.field("requests", run.totals.requests);
        json.field("admitted", run.totals.admitted);
        json.field("rejected", run.totals.rejected);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

void writeText(Context& context, const std::vector<storage::RunSummary>& runs)
{
    if (runs.empty()) {
        context.out.write("no runs yet: `weir replay POLICY LOG` makes one\n");
        return;
    }
    TextTable table({{"run", Align::Right},
                     {"state", Align::Left},
                     {"name", Align::Left},
                     {"requests", Align::Right},
                     {"rejected", Align::Right},
                     {"", Align::Right},
                     {"log", Align::Left},
                     {"started", Align::Left}});
    for (const storage::RunSummary& run : runs) {
        table.add({std::to_string(run.id), std::string(storage::nameOf(run.state)), run.name,
                   grouped(run.totals.requests), grouped(run.totals.rejected),
                   percent(run.totals.rejected, run.totals.requests), run.source,
                   timeText(run.startedNs / 1'000'000'000 * 1'000'000'000)});
    }
    context.out.write(table.render(context.common.colour, 60));
}

/// --keep N: deletes all but the newest N.
ExitCode keepNewest(Context& context, std::string_view text)
{
    const std::optional<std::int64_t> count = parseWhole(text);
    if (!count) {
        return context.usage(fmt::format("`--keep {}` is no number of runs", text),
                             "write how many stay: `--keep 10`");
    }
    const auto store = openStore(context, storage::Access::Write);
    if (!store) {
        return context.fail(store.error());
    }
    const auto gone = (*store)->keep(static_cast<std::size_t>(*count));
    if (!gone) {
        return context.fail(gone.error());
    }
    for (const storage::RunId run : *gone) {
        context.messages.note(fmt::format("deleted run {}", run));
    }
    return ExitCode::Done;
}

} // namespace

ExitCode runRuns(Context& context)
{
    if (const std::optional<std::string> keep = context.args.text(OptionId::Keep)) {
        if (const ExitCode code = keepNewest(context, *keep); code != ExitCode::Done) {
            return code;
        }
    }
    const auto store = openStore(context, storage::Access::Read);
    if (!store) {
        return context.fail(store.error());
    }
    const auto runs = storage::RunReader(**store).list();
    if (!runs) {
        return context.fail(runs.error());
    }
    context.common.json ? writeJson(context, *runs) : writeText(context, *runs);
    return ExitCode::Done;
}

} // namespace app::cli
