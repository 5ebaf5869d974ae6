#include "app/workbench/client_answer.h"

#include "app/workbench/near_miss.h"
#include "app/workbench/table.h"

#include <fmt/format.h>

namespace app {

engine::Result<engine::HeaderStyle> headerStyleOf(const GivenOptions& given)
{
    const std::optional<std::string> text = given.text("headers");
    if (!text) {
        return engine::HeaderStyle::Draft10;
    }
    if (const auto style = engine::headerStyleNamed(*text)) {
        return *style;
    }
    const std::vector<std::string> names = engine::headerStyleNames();
    return engine::fail("cli.usage", fmt::format("`--headers {}` is no form of headers", *text),
                        suggest(*text, names, "write " + choices(names)));
}

std::string_view resetWords(engine::HeaderStyle style)
{
    switch (style) {
    case engine::HeaderStyle::Draft07:
    case engine::HeaderStyle::Draft03:
    case engine::HeaderStyle::Kong:
        return "seconds from now";
    case engine::HeaderStyle::Github:
        return "seconds since the epoch";
    case engine::HeaderStyle::Draft10:
    case engine::HeaderStyle::None:
        break;
    }
    return "";
}

ClientAnswer clientAnswer(const Explanation& explanation, engine::HeaderStyle style)
{
    engine::Plan plan; // of the rules that judged it
    engine::Decision decision;
    decision.verdict = explanation.verdict;
    decision.decidedNs = explanation.decidedNs;
    decision.retryAfterNs = explanation.retryAfterNs;
    for (const ExplainedRule& rule : explanation.rules) {
        const auto index = static_cast<std::uint32_t>(plan.rules.size());
        if (rule.decision.rule == explanation.verdict.rule) {
            decision.verdict.rule = index;
            decision.isStoreAway = rule.decision.isStoreAway;
        }
        plan.rules.push_back(rule.rule);
        decision.rules.push_back(rule.decision);
        decision.rules.back().rule = index;
    }
    return {engine::answerTo(plan, decision, style), engine::unsayable(plan, style)};
}

std::string answerText(const engine::Answer& answer)
{
    std::string text;
    for (const engine::HeaderField& field : answer.headers) {
        text += fmt::format("{}: {}\n", field.name, field.value);
    }
    return answer.problem ? text + "\n" + engine::problemJson(*answer.problem) : text;
}

std::string answerPart(const engine::Answer& answer, engine::HeaderStyle style, bool colour)
{
    const std::string_view reset = resetWords(style);
    const std::string title = reset.empty()
        ? "told to the client"
        : fmt::format("told to the client (form {}: reset in {})", engine::nameOf(style), reset);
    std::string told = answerText(answer);
    if (told.empty()) {
        told = "nothing of limits\n";
    }
    std::string text = "\n" + painted(title, Style::Strong, colour) + "\n";
    for (std::string_view rest = told; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        text.append(end == 0 ? "" : "  ").append(rest.substr(0, end + 1));
        rest.remove_prefix(end + 1);
    }
    return text;
}

void writeAnswer(Json& json, const engine::Answer& answer)
{
    json.beginObject("headers");
    for (const engine::HeaderField& field : answer.headers) {
        json.field(field.name, field.value);
    }
    json.end();
    json.key("body");
    if (!answer.problem) {
        json.null();
        return;
    }
    const engine::Problem& problem = *answer.problem;
    json.beginObject();
    json.field("type", problem.type);
    json.field("title", problem.title);
    json.field("status", problem.status);
    json.field("detail", problem.detail);
    json.beginList("violated-policies");
    for (const std::string& name : problem.violatedPolicies) {
        json.value(name);
    }
    json.end();
    json.end();
}

} // namespace app
