#include "app/workbench/explanation_text.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

constexpr int kServiceUnavailable = 503;

using Align = TextTable::Align;

std::string logName(const Explanation& explanation, std::uint32_t file)
{
    return file < explanation.logs.size() ? explanation.logs[file] : explanation.run.summary.source;
}

std::string figureText(const engine::StateFigure& figure)
{
    std::string name(figure.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    switch (figure.unit) {
    case engine::StateFigure::Unit::Count:
        return fmt::format("{} {}", name, groupedSigned(figure.value));
    case engine::StateFigure::Unit::DurationNs:
        return fmt::format("{} {}", name, waitText(figure.value));
    case engine::StateFigure::Unit::TimeNs:
        return fmt::format("{} {}", name, timeText(figure.value));
    }
    return {};
}

/// The server that decided, as it is called in the run.
std::string serverName(const Explanation& explanation)
{
    const auto& servers = explanation.run.conditions.servers;
    const bool isKnown = explanation.server < servers.size();
    return isKnown && !servers[explanation.server].name.empty()
        ? servers[explanation.server].name
        : std::to_string(explanation.server);
}

std::string requestPart(const Explanation& explanation, bool colour)
{
    std::string text
        = painted(fmt::format("Request {} of run {}: {}", explanation.n, explanation.run.summary.id,
                              escaped(outcomeText(explanation))),
                  Style::Strong, colour)
        + "\n";
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"line",
               fmt::format("{} of {}", explanation.line, logName(explanation, explanation.file))});
    table.add({"arrived",
               timeText(explanation.arrivalNs)
                   + (explanation.late ? " (late: decided at the clock's time)" : "")});
    if (explanation.decidedNs != explanation.arrivalNs) {
        table.add({"decided", timeText(explanation.decidedNs)});
    }
    for (const std::string& words : explanation.conditions) {
        table.add({"as if", words});
    }
    if (explanation.run.conditions.servers.size() > 1) {
        table.add({"server", serverName(explanation)});
    }
    if (explanation.durationNs >= 0) {
        table.add({"took", durationText(explanation.durationNs)});
    }
    if (explanation.verdict.outcome == engine::Outcome::Rejected) {
        table.add({"would pass", retryText(explanation)});
    }
    table.add({"production", productionText(explanation)});
    for (const auto& [name, value] : explanation.fields) {
        if (name != "duration") { // said above, in words
            table.add({name, explanation.secrets.shown(name, value)});
        }
    }
    return text + table.render();
}

std::string rulePart(const Explanation& explanation, const ExplainedRule& rule, bool colour)
{
    const bool rejects = !rule.decision.admits && rule.rule.mode == engine::Mode::Enforce;
    const std::string head
        = painted(fmt::format("\n{} / {}{}: {}", engine::nameOf(rule.rule.tier),
                              escaped(fullName(rule.rule)),
                              rule.rule.mode == engine::Mode::Shadow ? " (shadow)" : "",
                              rule.decision.admits ? "admits" : "denies"),
                  rejects ? Style::Bad : Style::Strong, colour)
        + "\n";
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"limit", limitText(rule.rule)});
    table.add({"key", keyText(rule.rule, shownKey(rule, explanation.secrets))});
    if (rule.decision.isStoreAway) {
        table.add({"store",
                   fmt::format("away: nothing was judged, and the rule {}",
                               rule.decision.admits ? "is open then" : "is closed then")});
    } else {
        table.add({"before", stateText(rule.decision.before)});
        table.add(
            {"after",
             stateText(rule.decision.after) + (rule.decision.counted ? "" : " (not counted)")});
    }
    if (rule.decision.cost != 1) {
        table.add({"cost", grouped(static_cast<std::uint64_t>(rule.decision.cost))});
    }
    if (rule.decision.delayNs > 0) {
        table.add({"delay", durationText(rule.decision.delayNs)});
    }
    if (rule.filledByCount > 0) {
        std::string title = fmt::format("{} earlier {}", grouped(rule.filledByCount),
                                        rule.filledByCount == 1 ? "request" : "requests");
        title += rule.filledByCount > rule.filledBy.size()
            ? fmt::format(", the last {}:", rule.filledBy.size())
            : ":";
        table.add({"filled by", title});
        for (const FilledBy& by : rule.filledBy) {
            table.add(
                {"",
                 fmt::format("request {} (line {}{}) at {}{}", by.n, by.line,
                             explanation.logs.size() > 1 ? " of " + logName(explanation, by.file)
                                                         : std::string(),
                             timeText(by.atNs),
                             by.cost == 1 ? std::string() : fmt::format(", cost {}", by.cost))});
        }
    }
    return head + table.render();
}

} // namespace

std::vector<std::string> shownKey(const ExplainedRule& rule, const SecretAttributes& secrets)
{
    return secrets.shown(rule.rule.key, {rule.key.begin(), rule.key.end()});
}

std::string stateText(const std::vector<engine::StateFigure>& figures)
{
    std::string text;
    for (const engine::StateFigure& figure : figures) {
        text += (text.empty() ? "" : ", ") + figureText(figure);
    }
    return text;
}

std::string outcomeText(const Explanation& explanation)
{
    if (!explanation.exemption.empty()) {
        return fmt::format("admitted: exempt as {}", explanation.exemption);
    }
    if (explanation.verdict.outcome == engine::Outcome::Admitted) {
        std::string text = "admitted";
        if (explanation.verdict.delayNs > 0) {
            text += fmt::format(", after a wait of {}", durationText(explanation.verdict.delayNs));
        }
        return explanation.verdict.shadowRule == engine::kNoId
            ? text
            : text + "; a shadow rule would have rejected it";
    }
    for (const ExplainedRule& rule : explanation.rules) {
        if (rule.decision.rule == explanation.verdict.rule) {
            const bool isAway = rule.decision.isStoreAway;
            return fmt::format("rejected with {} by {} in tier {}{}",
                               isAway ? kServiceUnavailable : rule.rule.status, fullName(rule.rule),
                               engine::nameOf(rule.rule.tier),
                               isAway ? ", whose store was away" : "");
        }
    }
    return "rejected";
}

std::string retryText(const Explanation& explanation)
{
    if (!explanation.retryAfterNs) {
        for (const ExplainedRule& rule : explanation.rules) {
            if (rule.decision.admits || rule.rule.mode != engine::Mode::Enforce) {
                continue;
            }
            if (rule.decision.isStoreAway) {
                return "when the store is back";
            }
            if (rule.rule.tighten || rule.rule.limit.strategy == engine::Strategy::Utilisation) {
                return "not known: it depends on what is in flight then";
            }
        }
        return "never: its cost is above what the rule can ever admit";
    }
    const std::int64_t end = std::numeric_limits<std::int64_t>::max();
    const bool fits = explanation.decidedNs <= end - *explanation.retryAfterNs;
    return fmt::format("after {}{}", waitText(*explanation.retryAfterNs),
                       fits ? ", at " + timeText(explanation.decidedNs + *explanation.retryAfterNs)
                            : std::string());
}

std::string productionText(const Explanation& explanation)
{
    if (!explanation.recordedKnown) {
        return "the log does not say";
    }
    std::string status;
    for (const auto& [name, value] : explanation.fields) {
        status = name == "status" ? value : status;
    }
    return fmt::format("{} (status {})", explanation.recordedRejected ? "rejected" : "served",
                       status);
}

std::string explanationText(const Explanation& explanation, bool colour)
{
    std::string text = requestPart(explanation, colour);
    for (const ExplainedRule& rule : explanation.rules) {
        text += rulePart(explanation, rule, colour);
    }
    if (explanation.uninvolved.empty()) {
        return text;
    }
    TextTable table({{"", Align::Left}, {"", Align::Left}, {"", Align::Left}}, 2);
    for (const UninvolvedRule& rule : explanation.uninvolved) {
        table.add({std::string(engine::nameOf(rule.rule.tier)), fullName(rule.rule), rule.reason});
    }
    return text + "\nnot judged\n" + table.render(false, 100);
}

} // namespace app
