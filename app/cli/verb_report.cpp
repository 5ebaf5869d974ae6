#include "app/cli/compare_args.h"
#include "app/cli/compare_view.h"
#include "app/cli/files_apart.h"
#include "app/cli/pass_notes.h"
#include "app/cli/process.h"
#include "app/cli/run_view.h"
#include "app/workbench/compare_tables.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/run_sheet.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// One `weir report`.
class ReportVerb {
public:
    explicit ReportVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "report")
    {
    }

    ExitCode run();

private:
    engine::Result<std::string> ofRun(storage::RunStore& store);
    engine::Result<std::string> ofComparison(storage::RunStore& store);
    [[nodiscard]] std::string written(const ReportSheet& sheet);
    ExitCode put(storage::RunStore& store, const std::string& text);

    Context& m_context;
    PassProgress m_progress;
    std::string m_format;
    std::size_t m_top = 0;
    std::vector<storage::RunId> m_runs; ///< that the report is about
};

std::string ReportVerb::written(const ReportSheet& sheet)
{
    if (m_format == "csv") {
        sayNotes(m_context.messages, sheet);
        return csvReport(sheet);
    }
    return m_format == "html" ? htmlReport(sheet) : markdownReport(sheet);
}

void writeTimelinesJson(Json& json, const std::vector<TimelineChart>& timelines)
{
    json.beginList("timelines");
    for (const TimelineChart& chart : timelines) {
        json.beginObject();
        json.field("title", chart.title);
        json.field("first_ns", secondNs(chart.firstSecond));
        json.field("width_ns", secondNs(chart.widthSeconds));
        json.beginObject("series");
        for (const TimelineChart::Series& series : chart.series) {
            json.beginList(series.name);
            for (const std::uint64_t count : series.counts) {
                json.value(count);
            }
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
}

engine::Result<std::string> ReportVerb::ofRun(storage::RunStore& store)
{
    const engine::Result<storage::RunId> run = runIdOf(m_context.args.arguments.front());
    if (!run) {
        return engine::fail(run.error());
    }
    m_runs = {*run};
    engine::Result<std::vector<Attribute>> by
        = attributesOf(m_context, store, *run, {}, m_progress);
    if (!by) {
        return engine::fail(by.error());
    }
    const engine::Result<KeyNames> names = keyNamesOfRuns(m_context, m_format, store, m_runs);
    if (!names) {
        return engine::fail(names.error());
    }
    const storage::RunReader reader(store);
    const engine::Result<ReportSheet> sheet = runSheet(reader, *run, {m_top, *names, *by});
    if (!sheet) {
        return engine::fail(sheet.error());
    }
    if (m_format != "json") {
        return written(*sheet);
    }
    RunViewOptions options;
    options.top = m_top;
    options.withSeconds = true;
    options.by = std::move(*by);
    Json json;
    json.beginObject();
    if (engine::Status fields = writeRunFields(json, reader, *run, options); !fields) {
        return engine::fail(fields.error());
    }
    writeTimelinesJson(json, sheet->timelines);
    writeDiagnostics(json, m_context.messages.all());
    json.end();
    return json.take();
}

engine::Result<std::string> ReportVerb::ofComparison(storage::RunStore& store)
{
    const engine::Result<ComparedRuns> runs = comparedRunsOf(m_context.args);
    if (!runs) {
        return engine::fail(runs.error());
    }
    m_runs = {runs->base.run.value_or(runs->candidate), runs->candidate};
    const std::vector<std::string> by = listOf(m_context.args, OptionId::By);
    if (!by.empty()) {
        const engine::Result<KnownNames> known = namesOfRuns(store, *runs);
        if (!known) {
            return engine::fail(known.error());
        }
        if (engine::Status fine = checkAttributes(by, *known); !fine) {
            return engine::fail(fine.error());
        }
    }
    const engine::Result<unsigned> jobs = jobsOf(m_context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    const ReadAgain again {m_context.args.all(OptionId::Recording), *jobs, &interrupted(),
                           &m_progress};
    const engine::Result<CompareOutcome> outcome
        = compareStored(store, runs->base, runs->candidate, {by, {}}, again);
    m_context.messages.transient("");
    if (!outcome) {
        return engine::fail(outcome.error());
    }
    const engine::Result<KeyNames> names = keyNamesOfRuns(m_context, m_format, store, m_runs);
    if (!names) {
        return engine::fail(names.error());
    }
    const storage::RunReader reader(store);
    CompareView view {*outcome, by, m_top};
    if (engine::Status told = describe(reader, runs->base.run, runs->candidate, view); !told) {
        return engine::fail(told.error());
    }
    view.names = *names;
    if (m_format == "json") {
        return comparisonJson(view, m_context.messages.all());
    }
    ReportSheet sheet = sheetOf(view);
    if (engine::Status described
        = describeComparison(reader, runs->base.run, runs->candidate, sheet);
        !described) {
        return engine::fail(described.error());
    }
    sheet.bars = compareBars(*outcome, *names);
    return written(sheet);
}

ExitCode ReportVerb::put(storage::RunStore& store, const std::string& text)
{
    const std::optional<std::string> output = m_context.args.text(OptionId::Output);
    if (!output || *output == "-") {
        m_context.out.write(text);
        return ExitCode::Done;
    }
    const engine::Result<std::vector<storage::RunDetail>> runs = detailsOf(store, m_runs);
    if (!runs) {
        return m_context.fail(runs.error());
    }
    if (engine::Status apart = checkOutputs(m_context, *runs); !apart) {
        return m_context.fail(apart.error());
    }
    if (engine::Status done = writeFile(*output, text); !done) {
        return m_context.fail(done.error(), ExitCode::Usage);
    }
    return ExitCode::Done;
}

ExitCode ReportVerb::run()
{
    const engine::Result<std::string> format
        = m_context.formatOf({"html", "markdown", "json", "csv"});
    if (!format) {
        return m_context.fail(format.error());
    }
    m_format = *format;
    const engine::Result<std::size_t> top = topOf(m_context.args);
    if (!top) {
        return m_context.fail(top.error());
    }
    m_top = m_format == "csv" && !m_context.args.has(OptionId::Top) ? kAnyNumber : *top;
    const auto store = openStore(m_context, storage::Access::Read);
    if (!store) {
        return m_context.fail(store.error());
    }
    const engine::Result<std::string> text
        = m_context.args.arguments.size() == 1 ? ofRun(**store) : ofComparison(**store);
    return text ? put(**store, *text) : m_context.fail(text.error());
}

} // namespace

ExitCode runReport(Context& context)
{
    return ReportVerb(context).run();
}

} // namespace app::cli
