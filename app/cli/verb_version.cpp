#include "app/cli/context.h"
#include "app/workbench/version.h"

#include <fmt/format.h>

namespace app::cli {

ExitCode runVersion(Context& context)
{
    if (!context.common.json) {
        context.out.write(fmt::format("weir {}\n", kVersion));
        return ExitCode::Done;
    }
    Json json;
    json.beginObject();
    json.field("version", kVersion);
    json.field("policy_language", kPolicyLanguage);
    json.end();
    context.out.write(json.take());
    return ExitCode::Done;
}

} // namespace app::cli
