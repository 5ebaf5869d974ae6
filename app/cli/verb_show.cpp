#include "app/cli/log_args.h"
#include "app/cli/run_view.h"

namespace app::cli {

ExitCode runShow(Context& context)
{
    const engine::Result<storage::RunId> run = runIdOf(context.args.arguments.front());
    if (!run) {
        return context.fail(run.error(), ExitCode::Usage);
    }
    const engine::Result<std::size_t> top = topOf(context.args);
    if (!top) {
        return context.fail(top.error(), ExitCode::Usage);
    }
    const auto store = openStore(context, storage::Access::Read);
    if (!store) {
        return context.fail(store.error(), exitCodeOf(store.error()));
    }
    const storage::RunReader reader(**store);
    RunViewOptions view;
    view.top = *top;
    const engine::Status written = context.common.json ? writeRunJson(context, reader, *run, view)
                                                       : writeRun(context, reader, *run, view);
    return written ? ExitCode::Done : context.fail(written.error(), exitCodeOf(written.error()));
}

} // namespace app::cli
