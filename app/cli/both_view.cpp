#include "app/cli/both_view.h"

#include "app/workbench/condition_sides.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/secrets.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app::cli {
namespace {

using Align = TextTable::Align;

constexpr std::string_view kWarning
    = "the truth may lie outside of the two: stamps of whole seconds do not say where in their "
      "second a request lay, and neither placing is what happened";

std::string withShare(std::uint64_t part, std::uint64_t whole)
{
    return fmt::format("{} {:>6}", grouped(part), percent(part, whole));
}

void writeTotals(Context& context, const storage::RunDetail& even, const storage::RunDetail& none,
                 const RunViewOptions& options)
{
    const auto title = [&options](const char* spread, const storage::RunDetail& run) {
        return options.isStored ? fmt::format("{} (run {})", spread, run.summary.id)
                                : std::string(spread);
    };
    TextTable table({{"spread", Align::Left},
                     {title("even", even), Align::Right},
                     {title("none", none), Align::Right}},
                    2);
    if (const std::string conditions = conditionLabel(even.options); !conditions.empty()) {
        context.out.write("\n  as if " + escaped(conditions.substr(2)) + "\n");
    }
    const storage::RunTotals& a = even.summary.totals;
    const storage::RunTotals& b = none.summary.totals;
    table.add({"requests", grouped(a.requests), grouped(b.requests)});
    const auto row = [&](const char* name, std::uint64_t x, std::uint64_t y, bool always) {
        if (always || x > 0 || y > 0) {
            table.add({name, withShare(x, a.requests), withShare(y, b.requests)});
        }
    };
    row("admitted", a.admitted, b.admitted, true);
    row("rejected", a.rejected, b.rejected, true);
    row("would be rejected (shadow)", a.wouldReject, b.wouldReject, false);
    row("exempt", a.exempt, b.exempt, false);
    row("delayed", a.delayed, b.delayed, false);
    row("late", a.late, b.late, false);
    row("rejected by production", a.recordedRejected, b.recordedRejected, false);
    context.out.write("\n" + table.render());
    writeSampled(context, readingOf(even, "sampled"));
}

void writeRules(Context& context, const storage::RunDetail& even, const storage::RunDetail& none)
{
    TextTable table({{"tier", Align::Left},
                     {"rule", Align::Left},
                     {"denied even", Align::Right},
                     {"none", Align::Right},
                     {"rejected even", Align::Right},
                     {"none", Align::Right},
                     {"denied keys even", Align::Right},
                     {"none", Align::Right}},
                    2);
    for (std::size_t i = 0; i < std::min(even.rules.size(), none.rules.size()); ++i) {
        const storage::RuleTotals& a = even.rules[i];
        const storage::RuleTotals& b = none.rules[i];
        table.add({std::string(engine::nameOf(a.tier)), fullName(a), grouped(a.denied),
                   grouped(b.denied), grouped(a.rejected), grouped(b.rejected),
                   grouped(a.keysDenied), grouped(b.keysDenied)},
                  a.rejected != b.rejected ? Style::Bad : Style::Plain);
    }
    context.out.write("\n" + table.render(context.common.colour, 60));
    writeSampled(context, readingOf(even, "sampled"));
}

/// What came of conditions, and of what rules learn, in both.
engine::Status writeConditions(Context& context, const storage::RunReader& reader,
                               const storage::RunDetail& even, const storage::RunDetail& none)
{
    const auto table = conditionSides(reader, {{"even", &even}, {"none", &none}});
    if (!table) {
        return engine::fail(table.error());
    }
    if (!table->rows.empty()) {
        context.out.write("\n" + plainTable(*table, context.common.colour));
        writeSampled(context, readingOf(even, "sampled"));
    }
    return engine::Done {};
}

/// The most rejected of either result.
engine::Status writeWhos(Context& context, const storage::RunReader& reader,
                         const storage::RunDetail& even, const storage::RunDetail& none,
                         std::size_t top)
{
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> rejected;
    // All rows: the most rejected of one side may be far down on the other.
    const auto read = [&](const storage::RunDetail& run, bool isEven) -> engine::Status {
        const auto rows = reader.whos(run.summary.id, storage::WhoOrder::Rejected,
                                      {0, static_cast<std::size_t>(-1) / 2});
        if (!rows) {
            return engine::fail(rows.error());
        }
        for (const storage::WhoRow& row : *rows) {
            auto& counts = rejected[row.who];
            (isEven ? counts.first : counts.second) += row.tally.rejected;
        }
        return engine::Done {};
    };
    if (engine::Status done = read(even, true); !done) {
        return done;
    }
    if (engine::Status done = read(none, false); !done) {
        return done;
    }
    std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>> rows(
        rejected.begin(), rejected.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::max(a.second.first, a.second.second)
            > std::max(b.second.first, b.second.second);
    });
    const std::string who = whoOf(even);
    const SecretAttributes secrets = secretsOf(even);
    TextTable table({{"most rejected " + who, Align::Left},
                     {"rejected even", Align::Right},
                     {"none", Align::Right}},
                    2);
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        const auto& [value, counts] = rows[i];
        if (counts.first > 0 || counts.second > 0) {
            table.add({value.empty() ? std::string("(none)") : secrets.shown(who, value),
                       grouped(counts.first), grouped(counts.second)});
        }
    }
    if (!table.isEmpty()) {
        context.out.write("\n" + table.render(context.common.colour, 60));
        writeSampled(context, readingOf(even, "sampled"));
    }
    return engine::Done {};
}

} // namespace

engine::Status writeBoth(Context& context, const storage::RunReader& reader, const BothRuns& runs,
                         const RunViewOptions& options)
{
    const engine::Result<storage::RunDetail> even = reader.detail(runs.even);
    if (!even) {
        return engine::fail(even.error());
    }
    const engine::Result<storage::RunDetail> none = reader.detail(runs.none);
    if (!none) {
        return engine::fail(none.error());
    }
    const std::string title = options.isStored
        ? fmt::format("Runs {} and {} ({})", runs.even, runs.none,
                      escaped(even->summary.policyName))
        : fmt::format("{} (not stored)", escaped(even->summary.policyName));
    context.out.write(painted(title, Style::Strong, context.common.colour) + "\n");
    TextTable head({{"", Align::Left}, {"", Align::Left}}, 2);
    head.add({"policy", fmt::format("{}  {}", even->policy.path, even->summary.policyFingerprint)});
    head.add({"log", even->summary.source});
    context.out.write(head.render());
    writeTotals(context, *even, *none, options);
    const bool areSame = std::none_of(even->notes.begin(), even->notes.end(), [](const auto& note) {
        return note.code == "replay.spread";
    });
    context.out.write(fmt::format(
        "  {}\n", areSame ? "no stamp is of whole seconds: there was nothing to place" : kWarning));
    writeRules(context, *even, *none);
    if (engine::Status written = writeConditions(context, reader, *even, *none); !written) {
        return written;
    }
    if (engine::Status written = writeWhos(context, reader, *even, *none, options.top); !written) {
        return written;
    }
    std::vector<storage::Note> notes;
    for (const storage::Note& note : even->notes) {
        if (note.code != "replay.spread") { // which speaks of one of the two
            notes.push_back(note);
        }
    }
    writeNotes(context, notes, even->badLines, KeyNames(secretsOf(*even)));
    return engine::Done {};
}

engine::Status writeBothJson(Context& context, const storage::RunReader& reader,
                             const BothRuns& runs, const RunViewOptions& options)
{
    Json json;
    json.beginObject();
    json.field("spread", "both");
    json.field("warning", kWarning);
    for (const auto& [name, run] : {std::pair("even", runs.even), {"none", runs.none}}) {
        json.beginObject(name);
        if (engine::Status written = writeRunFields(json, reader, run, options); !written) {
            return written;
        }
        json.end();
    }
    if (options.more) {
        options.more(json);
    }
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
    return engine::Done {};
}

} // namespace app::cli
