#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/rejects_file.h"
#include "app/workbench/convert.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
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

    ~LineOutput()
    {
        if (m_file != nullptr) {
            std::fclose(m_file);
            std::error_code ignored;
            std::filesystem::remove(m_partial, ignored);
        }
    }

    LineOutput(const LineOutput&) = delete;
    LineOutput& operator=(const LineOutput&) = delete;

    engine::Status open()
    {
        if (!m_path) {
            return engine::Done {};
        }
        // A pipe or device takes the lines itself; a link keeps pointing where it does.
        std::error_code ignored;
        const std::filesystem::path real = std::filesystem::weakly_canonical(*m_path, ignored);
        m_target = ignored ? *m_path : real.string();
        m_isSpecial = std::filesystem::exists(m_target, ignored)
            && !std::filesystem::is_regular_file(m_target, ignored);
        m_partial = m_isSpecial ? m_target : m_target + ".part";
        m_file = std::fopen(m_partial.c_str(), "we");
        return m_file == nullptr ? failure() : engine::Status(engine::Done {});
    }

    engine::Status write(std::string_view lines)
    {
        if (!m_path) {
            m_out.write(lines);
            return m_out.isGone()
                ? engine::Status(engine::fail("cli.gone", "nobody reads the output any more"))
                : engine::Done {};
        }
        return std::fwrite(lines.data(), 1, lines.size(), m_file) == lines.size()
            ? engine::Status(engine::Done {})
            : failure();
    }

    engine::Status finish()
    {
        if (m_file == nullptr) {
            return engine::Done {};
        }
        std::FILE* file = m_file;
        m_file = nullptr;
        if (std::fclose(file) != 0
            || (!m_isSpecial && std::rename(m_partial.c_str(), m_target.c_str()) != 0)) {
            return failure();
        }
        return engine::Done {};
    }

private:
    [[nodiscard]] engine::Status failure() const
    {
        return engine::fail("file.write",
                            fmt::format("`{}` cannot be written: {}", *m_path,
                                        std::strerror(errno)), // NOLINT(concurrency-mt-unsafe)
                            "make room, or name another file");
    }

    Output& m_out;
    std::optional<std::string> m_path;
    std::string m_target;
    std::string m_partial;
    bool m_isSpecial = false;
    std::FILE* m_file = nullptr;
};

void report(Context& context, const ConvertOutcome& outcome)
{
    for (const engine::Diagnostic& warning : outcome.reader->source().warnings()) {
        context.messages.warning(warning.code, warning.message, warning.help);
    }
    const storage::LogReport& read = outcome.reader->report();
    context.messages.note(fmt::format("{} requests from {} lines", grouped(read.requests),
                                      grouped(read.lines)));
    for (const auto& [reason, found] : read.reasons) {
        context.messages.warning("log.bad-lines",
                                 fmt::format("{} {} not read: {}", grouped(found.count),
                                             found.count == 1 ? "line was" : "lines were", reason),
                                 "--rejects FILE lists them");
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
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    std::optional<std::string> output = context.args.text(OptionId::Output);
    output = output == "-" ? std::nullopt : output;
    if (output && output->ends_with(".zst")) {
        return context.usage("compressed output comes in a later version",
                             "name a file that ends in .jsonl");
    }
    const std::optional<std::string> rejects = context.args.text(OptionId::Rejects);
    for (const std::optional<std::string>& file : {output, rejects}) {
        if (file && isSameFile(*file, path)) {
            return context.usage(fmt::format("`{}` is the log itself", *file), "name another file");
        }
    }
    std::unique_ptr<RejectsFile> rejectsFile;
    if (rejects) {
        auto created = RejectsFile::create(*rejects, path);
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
    bool opened = false;
    request.write = [&](std::string_view text) {
        if (!opened) {
            opened = true;
            if (engine::Status open = lines.open(); !open) {
                return open;
            }
        }
        return lines.write(text);
    };
    if (rejectsFile) {
        request.rejected
            = [&](const std::vector<storage::LineReject>& bad) { rejectsFile->add(bad); };
    }
    const engine::Result<ConvertOutcome> outcome = convert(request);
    if (!outcome) {
        return outcome.error().code == "cli.gone"
            ? ExitCode::Done
            : context.fail(outcome.error(), exitCodeOf(outcome.error()));
    }
    if (!opened) { // an empty log is an empty file
        if (engine::Status written = request.write({}); !written) {
            return context.fail(written.error(), ExitCode::Usage);
        }
    }
    engine::Status finished = lines.finish();
    if (finished && rejectsFile) {
        finished = rejectsFile->finish();
    }
    if (!finished) {
        return context.fail(finished.error(), ExitCode::Usage);
    }
    report(context, *outcome);
    return outcome->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
