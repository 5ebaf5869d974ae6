#include "app/cli/context.h"
#include "app/workbench/files.h"
#include "app/workbench/starting_policy.h"

namespace app::cli {

ExitCode runNew(Context& context)
{
    if (context.args.has(OptionId::NewFrom)) {
        return context.usage("`new --from LOG` comes in a later version",
                             "leave it out for a policy to start from");
    }
    if (context.args.arguments.empty() || context.args.arguments.front() == "-") {
        context.out.write(kStartingPolicy);
        return ExitCode::Done;
    }
    if (const engine::Status made = createFile(context.args.arguments.front(), kStartingPolicy);
        !made) {
        return context.fail(made.error(), ExitCode::Usage);
    }
    return ExitCode::Done;
}

} // namespace app::cli
