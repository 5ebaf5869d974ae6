#include "app/cli/log_args.h"

#include "app/cli/process.h"
#include "app/cli/usage.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/log_list.h"
#include "app/workbench/log_reading.h"
#include "app/workbench/near_miss.h"
#include "storage/zone.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <span>
#include <thread>

namespace app::cli {
namespace {

engine::Result<storage::Spread> spreadOf(const LowArgs& args, const std::string& text)
{
    if (text == "even") {
        return storage::Spread::Even;
    }
    if (text == "none") {
        return storage::Spread::None;
    }
    if (text == "both" && args.verb == Verb::Replay) {
        return storage::Spread::Even; // first
    }
    if (text == "both") {
        return usage(
            fmt::format("`{}` takes one spread at a time", verbInfo(args.verb).name),
            args.verb == Verb::Compare
                ? "compare with `--spread even`, then with `--spread none`; or replay each "
                  "policy with `--spread both` and compare the runs"
                : "write even or none");
    }
    const std::vector<std::string> spreads {"even", "none", "both"};
    return usage(fmt::format("there is no spread `{}`", text),
                 suggest(text, spreads, "write " + choices(spreads)));
}

/// --tz and --trusted-proxies: what the lines do not say of when and who.
engine::Status readOrigins(const LowArgs& args, LogChoice& log)
{
    if (const std::optional<std::string> tz = args.text(OptionId::Tz)) {
        auto zone = storage::Zone::named(*tz);
        if (!zone) {
            return engine::fail(zone.error());
        }
        log.zone = std::move(*zone);
    }
    for (const std::string& text : args.all(OptionId::TrustedProxies)) {
        const auto networks = parseNetworks(text);
        if (!networks) {
            return engine::fail(networks.error());
        }
        log.trustedProxies.insert(log.trustedProxies.end(), networks->begin(), networks->end());
    }
    return engine::Done {};
}

/// A day, or a time that could still be given a zone.
bool namesNoZone(const std::string& text)
{
    constexpr std::size_t kDay = std::string_view("2026-11-28").size();
    return text.size() == kDay || parseTime(text + "Z").has_value();
}

engine::Status readLimits(const LowArgs& args, storage::SourceLimits& limits)
{
    constexpr std::string_view kNone = "none";
    if (const std::optional<std::string> text = args.text(OptionId::MaxRatio)) {
        const std::optional<std::int64_t> ratio = parseWhole(*text);
        if (*text != kNone && (!ratio || *ratio < 1)) {
            return usage(fmt::format("`--max-ratio {}` is no ratio", *text),
                         "write a number like 1000, or `none`");
        }
        limits.maxRatio
            = *text == kNone ? storage::SourceLimits::kNoLimit : static_cast<std::uint64_t>(*ratio);
    }
    if (const std::optional<std::string> text = args.text(OptionId::MaxBytes)) {
        const std::optional<std::uint64_t> size = parseSize(*text);
        if (*text != kNone && !size) {
            return usage(fmt::format("`--max-bytes {}` is no size", *text),
                         "write a size like 500G, or `none`");
        }
        limits.maxBytes = *text == kNone ? storage::SourceLimits::kNoLimit : *size;
    }
    return engine::Done {};
}

} // namespace

engine::Result<LogChoice> logChoiceOf(const LowArgs& args, std::string path, storage::Spread spread)
{
    LogChoice log;
    log.path = std::move(path);
    log.format = args.text(OptionId::LogFormat).value_or("");
    log.spread = spread;
    for (const std::string& text : args.all(OptionId::Map)) {
        const engine::Result<storage::FieldMapping> mapping = storage::parseMapping(text);
        if (!mapping) {
            return engine::fail(mapping.error());
        }
        log.mappings.push_back(*mapping);
    }
    if (const engine::Status done = readOrigins(args, log); !done) {
        return engine::fail(done.error());
    }
    if (const engine::Status done = readLimits(args, log.limits); !done) {
        return engine::fail(done.error());
    }
    if (const std::optional<std::string> reorder = args.text(OptionId::Reorder);
        reorder && *reorder != "auto") {
        const engine::Result<std::int64_t> horizon = parseDuration(*reorder);
        if (!horizon) {
            return usage(fmt::format("`--reorder {}` is neither `auto` nor a duration", *reorder),
                         "write `auto`, or a duration like `90s`");
        }
        log.reorderNs = *horizon;
    }
    if (const std::optional<std::string> text = args.text(OptionId::Spread)) {
        const engine::Result<storage::Spread> chosen = spreadOf(args, *text);
        if (!chosen) {
            return engine::fail(chosen.error());
        }
        log.spread = *chosen;
    }
    return log;
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

std::optional<std::uint64_t> parseSize(std::string_view text)
{
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.back());
    const unsigned shift = unit == kUnits.npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    const std::optional<std::int64_t> number
        = parseWhole(text.substr(0, text.size() - (shift > 0 ? 1 : 0)));
    if (!number || *number < 0) {
        return std::nullopt;
    }
    const auto size = static_cast<std::uint64_t>(*number);
    return (size << shift) >> shift == size ? std::optional(size << shift) : std::nullopt;
}

engine::Result<std::optional<std::int64_t>> timeOf(const LowArgs& args, OptionId option)
{
    const std::optional<std::string> text = args.text(option);
    if (!text) {
        return std::optional<std::int64_t>();
    }
    const engine::Result<std::int64_t> time = parseTime(*text);
    if (!time) {
        engine::Diagnostic diagnostic = time.error();
        diagnostic.place.file = optionInfo(option).name;
        return engine::fail(std::move(diagnostic));
    }
    const std::optional<std::string> tz = args.text(OptionId::Tz);
    if (!tz || !namesNoZone(*text)) {
        return std::optional(*time);
    }
    const auto zone = storage::Zone::named(*tz);
    if (!zone) {
        return engine::fail(zone.error());
    }
    constexpr std::int64_t kNs = 1'000'000'000;
    const std::int64_t part = (*time % kNs + kNs) % kNs;
    storage::Zone::Scratch scratch;
    const std::int64_t seconds = (*zone)->toUtc((*time - part) / kNs, scratch).utcSeconds;
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(seconds, kNs, &ns) || __builtin_add_overflow(ns, part, &ns)) {
        return engine::fail("time.range",
                            fmt::format("`{}` cannot be counted in nanoseconds", *text),
                            "write a time between the years 1678 and 2261");
    }
    return std::optional(ns);
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

bool nothingRead(const Pass& pass)
{
    return pass.intake->requests() == 0 && pass.report.rejected > 0;
}

engine::Diagnostic unreadable(const Pass& pass)
{
    std::string logs;
    for (const ReadLog& log : pass.logs) {
        logs += fmt::format("{}{}", logs.empty() ? "" : ", ", log.path);
    }
    return engine::fail("log.nothing-read",
                        fmt::format("none of the {} lines of {} could be read as {}",
                                    grouped(pass.report.lines), logs, pass.logs.front().format),
                        "`weir inspect LOG` says why; --log-format says what the lines are")
        .diagnostic;
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

std::int64_t wallClockNs()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
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
