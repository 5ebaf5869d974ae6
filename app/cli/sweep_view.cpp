#include "app/cli/sweep_view.h"

#include "app/cli/run_view.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/json.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

constexpr std::string_view kBase = "as it is";

/// The varied rule, with its overrides.
engine::Sweep::RuleCounts varied(const SweepView& view, std::size_t plan)
{
    engine::Sweep::RuleCounts sum;
    const std::vector<engine::PlanRule>& rules = view.plans[plan]->rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (rules[i].rule == view.rule) {
            const engine::Sweep::RuleCounts& counts = view.outcome.rows[plan].rules[i];
            sum.judged += counts.judged;
            sum.denied += counts.denied;
            sum.rejected += counts.rejected;
        }
    }
    return sum;
}

TextTable tableOf(const SweepView& view)
{
    const SweepOutcome& outcome = view.outcome;
    std::uint64_t most = 0;
    for (const SweepRow& row : outcome.rows) {
        most = std::max(most, row.rejected + row.wouldReject);
    }
    TextTable table({{view.path, Align::Left},
                     {"rejected", Align::Right},
                     {"would reject", Align::Right},
                     {"newly rejected", Align::Right},
                     {"newly admitted", Align::Right},
                     {"newly rejected " + outcome.who, Align::Right},
                     {view.rule + " denied", Align::Right},
                     {"", Align::Left}});
    for (std::size_t plan = 0; plan < outcome.rows.size(); ++plan) {
        const SweepRow& row = outcome.rows[plan];
        table.add(
            {plan == 0 ? std::string(kBase) : view.values[plan - 1],
             fmt::format("{} ({})", grouped(row.rejected), percent(row.rejected, outcome.requests)),
             grouped(row.wouldReject), grouped(row.newlyRejected), grouped(row.newlyAdmitted),
             grouped(row.newlyRejectedKeys), grouped(varied(view, plan).denied),
             bar(row.rejected + row.wouldReject, most)},
            plan == 0 ? Style::Faint : Style::Plain);
    }
    return table;
}

void writeRules(Json& json, const engine::Plan& plan, const SweepRow& row)
{
    json.beginList("rules");
    for (std::size_t i = 0; i < plan.rules.size(); ++i) {
        json.beginObject();
        json.field("rule", plan.rules[i].rule);
        json.field("override", plan.rules[i].overrideName);
        json.field("class", plan.rules[i].className);
        json.field("judged", row.rules[i].judged);
        json.field("denied", row.rules[i].denied);
        json.field("rejected", row.rules[i].rejected);
        json.end();
    }
    json.end();
}

void writeRow(Json& json, const SweepView& view, std::size_t plan)
{
    const SweepRow& row = view.outcome.rows[plan];
    json.beginObject();
    json.field("value",
               plan == 0 ? std::nullopt : std::optional<std::string_view>(view.values[plan - 1]));
    json.field("rejected", row.rejected);
    json.field("would_reject", row.wouldReject);
    json.field("newly_rejected", row.newlyRejected);
    json.field("newly_admitted", row.newlyAdmitted);
    json.field("rejected_keys", row.keysRejected);
    json.field("newly_rejected_keys", row.newlyRejectedKeys);
    writeRules(json, *view.plans[plan], row);
    json.end();
}

} // namespace

void writeSweep(Context& context, const SweepView& view)
{
    const SweepOutcome& outcome = view.outcome;
    const std::string warmup = outcome.warmup == 0
        ? ""
        : fmt::format(" ({} of the warm-up are not counted)", grouped(outcome.warmup));
    context.out.write(fmt::format("{}: {} requests{}\n\n{}", escaped(view.plans.front()->name),
                                  grouped(outcome.requests), warmup,
                                  tableOf(view).render(context.common.colour)));
    writeSampled(context, view.notes.sampled);
    writeNotes(context, view.notes.notes, view.notes.badLines, KeyNames(view.notes.secrets));
}

void writeSweepJson(Context& context, const SweepView& view)
{
    const SweepOutcome& outcome = view.outcome;
    Json json;
    json.beginObject();
    json.field("policy", view.plans.front()->name);
    json.field("vary", view.path);
    json.field("requests", outcome.requests);
    json.field("warmup", outcome.warmup);
    json.field("who", outcome.who);
    json.field("separately",
               outcome.separately.empty() ? std::nullopt
                                          : std::optional<std::string_view>(outcome.separately));
    json.beginList("rows");
    for (std::size_t plan = 0; plan < outcome.rows.size(); ++plan) {
        writeRow(json, view, plan);
    }
    json.end();
    writeNotesJson(json, view.notes.notes, view.notes.badLines);
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

void writeSweepCsv(Context& context, const SweepView& view)
{
    FigureTable table {"sweep", {}, {}};
    for (const char* const id :
         {"value", "requests", "rejected", "would_reject", "newly_rejected", "newly_admitted",
          "rejected_keys", "newly_rejected_keys", "rule_judged", "rule_denied", "rule_rejected"}) {
        table.columns.push_back({id, {}});
    }
    for (std::size_t plan = 0; plan < view.outcome.rows.size(); ++plan) {
        const SweepRow& row = view.outcome.rows[plan];
        const engine::Sweep::RuleCounts rule = varied(view, plan);
        std::vector<Cell> cells {plan == 0 ? Cell {} : Cell::value(view.values[plan - 1])};
        for (const std::uint64_t count :
             {view.outcome.requests, row.rejected, row.wouldReject, row.newlyRejected,
              row.newlyAdmitted, row.keysRejected, row.newlyRejectedKeys, rule.judged, rule.denied,
              rule.rejected}) {
            cells.push_back(Cell::number(count));
        }
        table.add(std::move(cells));
    }
    context.out.write(csvTables({table}));
    sayNotes(context.messages, view.notes);
}

} // namespace app::cli
