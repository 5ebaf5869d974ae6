#include "app/cli/context.h"
#include "app/cli/help.h"
#include "app/workbench/near_miss.h"

#include <fmt/format.h>

namespace app::cli {

ExitCode runHelp(Context& context)
{
    if (context.args.arguments.empty()) {
        context.out.write(helpOfAll());
        return ExitCode::Done;
    }
    const std::string& name = context.args.arguments.front();
    const VerbInfo* info = verbNamed(name);
    if (info == nullptr) {
        return context.usage(fmt::format("there is no verb `{}`", name),
                             suggest(name, verbNames(), "`weir help` lists the verbs"));
    }
    context.out.write(helpOfVerb(*info));
    return ExitCode::Done;
}

} // namespace app::cli
