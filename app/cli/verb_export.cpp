#include "app/cli/context.h"
#include "app/workbench/files.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/version.h"
#include "policies/canonical.h"
#include "policies/compile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// Would writing to `output` destroy what the export is made from?
bool isInput(const std::string& output, const std::string& policyFile, const PolicyOptions& options,
             const LoadedPolicy& loaded)
{
    namespace fs = std::filesystem;
    if (isSameFile(output, policyFile)) {
        return true;
    }
    for (const std::string& lookup : policies::lookupFiles(*loaded.policy)) {
        const fs::path beside = policyFile == "-" ? fs::path() : fs::path(policyFile).parent_path();
        if (isSameFile(output, (beside / lookup).string())
            || (options.lookupDir
                && isSameFile(output, (fs::path(*options.lookupDir) / lookup).string()))) {
            return true;
        }
    }
    return false;
}

} // namespace

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
    if (isInput(*output, file, context.policyOptions(), *loaded.policy)) {
        return context.usage(fmt::format("`-o {}` would write over an input", *output),
                             "name another file");
    }
    if (const engine::Status written = writeFile(*output, *text); !written) {
        return context.fail(written.error(), ExitCode::Usage);
    }
    return ExitCode::Done;
}

} // namespace app::cli
