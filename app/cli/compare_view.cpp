#include "app/cli/compare_view.h"

#include "app/cli/condition_view.h"
#include "app/cli/github_command.h"
#include "app/cli/replay_args.h"
#include "app/cli/run_view.h"
#include "app/workbench/compare_tables.h"
#include "app/workbench/condition_sides.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"
#include "policies/read.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

using engine::Change;
using engine::ChangeCounts;

using Row = ChangeRow;

/// GitHub shows so many annotations of a kind in a step.
constexpr std::size_t kMostAnnotations = 10;

void writeCountsJson(Json& json, const ChangeCounts& counts)
{
    for (const Change change : kShownChanges) {
        json.field(engine::nameOf(change), counts[change]);
    }
}

/// `names`: where the list is named by an attribute.
void writeRowsJson(Json& json, const std::string& list, std::string_view name,
                   const std::vector<Row>& rows, std::size_t top, const KeyNames* names = nullptr)
{
    json.beginList(list);
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        json.beginObject();
        json.key(name);
        const std::string& value = rows[i].first;
        value.empty() ? json.null() : json.value(names ? names->of(list, value) : value);
        writeCountsJson(json, rows[i].second);
        json.end();
    }
    json.end();
}

void writeWhosJson(Json& json, const CompareView& view)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    const std::vector<Row> rows = sortedWhos(comparison);
    json.beginList("by_who");
    for (std::size_t i = 0; i < std::min(view.top, rows.size()); ++i) {
        const engine::WhoChange& change = comparison.byWho().at(rows[i].first);
        json.beginObject();
        json.key("who");
        rows[i].first.empty() ? json.null()
                              : json.value(view.names.of(view.outcome.who, rows[i].first));
        writeCountsJson(json, change.counts);
        if (change.counts[Change::NewlyRejected] > 0) {
            json.field("first_newly_rejected_n",
                       view.outcome.numbers.numberOf(change.firstNewlyRejectedN));
            json.field("first_newly_rejected_ns", change.firstNewlyRejectedNs);
        }
        json.end();
    }
    json.end();
}

/// Of each run what `weir show` has of its conditions; nothing where no side has anything.
engine::Status writeSidesJson(Json& json, const CompareView& view)
{
    if (view.sides.conditions.rows.empty()) {
        return engine::Done {};
    }
    json.beginObject("sides");
    for (const auto& [name, run] : view.sides.runs) {
        json.beginObject(name);
        writeClassFields(json, run);
        if (engine::Status written
            = writeConditionFields(json, *view.sides.reader, run, view.names, {view.top});
            !written) {
            return written;
        }
        json.end();
    }
    json.end();
    return engine::Done {};
}

/// "38 of 240 requests newly rejected (15.8%), of 3 distinct api_key; 0 newly admitted, 10 still
/// rejected".
std::string verdictOf(const CompareOutcome& outcome)
{
    const ChangeCounts& totals = outcome.comparison->totals();
    const std::uint64_t rejected = totals[Change::NewlyRejected];
    const std::uint64_t whos = distinctWho(*outcome.comparison, Change::NewlyRejected);
    return fmt::format(
        "{} of {} requests newly rejected ({}){}; {} newly admitted, {} still "
        "rejected",
        grouped(rejected), grouped(totals.total()), percent(rejected, totals.total()),
        whos > 0 ? fmt::format(", of {} distinct {}", grouped(whos), outcome.who) : std::string(),
        grouped(totals[Change::NewlyAdmitted]), grouped(totals[Change::StillRejected]));
}

/// Who is newly rejected, the first of them in lines of their own.
std::string hitText(const CompareView& view)
{
    std::string text;
    std::size_t hit = 0;
    for (const Row& row : sortedWhos(*view.outcome.comparison)) {
        const std::uint64_t rejected = row.second[Change::NewlyRejected];
        hit += rejected > 0 ? 1 : 0;
        if (rejected > 0 && hit <= view.top) {
            text += fmt::format("\n{}: {} newly rejected",
                                row.first.empty()
                                    ? std::string("(none)")
                                    : escaped(view.names.of(view.outcome.who, row.first)),
                                grouped(rejected));
        }
    }
    return hit > view.top ? text + fmt::format("\nand {} more", grouped(hit - view.top)) : text;
}

/// What is not among the figures, and how much other forms say beside them, in a line.
std::string asideText(const CompareView& view)
{
    std::uint64_t unread = 0;
    for (const storage::BadLines& bad : view.badLines) {
        unread += bad.count;
    }
    std::vector<std::string> parts;
    const auto add = [&parts](std::uint64_t count, std::string_view one, std::string_view many) {
        if (count > 0) {
            parts.push_back(fmt::format("{} {}", grouped(count), count == 1 ? one : many));
        }
    };
    add(view.outcome.skipped, "request left out", "requests left out");
    add(unread, "line not read", "lines not read");
    add(view.outcome.comparison->wouldReject(), "would be rejected by shadow rules",
        "would be rejected by shadow rules");
    add(view.sides.conditions.rows.size(), "figure of conditions in the other forms",
        "figures of conditions in the other forms");
    add(view.notes.size(), "note in the other forms", "notes in the other forms");
    return parts.empty() ? std::string() : fmt::format("\n{}", fmt::join(parts, ", "));
}

} // namespace

engine::Status describeSides(const storage::RunReader& reader, std::optional<storage::RunId> base,
                             storage::RunId candidate, CompareView& view)
{
    ComparedSides& sides = view.sides;
    sides.reader = &reader;
    for (const auto& [title, run] :
         {std::pair("base", base), {"candidate", std::optional(candidate)}}) {
        if (!run) {
            continue; // what production did: nothing is known of its servers and clients
        }
        engine::Result<storage::RunDetail> detail = reader.detail(*run);
        if (!detail) {
            return engine::fail(detail.error());
        }
        sides.runs.emplace_back(title, std::move(*detail));
    }
    std::vector<ConditionSide> columns;
    for (const auto& [title, run] : sides.runs) {
        columns.push_back({title, &run});
    }
    engine::Result<FigureTable> conditions = conditionSides(reader, columns);
    if (!conditions) {
        return engine::fail(conditions.error());
    }
    sides.conditions = std::move(*conditions);
    return engine::Done {};
}

engine::Status describe(const storage::RunReader& reader, std::optional<storage::RunId> base,
                        storage::RunId id, CompareView& view)
{
    if (engine::Status described = describeSides(reader, base, id, view); !described) {
        return described;
    }
    const storage::RunDetail& candidate = view.sides.runs.back().second;
    view.notes = candidate.notes;
    view.badLines = candidate.badLines;
    view.sampled = readingOf(candidate, "sampled");
    view.policy = policies::read(candidate.policy.path, candidate.policy.text).policy;
    return engine::Done {};
}

ReportSheet sheetOf(const CompareView& view)
{
    const CompareOutcome& outcome = view.outcome;
    const CompareTableOptions options {view.by, view.top, view.names};
    ReportSheet sheet {outcome.candidate, outcome.base};
    sheet.verdict = verdictOf(outcome);
    if (view.gate != nullptr) {
        sheet.gate = gateText(view.gate->gate(), view.gate->values(*outcome.comparison));
        sheet.gateFails = view.saysNo;
    }
    sheet.tables = compareTables(outcome, options);
    sheet.tables.insert(sheet.tables.begin(), compareTotals(outcome));
    sheet.csvTables = compareCsvTables(outcome, options);
    if (!view.sides.conditions.rows.empty()) {
        sheet.tables.push_back(view.sides.conditions);
        sheet.csvTables.push_back(view.sides.conditions);
    }
    sheet.notes = view.notes;
    sheet.badLines = view.badLines;
    sheet.sampled = view.sampled;
    sheet.names = view.names;
    return sheet;
}

std::string githubComparison(const CompareView& view)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    const std::string file = view.policy ? view.policy->file : std::string();
    std::string rules;
    std::size_t left = 0;
    std::size_t shown = 1; // the whole may be a warning, too
    for (const auto& [name, counts] : sortedChanges(comparison.byRule())) {
        const policies::Rule* rule = view.policy ? view.policy->rule(name) : nullptr;
        if (counts[Change::NewlyRejected] == 0) {
            continue;
        }
        if (++shown > kMostAnnotations) {
            ++left;
            continue;
        }
        rules += githubCommand(
            {"warning", "weir: " + escaped(name),
             fmt::format("rule {} newly rejects {} requests ({} of all); {} are newly admitted",
                         escaped(name), grouped(counts[Change::NewlyRejected]),
                         percent(counts[Change::NewlyRejected], comparison.totals().total()),
                         grouped(counts[Change::NewlyAdmitted])),
             rule != nullptr ? escaped(file) : std::string(),
             rule != nullptr && rule->name.at.source == 0 ? rule->name.at.line : 0});
    }
    const bool isHit = comparison.totals()[Change::NewlyRejected] > 0;
    GithubCommand whole {view.saysNo ? "error"
                             : isHit ? "warning"
                                     : "notice",
                         "weir compare",
                         fmt::format("{} against {}: {}", escaped(view.outcome.candidate),
                                     escaped(view.outcome.base), escaped(verdictOf(view.outcome)))};
    if (view.gate != nullptr) {
        whole.message
            += fmt::format("\nGate {}: {}", view.saysNo ? "fails" : "passes",
                           escaped(gateText(view.gate->gate(), view.gate->values(comparison))));
    }
    if (!view.sampled.empty()) {
        whole.message += "\n" + sampledText(view.sampled);
    }
    whole.message += hitText(view) + asideText(view);
    whole.message += left > 0 ? fmt::format("\n{} more rules newly reject", grouped(left)) : "";
    return githubCommand(whole) + rules;
}

void writeComparison(Context& context, const CompareView& view)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    context.out.write(painted(fmt::format("{} against {}", escaped(view.outcome.candidate),
                                          escaped(view.outcome.base)),
                              Style::Strong, context.common.colour)
                      + "\n");
    context.out.write(plainTable(compareTotals(view.outcome), context.common.colour, 0));
    writeSampled(context, view.sampled);
    for (const FigureTable& table : compareTables(view.outcome, {view.by, view.top, view.names})) {
        context.out.write("\n" + plainTable(table, context.common.colour));
        writeSampled(context, view.sampled);
    }
    if (!view.sides.conditions.rows.empty()) {
        context.out.write("\n" + plainTable(view.sides.conditions, context.common.colour));
        writeSampled(context, view.sampled);
    }
    writeNotes(context, view.notes, view.badLines, view.names);
    if (view.gate != nullptr) {
        writeGate(context, view.gate->gate(), view.gate->values(comparison), view.saysNo);
    }
}

engine::Result<std::string> comparisonJson(const CompareView& view,
                                           std::span<const engine::Diagnostic> diagnostics)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    const std::size_t all = static_cast<std::size_t>(-1);
    Json json;
    json.beginObject();
    json.field("base", view.outcome.base);
    json.field("candidate", view.outcome.candidate);
    json.beginList("runs");
    for (const std::optional<storage::RunId>& run : view.runs) {
        json.value(run);
    }
    json.end();
    json.key("sampled");
    view.sampled.empty() ? json.null() : json.value(view.sampled);
    json.beginObject("totals");
    json.field("requests", comparison.totals().total());
    writeCountsJson(json, comparison.totals());
    json.field("would_reject", comparison.wouldReject());
    json.field("left_out", view.outcome.skipped);
    json.end();
    json.field("who", view.outcome.who);
    json.field("who_changed", std::uint64_t {comparison.byWho().size()});
    writeRowsJson(json, "by_rule", "rule", sortedChanges(comparison.byRule()), all);
    writeWhosJson(json, view);
    writeRowsJson(json, "by_path", "path", sortedChanges(comparison.byPathGroup()), view.top);
    json.beginObject("by");
    for (std::size_t facet = 0; facet < view.by.size(); ++facet) {
        writeRowsJson(json, view.by[facet], "value", sortedChanges(comparison.byFacet(facet)), all,
                      &view.names);
    }
    json.end();
    if (engine::Status written = writeSidesJson(json, view); !written) {
        return engine::fail(written.error());
    }
    writeNotesJson(json, view.notes, view.badLines);
    if (view.gate != nullptr) {
        writeGateJson(json, view.gate->gate(), view.gate->values(comparison), view.saysNo);
    }
    writeDiagnostics(json, diagnostics);
    json.end();
    return json.take();
}

} // namespace app::cli
