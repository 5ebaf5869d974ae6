#include "app/cli/inspect_view.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/recording.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <array>
#include <fmt/format.h>

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
    if (report.linesBehindNuls > 0) {
        table.add({"",
                   fmt::format("{} lines begin with NUL bytes, which were dropped",
                               grouped(report.linesBehindNuls))});
    }
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
                table.add({name, inspection.secrets.shown(name, value)});
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
            const std::string shown = inspection.secrets.shownLine(example.text, inspection.fields);
            context.out.write(fmt::format("  {}line {}: {}\n", nameOf(inspection, example.file),
                                          example.line, shortened(shown, 100)));
        }
    }
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
    context.out.write("  weir replay limits.yaml" + logs + readingOptions(context) + "\n");
}

} // namespace

void writeInspection(Context& context, const Inspection& inspection)
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

} // namespace app::cli
