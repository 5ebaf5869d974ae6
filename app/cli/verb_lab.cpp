#include "app/cli/lab_view.h"
#include "app/cli/process.h"
#include "app/cli/usage.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/traffic_options.h"
#include "policies/rates.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app::cli {
namespace {

constexpr std::array kExperimentOptions {OptionId::Requests, OptionId::Sources,
                                         OptionId::SourcesRate, OptionId::LimitRate};
constexpr std::uint64_t kMostRequests = 1'000'000'000'000;
constexpr std::uint64_t kMostSources = 100'000'000;

engine::Status readNumber(const LowArgs& args, OptionId id, std::uint64_t most,
                          std::uint64_t& number)
{
    const std::optional<std::string> text = args.text(id);
    if (!text) {
        return engine::Done {};
    }
    const std::optional<std::int64_t> given = parseWhole(*text);
    if (!given || *given < 1 || static_cast<std::uint64_t>(*given) > most) {
        return usage(fmt::format("`{} {}` cannot be made", optionInfo(id).name, *text),
                     fmt::format("write a whole number from 1 to {}", most));
    }
    number = static_cast<std::uint64_t>(*given);
    return engine::Done {};
}

engine::Status readRateOf(const LowArgs& args, OptionId id, engine::Rate& rate)
{
    const std::optional<std::string> text = args.text(id);
    if (!text) {
        return engine::Done {};
    }
    const engine::Result<engine::Rate> given = readTrafficRate(*text);
    if (!given) {
        return usage(fmt::format("`{} {}` cannot be made", optionInfo(id).name, *text),
                     given.error().help);
    }
    rate = *given;
    return engine::Done {};
}

engine::Result<CounterExperiment> experimentOf(const Context& context)
{
    CounterExperiment experiment;
    experiment.seed = context.common.seed;
    for (const engine::Status& read :
         {readNumber(context.args, OptionId::Requests, kMostRequests, experiment.requests),
          readNumber(context.args, OptionId::Sources, kMostSources, experiment.sources),
          readRateOf(context.args, OptionId::SourcesRate, experiment.rate),
          readRateOf(context.args, OptionId::LimitRate, experiment.limit)}) {
        if (!read) {
            return engine::fail(read.error());
        }
    }
    return experiment;
}

ExitCode runExperiment(Context& context)
{
    engine::Result<CounterExperiment> experiment = experimentOf(context);
    if (!experiment) {
        return context.fail(experiment.error(), ExitCode::Usage);
    }
    experiment->stop = &interrupted();
    experiment->progress = [&](std::uint64_t requests) {
        context.messages.transient(fmt::format("lab  {}  {} of {} requests",
                                               percent(requests, experiment->requests),
                                               grouped(requests), grouped(experiment->requests)));
    };
    const CounterOutcome outcome = runCounterExperiment(*experiment);
    context.messages.transient("");
    if (outcome.interrupted) {
        context.messages.warning("lab.interrupted",
                                 "interrupted: the figures are those of the requests up to there");
    }
    if (context.common.json) {
        writeExperimentJson(context, *experiment, outcome);
    } else {
        writeExperiment(context, *experiment, outcome);
    }
    return outcome.interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

engine::Failure unknownFigure(std::string_view name)
{
    std::vector<std::string> names;
    for (const PublishedFigure& figure : publishedFigures()) {
        names.emplace_back(figure.name);
    }
    names.emplace_back(kCounterAgainstLog);
    return usage(fmt::format("there is no figure `{}`", name),
                 suggest(name, names, "write " + choices(names)));
}

engine::Result<std::vector<const PublishedFigure*>> asked(const LowArgs& args)
{
    std::vector<const PublishedFigure*> figures;
    if (args.arguments.empty()) {
        for (const PublishedFigure& figure : publishedFigures()) {
            figures.push_back(&figure);
        }
        return figures;
    }
    const PublishedFigure* figure = publishedFigure(args.arguments.front());
    if (figure == nullptr) {
        return unknownFigure(args.arguments.front());
    }
    if (figure->reproduce == nullptr) {
        return usage(fmt::format("`{}` is not reproduced", figure->name),
                     std::string(figure->missing));
    }
    figures.push_back(figure);
    return figures;
}

} // namespace

ExitCode runLab(Context& context)
{
    const std::vector<std::string>& arguments = context.args.arguments;
    if (!arguments.empty() && arguments.front() == kCounterAgainstLog) {
        return runExperiment(context);
    }
    for (const OptionId id : kExperimentOptions) {
        if (context.args.has(id)) {
            return context.usage(fmt::format("`{}` is for the experiment", optionInfo(id).name),
                                 fmt::format("write `weir lab {} ...`", kCounterAgainstLog));
        }
    }
    const engine::Result<std::vector<const PublishedFigure*>> figures = asked(context.args);
    if (!figures) {
        return context.fail(figures.error(), ExitCode::Usage);
    }
    std::vector<LabFigure> seen;
    for (const PublishedFigure* figure : *figures) {
        seen.emplace_back(figure,
                          figure->reproduce == nullptr ? std::nullopt
                                                       : std::optional(figure->reproduce()));
    }
    if (context.common.json) {
        writeFiguresJson(context, seen);
    } else {
        writeFigures(context, seen);
    }
    return differing(seen) == 0 ? ExitCode::Done : ExitCode::GateSaysNo;
}

} // namespace app::cli
