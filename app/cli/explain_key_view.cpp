#include "app/cli/explain_key_view.h"

#include "app/workbench/key_history_text.h"
#include "app/workbench/rule_text.h"

namespace app::cli {

void writeKeyHistory(Context& context, const KeyHistory& history)
{
    context.out.write(keyHistoryText(history, context.common.colour));
}

void writeKeyHistoryJson(Context& context, const KeyHistory& history)
{
    Json json;
    json.beginObject();
    json.field("run", history.run.summary.id);
    writeRuleFields(json, history.rule, history.key);
    json.field("requests", history.requests);
    json.field("denied", history.denied);
    if (const std::optional<KeyComebacks>& comebacks = history.comebacks) {
        json.beginObject("comebacks");
        json.field("retries", comebacks->retries);
        json.field("denied", comebacks->denied);
        json.field("admitted_later", comebacks->admittedLater);
        json.field("gave_up", comebacks->gaveUp);
        json.field("out_of_budget", comebacks->outOfBudget);
        json.end();
    }
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
