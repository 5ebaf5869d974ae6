#include "app/cli/explain_view.h"

#include "app/workbench/explanation_text.h"
#include "app/workbench/rule_text.h"

namespace app::cli {
namespace {

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
    if (rule.decision.isStoreAway) {
        json.field("store_away", true);
    }
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

/// Where clients come again: each later attempt, and what came of the request in the end.
void writeClientJson(Json& json, const Explanation& explanation)
{
    if (!explanation.client) {
        return;
    }
    const ClientStory& client = *explanation.client;
    json.beginObject("client");
    json.field("end", nameOf(client.end));
    json.field("attempts", std::uint64_t {client.attempts.size() + 1});
    json.beginList("later");
    for (const LaterAttempt& attempt : client.attempts) {
        const bool isRejected = attempt.rejectedBy.has_value();
        json.beginObject();
        json.field("attempt", std::int64_t {attempt.attempt});
        json.field("time_ns", attempt.atNs);
        json.field("decided_ns", attempt.decidedNs);
        json.field("node", std::uint64_t {attempt.server});
        json.field("outcome", isRejected ? "rejected" : "admitted");
        json.field("rejected_by",
                   isRejected ? std::optional(attempt.rejectedBy->rule) : std::nullopt);
        json.key("tier");
        isRejected ? json.value(engine::nameOf(attempt.rejectedBy->tier)) : json.null();
        if (attempt.isStoreAway) {
            json.field("store_away", true);
        }
        json.field("retry_after_ns",
                   isRejected ? attempt.retryAfterNs : std::optional<std::int64_t>(0));
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

/// What it leaves out or caps is warned of.
engine::Answer answerOf(Context& context, const Explanation& explanation, engine::HeaderStyle style)
{
    ClientAnswer told = clientAnswer(explanation, style);
    context.messages.show(told.unsayable);
    return std::move(told.answer);
}

} // namespace

void writeExplanation(Context& context, const Explanation& explanation, engine::HeaderStyle style)
{
    if (explanation.choice == ExplainChoice::ShadowDenied) {
        context.messages.note(
            "no rejected request fits; this is the first that a shadow rule denied");
    } else if (explanation.choice == ExplainChoice::Admitted) {
        context.messages.note("no rejected request fits; this is the first that does");
    }
    const engine::Answer answer = answerOf(context, explanation, style);
    context.out.write(explanationText(explanation, context.common.colour)
                      + answerPart(answer, style, context.common.colour));
}

void writeExplanationJson(Context& context, const Explanation& explanation,
                          engine::HeaderStyle style)
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
    json.field("node", std::uint64_t {explanation.server});
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
        json.field("class", rule.rule.className);
        json.field("tier", engine::nameOf(rule.rule.tier));
        json.field("reason", rule.reason);
        json.end();
    }
    json.end();
    writeAnswer(json, answerOf(context, explanation, style));
    writeClientJson(json, explanation);
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
