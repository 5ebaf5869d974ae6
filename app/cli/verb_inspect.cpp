#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/rejects_file.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/inspect.h"
#include "app/workbench/notes.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

std::string formatText(const ReadLog& log)
{
    if (log.isTold) {
        return log.format + " (as told)";
    }
    const storage::Detection& detection = log.detection;
    if (detection.lines == 0) {
        return log.report.lines == 0 ? "not known: the log is empty"
                                     : "not known: the log has blank lines only";
    }
    return fmt::format("{} (fits {} of the first {} lines, confidence {} %)", log.format,
                       grouped(detection.fit), grouped(detection.lines), detection.confidence);
}

/// What is around the lines; empty: nothing.
std::string wrapperText(const ReadLog& log)
{
    const storage::Detection& detection = log.detection;
    return detection.wrapper.empty()
        ? std::string()
        : fmt::format("{} around {} of the first lines", escaped(detection.wrapper),
                      grouped(detection.wrapped));
}

std::string nameOf(const Inspection& inspection, std::size_t log)
{
    return inspection.logs.size() > 1 ? escaped(inspection.logs[log].path) + ", " : std::string();
}

/// What each LOG is by itself, where there are several.
void writeLogs(Context& context, const Inspection& inspection)
{
    TextTable table({{"log", Align::Left},
                     {"format", Align::Left},
                     {"requests", Align::Right},
                     {"not read", Align::Right},
                     {"from", Align::Left},
                     {"to", Align::Left}});
    for (const ReadLog& log : inspection.logs) {
        const std::string wrapper = wrapperText(log);
        table.add({escaped(log.path), formatText(log) + (wrapper.empty() ? "" : ", " + wrapper),
                   grouped(log.report.requests), grouped(log.report.rejected),
                   log.report.firstNs ? timeText(*log.report.firstNs) : std::string("-"),
                   log.report.lastNs ? timeText(*log.report.lastNs) : std::string("-")});
    }
    context.out.write(table.render(false, 60) + "\n");
}

void addTimes(TextTable& table, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.report;
    table.add(
        {"span", fmt::format("{} to {}", timeText(*report.firstNs), timeText(*report.lastNs))});
    table.add(
        {"order",
         report.stepsBack == 0
             ? std::string("every line's arrival is at or after the one before")
             : fmt::format("{} lines arrive before the line above, by up to {}",
                           grouped(report.stepsBack), durationText(inspection.longestStepBackNs))});
    for (const Gap& gap : inspection.gaps) {
        table.add({&gap == &inspection.gaps.front() ? "gaps" : "",
                   fmt::format("nothing for {} from {}", durationText(gap.lengthNs()),
                               timeText(gap.fromNs))});
    }
    table.add({"stamps",
               report.coarse == 0 ? std::string("finer than a second")
                                  : fmt::format("{} of {} are whole seconds",
                                                grouped(report.coarse), grouped(report.requests))});
    if (report.outerTimes > 0) {
        table.add({"",
                   fmt::format("{} requests have no time but their wrapper's, which counts as "
                               "their end",
                               grouped(report.outerTimes))});
    }
    if (report.localTimes > 0) {
        std::string zones = fmt::format("{} stamps name no zone", grouped(report.localTimes));
        if (report.ambiguousTimes + report.skippedTimes > 0) {
            zones += fmt::format("; {} came twice on the clock (the earlier was taken), {} never",
                                 grouped(report.ambiguousTimes), grouped(report.skippedTimes));
        }
        table.add({"zone", zones + "; --tz ZONE says which they are in (default UTC)"});
    }
}

void writeHead(Context& context, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.report;
    TextTable table({{"", Align::Left}, {"", Align::Left}});
    if (inspection.logs.size() == 1) {
        table.add({"format", formatText(inspection.logs.front())});
        if (const std::string wrapper = wrapperText(inspection.logs.front()); !wrapper.empty()) {
            table.add({"wrapper", wrapper});
        }
    }
    std::string lines = fmt::format("{}: {} requests, {} not read, {} blank", grouped(report.lines),
                                    grouped(report.requests), grouped(report.rejected),
                                    grouped(report.blankLines));
    if (report.directiveLines > 0) {
        lines += fmt::format(", {} headers", grouped(report.directiveLines));
    }
    table.add({"lines", lines});
    for (const auto& [format, requests] : report.byFormat) {
        table.add({&format == &report.byFormat.front().first ? "formats" : "",
                   fmt::format("{}: {} {}", format, grouped(requests),
                               requests == 1 ? "request" : "requests")});
    }
    if (report.firstNs) {
        addTimes(table, inspection);
    }
    if (inspection.logs.size() > 1) {
        writeLogs(context, inspection);
    }
    context.out.write(table.render());
    for (std::size_t i = 0; i < inspection.logs.size(); ++i) {
        for (const std::string& note : inspection.logs[i].detection.notes) {
            context.out.write("note: " + nameOf(inspection, i) + escaped(note) + "\n");
        }
        for (const std::string& remark : inspection.remarks[i]) {
            context.out.write("note: " + nameOf(inspection, i) + escaped(remark) + "\n");
        }
    }
}

void writeFirst(Context& context, const Inspection& inspection)
{
    for (const InspectedRequest& first : inspection.first) {
        context.out.write(fmt::format("\n{}line {}: arrived {}", nameOf(inspection, first.log),
                                      first.request.line, timeText(first.request.timeNs)));
        if (first.request.durationNs != engine::kUnknownDuration) {
            context.out.write(", took " + durationText(first.request.durationNs));
        }
        context.out.write("\n");
        TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
        for (const auto& [name, value] : first.fields) {
            if (name != "duration") { // said above, in words
                table.add({name, std::string(shownValue(name, value))});
            }
        }
        context.out.write(table.render(false, 100));
    }
}

void writeFields(Context& context, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.report;
    TextTable table(
        {{"field", Align::Left}, {"requests that have it", Align::Right}, {"", Align::Right}});
    for (std::size_t f = 0; f < inspection.fields.size(); ++f) {
        if (report.filled[f] > 0) {
            table.add({inspection.fields[f], grouped(report.filled[f]),
                       percent(report.filled[f], report.requests)});
        }
    }
    context.out.write("\n" + table.render(false, 60));
    TextTable statuses({{"status", Align::Left}, {"requests", Align::Right}, {"", Align::Right}});
    for (const auto& [status, count] : inspection.statuses) {
        statuses.add(
            {status.empty() ? "(none)" : status, grouped(count), percent(count, report.requests)});
    }
    if (!statuses.isEmpty()) {
        context.out.write("\n" + statuses.render());
    }
}

/// What a policy over this log can limit by.
void writeAbilities(Context& context, const Inspection& inspection)
{
    TextTable table({{"limits", Align::Left}, {"", Align::Left}, {"", Align::Left}});
    for (const Ability& ability : inspection.abilities) {
        std::string more = ability.help;
        if (ability.filled > 0) {
            more = fmt::format("{} on {} of requests", ability.attribute,
                               percent(ability.filled, inspection.report.requests));
            more += ability.values > 0
                ? fmt::format(", {} different values", grouped(ability.values))
                : std::string();
            more += ability.looksMasked ? "; so few over so many addresses look masked"
                                        : std::string();
        }
        table.add({ability.what, ability.filled > 0 ? "yes" : "no", more});
    }
    context.out.write("\n" + table.render(false, 110));
}

void writePeaks(Context& context, const Inspection& inspection)
{
    if (inspection.peaksBy.empty()) {
        return;
    }
    TextTable table({{"most requests of one " + inspection.peaksBy, Align::Left},
                     {"a second", Align::Right},
                     {"a minute", Align::Right},
                     {"an hour", Align::Right},
                     {"in all", Align::Right}});
    const auto row = [&](std::string name, std::uint32_t Peaks::Spread::*figure) {
        table.add({std::move(name), grouped(inspection.peaks[0].*figure),
                   grouped(inspection.peaks[1].*figure), grouped(inspection.peaks[2].*figure), ""});
    };
    row("half of them: at most", &Peaks::Spread::median);
    row("99 in 100: at most", &Peaks::Spread::p99);
    for (const Peaks::Busiest& busiest : inspection.busiest) {
        table.add({escaped(busiest.key), grouped(busiest.peaks[0]), grouped(busiest.peaks[1]),
                   grouped(busiest.peaks[2]), grouped(busiest.requests)});
    }
    context.out.write("\n" + table.render(false, 60));
    std::string note = "in whole seconds, minutes and hours of the clock (UTC)";
    if (inspection.report.coarse > 0) {
        note += "; stamps of whole seconds are not spread here";
    }
    if (inspection.late > 0) {
        note += fmt::format("; {} requests are more than 60 s out of order and may be counted in "
                            "a later one",
                            grouped(inspection.late));
    }
    context.out.write(note + "\n");
}

void writeBadLines(Context& context, const Inspection& inspection)
{
    for (const storage::BadLines& bad : badLinesOf(inspection.logs)) {
        context.out.write(fmt::format("\nnot read, {}: {} {}\n", escaped(bad.reason),
                                      grouped(bad.count), bad.count == 1 ? "line" : "lines"));
        for (const storage::BadLineExample& example : bad.examples) {
            context.out.write(fmt::format("  {}line {}: {}\n", nameOf(inspection, example.file),
                                          example.line, shortened(example.text, 100)));
        }
    }
}

/// Quoted for a shell where that is needed.
std::string shellWord(const std::string& text)
{
    const bool isPlain = !text.empty()
        && text.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:=,@%")
            == std::string::npos;
    if (isPlain) {
        return text;
    }
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + "'";
}

/// The options that say how the logs are read, to be given again.
std::string readingOptions(const Context& context)
{
    constexpr std::array<std::pair<OptionId, std::string_view>, 5> kOptions {
        {{OptionId::FilesFrom, "--files-from"},
         {OptionId::LogFormat, "--log-format"},
         {OptionId::Map, "--map"},
         {OptionId::Tz, "--tz"},
         {OptionId::TrustedProxies, "--trusted-proxies"}}};
    std::string options;
    for (const auto& [id, name] : kOptions) {
        for (const std::string& value : context.args.all(id)) {
            options += fmt::format(" {} {}", name, shellWord(value));
        }
    }
    return options;
}

void writeCommands(Context& context)
{
    std::string logs;
    for (const std::string& log : context.args.arguments) {
        logs += " " + shellWord(log);
    }
    context.out.write("\nnext:\n");
    context.out.write("  weir new limits.yaml\n");
    context.out.write("  weir replay limits.yaml" + escaped(logs + readingOptions(context)) + "\n");
}

void writeText(Context& context, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.report;
    writeHead(context, inspection);
    writeFirst(context, inspection);
    if (report.requests > 0) {
        writeFields(context, inspection);
        writeAbilities(context, inspection);
        writePeaks(context, inspection);
    }
    writeBadLines(context, inspection);
    if (report.requests > 0) {
        writeCommands(context);
    }
}

/// All LOGs together: what one LOG says where there is but one.
void writeReads(Json& json, const Inspection& inspection)
{
    std::vector<std::string> formats;
    std::uint64_t lines = 0;
    std::uint64_t fit = 0;
    bool partial = false;
    for (const ReadLog& log : inspection.logs) {
        if (std::find(formats.begin(), formats.end(), log.format) == formats.end()) {
            formats.push_back(log.format);
        }
        lines += log.detection.lines;
        fit += log.detection.fit;
        partial = partial || log.isPartial;
    }
    json.field("format", fmt::format("{}", fmt::join(formats, ", ")));
    json.field("detection_lines", lines);
    json.field("detection_fit", fit);
    json.field("partial", partial);
}

void writeNotes(Json& json, const Inspection& inspection, std::size_t log)
{
    for (const std::string& note : inspection.logs[log].detection.notes) {
        json.value(note);
    }
    for (const std::string& remark : inspection.remarks[log]) {
        json.value(remark);
    }
}

/// How the format was found, and what is around the lines.
void writeDetection(Json& json, const ReadLog& log)
{
    json.field("told", log.isTold);
    json.field("confidence", std::int64_t {log.detection.confidence});
    json.beginList("candidates");
    for (const storage::Detection::Candidate& candidate : log.detection.candidates) {
        json.value(candidate.format);
    }
    json.end();
    json.key("wrapper");
    log.detection.wrapper.empty() ? json.null() : json.value(log.detection.wrapper);
    json.field("wrapped", log.detection.wrapped);
}

void writeLogs(Json& json, const Inspection& inspection)
{
    json.beginList("logs");
    for (std::size_t i = 0; i < inspection.logs.size(); ++i) {
        const ReadLog& log = inspection.logs[i];
        json.beginObject();
        json.field("log", log.path);
        json.field("format", log.format);
        json.field("detection_lines", log.detection.lines);
        json.field("detection_fit", log.detection.fit);
        json.field("lines", log.report.lines);
        json.field("requests", log.report.requests);
        json.field("bad_lines", log.report.rejected);
        json.field("first_ns", log.report.firstNs);
        json.field("last_ns", log.report.lastNs);
        json.field("partial", log.isPartial);
        writeDetection(json, log);
        json.beginList("notes");
        writeNotes(json, inspection, i);
        json.end();
        json.end();
    }
    json.end();
    json.beginList("notes");
    for (std::size_t i = 0; i < inspection.logs.size(); ++i) {
        writeNotes(json, inspection, i);
    }
    json.end();
}

void writeFigures(Json& json, const Inspection& inspection)
{
    json.beginObject("fields");
    for (std::size_t f = 0; f < inspection.fields.size(); ++f) {
        if (inspection.report.filled[f] > 0) {
            json.field(inspection.fields[f], inspection.report.filled[f]);
        }
    }
    json.end();
    json.beginObject("statuses");
    for (const auto& [status, count] : inspection.statuses) {
        json.field(status.empty() ? "none" : status, count);
    }
    json.end();
    json.beginList("abilities");
    for (const Ability& ability : inspection.abilities) {
        json.beginObject();
        json.field("limits", ability.what);
        json.field("attribute", ability.attribute);
        json.field("possible", ability.filled > 0);
        json.field("requests", ability.filled);
        json.field("values", ability.values);
        json.field("looks_masked", ability.looksMasked);
        json.field("help", ability.help);
        json.end();
    }
    json.end();
    json.beginList("gaps");
    for (const Gap& gap : inspection.gaps) {
        json.beginObject();
        json.field("from_ns", gap.fromNs);
        json.field("to_ns", gap.toNs);
        json.end();
    }
    json.end();
    constexpr std::array<std::string_view, Peaks::kWindows> kNames {"second", "minute", "hour"};
    json.beginObject("peaks");
    json.field("by", inspection.peaksBy);
    for (std::size_t i = 0; i < Peaks::kWindows; ++i) {
        json.beginObject(kNames[i]);
        json.field("median", std::uint64_t {inspection.peaks[i].median});
        json.field("p99", std::uint64_t {inspection.peaks[i].p99});
        json.field("most", std::uint64_t {inspection.peaks[i].most});
        json.end();
    }
    json.beginList("busiest");
    for (const Peaks::Busiest& busiest : inspection.busiest) {
        json.beginObject();
        json.field("key", busiest.key);
        json.field("requests", busiest.requests);
        for (std::size_t i = 0; i < Peaks::kWindows; ++i) {
            json.field(kNames[i], std::uint64_t {busiest.peaks[i]});
        }
        json.end();
    }
    json.end();
    json.end();
}

void writeExamples(Json& json, const Inspection& inspection)
{
    json.beginList("first");
    for (const InspectedRequest& first : inspection.first) {
        json.beginObject();
        json.field("file", first.log);
        json.field("line", first.request.line);
        json.field("time_ns", first.request.timeNs);
        json.field("stamp_ns", first.request.stampNs);
        json.key("duration_ns");
        first.request.durationNs == engine::kUnknownDuration ? json.null()
                                                             : json.value(first.request.durationNs);
        json.beginObject("fields");
        for (const auto& [name, value] : first.fields) {
            json.field(name, shownValue(name, value));
        }
        json.end();
        json.end();
    }
    json.end();
    json.beginList("not_read");
    for (const storage::BadLines& bad : badLinesOf(inspection.logs)) {
        json.beginObject();
        json.field("reason", bad.reason);
        json.field("count", bad.count);
        json.beginList("examples");
        for (const storage::BadLineExample& example : bad.examples) {
            json.beginObject();
            json.field("file", std::uint64_t {example.file});
            json.field("line", example.line);
            json.field("text", example.text);
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
}

void writeJson(Context& context, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.report;
    Json json;
    json.beginObject();
    writeReads(json, inspection);
    json.field("lines", report.lines);
    json.field("requests", report.requests);
    json.field("blank_lines", report.blankLines);
    json.field("directive_lines", report.directiveLines);
    json.field("bad_lines", report.rejected);
    json.field("first_ns", report.firstNs);
    json.field("last_ns", report.lastNs);
    json.field("coarse", report.coarse);
    json.field("with_duration", report.withDuration);
    json.field("without_zone", report.localTimes);
    json.field("ambiguous_times", report.ambiguousTimes);
    json.field("skipped_times", report.skippedTimes);
    json.field("steps_back", report.stepsBack);
    json.field("longest_step_back_ns", inspection.longestStepBackNs);
    json.field("late", inspection.late);
    json.field("wrapper_times", report.outerTimes);
    json.beginObject("formats");
    for (const auto& [format, requests] : report.byFormat) {
        json.field(format, requests);
    }
    json.end();
    writeFigures(json, inspection);
    writeExamples(json, inspection);
    writeLogs(json, inspection);
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace

ExitCode runInspect(Context& context)
{
    const engine::Result<std::vector<LogChoice>> logs
        = logChoicesOf(context, context.args.arguments, storage::Spread::Even);
    if (!logs) {
        return context.fail(logs.error(), exitCodeOf(logs.error()));
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    std::unique_ptr<RejectsFile> rejects;
    if (const std::optional<std::string> file = context.args.text(OptionId::Rejects)) {
        std::vector<NamedFile> files = inputsOf(*logs);
        files.push_back({"--rejects", *file, false});
        if (const engine::Status apart = checkOutputs(files); !apart) {
            return context.fail(apart.error(), ExitCode::Usage);
        }
        auto created = RejectsFile::create(*file, pathsOf(*logs));
        if (!created) {
            return context.fail(created.error(), ExitCode::Usage);
        }
        rejects = std::move(*created);
    }
    PassProgress progress(context.messages, "inspect");
    InspectRequest request;
    request.logs = *logs;
    request.jobs = *jobs;
    request.stop = &interrupted();
    request.progress = &progress;
    if (rejects) {
        request.rejected = [&](std::size_t log, const std::vector<storage::LineReject>& bad) {
            rejects->add(log, bad);
        };
    }
    const engine::Result<Inspection> inspection = inspect(request);
    context.messages.transient("");
    if (!inspection) {
        return context.fail(inspection.error(), exitCodeOf(inspection.error()));
    }
    if (rejects) {
        if (const engine::Status finished = rejects->finish(); !finished) {
            return context.fail(finished.error(), ExitCode::Usage);
        }
    }
    showWarnings(context.messages, inspection->logs);
    context.common.json ? writeJson(context, *inspection) : writeText(context, *inspection);
    return inspection->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
