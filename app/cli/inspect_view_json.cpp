#include "app/cli/inspect_view.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/recording.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>

namespace app::cli {
namespace {

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
            json.field(name, inspection.secrets.shown(name, value));
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
            json.field("text", inspection.secrets.shownLine(example.text, inspection.fields));
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
}

} // namespace

void writeInspectionJson(Context& context, const Inspection& inspection)
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
    json.field("lines_behind_nuls", report.linesBehindNuls);
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

} // namespace app::cli
