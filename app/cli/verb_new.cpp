#include "app/cli/files_apart.h"
#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/workbench/files.h"
#include "app/workbench/policy_from_log.h"
#include "app/workbench/starting_policy.h"

namespace app::cli {
namespace {

/// FILE, or "" for stdout.
std::string fileOf(const LowArgs& args)
{
    const bool isFile = !args.arguments.empty() && args.arguments.front() != "-";
    return isFile ? args.arguments.front() : std::string();
}

/// --from LOG. A FILE that is there already stays as it is, and no log is read for it.
engine::Result<PolicyDraft> draft(Context& context, const std::string& from)
{
    PolicyFromLogRequest request;
    auto logs = logChoicesOf(context, {from}, storage::Spread::Even);
    if (!logs) {
        return engine::fail(logs.error());
    }
    if (const engine::Status apart = checkOutputs(context, *logs, {}); !apart) {
        return engine::fail(apart.error());
    }
    if (const std::string file = fileOf(context.args); !file.empty()) {
        if (const engine::Status absent = checkAbsent(file); !absent) {
            return engine::fail(absent.error());
        }
    }
    request.logs = std::move(*logs);
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    request.jobs = *jobs;
    request.stop = &interrupted();
    PassProgress progress(context.messages, "new");
    request.progress = &progress;
    engine::Result<PolicyDraft> drafted = policyFromLog(request);
    context.messages.transient("");
    return drafted;
}

} // namespace

ExitCode runNew(Context& context)
{
    std::string text(kStartingPolicy);
    if (const std::optional<std::string> from = context.args.text(OptionId::NewFrom)) {
        engine::Result<PolicyDraft> drafted = draft(context, *from);
        if (!drafted) {
            return context.fail(drafted.error());
        }
        text = std::move(drafted->text);
        for (const storage::Note& note : drafted->notes) {
            context.messages.note(note.text);
        }
    }
    const std::string file = fileOf(context.args);
    if (file.empty()) {
        context.out.write(text);
        return ExitCode::Done;
    }
    if (const engine::Status made = createFile(file, text); !made) {
        return context.fail(made.error(), ExitCode::Usage);
    }
    return ExitCode::Done;
}

} // namespace app::cli
