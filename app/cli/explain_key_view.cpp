#include "app/cli/explain_key_view.h"

#include "app/cli/rule_view.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

void writeHead(Context& context, const KeyHistory& history)
{
    const engine::PlanRule& rule = history.rule;
    const bool isShadow = rule.mode == engine::Mode::Shadow;
    context.out.write(painted(fmt::format("{} at {} / {}{} in run {}: {} of {} requests denied",
                                          escaped(keyText(rule, history.key)),
                                          engine::nameOf(rule.tier), escaped(fullName(rule)),
                                          isShadow ? " (shadow)" : "", history.run.summary.id,
                                          grouped(history.denied), grouped(history.requests)),
                              history.denied > 0 && !isShadow ? Style::Bad : Style::Strong,
                              context.common.colour)
                      + "\n");
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"limit", limitText(rule)});
    table.add(
        {"judged", fmt::format("{} to {}", timeText(history.firstNs), timeText(history.lastNs))});
    context.out.write(table.render());
}

FigureTable episodesTable(const KeyHistory& history)
{
    FigureTable table {"episodes",
                       "Episodes",
                       {{"begin", "denied from", Align::Left},
                        {"lasted", "for"},
                        {"requests", "requests"},
                        {"denied", "denied"},
                        {"", ""},
                        {"longest_streak", "longest streak"},
                        {"worst_minute", "worst minute"},
                        {"first_n", "first is request"}}};
    for (const KeyEpisode& episode : history.episodes) {
        table.add({Cell::time(episode.beginNs), Cell::duration(episode.lengthNs()),
                   Cell::number(episode.requests), Cell::number(episode.denied),
                   Cell::share(episode.denied, episode.requests),
                   Cell::number(episode.longestStreak), Cell::number(episode.worstMinute),
                   Cell::number(episode.firstN)});
    }
    return table;
}

} // namespace

void writeKeyHistory(Context& context, const KeyHistory& history)
{
    writeHead(context, history);
    const FigureTable episodes = episodesTable(history);
    if (episodes.rows.empty()) {
        context.out.write("\n  it was never denied\n");
        return;
    }
    context.out.write("\n" + plainTable(episodes, context.common.colour));
    TextTable table({{"just enough", Align::Left},
                     {"", Align::Left},
                     {"instead of", Align::Left},
                     {"to try it", Align::Left}},
                    2);
    std::size_t found = 0;
    for (const EnoughField& field : history.enough) {
        found += field.value.empty() ? 0U : 1U;
        table.add({field.field, field.value.empty() ? std::string("no number is") : field.value,
                   field.current,
                   field.setting.empty() ? std::string() : "--set " + shellWord(field.setting)});
    }
    context.out.write("\n" + table.render());
    if (found > 0) {
        context.out.write(
            fmt::format("  with {} none of these would have been denied, and with "
                        "one less some would have been: both were replayed\n",
                        found == 1 ? "the number by itself" : "each of the numbers by itself"));
    }
    if (found < history.enough.size()) {
        context.out.write(
            "  where no number is, the greatest that can be counted was replayed, and "
            "some would have been denied\n");
    }
}

void writeKeyHistoryJson(Context& context, const KeyHistory& history)
{
    Json json;
    json.beginObject();
    json.field("run", history.run.summary.id);
    writeRuleFields(json, history.rule, history.key);
    json.field("requests", history.requests);
    json.field("denied", history.denied);
    json.field("first_ns", history.firstNs);
    json.field("last_ns", history.lastNs);
    json.beginList("episodes");
    for (const KeyEpisode& episode : history.episodes) {
        json.beginObject();
        json.field("begin_ns", episode.beginNs);
        json.field("end_ns", episode.endNs);
        json.field("first_n", episode.firstN);
        json.field("requests", episode.requests);
        json.field("denied", episode.denied);
        json.field("longest_streak", episode.longestStreak);
        json.field("worst_minute", episode.worstMinute);
        json.field("worst_minute_ns", episode.worstMinuteNs);
        json.end();
    }
    json.end();
    json.beginList("enough");
    for (const EnoughField& field : history.enough) {
        const bool isFound = !field.value.empty();
        json.beginObject();
        json.field("field", field.field);
        json.field("value", isFound ? std::optional(field.value) : std::nullopt);
        json.field("current", field.current);
        json.field("set", isFound ? std::optional(field.setting) : std::nullopt);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
