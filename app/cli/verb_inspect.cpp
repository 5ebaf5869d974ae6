#include "app/cli/files_apart.h"
#include "app/cli/inspect_view.h"
#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/workbench/files.h"
#include "app/workbench/inspect.h"
#include "app/workbench/rejects_file.h"

namespace app::cli {

ExitCode runInspect(Context& context)
{
    const engine::Result<std::vector<LogChoice>> logs
        = logChoicesOf(context, context.args.arguments, storage::Spread::Even);
    if (!logs) {
        return context.fail(logs.error());
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    std::unique_ptr<RejectsFile> rejects;
    if (const std::optional<std::string> file = context.args.text(OptionId::Rejects)) {
        if (const engine::Status apart = checkOutputs(context, *logs, {}); !apart) {
            return context.fail(apart.error(), ExitCode::Usage);
        }
        auto created = RejectsFile::create(*file, pathsOf(*logs));
        if (!created) {
            return context.fail(created.error(), ExitCode::Usage);
        }
        rejects = std::move(*created);
    }
    PassProgress progress(context.messages, "inspect");
    InspectRequest request;
    request.logs = *logs;
    request.jobs = *jobs;
    request.stop = &interrupted();
    request.progress = &progress;
    if (rejects) {
        request.rejected = [&](std::size_t log, const std::vector<storage::LineReject>& bad) {
            rejects->add(log, bad);
        };
    }
    const engine::Result<Inspection> inspection = inspect(request);
    context.messages.transient("");
    if (!inspection) {
        return context.fail(inspection.error());
    }
    if (rejects) {
        if (const engine::Status finished = rejects->finish(); !finished) {
            return context.fail(finished.error(), ExitCode::Usage);
        }
    }
    showWarnings(context.messages, inspection->logs);
    context.common.json ? writeInspectionJson(context, *inspection)
                        : writeInspection(context, *inspection);
    return inspection->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
