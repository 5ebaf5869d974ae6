#include "app/workbench/key_history_text.h"

#include "app/workbench/counted.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app {
namespace {

using Align = TextTable::Align;

std::string headPart(const KeyHistory& history, bool colour)
{
    const engine::PlanRule& rule = history.rule;
    const bool isShadow = rule.mode == engine::Mode::Shadow;
    const std::string text
        = painted(fmt::format("{} at {} / {}{} in run {}: {} of {} denied",
                              escaped(keyText(rule, history.key)), engine::nameOf(rule.tier),
                              escaped(fullName(rule)), isShadow ? " (shadow)" : "",
                              history.run.summary.id, grouped(history.denied),
                              counted(history.requests, "request", "requests")),
                  history.denied > 0 && !isShadow ? Style::Bad : Style::Strong, colour)
        + "\n";
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"limit", limitText(rule)});
    table.add(
        {"judged", fmt::format("{} to {}", timeText(history.firstNs), timeText(history.lastNs))});
    if (const std::string comebacks = comebacksText(history); !comebacks.empty()) {
        table.add({"came again", comebacks});
    }
    return text + table.render();
}

/// "once, denied", "3 times, 2 of them denied".
std::string retriesText(const KeyComebacks& came)
{
    if (came.retries == 1) {
        return came.denied == 0 ? "once, not denied" : "once, denied";
    }
    return fmt::format("{} times, {} of them denied", grouped(came.retries), grouped(came.denied));
}

/// "1 request was admitted later, 40 were given up (8 for want of budget)"; "" where no request was
/// either.
std::string endsText(const KeyComebacks& came)
{
    std::string text;
    if (came.admittedLater > 0) {
        text = counted(came.admittedLater, "request was", "requests were") + " admitted later";
    }
    if (came.gaveUp > 0) {
        text += text.empty() ? counted(came.gaveUp, "request was", "requests were")
                             : ", " + counted(came.gaveUp, "was", "were");
        text += " given up";
    }
    return came.outOfBudget == 0
        ? text
        : text + fmt::format(" ({} for want of budget)", grouped(came.outOfBudget));
}

/// Of limits that are no one number: why.
std::string whyNotLookedFor(const engine::PlanRule& rule)
{
    switch (rule.limit.algorithm) {
    case engine::Algorithm::AdaptiveConcurrency:
        return ": its limit is learnt from the durations";
    case engine::Algorithm::LoadShedder:
        return ": requests of all keys and classes fill its capacity";
    default:
        return {};
    }
}

} // namespace

std::string comebacksText(const KeyHistory& history)
{
    if (!history.comebacks) {
        return {};
    }
    const KeyComebacks& came = *history.comebacks;
    const std::string retries = came.retries == 0 ? "never" : retriesText(came);
    const std::string ends = endsText(came);
    return ends.empty() ? retries : retries + "; " + ends;
}

std::string comebackSentence(const KeyHistory& history)
{
    if (!history.comebacks) {
        return {};
    }
    const KeyComebacks& came = *history.comebacks;
    if (came.retries > 0) {
        return fmt::format("Clients came again {}.", comebacksText(history));
    }
    const std::string ends = endsText(came);
    return ends.empty() ? "No client came again." : fmt::format("No client came again; {}.", ends);
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

std::string keyHistoryText(const KeyHistory& history, bool colour)
{
    std::string text = headPart(history, colour);
    const FigureTable episodes = episodesTable(history);
    if (episodes.rows.empty()) {
        return text + "\n  it was never denied\n";
    }
    text += "\n" + plainTable(episodes, colour);
    if (history.enough.empty()) {
        return text + "\n  no number of the rule was looked for that is just enough"
            + whyNotLookedFor(history.rule) + "\n";
    }
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
    text += "\n" + table.render();
    if (found > 0) {
        text += fmt::format("  with {} none of these would have been denied, and with "
                            "one less some would have been: both were replayed\n",
                            found == 1 ? "the number by itself" : "each of the numbers by itself");
    }
    if (found < history.enough.size()) {
        text += "  where no number is, the greatest that can be counted was replayed, and "
                "some would have been denied\n";
    }
    return text;
}

} // namespace app
