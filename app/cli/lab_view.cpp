#include "app/cli/lab_view.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/json.h"
#include "app/workbench/table.h"
#include "policies/rates.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;
using engine::wide::Int128;

std::size_t differing(const ReproducedFigure& figure)
{
    return static_cast<std::size_t>(
        std::count_if(figure.checks.begin(), figure.checks.end(),
                      [](const FigureCheck& check) { return !check.holds; }));
}

void writeFigure(Context& context, const LabFigure& figure)
{
    const auto& [published, seen] = figure;
    const bool colour = context.common.colour;
    context.out.write(
        painted(fmt::format("({}) {}: {}", published->number, published->name, published->title),
                Style::Strong, colour)
        + '\n');
    if (!seen) {
        context.out.write(fmt::format("  not reproduced: {}\n\n", published->missing));
        return;
    }
    TextTable table(
        {{"", Align::Left}, {"expected", Align::Left}, {"seen", Align::Left}, {"", Align::Left}},
        2);
    for (const FigureCheck& check : seen->checks) {
        table.add({check.what, check.expected, check.seen, check.holds ? "" : "DIFFERS"},
                  check.holds ? Style::Plain : Style::Bad);
    }
    context.out.write(table.render(colour));
    for (const std::string& note : seen->notes) {
        context.out.write(fmt::format("  {}\n", note));
    }
    context.out.write("\n");
}

/// 123 of 1,000,000 as "0.012%".
std::string share(std::uint64_t part, std::uint64_t whole)
{
    return decimalText(Int128 {part} * 100, whole) + '%';
}

void writeGap(Json& json, const CounterGaps& gaps)
{
    // In millionths of a request, so that whole numbers say it.
    const auto millionths = [&gaps](Int128 parts, std::uint64_t of) {
        return of == 0
            ? std::uint64_t {0}
            : static_cast<std::uint64_t>(parts * 1'000'000 / (Int128 {gaps.periodNs} * of));
    };
    json.beginObject("gap");
    json.field("mean_millionths", millionths(gaps.gapParts, gaps.decisions));
    json.field("worst_millionths", millionths(gaps.worstParts, 1));
    json.field("mean_share_millionths",
               gaps.decisions == 0 ? 0 : gaps.shareBillionths / gaps.decisions / 1000);
    json.end();
}

} // namespace

std::size_t differing(const std::vector<LabFigure>& figures)
{
    std::size_t sum = 0;
    for (const auto& [published, seen] : figures) {
        sum += seen ? differing(*seen) : 0;
    }
    return sum;
}

void writeFigures(Context& context, const std::vector<LabFigure>& figures)
{
    std::size_t checks = 0;
    std::size_t missing = 0;
    for (const LabFigure& figure : figures) {
        writeFigure(context, figure);
        checks += figure.second ? figure.second->checks.size() : 0;
        missing += figure.second ? 0U : 1U;
    }
    const std::size_t differ = differing(figures);
    std::string line = differ == 0 ? fmt::format("{} figures as expected", checks)
                                   : fmt::format("{} of {} figures differ", differ, checks);
    if (missing > 0) {
        line += fmt::format("; {} not reproduced", missing);
    }
    context.out.write(painted(line, differ == 0 ? Style::Good : Style::Bad, context.common.colour)
                      + '\n');
}

void writeFiguresJson(Context& context, const std::vector<LabFigure>& figures)
{
    Json json;
    json.beginObject();
    json.beginList("figures");
    for (const auto& [published, seen] : figures) {
        json.beginObject();
        json.field("figure", published->number);
        json.field("name", published->name);
        json.field("title", published->title);
        json.field("reproduced", seen.has_value());
        json.beginList("checks");
        for (const FigureCheck& check : seen ? seen->checks : std::vector<FigureCheck>()) {
            json.beginObject();
            json.field("what", check.what);
            json.field("expected", check.expected);
            json.field("seen", check.seen);
            json.field("holds", check.holds);
            json.end();
        }
        json.end();
        json.beginList("notes");
        for (const std::string& note : seen ? seen->notes : std::vector<std::string>()) {
            json.value(note);
        }
        json.end();
        json.end();
    }
    json.end();
    json.field("differ", std::uint64_t {differing(figures)});
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

void writeExperiment(Context& context, const CounterExperiment& experiment,
                     const CounterOutcome& outcome)
{
    const CounterGaps& gaps = outcome.gaps;
    context.out.write(fmt::format(
        "{} requests of {} sources ({} were seen) at {} in {}, {} for each source; seed {}\n\n",
        grouped(gaps.decisions), grouped(experiment.sources), grouped(outcome.sourcesSeen),
        policies::textOf(experiment.rate), durationText(outcome.spanNs),
        policies::textOf(experiment.limit), experiment.seed));
    TextTable table({{"sliding_window_counter against sliding_window_log", Align::Left},
                     {"seen", Align::Right},
                     {"Cloudflare", Align::Right}});
    table.add(
        {"decisions that differ", share(gaps.letThrough + gaps.limited, gaps.decisions), "0.003%"});
    table.add({"  let through by the counter alone", grouped(gaps.letThrough)});
    table.add({"  limited by the counter alone", grouped(gaps.limited)});
    table.add({"sources let through wrongly at least once", grouped(outcome.sourcesLetThrough)});
    table.add({"sources limited wrongly at least once", grouped(outcome.sourcesLimited)});
    table.add(
        {"mean gap, as a share of the exact count",
         decimalText(Int128 {gaps.shareBillionths} * 100, Int128 {1'000'000'000} * gaps.decisions)
             + '%',
         "6%"});
    table.add({"mean gap in requests", meanGapText(gaps)});
    table.add({"largest gap in requests", worstGapText(gaps)});
    context.out.write(table.render(context.common.colour));
    context.out.write("\nCloudflare: 400,000,000 requests of 270,000 sources, of its own traffic "
                      "and rules; these are\nmade. The shares depend on how many sources are near "
                      "their limit.\n");
}

void writeExperimentJson(Context& context, const CounterExperiment& experiment,
                         const CounterOutcome& outcome)
{
    const CounterGaps& gaps = outcome.gaps;
    Json json;
    json.beginObject();
    json.field("experiment", kCounterAgainstLog);
    json.field("requests", gaps.decisions);
    json.field("sources", experiment.sources);
    json.field("sources_seen", outcome.sourcesSeen);
    json.field("rate", policies::textOf(experiment.rate));
    json.field("limit", policies::textOf(experiment.limit));
    json.field("seed", experiment.seed);
    json.field("span_ns", outcome.spanNs);
    json.field("differ", gaps.letThrough + gaps.limited);
    json.field("let_through", gaps.letThrough);
    json.field("limited", gaps.limited);
    json.field("sources_let_through", outcome.sourcesLetThrough);
    json.field("sources_limited", outcome.sourcesLimited);
    writeGap(json, gaps);
    json.beginObject("published");
    json.field("requests", 400'000'000);
    json.field("sources", 270'000);
    json.field("differ_share_millionths", 30);
    json.beginObject("gap");
    json.field("mean_share_millionths", 60'000);
    json.end();
    json.end();
    json.field("interrupted", outcome.interrupted);
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
