#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/rejects_file.h"
#include "app/workbench/convert.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "storage/compressed_writer.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// Where the lines go: stdout, or a file that appears under its name only when it is whole.
class LineOutput {
public:
    LineOutput(Output& out, std::optional<std::string> path)
        : m_out(out)
        , m_path(std::move(path))
    {
    }

    /// Opens the file when the first lines come, so that a log that cannot be read leaves none.
    engine::Status write(std::string_view lines)
    {
        if (!m_path) {
            m_out.write(lines);
            return m_out.isGone()
                ? engine::Status(engine::fail("cli.gone", "nobody reads the output any more"))
                : engine::Done {};
        }
        if (!m_file) {
            engine::Result<std::unique_ptr<ReplacingFile>> file = ReplacingFile::open(*m_path);
            if (!file) {
                return engine::fail(file.error());
            }
            m_file = std::move(*file);
            if (const auto kind = storage::CompressedWriter::kindOf(*m_path)) {
                m_packer = std::make_unique<storage::CompressedWriter>(
                    *kind, [this](std::string_view packed) { return m_file->write(packed); });
            }
        }
        return m_packer ? m_packer->write(lines) : m_file->write(lines);
    }

    /// An empty log is an empty file.
    engine::Status finish()
    {
        if (engine::Status written = write({}); !written) {
            return written;
        }
        if (m_packer) {
            if (engine::Status finished = m_packer->finish(); !finished) {
                return finished;
            }
        }
        return m_file ? m_file->commit() : engine::Status(engine::Done {});
    }

private:
    Output& m_out;
    std::optional<std::string> m_path;
    std::unique_ptr<ReplacingFile> m_file;
    std::unique_ptr<storage::CompressedWriter> m_packer; ///< for names that end in .gz or .zst
};

/// A name that asks for a packing that is not written here.
bool asksForOther(std::string_view name)
{
    return name.ends_with(".xz") || name.ends_with(".bz2") || name.ends_with(".lz4")
        || name.ends_with(".zip") || name.ends_with(".7z");
}

void report(Context& context, const ConvertOutcome& outcome, bool hasRejects)
{
    for (const engine::Diagnostic& warning : outcome.reader->source().warnings()) {
        context.messages.warning(warning.code, warning.message, warning.help);
    }
    const storage::LogReport& read = outcome.reader->report();
    context.messages.note(
        fmt::format("{} requests from {} lines", grouped(read.requests), grouped(read.lines)));
    for (const auto& [reason, found] : read.reasons) {
        context.messages.warning("log.bad-lines",
                                 fmt::format("{} {} not read: {}", grouped(found.count),
                                             found.count == 1 ? "line was" : "lines were", reason),
                                 hasRejects ? "" : "--rejects FILE lists them");
    }
}

} // namespace

ExitCode runConvert(Context& context)
{
    const std::string& path = context.args.arguments.front();
    const engine::Result<LogChoice> log = logChoiceOf(context.args, path, storage::Spread::None);
    if (!log) {
        return context.fail(log.error(), exitCodeOf(log.error()));
    }
    if (context.args.has(OptionId::Unsorted) && log->spread == storage::Spread::Even) {
        return context.usage(
            "`--unsorted` output is never spread: its lines are written as they come",
            "leave out one of --unsorted and --spread even");
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    std::optional<std::string> output = context.args.text(OptionId::Output);
    output = output == "-" ? std::nullopt : output;
    if (output && asksForOther(*output)) {
        return context.usage(fmt::format("`{}` asks for a packing that is not written", *output),
                             "name a file that ends in .zst or .gz, or pack what comes on stdout");
    }
    const std::optional<std::string> rejects = context.args.text(OptionId::Rejects);
    // A store that happens to be there is no output of this verb, but nobody means to write over
    // it.
    const engine::Status apart = checkOutputs({{"the log", path, true},
                                               {"the store", context.common.db.value_or(""), true},
                                               {"-o", output.value_or(""), false},
                                               {"--rejects", rejects.value_or(""), false}});
    if (!apart) {
        return context.fail(apart.error(), ExitCode::Usage);
    }
    std::unique_ptr<RejectsFile> rejectsFile;
    if (rejects) {
        auto created = RejectsFile::create(*rejects, {path});
        if (!created) {
            return context.fail(created.error(), ExitCode::Usage);
        }
        rejectsFile = std::move(*created);
    }

    LineOutput lines(context.out, output);
    PassProgress progress(context.messages, "convert");
    ConvertRequest request;
    request.log = *log;
    request.sorted = !context.args.has(OptionId::Unsorted);
    request.jobs = *jobs;
    request.stop = &interrupted();
    request.progress = &progress;
    request.write = [&lines](std::string_view text) { return lines.write(text); };
    if (rejectsFile) {
        request.rejected
            = [&](const std::vector<storage::LineReject>& bad) { rejectsFile->add(0, bad); };
    }
    const engine::Result<ConvertOutcome> outcome = convert(request);
    if (!outcome) {
        return outcome.error().code == "cli.gone"
            ? ExitCode::Done
            : context.fail(outcome.error(), exitCodeOf(outcome.error()));
    }
    // What was interrupted does not take the place of a file that is whole.
    engine::Status finished
        = outcome->interrupted && output ? engine::Status(engine::Done {}) : lines.finish();
    if (finished && rejectsFile) {
        finished = rejectsFile->finish();
    }
    if (!finished) {
        return context.fail(finished.error(), ExitCode::Usage);
    }
    report(context, *outcome, rejects.has_value());
    const storage::LogReport& read = outcome->reader->report();
    if (read.requests == 0 && read.rejected > 0 && !outcome->interrupted) {
        return ExitCode::LogUnreadable; // the warnings have said why
    }
    return outcome->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
