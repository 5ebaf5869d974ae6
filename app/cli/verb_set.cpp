#include "app/cli/context.h"
#include "app/cli/process.h"
#include "app/workbench/edit_policy.h"
#include "app/workbench/files.h"
#include "app/workbench/line_diff.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

PolicyChanges changesOf(const LowArgs& args)
{
    PolicyChanges changes;
    changes.removals = args.all(OptionId::Remove);
    changes.renamings = args.all(OptionId::Rename);
    changes.additions = args.all(OptionId::Add);
    changes.copies = args.all(OptionId::Duplicate);
    changes.values.assign(args.arguments.begin() + 1, args.arguments.end());
    changes.moves = args.all(OptionId::Move);
    return changes;
}

std::size_t countOf(const PolicyChanges& changes)
{
    return changes.removals.size() + changes.renamings.size() + changes.additions.size()
        + changes.copies.size() + changes.values.size() + changes.moves.size();
}

void writeJson(Context& context, const EditedPolicy& edited, bool isWritten)
{
    Json json;
    json.beginObject();
    json.field("file", context.args.arguments.front());
    json.field("written", isWritten);
    json.beginList("edits");
    for (const policies::Edit& edit : edited.edits) {
        json.beginObject();
        json.field("begin", std::uint64_t {edit.begin});
        json.field("before", edit.before);
        json.field("after", edit.after);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

/// May the text be written? A policy that was bad before may stay bad, and is on its way.
ExitCode judge(Context& context, const std::string& before, const std::string& after)
{
    const std::string& file = context.args.arguments.front();
    const engine::Result<LoadedPolicy> now = loadPolicyText(file, after, context.policyOptions());
    if (!now) {
        return context.fail(now.error(), ExitCode::Usage);
    }
    context.messages.show(now->diagnostics);
    if (now->isValid()) {
        return ExitCode::Done;
    }
    const engine::Result<LoadedPolicy> was = loadPolicyText(file, before, context.policyOptions());
    if (!was) {
        return context.fail(was.error(), ExitCode::Usage);
    }
    if (!was->isValid()) {
        context.messages.warning("edit.invalid", "the policy has errors, as it had before",
                                 "`weir check` lists them");
        return ExitCode::Done;
    }
    context.messages.error("edit.invalid",
                           "nothing was written: the policy would have the errors above, in lines "
                           "of the changed text",
                           "change what they name in the same command, or use other values");
    return ExitCode::PolicyInvalid;
}

/// Comments in a value may be untrue of the one that took its place; so they go, and are named.
void tellReplaced(Context& context, const EditedPolicy& edited)
{
    for (const auto& [change, comment] : edited.replacedComments) {
        context.messages.warning("edit.comment",
                                 fmt::format("`{}` took the place of `{}` too", change, comment),
                                 "write the comment again if it is true of the new value");
    }
}

ExitCode write(Context& context, const std::string& before, const EditedPolicy& edited)
{
    const std::string& file = context.args.arguments.front();
    const bool isDry = context.args.has(OptionId::DryRun);
    const bool isWritten = !isDry && file != "-" && edited.text != before;
    if (isWritten) {
        if (const engine::Status status = writeFile(file, edited.text); !status) {
            return context.fail(status.error(), ExitCode::Usage);
        }
    }
    if (context.common.json) {
        writeJson(context, edited, isWritten);
        return ExitCode::Done;
    }
    if (isDry || context.args.has(OptionId::Diff)) {
        context.out.write(lineDiff(file, before, edited.text));
    } else if (file == "-") {
        context.out.write(edited.text);
    } else if (!context.common.quiet) {
        context.out.write(
            fmt::format("{}: {}\n", escaped(file), isWritten ? "changed" : "says so already"));
    }
    return ExitCode::Done;
}

} // namespace

ExitCode runSet(Context& context)
{
    const PolicyChanges changes = changesOf(context.args);
    if (countOf(changes) == 0) {
        return context.usage("`weir set` needs something to change",
                             "write `weir set POLICY RULE.FIELD=VALUE`, or see `weir set --help`");
    }
    const engine::Result<std::string> before
        = readPolicyText(context.args.arguments.front(), &interrupted());
    if (!before) {
        return context.fail(before.error(), ExitCode::PolicyInvalid);
    }
    const engine::Result<EditedPolicy> edited = editPolicy(*before, changes);
    if (!edited) {
        engine::Diagnostic why = edited.error();
        const bool isText = why.place.line > 0;
        why.place.file = isText ? context.args.arguments.front() : "";
        return context.fail(why, isText ? ExitCode::PolicyInvalid : ExitCode::Usage);
    }
    const ExitCode verdict = judge(context, *before, edited->text);
    if (verdict != ExitCode::Done) {
        return verdict;
    }
    tellReplaced(context, *edited);
    return write(context, *before, *edited);
}

} // namespace app::cli
