#include "app/cli/files_apart.h"
#include "app/cli/line_output.h"
#include "app/cli/log_args.h"
#include "app/cli/mask_args.h"
#include "app/cli/process.h"
#include "app/cli/replay_args.h"
#include "app/workbench/convert.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/rejects_file.h"
#include "app/workbench/where.h"

#include <deque>
#include <fmt/format.h>

namespace app::cli {
namespace {

void report(Context& context, const ConvertOutcome& outcome, bool hasRejects)
{
    showWarnings(context.messages, outcome.logs);
    const storage::LogReport& read = outcome.report;
    const auto leftOut = [&](std::uint64_t count, std::string_view why) {
        if (count > 0) {
            context.messages.note(fmt::format("{} requests left out: {}", grouped(count), why));
        }
    };
    context.messages.note(
        fmt::format("{} requests from {} lines", grouped(outcome.written), grouped(read.lines)));
    for (const std::string& note : outcome.fieldNotes) {
        context.messages.warning("convert.many-fields", note, "--for POLICY keeps what it names");
    }
    for (const std::string& attribute : outcome.notThere) {
        context.messages.warning(
            "convert.no-attribute",
            fmt::format("the log has no `{}`, which --where asks for", attribute),
            "`weir inspect LOG` lists what it has");
    }
    leftOut(outcome.leftOut.byWhere, "--where does not hold");
    leftOut(outcome.leftOut.bySample, "their key is not in the sample");
    leftOut(outcome.leftOut.withoutKey, "they have no value to sample by");
    leftOut(outcome.outOfRange, "not between --from and --to");
    if (!outcome.secrets.empty()) {
        const std::string names = fmt::format("{}", fmt::join(outcome.secrets, ","));
        context.messages.note(fmt::format(
            "the output has {} as the clients sent it: keep it as secret as the log, or write "
            "pseudonyms with --mask {}",
            names, names));
    }
    for (const auto& [field, lines] : outcome.stillShown) {
        context.messages.warning(
            "convert.still-shown",
            fmt::format("`{}` has a value that is masked inside of its text in {} {}", field,
                        grouped(lines), lines == 1 ? "line" : "lines"),
            fmt::format("mask it as well, `--mask {}`, or leave it out with --for POLICY", field));
    }
    for (const auto& [reason, found] : read.reasons) {
        context.messages.warning("log.bad-lines",
                                 fmt::format("{} {} not read: {}", grouped(found.count),
                                             found.count == 1 ? "line was" : "lines were", reason),
                                 hasRejects ? "" : "--rejects FILE lists them");
    }
}

/// What the options say of what to keep, with the policies that they name.
struct Shape {
    std::deque<LoadedPolicy> policies; ///< which `shape` points into
    ConvertShape shape;
};

engine::Status readMasks(const Context& context, ConvertShape& shape)
{
    engine::Result<MaskArgs> mask = maskArgsOf(context);
    if (!mask) {
        return engine::fail(mask.error());
    }
    shape.mask = std::move(mask->attributes);
    shape.maskKey = mask->key;
    if (const std::vector<std::string> words = context.args.all(OptionId::SampleBy);
        !words.empty()) {
        engine::Result<KeySample> sample = KeySample::of(words[0], words[1]);
        if (!sample) {
            return engine::fail(sample.error());
        }
        shape.sample = std::move(*sample);
    }
    return engine::Done {};
}

/// What to keep; anything but Done is the exit code after everything was shown.
ExitCode readShape(Context& context, Shape& made)
{
    for (const std::string& path : listOf(context.args, OptionId::For)) {
        Context::Loaded loaded = context.load(path);
        if (!loaded.policy) {
            return loaded.code;
        }
        made.policies.push_back(std::move(*loaded.policy));
        made.shape.plans.push_back(&*made.policies.back().plan);
    }
    if (const engine::Status masks = readMasks(context, made.shape); !masks) {
        return context.fail(masks.error(), ExitCode::Usage);
    }
    if (const std::optional<std::string> where = context.args.text(OptionId::Where)) {
        engine::Result<engine::Match> match = parseMatch(*where, "--where");
        if (!match) {
            return context.fail(match.error(), ExitCode::Usage);
        }
        made.shape.where = std::move(*match);
    }
    return ExitCode::Done;
}

/// Which logs, and how they are read; likewise.
ExitCode readRequest(Context& context, ConvertRequest& request)
{
    engine::Result<std::vector<LogChoice>> logs
        = logChoicesOf(context, context.args.arguments, storage::Spread::Keep);
    if (!logs) {
        return context.fail(logs.error());
    }
    request.logs = std::move(*logs);
    request.sorted = !context.args.has(OptionId::Unsorted);
    if (!request.sorted && request.logs.front().spread == storage::Spread::Even) {
        return context.usage(
            "`--unsorted` output is never spread: its lines are written as they come",
            "leave out one of --unsorted and --spread even");
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    const engine::Result<Period> period = givenPeriod(givenOf(context.args));
    if (!period) {
        return context.fail(period.error(), ExitCode::Usage);
    }
    request.fromNs = period->fromNs;
    request.toNs = period->toNs;
    request.jobs = *jobs;
    request.stop = &interrupted();
    return ExitCode::Done;
}

} // namespace

ExitCode runConvert(Context& context)
{
    ConvertRequest request;
    Shape shape;
    if (const ExitCode code = readRequest(context, request); code != ExitCode::Done) {
        return code;
    }
    if (const ExitCode code = readShape(context, shape); code != ExitCode::Done) {
        return code;
    }
    request.shape = shape.shape;
    const engine::Result<std::optional<std::string>> named = LineOutput::pathOf(context.args);
    if (!named) {
        return context.fail(named.error(), ExitCode::Usage);
    }
    const std::optional<std::string>& output = *named;
    const std::optional<std::string> rejects = context.args.text(OptionId::Rejects);
    std::vector<const LoadedPolicy*> policies;
    for (const LoadedPolicy& policy : shape.policies) {
        policies.push_back(&policy);
    }
    if (const engine::Status apart = checkOutputs(context, request.logs, policies); !apart) {
        return context.fail(apart.error(), ExitCode::Usage);
    }
    std::unique_ptr<RejectsFile> rejectsFile;
    if (rejects) {
        auto created = RejectsFile::create(*rejects, pathsOf(request.logs));
        if (!created) {
            return context.fail(created.error(), ExitCode::Usage);
        }
        rejectsFile = std::move(*created);
        request.rejected = [&](std::size_t log, const std::vector<storage::LineReject>& bad) {
            rejectsFile->add(log, bad);
        };
    }
    LineOutput lines(context.out, output);
    PassProgress progress(context.messages, "convert");
    request.progress = &progress;
    request.write = [&lines](std::string_view text) { return lines.write(text); };
    const engine::Result<ConvertOutcome> outcome = convert(request);
    if (!outcome) {
        return LineOutput::isGone(outcome.error()) ? ExitCode::Done : context.fail(outcome.error());
    }
    // What was interrupted does not take the place of a file that is whole.
    engine::Status finished
        = outcome->interrupted && output ? engine::Status(engine::Done {}) : lines.finish();
    if (finished && rejectsFile) {
        finished = rejectsFile->finish();
    }
    if (!finished) {
        return LineOutput::isGone(finished.error())
            ? ExitCode::Done
            : context.fail(finished.error(), ExitCode::Usage);
    }
    report(context, *outcome, rejects.has_value());
    if (outcome->interrupted && output) {
        context.messages.warning("convert.interrupted",
                                 fmt::format("interrupted: `{}` was not written", *output),
                                 "a file that was there is as it was");
    }
    noteMaskKey(context);
    if (outcome->report.requests == 0 && outcome->report.rejected > 0 && !outcome->interrupted) {
        return ExitCode::LogUnreadable; // the warnings have said why
    }
    return outcome->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
