#include "app/cli/context.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace app::cli {
namespace {

std::string counted(std::size_t number, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// Rules as the policy has them: overrides are part of theirs.
std::string summary(const LoadedPolicy& loaded)
{
    const std::size_t errors = countOf(loaded.diagnostics, engine::Severity::Error);
    const std::size_t advice = countOf(loaded.diagnostics, engine::Severity::Advice);
    std::string text = escaped(loaded.file) + ": ";
    if (loaded.isValid()) {
        std::size_t rules = 0;
        std::size_t tiers = 0;
        for (const auto& tier : loaded.policy->tiers) {
            rules += tier.size();
            tiers += tier.empty() ? 0U : 1U;
        }
        text += fmt::format("valid, {} in {}", counted(rules, "rule", "rules"),
                            counted(tiers, "tier", "tiers"));
    } else {
        text += counted(errors, "error", "errors");
    }
    return text + (advice == 0 ? "" : ", " + counted(advice, "warning", "warnings")) + "\n";
}

void writeJson(Output& out, const std::vector<engine::Diagnostic>& all)
{
    Json json;
    json.beginObject();
    json.field("errors", std::uint64_t {countOf(all, engine::Severity::Error)});
    json.field("advice", std::uint64_t {countOf(all, engine::Severity::Advice)});
    writeDiagnostics(json, all);
    json.end();
    out.write(json.take());
}

void writeText(Context& context, const LoadedPolicy& loaded)
{
    for (const engine::Diagnostic& diagnostic : loaded.diagnostics) {
        if (diagnostic.severity == engine::Severity::Error || !context.common.quiet) {
            context.out.write(rendered(diagnostic, context.common.colour));
        }
    }
    context.out.write(summary(loaded));
}

} // namespace

ExitCode runCheck(Context& context)
{
    const std::string format = context.args.text(OptionId::Format).value_or("text");
    const std::vector<std::string> later {"github", "sarif", "junit"};
    const std::vector<std::string> formats {"text", "json"};
    if (std::find(later.begin(), later.end(), format) != later.end()) {
        return context.usage(fmt::format("`--format {}` comes in a later version", format),
                             "write `--format json`");
    }
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        return context.usage(fmt::format("there is no format `{}`", format),
                             suggest(format, formats, "write " + choices(formats)));
    }
    const bool asJson = context.common.json || format == "json";
    std::vector<engine::Diagnostic> all;
    for (const std::string& file : context.args.arguments) {
        const engine::Result<LoadedPolicy> loaded = loadPolicy(file, context.policyOptions());
        if (!loaded) {
            return context.fail(loaded.error(), ExitCode::Usage);
        }
        all.insert(all.end(), loaded->diagnostics.begin(), loaded->diagnostics.end());
        if (!asJson) {
            writeText(context, *loaded);
        }
    }
    if (asJson) {
        writeJson(context.out, all);
    }
    const bool isStrict = context.args.has(OptionId::Strict);
    const bool hasErrors = countOf(all, engine::Severity::Error) > 0 || (isStrict && !all.empty());
    return hasErrors ? ExitCode::GateSaysNo : ExitCode::Done;
}

} // namespace app::cli
