#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/rejects_file.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/inspect.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

std::string formatText(const Context& context, const storage::LogReader& reader)
{
    const storage::Detection& detection = reader.detection();
    if (context.args.has(OptionId::LogFormat)) {
        return reader.format().name() + " (as told)";
    }
    if (detection.lines == 0) {
        return "not known: the log is empty";
    }
    return fmt::format("{} (fits {} of the first {} lines)", reader.format().name(),
                       grouped(detection.fit), grouped(detection.lines));
}

void writeHead(Context& context, const Inspection& inspection)
{
    const storage::LogReader& reader = *inspection.reader;
    const storage::LogReport& report = reader.report();
    TextTable table({{"", Align::Left}, {"", Align::Left}});
    table.add({"format", formatText(context, reader)});
    table.add({"lines",
               fmt::format("{}: {} requests, {} not read, {} blank", grouped(report.lines),
                           grouped(report.requests), grouped(report.rejected),
                           grouped(report.blankLines))});
    if (report.firstNs) {
        table.add(
            {"span", fmt::format("{} to {}", timeText(*report.firstNs), timeText(*report.lastNs))});
        const std::string order = report.stepsBack == 0
            ? std::string("every line's arrival is at or after the one before")
            : fmt::format("{} lines arrive before the line above, by up to {}",
                          grouped(report.stepsBack), durationText(inspection.longestStepBackNs));
        table.add({"order", order});
        table.add({"stamps",
                   report.coarse == 0
                       ? std::string("finer than a second")
                       : fmt::format("{} of {} are whole seconds", grouped(report.coarse),
                                     grouped(report.requests))});
        table.add({"durations",
                   fmt::format("{} of {} requests", grouped(report.withDuration),
                               grouped(report.requests))});
    }
    context.out.write(table.render());
    for (const std::string& note : reader.detection().notes) {
        context.out.write("note: " + escaped(note) + "\n");
    }
}

void writeFirst(Context& context, const Inspection& inspection)
{
    for (const InspectedRequest& first : inspection.first) {
        context.out.write(fmt::format("\nline {}: arrived {}", first.request.line,
                                      timeText(first.request.timeNs)));
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
    const storage::LogReport& report = inspection.reader->report();
    const std::vector<std::string>& fields = inspection.reader->selectedFields();
    TextTable table(
        {{"field", Align::Left}, {"requests that have it", Align::Right}, {"", Align::Right}});
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (report.filled[f] > 0) {
            table.add(
                {fields[f], grouped(report.filled[f]), percent(report.filled[f], report.requests)});
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

void writeBadLines(Context& context, const storage::LogReport& report)
{
    for (const auto& [reason, found] : report.reasons) {
        context.out.write(fmt::format("\nnot read, {}: {} {}\n", escaped(reason),
                                      grouped(found.count), found.count == 1 ? "line" : "lines"));
        for (const storage::LineReject& example : found.examples) {
            context.out.write(
                fmt::format("  line {}: {}\n", example.line, shortened(example.text, 100)));
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

void writeCommands(Context& context)
{
    std::string options;
    if (const auto format = context.args.text(OptionId::LogFormat)) {
        options += " --log-format " + shellWord(*format);
    }
    for (const std::string& mapping : context.args.all(OptionId::Map)) {
        options += " --map " + shellWord(mapping);
    }
    const std::string log = shellWord(context.args.arguments.front());
    context.out.write("\nnext:\n");
    context.out.write("  weir new limits.yaml\n");
    context.out.write("  weir replay limits.yaml " + escaped(log + options) + "\n");
}

void writeText(Context& context, const Inspection& inspection)
{
    const storage::LogReport& report = inspection.reader->report();
    writeHead(context, inspection);
    writeFirst(context, inspection);
    if (report.requests > 0) {
        writeFields(context, inspection);
    }
    writeBadLines(context, report);
    if (report.requests > 0) {
        writeCommands(context);
    }
}

void writeJson(Context& context, const Inspection& inspection)
{
    const storage::LogReader& reader = *inspection.reader;
    const storage::LogReport& report = reader.report();
    Json json;
    json.beginObject();
    json.field("format", reader.format().name());
    json.field("detection_lines", reader.detection().lines);
    json.field("detection_fit", reader.detection().fit);
    json.field("lines", report.lines);
    json.field("requests", report.requests);
    json.field("blank_lines", report.blankLines);
    json.field("directive_lines", report.directiveLines);
    json.field("bad_lines", report.rejected);
    json.field("first_ns", report.firstNs);
    json.field("last_ns", report.lastNs);
    json.field("coarse", report.coarse);
    json.field("with_duration", report.withDuration);
    json.field("steps_back", report.stepsBack);
    json.field("longest_step_back_ns", inspection.longestStepBackNs);
    json.field("partial", reader.source().isPartial());
    json.beginObject("fields");
    for (std::size_t f = 0; f < reader.selectedFields().size(); ++f) {
        if (report.filled[f] > 0) {
            json.field(reader.selectedFields()[f], report.filled[f]);
        }
    }
    json.end();
    json.beginObject("statuses");
    for (const auto& [status, count] : inspection.statuses) {
        json.field(status.empty() ? "none" : status, count);
    }
    json.end();
    json.beginList("first");
    for (const InspectedRequest& first : inspection.first) {
        json.beginObject();
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
    for (const auto& [reason, found] : report.reasons) {
        json.beginObject();
        json.field("reason", reason);
        json.field("count", found.count);
        json.beginList("examples");
        for (const storage::LineReject& example : found.examples) {
            json.beginObject();
            json.field("line", example.line);
            json.field("text", example.text);
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
    json.beginList("notes");
    for (const std::string& note : reader.detection().notes) {
        json.value(note);
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace

ExitCode runInspect(Context& context)
{
    const std::string& path = context.args.arguments.front();
    const engine::Result<LogChoice> log = logChoiceOf(context.args, path, storage::Spread::Even);
    if (!log) {
        return context.fail(log.error(), exitCodeOf(log.error()));
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return context.fail(jobs.error(), ExitCode::Usage);
    }
    std::unique_ptr<RejectsFile> rejects;
    if (const std::optional<std::string> file = context.args.text(OptionId::Rejects)) {
        if (const engine::Status apart
            = checkOutputs({{"the log", path, true}, {"--rejects", *file, false}});
            !apart) {
            return context.fail(apart.error(), ExitCode::Usage);
        }
        auto created = RejectsFile::create(*file, {path});
        if (!created) {
            return context.fail(created.error(), ExitCode::Usage);
        }
        rejects = std::move(*created);
    }
    PassProgress progress(context.messages, "inspect");
    InspectRequest request;
    request.log = *log;
    request.jobs = *jobs;
    request.stop = &interrupted();
    request.progress = &progress;
    if (rejects) {
        request.rejected
            = [&](const std::vector<storage::LineReject>& bad) { rejects->add(0, bad); };
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
    for (const engine::Diagnostic& warning : inspection->reader->source().warnings()) {
        context.messages.warning(warning.code, warning.message, warning.help);
    }
    context.common.json ? writeJson(context, *inspection) : writeText(context, *inspection);
    return inspection->interrupted ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace app::cli
