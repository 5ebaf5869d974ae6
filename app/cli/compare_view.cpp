#include "app/cli/compare_view.h"

#include "app/cli/replay_args.h"
#include "app/cli/run_view.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;
using engine::Change;
using engine::ChangeCounts;

constexpr std::array kChanges {Change::NewlyRejected, Change::NewlyAdmitted, Change::StillRejected,
                               Change::StillAdmitted};

std::string wordsOf(Change change)
{
    std::string words(engine::nameOf(change));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

using Row = std::pair<std::string, ChangeCounts>;

/// Most newly rejected first, then most changed at all, then by name.
bool isBefore(const Row& a, const Row& b)
{
    for (const Change change : kChanges) {
        if (a.second[change] != b.second[change]) {
            return a.second[change] > b.second[change];
        }
    }
    return a.first < b.first;
}

std::vector<Row> sorted(const std::map<std::string, ChangeCounts>& counts)
{
    std::vector<Row> rows(counts.begin(), counts.end());
    std::sort(rows.begin(), rows.end(), isBefore);
    return rows;
}

std::vector<Row> sortedWhos(const engine::Comparison& comparison)
{
    std::vector<Row> rows;
    rows.reserve(comparison.byWho().size());
    for (const auto& [who, change] : comparison.byWho()) {
        rows.emplace_back(who, change.counts);
    }
    std::sort(rows.begin(), rows.end(), isBefore);
    return rows;
}

/// `secrets` knows whether the title is an attribute of which values are not shown.
void writeTable(Context& context, const std::string& title, const std::vector<Row>& rows,
                const CompareView& view, const SecretAttributes& secrets, bool withStillAdmitted)
{
    const std::size_t top = view.top;
    std::vector<TextTable::Column> columns {{title, Align::Left},
                                            {"newly rejected", Align::Right},
                                            {"newly admitted", Align::Right},
                                            {"still rejected", Align::Right}};
    if (withStillAdmitted) {
        columns.push_back({"still admitted", Align::Right});
    }
    TextTable table(columns, 2);
    for (std::size_t at = 0; at < std::min(top, rows.size()); ++at) {
        const Row& row = rows[at];
        std::vector<std::string> cells {row.first.empty() ? std::string("(none)")
                                                          : secrets.shown(title, row.first)};
        for (std::size_t i = 0; i < columns.size() - 1; ++i) {
            cells.push_back(grouped(row.second[kChanges[i]]));
        }
        table.add(std::move(cells),
                  row.second[Change::NewlyRejected] > 0 ? Style::Bad : Style::Plain);
    }
    if (table.isEmpty()) {
        return;
    }
    context.out.write("\n" + table.render(context.common.colour, 60));
    if (rows.size() > top) {
        context.out.write(fmt::format("  and {} more (--top N)\n", grouped(rows.size() - top)));
    }
    writeSampled(context, view.sampled);
}

void writeTotals(Context& context, const CompareView& view)
{
    const ChangeCounts& totals = view.outcome.comparison->totals();
    TextTable table({{"", Align::Left}, {"", Align::Right}, {"", Align::Right}, {"", Align::Left}},
                    2);
    table.add({"requests", grouped(totals.total()), "", ""});
    for (const Change change : kChanges) {
        std::size_t whos = 0;
        if (change != Change::StillAdmitted) {
            const auto& all = view.outcome.comparison->byWho();
            whos = static_cast<std::size_t>(
                std::count_if(all.begin(), all.end(), [change](const auto& who) {
                    return !who.first.empty() && who.second.counts[change] > 0;
                }));
        }
        table.add(
            {wordsOf(change), grouped(totals[change]), percent(totals[change], totals.total()),
             whos > 0 ? fmt::format("{} distinct {}", grouped(whos), view.outcome.who)
                      : std::string()},
            change == Change::NewlyRejected && totals[change] > 0 ? Style::Bad : Style::Plain);
    }
    if (view.outcome.comparison->wouldReject() > 0) {
        table.add({"would be rejected (shadow)", grouped(view.outcome.comparison->wouldReject()),
                   percent(view.outcome.comparison->wouldReject(), totals.total()), ""});
    }
    if (view.outcome.skipped > 0) {
        table.add({"left out (warm-up, or not recorded)", grouped(view.outcome.skipped), "", ""});
    }
    context.out.write(table.render(context.common.colour));
    writeSampled(context, view.sampled);
}

void writeCountsJson(Json& json, const ChangeCounts& counts)
{
    for (const Change change : kChanges) {
        json.field(engine::nameOf(change), counts[change]);
    }
}

/// `secrets`: where the list is named by an attribute.
void writeRowsJson(Json& json, std::string_view list, std::string_view name,
                   const std::vector<Row>& rows, std::size_t top,
                   const SecretAttributes& secrets = {})
{
    json.beginList(list);
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        json.beginObject();
        json.key(name);
        rows[i].first.empty() ? json.null() : json.value(secrets.shown(list, rows[i].first));
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
                              : json.value(view.secrets.shown(view.outcome.who, rows[i].first));
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

} // namespace

void writeComparison(Context& context, const CompareView& view)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    context.out.write(painted(fmt::format("{} against {}", escaped(view.outcome.candidate),
                                          escaped(view.outcome.base)),
                              Style::Strong, context.common.colour)
                      + "\n");
    writeTotals(context, view);
    writeTable(context, "rule", sorted(comparison.byRule()), view, {}, false);
    writeTable(context, view.outcome.who, sortedWhos(comparison), view, view.secrets, false);
    writeTable(context, "path", sorted(comparison.byPathGroup()), view, {}, false);
    for (std::size_t facet = 0; facet < view.by.size(); ++facet) {
        writeTable(context, view.by[facet], sorted(comparison.byFacet(facet)), view, view.secrets,
                   true);
    }
    writeNotes(context, view.notes, view.badLines, view.secrets);
    if (view.gate != nullptr) {
        writeGate(context, view.gate->gate(), view.gate->values(comparison), view.saysNo);
    }
}

void writeComparisonJson(Context& context, const CompareView& view)
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
    writeRowsJson(json, "by_rule", "rule", sorted(comparison.byRule()), all);
    writeWhosJson(json, view);
    writeRowsJson(json, "by_path", "path", sorted(comparison.byPathGroup()), view.top);
    json.beginObject("by");
    for (std::size_t facet = 0; facet < view.by.size(); ++facet) {
        writeRowsJson(json, view.by[facet], "value", sorted(comparison.byFacet(facet)), all,
                      view.secrets);
    }
    json.end();
    writeNotesJson(json, view.notes, view.badLines);
    if (view.gate != nullptr) {
        writeGateJson(json, view.gate->gate(), view.gate->values(comparison), view.saysNo);
    }
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
