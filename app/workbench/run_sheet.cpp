#include "app/workbench/run_sheet.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

constexpr std::int64_t kMostColumns = 120;
constexpr std::size_t kConditionRows = 10;

std::int64_t floored(std::int64_t value, std::int64_t unit)
{
    return value / unit * unit - (value % unit < 0 ? unit : 0);
}

/// Columns of a width that people count in, on the marks of the clock. The last one may reach
/// beyond the last request.
TimelineSpan spanOf(const storage::RunTotals& totals)
{
    const std::int64_t first = secondOf(*totals.firstNs);
    const std::int64_t last = secondOf(*totals.lastNs);
    TimelineSpan span;
    span.widthSeconds = niceWidth(last - first + 1, kMostColumns);
    span.firstSecond = floored(first, span.widthSeconds);
    span.endSecond = floored(last, span.widthSeconds) + span.widthSeconds;
    span.level = span.widthSeconds % 3600 == 0 ? storage::TimelineLevel::Hour
        : span.widthSeconds % 60 == 0          ? storage::TimelineLevel::Minute
                                               : storage::TimelineLevel::Second;
    return span;
}

/// One series: a figure of each column.
template <class Figure>
TimelineChart::Series seriesOf(const std::vector<engine::SecondTally>& columns, std::string name,
                               Shade shade, bool isArea, Figure figure)
{
    TimelineChart::Series series {std::move(name), shade, isArea, {}};
    std::transform(columns.begin(), columns.end(), std::back_inserter(series.counts), figure);
    return series;
}

TimelineChart chartOf(std::string title, const TimelineSpan& span)
{
    return {std::move(title), span.firstSecond, span.widthSeconds};
}

TimelineChart::Series rejectedOf(const std::vector<engine::SecondTally>& columns, std::string name,
                                 Shade shade, bool isArea)
{
    return seriesOf(columns, std::move(name), shade, isArea,
                    [](const engine::SecondTally& column) { return column.rejected; });
}

TimelineChart::Series recordedOf(const std::vector<engine::SecondTally>& columns)
{
    return seriesOf(columns, "rejected by production", Shade::Recorded, false,
                    [](const engine::SecondTally& column) { return column.recordedRejected; });
}

/// A figure of each second, in columns from the first of `span` to the last that has one: retries
/// come after the log's last request, too.
class Columns {
public:
    explicit Columns(const TimelineSpan& span)
        : m_span(span)
    {
    }

    std::uint64_t& at(std::vector<std::uint64_t>& counts, std::int64_t second) const
    {
        const std::int64_t since = std::max<std::int64_t>(0, second - m_span.firstSecond);
        const auto column = static_cast<std::size_t>(since / m_span.widthSeconds);
        counts.resize(std::max({counts.size(), column + 1, m_span.columns()}));
        return counts[column];
    }

private:
    TimelineSpan m_span;
};

/// First attempts and retries of clients that come again.
engine::Status addAttempts(const storage::RunReader& reader, const storage::RunDetail& run,
                           const TimelineSpan& span, ReportSheet& sheet)
{
    const auto attempts = reader.attempts(run.summary.id, std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max());
    if (!attempts) {
        return engine::fail(attempts.error());
    }
    if (attempts->empty()) {
        return engine::Done {};
    }
    const Columns columns(span);
    TimelineChart::Series first {"first attempts", Shade::Admitted, true, {}};
    TimelineChart::Series retries {"retries", Shade::Rejected, true, {}};
    for (const engine::AttemptSecond& second : *attempts) {
        columns.at(first.counts, second.second) += second.attempts - second.retries;
        columns.at(retries.counts, second.second) += second.retries;
    }
    first.counts.resize(retries.counts.size());
    TimelineChart chart = chartOf("Attempts", span);
    chart.series = {std::move(first), std::move(retries)};
    sheet.timelines.push_back(std::move(chart));
    return engine::Done {};
}

/// The highest limit of each rule that learns one.
engine::Status addLearned(const storage::RunReader& reader, const storage::RunDetail& run,
                          const TimelineSpan& span, ReportSheet& sheet)
{
    const auto learned = learnedLimits(reader, run);
    if (!learned) {
        return engine::fail(learned.error());
    }
    for (const LearnedLimits& limits : *learned) {
        if (!limits.isLimit) {
            continue;
        }
        const Columns columns(span);
        TimelineChart::Series highest {"highest limit", Shade::Admitted, false, {}, true};
        for (const engine::LimitSecond& second : limits.seconds) {
            std::uint64_t& most = columns.at(highest.counts, second.second);
            most = std::max(most, static_cast<std::uint64_t>(second.highest));
        }
        // Where nobody asked it stays what it was; before the first, what it begins with.
        std::uint64_t last = static_cast<std::uint64_t>(limits.seconds.front().highest);
        for (std::uint64_t& limit : highest.counts) {
            last = limit == 0 ? last : limit;
            limit = last;
        }
        TimelineChart chart = chartOf("Limit that " + fullName(*limits.rule) + " learned", span);
        chart.series = {std::move(highest)};
        sheet.timelines.push_back(std::move(chart));
    }
    return engine::Done {};
}

engine::Status addTimelines(const storage::RunReader& reader, const storage::RunDetail& run,
                            ReportSheet& sheet)
{
    const storage::RunTotals& totals = run.summary.totals;
    if (!totals.firstNs) {
        return engine::Done {};
    }
    const TimelineSpan span = spanOf(totals);
    const auto columns = timelineColumns(reader, run.summary.id, span);
    if (!columns) {
        return engine::fail(columns.error());
    }
    TimelineChart all = chartOf("All requests", span);
    all.series = {seriesOf(*columns, "admitted", Shade::Admitted, true,
                           [](const engine::SecondTally& column) { return column.admitted; }),
                  rejectedOf(*columns, "rejected", Shade::Rejected, true)};
    if (totals.recordedRejected > 0) {
        all.series.push_back(recordedOf(*columns));
    }
    sheet.timelines.push_back(std::move(all));
    for (const storage::TierTotals& tier : run.tiers) {
        if (tier.judged == 0) {
            continue;
        }
        const auto at = static_cast<std::size_t>(tier.tier);
        TimelineChart chart = chartOf(fmt::format("Tier {}", engine::nameOf(tier.tier)), span);
        chart.series = {seriesOf(*columns, "let through", Shade::Admitted, true,
                                 [at](const engine::SecondTally& column) {
                                     return column.tiers[at].judged - column.tiers[at].rejected;
                                 }),
                        seriesOf(*columns, "rejected", Shade::Rejected, true,
                                 [at](const engine::SecondTally& column) {
                                     return column.tiers[at].rejected;
                                 })};
        sheet.timelines.push_back(std::move(chart));
    }
    if (engine::Status added = addAttempts(reader, run, span, sheet); !added) {
        return added;
    }
    return addLearned(reader, run, span, sheet);
}

/// What came of the conditions of one side of a comparison.
engine::Status addConditions(const storage::RunReader& reader, const storage::RunDetail& run,
                             std::string_view side, ReportSheet& sheet)
{
    auto tables = conditionTables(reader, run, kConditionRows, sheet.names);
    if (!tables) {
        return engine::fail(tables.error());
    }
    for (FigureTable& table : *tables) {
        table.id += fmt::format("_{}", side);
        table.caption += fmt::format(" ({})", side);
        sheet.csvTables.push_back(table);
        sheet.tables.push_back(std::move(table));
    }
    return engine::Done {};
}

void addFacts(const storage::RunDetail& run, const std::string& policyName, ReportSheet& sheet)
{
    sheet.facts.emplace_back(
        policyName,
        Cell::value(fmt::format("{}  {}", run.policy.path, run.summary.policyFingerprint)));
}

void addReading(const storage::RunDetail& run, ReportSheet& sheet)
{
    const storage::RunSummary& summary = run.summary;
    sheet.facts.emplace_back("log", Cell::value(summary.source));
    if (summary.totals.firstNs && summary.totals.lastNs) {
        sheet.facts.emplace_back("first request", Cell::time(*summary.totals.firstNs));
        sheet.facts.emplace_back("last request", Cell::time(*summary.totals.lastNs));
    }
}

/// What is known of the reading and of the run, beside its notes.
void addLimits(const storage::RunDetail& run, ReportSheet& sheet)
{
    const storage::RunSummary& summary = run.summary;
    const auto say = [&sheet](std::string text) { sheet.limits.push_back(std::move(text)); };
    if (summary.state != storage::RunState::Complete) {
        say(fmt::format("run {} is {}: its figures are of a part of the log", summary.id,
                        storage::nameOf(summary.state)));
    }
    if (run.recording && run.recording->partial) {
        say("the log has a damaged end: what could be read of it counts");
    }
    if (summary.totals.late > 0) {
        say(fmt::format("{} of {} requests came late in the log and were decided at the time of "
                        "the line before",
                        grouped(summary.totals.late), grouped(summary.totals.requests)));
    }
    if (run.recording && run.recording->leftOut > 0) {
        say(fmt::format("{} requests of the log took no part, as asked",
                        grouped(run.recording->leftOut)));
    }
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.keysLeftOut > 0) {
            say(fmt::format("of a rule, {} denied keys have no row in the store; they are counted",
                            grouped(rule.keysLeftOut)));
        }
    }
    if (!run.conditions.clients) {
        say("The log is of the past: whoever is rejected may come again, and nobody does so here.");
    }
    if (const auto conditions = conditionsOfRun(run.options, summary.seed)) {
        for (const std::string& words : conditionWords(*conditions)) {
            say("as if: " + words);
        }
    }
}

} // namespace

engine::Result<ReportSheet> runSheet(const storage::RunReader& reader, storage::RunId run,
                                     const RunSheetOptions& options)
{
    const engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const storage::RunTotals& totals = detail->summary.totals;
    ReportSheet sheet {fmt::format("run {} ({})", run, detail->summary.name)};
    sheet.verdict
        = fmt::format("{} of {} requests rejected ({}), {} admitted", grouped(totals.rejected),
                      grouped(totals.requests), percent(totals.rejected, totals.requests),
                      grouped(totals.admitted));
    addFacts(*detail, "policy", sheet);
    addReading(*detail, sheet);
    sheet.tables = {totalsTable(totals), tiersTable(*detail), rulesTable(*detail, false),
                    delaysTable(*detail)};
    auto conditions = conditionTables(reader, *detail, options.top, options.names);
    if (!conditions) {
        return engine::fail(conditions.error());
    }
    std::move(conditions->begin(), conditions->end(), std::back_inserter(sheet.tables));
    for (const auto& make : {whosTable, keysTable}) {
        engine::Result<FigureTable> table = make(reader, *detail, options.top, options.names);
        if (!table) {
            return engine::fail(table.error());
        }
        sheet.tables.push_back(std::move(*table));
    }
    for (const Attribute& attribute : options.by) {
        sheet.tables.push_back(attributeTable(attribute, options.top, options.names));
    }
    sheet.bars
        = {barsOf(sheet.tables, "rules", {"rule", "denied", "judged"}, "Denied by rule"),
           barsOf(sheet.tables, "who", {"who", "rejected"}, "Rejected by " + whoOf(*detail))};
    if (engine::Status added = addTimelines(reader, *detail, sheet); !added) {
        return engine::fail(added.error());
    }
    sheet.csvTables = sheet.tables;
    for (std::size_t i = 0; i < sheet.timelines.size(); ++i) {
        const TimelineChart& chart = sheet.timelines[i];
        sheet.csvTables.push_back(tableOf(chart, i == 0 ? "timeline" : "timeline " + chart.title));
    }
    sheet.notes = detail->notes;
    sheet.badLines = detail->badLines;
    sheet.sampled = readingOf(*detail, "sampled");
    sheet.names = options.names;
    addLimits(*detail, sheet);
    return sheet;
}

engine::Status describeComparison(const storage::RunReader& reader,
                                  std::optional<storage::RunId> base, storage::RunId candidate,
                                  ReportSheet& sheet)
{
    const engine::Result<storage::RunDetail> run = reader.detail(candidate);
    if (!run) {
        return engine::fail(run.error());
    }
    addFacts(*run, "policy", sheet);
    if (base) {
        const engine::Result<storage::RunDetail> other = reader.detail(*base);
        if (!other) {
            return engine::fail(other.error());
        }
        addFacts(*other, "policy of the base", sheet);
        if (engine::Status added = addConditions(reader, *other, "base", sheet); !added) {
            return added;
        }
    }
    if (engine::Status added = addConditions(reader, *run, "candidate", sheet); !added) {
        return added;
    }
    addReading(*run, sheet);
    addLimits(*run, sheet);
    if (!run->summary.totals.firstNs) {
        return engine::Done {};
    }
    const TimelineSpan span = spanOf(run->summary.totals);
    const auto columns = timelineColumns(reader, candidate, span);
    if (!columns) {
        return engine::fail(columns.error());
    }
    TimelineChart chart = chartOf("Rejected", span);
    chart.series = {rejectedOf(*columns, "by the candidate", Shade::Rejected, true)};
    if (base) {
        const auto before = timelineColumns(reader, *base, span);
        if (!before) {
            return engine::fail(before.error());
        }
        chart.series.push_back(rejectedOf(*before, "by the base", Shade::Before, false));
    } else {
        chart.series.push_back(recordedOf(*columns));
    }
    sheet.timelines.push_back(std::move(chart));
    TimelineChart all = chartOf("All requests", span);
    all.series = {seriesOf(*columns, "admitted by the candidate", Shade::Admitted, true,
                           [](const engine::SecondTally& column) { return column.admitted; }),
                  rejectedOf(*columns, "rejected by the candidate", Shade::Rejected, true)};
    sheet.timelines.push_back(std::move(all));
    for (std::size_t i = 0; i < sheet.timelines.size(); ++i) {
        sheet.csvTables.push_back(
            tableOf(sheet.timelines[i], i == 0 ? "timeline of rejected" : "timeline"));
    }
    return engine::Done {};
}

} // namespace app
