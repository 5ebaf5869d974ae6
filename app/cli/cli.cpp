#include "app/cli/cli.h"

#include "app/cli/context.h"
#include "app/cli/help.h"
#include "app/cli/process.h"

#include <string>
#include <unistd.h>
#include <vector>

namespace app::cli {
namespace {

ExitCode runVerb(const LowArgs& args, const Surroundings& surroundings, Output& out,
                 Messages& messages)
{
    const VerbInfo& info = verbInfo(args.verb);
    if (args.has(OptionId::Help)) {
        out.write(helpOfVerb(info));
        return ExitCode::Done;
    }
    const engine::Result<Common> common = commonOf(args, surroundings);
    if (!common) {
        messages.show(common.error());
        return ExitCode::Usage;
    }
    Context context {args, *common, out, messages};
    return info.run(context);
}

} // namespace

int run(int argc, char** argv)
{
    prepareProcess();
    const Surroundings surroundings = lookAround();
    const engine::Result<LowArgs> args = parseLowArgs({argv + (argc > 0 ? 1 : 0), argv + argc});
    const LowArgs none;
    Output out(STDOUT_FILENO);
    Messages messages(STDERR_FILENO, out, messageOptions(args ? *args : none, surroundings));
    ExitCode code = ExitCode::Usage;
    if (args) {
        code = runVerb(*args, surroundings, out, messages);
    } else {
        messages.show(args.error());
    }
    if (const engine::Status finished = out.finish(); !finished) {
        messages.show(finished.error());
        code = code == ExitCode::Done ? ExitCode::Usage : code;
    }
    return static_cast<int>(code);
}

} // namespace app::cli
