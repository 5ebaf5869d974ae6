#include "app/cli/context.h"
#include "app/workbench/text.h"
#include "policies/diff.h"

#include <string_view>
#include <vector>

namespace app::cli {
namespace {

std::string_view nameOf(policies::DiffKind kind)
{
    switch (kind) {
    case policies::DiffKind::Added:
        return "added";
    case policies::DiffKind::Removed:
        return "removed";
    case policies::DiffKind::Moved:
        return "moved";
    case policies::DiffKind::Changed:
        return "changed";
    }
    return "";
}

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

void writeJson(Context& context, const std::vector<policies::Difference>& differences)
{
    Json json;
    json.beginObject();
    json.field("before", context.args.arguments[0]);
    json.field("after", context.args.arguments[1]);
    json.beginList("differences");
    for (const policies::Difference& difference : differences) {
        json.beginObject();
        json.field("kind", nameOf(difference.kind));
        json.field("what", difference.what);
        json.field("name", difference.name);
        json.field("override", unlessEmpty(difference.overrideName));
        json.field("field", unlessEmpty(difference.field));
        json.field("before", unlessEmpty(difference.before));
        json.field("after", unlessEmpty(difference.after));
        json.field("text", difference.text);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace

ExitCode runDiff(Context& context)
{
    // Both are read before either stops the verb: all mistakes at once.
    const Context::Loaded before = context.load(context.args.arguments[0]);
    const Context::Loaded after = context.load(context.args.arguments[1]);
    if (!before.policy || !after.policy) {
        return before.policy ? after.code : before.code;
    }
    const std::vector<policies::Difference> differences
        = policies::diff(*before.policy->policy, *after.policy->policy);
    if (context.common.json) {
        writeJson(context, differences);
        return ExitCode::Done;
    }
    for (const policies::Difference& difference : differences) {
        context.out.write(escaped(difference.text) + '\n');
    }
    if (differences.empty()) {
        context.out.write("the two policies say the same\n");
    }
    return ExitCode::Done;
}

} // namespace app::cli
