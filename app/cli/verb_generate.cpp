#include "app/cli/files_apart.h"
#include "app/cli/line_output.h"
#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/traffic_lines.h"
#include "app/workbench/traffic_options.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// What the verb itself takes, by the names that readTraffic() knows.
GivenOptions trafficOptions(const LowArgs& args)
{
    GivenOptions given;
    for (const OptionInfo& option : allOptions()) {
        if (option.category != Category::Verb || !option.verbs.has(Verb::Generate)) {
            continue;
        }
        for (const std::string& value : args.all(option.id)) {
            given.add(std::string(option.name.substr(2)), value);
        }
    }
    return given;
}

ExitCode write(Context& context, const std::optional<std::string>& path, TrafficJob job)
{
    LineOutput lines(context.out, path);
    PassProgress progress(context.messages, "generate");
    job.progress = path ? &progress : nullptr; // what goes to stdout may go to the terminal
    job.stop = &interrupted();
    job.write = [&lines](std::string_view text) { return lines.write(text); };
    const engine::Result<TrafficOutcome> outcome = writeTraffic(job);
    context.messages.transient("");
    engine::Status status
        = outcome ? engine::Status(engine::Done {}) : engine::fail(outcome.error());
    // What was interrupted does not take the place of a file that is whole.
    const bool isCut = outcome && outcome->interrupted && path;
    if (status && !isCut) {
        status = lines.finish();
    }
    if (!status) {
        return LineOutput::isGone(status.error()) ? ExitCode::Done
                                                  : context.fail(status.error(), ExitCode::Usage);
    }
    if (isCut) {
        context.messages.warning("generate.interrupted",
                                 fmt::format("interrupted: `{}` was not written", *path),
                                 "a file that was there is as it was");
    } else if (path || outcome->written == 0) {
        context.messages.note(fmt::format("{} requests", grouped(outcome->written)));
    }
    return outcome->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace

ExitCode runGenerate(Context& context)
{
    const engine::Result<const TrafficScenario*> scenario
        = findTraffic(context.args.arguments.front());
    if (!scenario) {
        return context.fail(scenario.error(), ExitCode::Usage);
    }
    const GivenOptions given = trafficOptions(context.args);
    const engine::Result<TrafficSettings> settings = readTraffic(**scenario, given);
    if (!settings) {
        return context.fail(settings.error(), ExitCode::Usage);
    }
    const engine::Result<std::optional<std::uint64_t>> count = readTrafficCount(given);
    if (!count) {
        return context.fail(count.error(), ExitCode::Usage);
    }
    const engine::Result<std::optional<std::string>> path = LineOutput::pathOf(context.args);
    if (!path) {
        return context.fail(path.error(), ExitCode::Usage);
    }
    if (const engine::Status apart
        = checkOutputs(context, std::vector<LogChoice> {}, std::vector<const LoadedPolicy*> {});
        !apart) {
        return context.fail(apart.error(), ExitCode::Usage);
    }
    const std::unique_ptr<TrafficStream> stream = (*scenario)->make(*settings, context.common.seed);
    TrafficJob job;
    job.stream = stream.get();
    job.count = *count;
    return write(context, *path, std::move(job));
}

} // namespace app::cli
