#include "app/cli/context.h"
#include "app/cli/files_apart.h"
#include "app/workbench/files.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/version.h"
#include "policies/canonical.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {

ExitCode runExport(Context& context)
{
    const std::string target = context.args.text(OptionId::To).value_or("yaml");
    const std::vector<std::string> later {
        "nginx",   "haproxy",   "envoy-ratelimit", "envoy-local", "envoy-gateway",   "kong",
        "traefik", "limitador", "kuadrant",        "apisix",      "aws-api-gateway", "redis-lua"};
    if (std::find(later.begin(), later.end(), target) != later.end()) {
        return context.usage(fmt::format("`--to {}` comes in a later version", target),
                             "leave it out for the canonical policy");
    }
    if (target != "yaml") {
        return context.usage(fmt::format("there is no target `{}`", target),
                             suggest(target, later, "leave it out for the canonical policy"));
    }
    const std::string& file = context.args.arguments.front();
    const Context::Loaded loaded = context.load(file);
    if (!loaded.policy) {
        return loaded.code;
    }
    const engine::Result<std::string> text
        = policies::canonical(*loaded.policy->policy, loaded.policy->fingerprint, kVersion);
    if (!text) {
        return context.fail(text.error(), ExitCode::PolicyInvalid);
    }
    const std::optional<std::string> output = context.args.text(OptionId::Output);
    if (!output || *output == "-") {
        context.out.write(*text);
        return ExitCode::Done;
    }
    if (const engine::Status apart = checkOutputs(context, {}, {&*loaded.policy}); !apart) {
        return context.fail(apart.error(), ExitCode::Usage);
    }
    if (const engine::Status written = writeFile(*output, *text);
        !written && written.error().code != "file.gone") {
        return context.fail(written.error(), ExitCode::Usage);
    }
    return ExitCode::Done;
}

} // namespace app::cli
