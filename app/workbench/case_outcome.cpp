#include "app/workbench/case_outcome.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/scenario_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

constexpr std::array<std::pair<std::string_view, Asked>, 7> kClauses {{
    {"retry_after", Asked::Retry},
    {"remaining", Asked::Remaining},
    {"next_after", Asked::Next},
    {"full_after", Asked::Full},
    {"delay", Asked::Delay},
    {"shadow", Asked::Shadow},
    {"tier", Asked::Tier},
}};
constexpr std::string_view kHelp
    = "write admitted, rejected, rejected by RULE, exempt or exempt as NAME; then what else is "
      "asked: retry_after, remaining, next_after, full_after, delay, shadow, tier";

/// Words between blanks; quotes hold blanks, a comma behind a word says nothing.
std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
        if (text.empty()) {
            return words;
        }
        const char quote = text.front();
        const bool isQuoted = quote == '"' || quote == '\'';
        const std::size_t from = isQuoted ? 1 : 0;
        const std::size_t end = isQuoted ? text.find(quote, 1) : text.find_first_of(" ,");
        words.emplace_back(text.substr(from, std::min(end, text.size()) - from));
        text.remove_prefix(std::min(std::min(end, text.size()) + from, text.size()));
    }
}

std::string wordText(const std::string& word)
{
    return word.find_first_of(" ,\"'") == std::string::npos ? word : fmt::format("\"{}\"", word);
}

bool isTime(Asked asked)
{
    return asked == Asked::Retry || asked == Asked::Next || asked == Asked::Full
        || asked == Asked::Delay;
}

bool isFigureOf(Asked asked)
{
    return asked == Asked::Remaining || isTime(asked);
}

/// A figure as it was seen, in a form that can be compared. "-" is no wait.
std::optional<std::int64_t> numberOf(std::string_view seen, Asked asked)
{
    if (asked == Asked::Remaining) {
        return parseWhole(seen);
    }
    return seen == "-" ? std::optional<std::int64_t>(0) : parseSeconds(seen);
}

std::string figureText(std::int64_t number, Asked asked)
{
    return asked == Asked::Remaining ? fmt::format("{}", number) : secondsText(number) + "s";
}

std::optional<CaseClause> clauseOf(const std::string& name, std::string value)
{
    const auto found = std::find_if(kClauses.begin(), kClauses.end(),
                                    [&name](const auto& clause) { return clause.first == name; });
    if (found == kClauses.end()) {
        return std::nullopt;
    }
    CaseClause clause;
    clause.name = name;
    clause.asked.asked = found->second;
    const std::size_t colon = value.rfind(':');
    if (perRule(found->second) && colon != std::string::npos) {
        clause.asked.rule = value.substr(0, colon);
        value.erase(0, colon + 1);
    }
    if (isFigureOf(found->second)) {
        clause.range = readRange(value, isTime(found->second));
    }
    if (!clause.range) {
        const std::optional<std::string> text = normalised(found->second, value);
        if (!text) {
            return std::nullopt;
        }
        clause.asked.value = *text;
    }
    return clause;
}

std::string ruleOf(const Answers& answers, std::size_t request)
{
    Expectation asked;
    asked.asked = Asked::Rule;
    return answers.seen(request, asked);
}

std::string outcomeOf(const Answers& answers, std::size_t request)
{
    return answers.seen(request, {});
}

/// One clause of what was seen: its value, or the range of its values.
std::string clauseText(const Answers& answers, const std::vector<std::size_t>& requests,
                       const CaseClause& clause)
{
    const Asked asked = clause.asked.asked;
    bool isFigure = isFigureOf(asked);
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < requests.size() && isFigure; ++i) {
        const auto number = numberOf(answers.seen(requests[i], clause.asked), asked);
        isFigure = number.has_value(); // `never`, or a name: that of the first
        numbers.push_back(number.value_or(0));
    }
    std::string text = answers.seen(requests.front(), clause.asked);
    if (isFigure) {
        const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
        text = figureText(*low, asked);
        text += *low < *high ? ".." + figureText(*high, asked) : "";
    }
    const std::string rule = clause.asked.rule ? *clause.asked.rule + ":" : "";
    return fmt::format(" {} {}", clause.name, wordText(rule + text));
}

} // namespace

std::optional<CaseRange> readRange(std::string_view text, bool isTime)
{
    const auto number
        = [isTime](std::string_view one) { return isTime ? readSeconds(one) : parseWhole(one); };
    const std::size_t dots = text.find("..");
    const auto low = number(text.substr(0, dots));
    const auto high = dots == std::string_view::npos ? low : number(text.substr(dots + 2));
    return low && high && *low <= *high ? std::optional(CaseRange {*low, *high}) : std::nullopt;
}

bool CaseOutcome::holds(const Answers& answers, std::size_t request) const
{
    const std::string by = rule ? ruleOf(answers, request) : "";
    if (outcomeOf(answers, request) != outcome
        || (rule && by != *rule && !by.starts_with(*rule + "/"))) {
        return false;
    }
    return std::all_of(clauses.begin(), clauses.end(), [&](const CaseClause& clause) {
        if (!clause.range) {
            return answers.isAsExpected(request, clause.asked);
        }
        const auto seen = numberOf(answers.seen(request, clause.asked), clause.asked.asked);
        return seen && *seen >= clause.range->low && *seen <= clause.range->high;
    });
}

std::vector<Expectation> CaseOutcome::named() const
{
    std::vector<Expectation> all;
    if (rule) {
        Expectation by;
        by.asked = Asked::Rule;
        by.value = *rule;
        all.push_back(by);
    }
    for (const CaseClause& clause : clauses) {
        all.push_back(clause.asked);
    }
    for (Expectation& expectation : all) {
        expectation.column = place.column;
    }
    return all;
}

engine::Result<CaseOutcome> readOutcome(const policies::CaseText& text)
{
    const auto refused = [&text](std::string why) {
        engine::Failure failure
            = engine::fail("cases.outcome", fmt::format("`{}` is no outcome: {}", text.text, why),
                           std::string(kHelp));
        failure.diagnostic.place = text.place;
        return failure;
    };
    CaseOutcome outcome;
    outcome.text = text.text;
    outcome.place = text.place;
    std::vector<std::string> words = wordsOf(text.text);
    if (!words.empty()) {
        outcome.count = parseWhole(words.front());
        words.erase(words.begin(), words.begin() + (outcome.count ? 1 : 0));
    }
    if (words.empty() || !normalised(Asked::Outcome, words.front())) {
        return refused("it does not begin with one");
    }
    outcome.outcome = words.front();
    std::size_t at = 1;
    const std::string_view joint = outcome.outcome == "rejected" ? "by" : "as";
    if (at + 1 < words.size() && words[at] == joint && outcome.outcome != "admitted") {
        outcome.rule = words[at + 1];
        at += 2;
    }
    for (; at < words.size(); at += 2) {
        const auto clause
            = at + 1 < words.size() ? clauseOf(words[at], words[at + 1]) : std::nullopt;
        if (!clause) {
            return refused(fmt::format("`{}` is not understood", words[at]));
        }
        outcome.clauses.push_back(*clause);
    }
    return outcome;
}

bool isAlike(const Answers& answers, std::size_t a, std::size_t b, const CaseOutcome* like)
{
    const auto isSame = [&](const CaseClause& clause) {
        return isFigureOf(clause.asked.asked)
            || answers.seen(a, clause.asked) == answers.seen(b, clause.asked);
    };
    return outcomeOf(answers, a) == outcomeOf(answers, b)
        && ruleOf(answers, a) == ruleOf(answers, b)
        && (like == nullptr || std::all_of(like->clauses.begin(), like->clauses.end(), isSame));
}

std::string outcomeText(const Answers& answers, const std::vector<std::size_t>& requests,
                        const CaseOutcome* like)
{
    const std::size_t first = requests.front();
    std::string text = outcomeOf(answers, first);
    const std::string rule = ruleOf(answers, first);
    if (text == "rejected") {
        text += " by " + wordText(rule);
    } else if (text == "exempt") {
        text += " as " + wordText(rule);
    }
    if (like != nullptr) {
        for (const CaseClause& clause : like->clauses) {
            const bool isOfRejections = clause.asked.asked == Asked::Retry;
            if (!isOfRejections || text.starts_with("rejected")) {
                text += clauseText(answers, requests, clause);
            }
        }
    }
    return text;
}

} // namespace app
