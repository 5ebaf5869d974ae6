#include "app/cli/run_view.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/report_sheet.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

std::string span(const storage::RunTotals& totals)
{
    if (!totals.firstNs || !totals.lastNs) {
        return "no requests";
    }
    return fmt::format("{} to {}", timeText(*totals.firstNs), timeText(*totals.lastNs));
}

void writeHead(Context& context, const storage::RunDetail& run, const RunViewOptions& options)
{
    const bool isStored = options.isStored;
    const storage::RunSummary& summary = run.summary;
    std::string state;
    if (summary.state != storage::RunState::Complete) {
        state = fmt::format(", {}", storage::nameOf(summary.state));
    }
    const std::string title = isStored
        ? fmt::format("Run {} ({})", summary.id, escaped(summary.name))
        : fmt::format("{} (not stored)", escaped(summary.name));
    context.out.write(painted(title + state, Style::Strong, context.common.colour) + "\n");
    TextTable head({{"", Align::Left}, {"", Align::Left}}, 2);
    head.add({"policy", fmt::format("{}  {}", run.policy.path, summary.policyFingerprint)});
    head.add({"log", summary.source});
    if (options.narrowed == nullptr) {
        head.add({"requests", span(summary.totals)});
    } else {
        head.add({"period",
                  fmt::format("{} to {} (not included)",
                              options.period.fromNs ? timeText(*options.period.fromNs) : "begin",
                              options.period.toNs ? timeText(*options.period.toNs) : "end")});
    }
    if (const auto conditions = conditionsOfRun(run.options, summary.seed)) {
        for (const std::string& words : conditionWords(*conditions)) {
            head.add({"as if", words});
        }
    }
    if (!summary.failure.empty()) {
        head.add({"failed", summary.failure});
    }
    context.out.write(head.render());
}

/// A table, if it has rows, and below it that the log is a sample.
void writeTable(Context& context, const FigureTable& table, std::string_view sampled)
{
    const std::string text = plainTable(table, context.common.colour);
    if (!text.empty()) {
        context.out.write("\n" + text);
        writeSampled(context, sampled);
    }
}

/// A line of eight levels; a column that has anything at all is never empty.
std::string sparkline(const std::vector<std::uint64_t>& columns)
{
    constexpr std::array<std::string_view, 8> kLevels {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::uint64_t most
        = std::max<std::uint64_t>(1, *std::max_element(columns.begin(), columns.end()));
    std::string line;
    for (const std::uint64_t value : columns) {
        // 128 bits are not needed: counts of requests times 7.
        line += value == 0 ? std::string_view(" ")
                           : kLevels[static_cast<std::size_t>(value * 7 / most)];
    }
    return line;
}

engine::Status writeTimeline(Context& context, const storage::RunReader& reader,
                             const storage::RunDetail& run, bool isNarrowed)
{
    constexpr int kColumns = 60;
    constexpr std::int64_t kNs = 1'000'000'000;
    const storage::RunTotals& totals = run.summary.totals;
    if (!totals.firstNs || secondOf(*totals.lastNs) - secondOf(*totals.firstNs) < 10) {
        return engine::Done {};
    }
    const std::int64_t first = secondOf(*totals.firstNs);
    const std::int64_t last = secondOf(*totals.lastNs);
    const std::int64_t width = (last - first) / kColumns + 1;
    const bool isCoarse = width >= 60 && !isNarrowed; // a minute may lie across the period's end
    const TimelineSpan span {first, last + 1, width,
                             isCoarse ? storage::TimelineLevel::Minute
                                      : storage::TimelineLevel::Second};
    const auto columns = timelineColumns(reader, run.summary.id, span);
    if (!columns) {
        return engine::fail(columns.error());
    }
    std::vector<std::uint64_t> requests;
    std::vector<std::uint64_t> rejected;
    std::vector<std::uint64_t> recorded;
    for (const engine::SecondTally& column : *columns) {
        requests.push_back(column.requests);
        rejected.push_back(column.rejected);
        recorded.push_back(column.recordedRejected);
    }
    for (std::vector<std::uint64_t>* counts : {&requests, &rejected, &recorded}) {
        counts->resize(kColumns); // one width for all runs
    }
    const auto most = [](const std::vector<std::uint64_t>& counts) {
        return grouped(*std::max_element(counts.begin(), counts.end()));
    };
    context.out.write(fmt::format("\n  requests {}  up to {} in {}\n", sparkline(requests),
                                  most(requests), durationText(width * kNs)));
    context.out.write(
        fmt::format("  rejected {}  up to {}\n", sparkline(rejected), most(rejected)));
    if (totals.recordedRejected > 0) {
        context.out.write(fmt::format("  recorded {}  up to {}, rejected by production\n",
                                      sparkline(recorded), most(recorded)));
    }
    writeSampled(context, readingOf(run, "sampled"));
    return engine::Done {};
}

/// What came of servers, outages and clients, which the store keeps for the whole run only, and
/// what the run took.
engine::Status writeConditions(Context& context, const storage::RunReader& reader,
                               const storage::RunDetail& run, const RunViewOptions& options)
{
    const std::string sampled = readingOf(run, "sampled");
    if (options.narrowed == nullptr) {
        const auto tables = conditionTables(reader, run, options.top, KeyNames(secretsOf(run)));
        if (!tables) {
            return engine::fail(tables.error());
        }
        for (const FigureTable& table : *tables) {
            writeTable(context, table, sampled);
        }
    }
    if (options.withCost) {
        FigureTable states = statesTable(run);
        if (run.requestNs) {
            states.remark = fmt::format("a request took {}, measured on one batch in 64",
                                        durationText(*run.requestNs));
        }
        writeTable(context, states, {});
    }
    return engine::Done {};
}

} // namespace

void writeNotes(Context& context, const std::vector<storage::Note>& notes,
                const std::vector<storage::BadLines>& badLines, const KeyNames& names)
{
    if (notes.empty() && badLines.empty()) {
        return;
    }
    context.out.write("\n");
    for (const storage::Note& note : notes) {
        context.out.write("  note: " + escaped(note.text) + "\n");
    }
    for (const storage::BadLines& bad : badLines) {
        context.out.write(fmt::format("  not read: {}\n", escaped(badLinesText(bad, names))));
    }
}

void writeSampled(Context& context, std::string_view sampled)
{
    if (!sampled.empty()) {
        context.out.write(painted("  " + sampledText(sampled), Style::Bad, context.common.colour)
                          + "\n");
    }
}

engine::Status writeRun(Context& context, const storage::RunReader& reader, storage::RunId run,
                        const RunViewOptions& options)
{
    engine::Result<storage::RunDetail> detail = options.narrowed != nullptr
        ? engine::Result<storage::RunDetail>(options.narrowed->run)
        : reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const bool isNarrowed = options.narrowed != nullptr;
    const std::string sampled = readingOf(*detail, "sampled");
    const KeyNames names(secretsOf(*detail)); // whoever asks may read the log
    writeHead(context, *detail, options);
    writeTable(context, totalsTable(detail->summary.totals), sampled);
    writeTable(context, tiersTable(*detail), sampled);
    writeTable(context, rulesTable(*detail, isNarrowed), sampled);
    writeTable(context, delaysTable(*detail), sampled);
    if (engine::Status written = writeConditions(context, reader, *detail, options); !written) {
        return written;
    }
    if (isNarrowed) {
        for (const FigureTable& table : narrowedTables(*options.narrowed, options.top, names)) {
            writeTable(context, table, sampled);
        }
    } else {
        for (const auto& make : {whosTable, keysTable}) {
            const auto table = make(reader, *detail, options.top, names);
            if (!table) {
                return engine::fail(table.error());
            }
            writeTable(context, *table, sampled);
        }
    }
    for (const Attribute& attribute : options.by) {
        writeTable(context, attributeTable(attribute, options.top, names), sampled);
    }
    if (engine::Status written = writeTimeline(context, reader, *detail, isNarrowed); !written) {
        return written;
    }
    if (isNarrowed) {
        context.out.write(
            "\n  note: delays, skipped requests, exemptions, late requests and what "
            "admitted keys sent are kept for the whole run only; what follows is of it\n");
    }
    writeNotes(context, detail->notes, detail->badLines, names);
    return engine::Done {};
}

} // namespace app::cli
