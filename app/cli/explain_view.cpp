#include "app/cli/explain_view.h"

#include "app/cli/rule_view.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app::cli {
namespace {

using Align = TextTable::Align;

std::vector<std::string> shownKey(const ExplainedRule& rule, const SecretAttributes& secrets)
{
    return secrets.shown(rule.rule.key, {rule.key.begin(), rule.key.end()});
}

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
            return fmt::format("rejected with {} by {} in tier {}", rule.rule.status,
                               fullName(rule.rule), engine::nameOf(rule.rule.tier));
        }
    }
    return "rejected";
}

std::string retryText(const Explanation& explanation)
{
    if (!explanation.retryAfterNs) {
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

void writeRequest(Context& context, const Explanation& explanation)
{
    context.out.write(
        painted(fmt::format("Request {} of run {}: {}", explanation.n, explanation.run.summary.id,
                            escaped(outcomeText(explanation))),
                Style::Strong, context.common.colour)
        + "\n");
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"line",
               fmt::format("{} of {}", explanation.line, logName(explanation, explanation.file))});
    table.add({"arrived",
               timeText(explanation.arrivalNs)
                   + (explanation.late ? " (late: decided at the clock's time)" : "")});
    if (explanation.decidedNs != explanation.arrivalNs) {
        table.add({"decided", timeText(explanation.decidedNs)});
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
    context.out.write(table.render());
}

void writeRule(Context& context, const Explanation& explanation, const ExplainedRule& rule)
{
    const bool rejects = !rule.decision.admits && rule.rule.mode == engine::Mode::Enforce;
    context.out.write(painted(fmt::format("\n{} / {}{}: {}", engine::nameOf(rule.rule.tier),
                                          escaped(fullName(rule.rule)),
                                          rule.rule.mode == engine::Mode::Shadow ? " (shadow)" : "",
                                          rule.decision.admits ? "admits" : "denies"),
                              rejects ? Style::Bad : Style::Strong, context.common.colour)
                      + "\n");
    TextTable table({{"", Align::Left}, {"", Align::Left}}, 2);
    table.add({"limit", limitText(rule.rule)});
    table.add({"key", keyText(rule.rule, shownKey(rule, explanation.secrets))});
    table.add({"before", stateText(rule.decision.before)});
    table.add({"after",
               stateText(rule.decision.after) + (rule.decision.counted ? "" : " (not counted)")});
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
    context.out.write(table.render());
}

void writeStateJson(Json& json, std::string_view name,
                    const std::vector<engine::StateFigure>& figures)
{
    json.beginObject(name);
    for (const engine::StateFigure& figure : figures) {
        const bool isCount = figure.unit == engine::StateFigure::Unit::Count;
        json.field(std::string(figure.name) + (isCount ? "" : "_ns"), figure.value);
    }
    json.end();
}

void writeRuleJson(Json& json, const ExplainedRule& rule, const SecretAttributes& secrets)
{
    json.beginObject();
    writeRuleFields(json, rule.rule, shownKey(rule, secrets));
    json.field("judged_ns", rule.decision.judgedNs);
    json.field("cost", rule.decision.cost);
    json.field("admits", rule.decision.admits);
    json.field("counted", rule.decision.counted);
    json.field("remaining", rule.decision.figures.remaining);
    json.field("retry_after_ns", rule.decision.figures.retryAfterNs);
    json.field("next_after_ns", rule.decision.figures.nextAfterNs);
    json.field("full_after_ns", rule.decision.figures.fullAfterNs);
    json.field("delay_ns", rule.decision.delayNs);
    writeStateJson(json, "before", rule.decision.before);
    writeStateJson(json, "after", rule.decision.after);
    json.field("filled_by_count", rule.filledByCount);
    json.beginList("filled_by");
    for (const FilledBy& by : rule.filledBy) {
        json.beginObject();
        json.field("n", by.n);
        json.field("line", by.line);
        json.field("file", std::uint64_t {by.file});
        json.field("time_ns", by.atNs);
        json.field("cost", by.cost);
        json.end();
    }
    json.end();
    json.end();
}

std::optional<std::string> rejectingRule(const Explanation& explanation)
{
    for (const ExplainedRule& rule : explanation.rules) {
        if (rule.decision.rule == explanation.verdict.rule) {
            return rule.rule.rule;
        }
    }
    return std::nullopt;
}

} // namespace

void writeExplanation(Context& context, const Explanation& explanation)
{
    if (explanation.choice == ExplainChoice::ShadowDenied) {
        context.messages.note(
            "no rejected request fits; this is the first that a shadow rule denied");
    } else if (explanation.choice == ExplainChoice::Admitted) {
        context.messages.note("no rejected request fits; this is the first that does");
    }
    writeRequest(context, explanation);
    for (const ExplainedRule& rule : explanation.rules) {
        writeRule(context, explanation, rule);
    }
    if (explanation.uninvolved.empty()) {
        return;
    }
    TextTable table({{"", Align::Left}, {"", Align::Left}, {"", Align::Left}}, 2);
    for (const UninvolvedRule& rule : explanation.uninvolved) {
        table.add({std::string(engine::nameOf(rule.rule.tier)), fullName(rule.rule), rule.reason});
    }
    context.out.write("\nnot judged\n" + table.render(false, 100));
}

void writeExplanationJson(Context& context, const Explanation& explanation)
{
    const bool rejected = explanation.verdict.outcome == engine::Outcome::Rejected;
    Json json;
    json.beginObject();
    json.field("run", explanation.run.summary.id);
    json.field("n", explanation.n);
    json.field("line", explanation.line);
    json.field("file", std::uint64_t {explanation.file});
    json.field("time_ns", explanation.arrivalNs);
    json.field("decided_ns", explanation.decidedNs);
    json.field("late", explanation.late);
    json.field("outcome", rejected ? "rejected" : "admitted");
    json.field("rejected_by", rejectingRule(explanation));
    json.field("retry_after_ns", explanation.retryAfterNs);
    json.field("delay_ns", explanation.verdict.delayNs);
    json.key("exempt");
    explanation.exemption.empty() ? json.null() : json.value(explanation.exemption);
    json.beginObject("production");
    json.field("known", explanation.recordedKnown);
    json.field("rejected", explanation.recordedRejected);
    json.end();
    json.beginObject("request");
    for (const auto& [name, value] : explanation.fields) {
        json.field(name, explanation.secrets.shown(name, value));
    }
    json.end();
    json.beginList("rules");
    for (const ExplainedRule& rule : explanation.rules) {
        writeRuleJson(json, rule, explanation.secrets);
    }
    json.end();
    json.beginList("not_judged");
    for (const UninvolvedRule& rule : explanation.uninvolved) {
        json.beginObject();
        json.field("rule", rule.rule.rule);
        json.field("override", rule.rule.overrideName);
        json.field("tier", engine::nameOf(rule.rule.tier));
        json.field("reason", rule.reason);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
