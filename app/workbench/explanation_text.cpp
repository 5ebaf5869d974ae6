#include "app/workbench/explanation_text.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/counted.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"
#include "storage/time_math.h"

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

/// A server as it is called in the run. Where an attribute names the servers its values are shown
/// as everywhere: a credential as a pseudonym.
std::string serverName(const Explanation& explanation, std::uint32_t server)
{
    const auto& servers = explanation.run.conditions.servers;
    const bool isKnown = server < servers.size();
    return isKnown && !servers[server].name.empty()
        ? explanation.secrets.shown(serverAttribute(explanation.run), servers[server].name)
        : std::to_string(server);
}

/// "rejected with 503 by search in tier endpoint, whose store was away".
std::string rejectionText(const engine::PlanRule& rule, bool isStoreAway)
{
    return fmt::format("rejected with {} by {} in tier {}{}",
                       isStoreAway ? kServiceUnavailable : rule.status, fullName(rule),
                       engine::nameOf(rule.tier), isStoreAway ? ", whose store was away" : "");
}

/// From its arrival to its last attempt's decision; 292 years where it is longer.
std::int64_t untilNs(const Explanation& explanation)
{
    return storage::cappedDifference(explanation.client->attempts.back().decidedNs,
                                     explanation.clockNs);
}

/// "once", "3 times".
std::string howOften(std::size_t count)
{
    return count == 1 ? "once" : fmt::format("{} times", grouped(count));
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
        table.add({"server", serverName(explanation, explanation.server)});
    }
    if (explanation.durationNs >= 0) {
        table.add({"took", durationText(explanation.durationNs)});
    }
    if (explanation.verdict.outcome == engine::Outcome::Rejected) {
        table.add({"would pass", retryText(explanation)});
    }
    if (const std::string comeback = comebackText(explanation); !comeback.empty()) {
        table.add({"came again", comeback});
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
        std::string title = counted(rule.filledByCount, "earlier request", "earlier requests");
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

/// The last ones of many; all are in JSON.
std::string attemptsPart(const Explanation& explanation, bool colour)
{
    constexpr std::size_t kMost = 20;
    FigureTable table = attemptsTable(explanation);
    if (table.rows.empty()) {
        return {};
    }
    if (table.rows.size() > kMost) {
        table.remark = fmt::format("the last {} of {}", kMost, grouped(table.rows.size()));
        table.rows.erase(table.rows.begin(), table.rows.end() - kMost);
    }
    return "\nlater attempts\n" + plainTable(table, colour, 100);
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
            return rejectionText(rule.rule, rule.decision.isStoreAway);
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

std::string comebackText(const Explanation& explanation)
{
    if (!explanation.client || explanation.verdict.outcome == engine::Outcome::Admitted) {
        return {};
    }
    const ClientStory& client = *explanation.client;
    const std::size_t attempts = client.attempts.size() + 1;
    const std::string all = counted(attempts, "attempt", "attempts");
    const std::string times = client.attempts.empty() ? "never" : howOften(attempts - 1);
    switch (client.end) {
    case ClientStory::End::Admitted:
        return fmt::format("{}: admitted at attempt {}, {} after it came", times, grouped(attempts),
                           durationText(untilNs(explanation)));
    case ClientStory::End::OutOfAttempts:
        return fmt::format("{}: its client gave up after {}, as many as it makes", times, all);
    case ClientStory::End::OutOfBudget:
        return fmt::format("{}: its client gave up after {}, its budget allowed no more", times,
                           all);
    case ClientStory::End::Nameless:
        break;
    }
    return "never: it says nothing of its client";
}

std::string outcomeText(const LaterAttempt& attempt)
{
    if (!attempt.rejectedBy) {
        return "admitted";
    }
    const std::string rejected = rejectionText(*attempt.rejectedBy, attempt.isStoreAway);
    return attempt.retryAfterNs ? rejected + ", retry after " + waitText(*attempt.retryAfterNs)
                                : rejected;
}

FigureTable attemptsTable(const Explanation& explanation)
{
    FigureTable table {"attempts",
                       "Later attempts",
                       {{"attempt", "attempt"},
                        {"time", "at", Align::Left},
                        {"server", "server", Align::Left},
                        {"outcome", "outcome", Align::Left}}};
    const std::size_t count = explanation.client ? explanation.client->attempts.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const LaterAttempt& attempt = explanation.client->attempts[i];
        table.add({Cell::number(static_cast<std::uint64_t>(attempt.attempt)),
                   Cell::time(attempt.atNs), Cell::value(serverName(explanation, attempt.server)),
                   Cell::value(outcomeText(attempt))},
                  attempt.rejectedBy.has_value());
    }
    if (explanation.run.conditions.servers.size() < 2) {
        for (FigureTable::Row& row : table.rows) {
            row.cells.erase(row.cells.begin() + 2);
        }
        table.columns.erase(table.columns.begin() + 2);
    }
    return table;
}

std::string productionText(const Explanation& explanation)
{
    if (!explanation.recordedKnown) {
        return "the log does not say";
    }
    std::string status;
    for (const auto& [name, value] : explanation.fields) {
        status = name == "status" ? explanation.secrets.shown(name, value) : status;
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
    text += attemptsPart(explanation, colour);
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
