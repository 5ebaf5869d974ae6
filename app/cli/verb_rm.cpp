#include "app/cli/log_args.h"

#include <fmt/format.h>

namespace app::cli {

ExitCode runRm(Context& context)
{
    std::vector<storage::RunId> runs;
    for (const std::string& argument : context.args.arguments) {
        const engine::Result<storage::RunId> run = runIdOf(argument);
        if (!run) {
            return context.fail(run.error(), ExitCode::Usage);
        }
        runs.push_back(*run);
    }
    // Deleting is no reason to make a store that is not there.
    if (const auto there = openStore(context, storage::Access::Read); !there) {
        return context.fail(there.error());
    }
    const auto store = openStore(context, storage::Access::Write);
    if (!store) {
        return context.fail(store.error());
    }
    if (const engine::Status removed = (*store)->remove(runs); !removed) {
        return context.fail(removed.error());
    }
    context.messages.note(
        fmt::format("deleted {} {}", runs.size(), runs.size() == 1 ? "run" : "runs"));
    return ExitCode::Done;
}

} // namespace app::cli
