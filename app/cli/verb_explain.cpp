#include "app/cli/explain_key_view.h"
#include "app/cli/explain_view.h"
#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/usage.h"
#include "app/workbench/client_answer.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/where.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

engine::Result<ExplainTarget> targetOf(const LowArgs& args)
{
    ExplainTarget target;
    if (const auto request = args.text(OptionId::Request)) {
        const std::optional<std::int64_t> number = parseWhole(*request);
        if (!number || *number < 1) {
            return usage(fmt::format("`--request {}` is no request", *request),
                         "requests are numbered from 1");
        }
        target.n = static_cast<std::uint64_t>(*number);
    }
    if (const auto line = args.text(OptionId::Line)) {
        // FILE:LINE, or LINE alone where the run is of one log.
        const std::size_t colon = line->rfind(':');
        const std::optional<std::int64_t> number
            = parseWhole(colon == std::string::npos ? std::string_view(*line)
                                                    : std::string_view(*line).substr(colon + 1));
        if (!number || *number < 1) {
            return usage(fmt::format("`--line {}` is no line", *line),
                         "write FILE:LINE; lines are numbered from 1");
        }
        target.line = static_cast<std::uint64_t>(*number);
        target.file = colon == std::string::npos ? std::string() : line->substr(0, colon);
    }
    if (const auto at = args.text(OptionId::At)) {
        const engine::Result<std::int64_t> time = parseTime(*at);
        if (!time) {
            return engine::fail(time.error());
        }
        target.atNs = *time;
    }
    if (const auto where = args.text(OptionId::Where)) {
        engine::Result<engine::Match> match = parseMatch(*where, "--where");
        if (!match) {
            return engine::fail(match.error());
        }
        target.where = std::move(*match);
    }
    if (target.n && target.line) {
        return usage("--request and --line name a request each", "give one of them");
    }
    return target;
}

/// RULE=VALUE; names of rules have no equals sign.
engine::Result<KeyTarget> keyTargetOf(const LowArgs& args)
{
    const std::string text = args.text(OptionId::RuleKey).value_or("");
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        return usage(fmt::format("`--key {}` is no key of a rule", text),
                     "write RULE=VALUE, like --key search=k-free");
    }
    for (const OptionId other :
         {OptionId::Request, OptionId::Line, OptionId::At, OptionId::Where, OptionId::Headers}) {
        if (args.has(other)) {
            return usage(
                fmt::format("--key and {} ask for different things", optionInfo(other).name),
                "--key tells the whole history of a key; leave the other out");
        }
    }
    return KeyTarget {text.substr(0, equals), text.substr(equals + 1)};
}

ExitCode explainKeyOf(Context& context, storage::RunStore& store, storage::RunId run,
                      const ReadAgain& again)
{
    const engine::Result<KeyTarget> target = keyTargetOf(context.args);
    if (!target) {
        return context.fail(target.error(), ExitCode::Usage);
    }
    const engine::Result<KeyHistory> history = explainKey(store, run, *target, again);
    context.messages.transient("");
    if (!history) {
        return context.fail(history.error());
    }
    context.common.json ? writeKeyHistoryJson(context, *history)
                        : writeKeyHistory(context, *history);
    return ExitCode::Done;
}

} // namespace

ExitCode runExplain(Context& context)
{
    const engine::Result<storage::RunId> run = runIdOf(context.args.arguments.front());
    if (!run) {
        return context.fail(run.error(), ExitCode::Usage);
    }
    const engine::Result<ExplainTarget> target = targetOf(context.args);
    if (!target) {
        return context.fail(target.error());
    }
    const engine::Result<engine::HeaderStyle> style = headerStyleOf(givenOf(context.args));
    if (!style) {
        return context.fail(style.error(), ExitCode::Usage);
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    const auto store = openStore(context, storage::Access::Read);
    if (!store) {
        return context.fail(store.error());
    }
    PassProgress progress(context.messages, "explain");
    const ReadAgain again {context.args.all(OptionId::Recording), *jobs, &interrupted(), &progress};
    if (context.args.has(OptionId::RuleKey)) {
        return explainKeyOf(context, **store, *run, again);
    }
    const engine::Result<Explanation> explanation = explain(**store, *run, *target, again);
    context.messages.transient("");
    if (!explanation) {
        return context.fail(explanation.error());
    }
    context.common.json ? writeExplanationJson(context, *explanation, *style)
                        : writeExplanation(context, *explanation, *style);
    return ExitCode::Done;
}

} // namespace app::cli
