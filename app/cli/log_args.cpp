#include "app/cli/log_args.h"

#include "app/cli/process.h"
#include "app/cli/usage.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/log_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <thread>

namespace app::cli {
namespace {

/// Only a replay takes both.
engine::Status checkSpread(const LowArgs& args)
{
    if (args.text(OptionId::Spread) != "both" || args.verb == Verb::Replay) {
        return engine::Done {};
    }
    return usage(fmt::format("`{}` takes one spread at a time", verbInfo(args.verb).name),
                 args.verb == Verb::Compare
                     ? "compare with `--spread even`, then with `--spread none`; or replay each "
                       "policy with `--spread both` and compare the runs"
                     : "write even or none");
}

} // namespace

GivenOptions givenOf(const LowArgs& args)
{
    GivenOptions given;
    for (const OptionInfo& option : allOptions()) {
        if (option.category == Category::Log || option.category == Category::Replay) {
            for (std::string& value : args.all(option.id)) {
                given.add(std::string(option.name.substr(2)), std::move(value));
            }
        }
    }
    return given;
}

engine::Result<LogChoice> logChoiceOf(const LowArgs& args, std::string path, storage::Spread spread)
{
    if (const engine::Status fine = checkSpread(args); !fine) {
        return engine::fail(fine.error());
    }
    return app::logChoiceOf(givenOf(args), std::move(path), spread);
}

engine::Result<std::vector<LogChoice>>
logChoicesOf(const Context& context, const std::vector<std::string>& paths, storage::Spread spread)
{
    engine::Result<LogChoice> defaults = logChoiceOf(context.args, "", spread);
    if (!defaults) {
        return engine::fail(defaults.error());
    }
    LogList list = expandLogs(
        {paths, context.args.all(OptionId::FilesFrom), std::move(*defaults), &interrupted()});
    for (const std::string& note : list.notes) {
        context.messages.note(note);
    }
    if (!list.errors.empty()) {
        context.messages.show(std::span(list.errors).first(list.errors.size() - 1));
        return engine::fail(list.errors.back());
    }
    if (list.logs.empty()) {
        return usage("there is no LOG to read",
                     "name one, or a file with names: --files-from FILE");
    }
    return std::move(list.logs);
}

engine::Result<unsigned> jobsOf(const LowArgs& args)
{
    constexpr std::int64_t kMost = 256;
    const std::optional<std::string> text = args.text(OptionId::Jobs);
    if (!text) {
        return std::clamp(std::thread::hardware_concurrency(), 1U, static_cast<unsigned>(kMost));
    }
    const std::optional<std::int64_t> jobs = parseWhole(*text);
    if (!jobs || *jobs < 1 || *jobs > kMost) {
        return usage(fmt::format("`--jobs {}` is no number of threads", *text),
                     "write a number from 1 to 256");
    }
    return static_cast<unsigned>(*jobs);
}

engine::Result<std::size_t> topOf(const LowArgs& args)
{
    constexpr std::size_t kTop = 10;
    const std::optional<std::string> text = args.text(OptionId::Top);
    if (!text) {
        return kTop;
    }
    const std::optional<std::int64_t> top = parseWhole(*text);
    if (!top) {
        return usage(fmt::format("`--top {}` is no number of rows", *text),
                     "write a number like 20");
    }
    return static_cast<std::size_t>(*top);
}

engine::Result<std::unique_ptr<storage::RunStore>> openStore(const Context& context,
                                                             storage::Access access)
{
    if (!context.common.db) {
        return engine::fail("store.missing", "there is no home folder to keep the runs in",
                            "say where: --db FILE");
    }
    return storage::RunStore::open(*context.common.db, access);
}

engine::Result<storage::RunId> runIdOf(std::string_view text)
{
    const std::optional<std::int64_t> number = parseWhole(text);
    if (!number) {
        return usage(fmt::format("`{}` is no run", text),
                     "a run is a number: `weir runs` lists them");
    }
    return *number;
}

std::vector<std::string> listOf(const LowArgs& args, OptionId id)
{
    std::vector<std::string> all;
    for (const std::string& value : args.all(id)) {
        for (std::string_view rest = value; !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (comma > 0) {
                all.emplace_back(rest.substr(0, comma));
            }
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return all;
}

std::vector<std::string> pathsOf(const std::vector<LogChoice>& logs)
{
    std::vector<std::string> paths;
    for (const LogChoice& log : logs) {
        paths.push_back(log.path);
    }
    return paths;
}

void showWarnings(Messages& messages, const std::vector<ReadLog>& logs)
{
    for (const ReadLog& log : logs) {
        for (const engine::Diagnostic& warning : log.warnings) {
            const bool isNamed = logs.size() == 1 || warning.message.starts_with(log.path);
            messages.warning(warning.code,
                             isNamed ? warning.message : log.path + ": " + warning.message,
                             warning.help);
        }
        if (log.report.lines == log.report.blankLines && !interrupted()) {
            messages.warning("log.empty",
                             logs.size() > 1 ? log.path + " holds no request"
                                             : std::string("the log holds no request"),
                             "it has no line that is not blank");
        }
    }
}

PassProgress::PassProgress(Messages& messages, std::string what)
    : m_messages(messages)
    , m_what(std::move(what))
{
}

void PassProgress::update(const ProgressState& state)
{
    if (!m_line || state.secondPass != m_secondPass) {
        m_secondPass = state.secondPass;
        m_line = std::make_unique<cli::Progress>(
            m_messages, m_secondPass ? m_what + " (sorting)" : m_what, state.bytesTotal);
    }
    m_line->update(state.bytesRead, state.lines);
}

} // namespace app::cli
