#include "policies/language/response_match.h"

#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 3> kNumbers {"status", "bytes", "duration"};

bool canMatch(const Word& value, const engine::Test& test)
{
    if (test.kind == engine::TestKind::Glob) {
        return value.text.front() != '<' && value.text.front() != '>' && value.text.front() != '=';
    }
    return test.kind != engine::TestKind::Equals || parseWhole(value.text);
}

/// A number or duration as it should have been written: `060` is `60`.
std::optional<std::string> numberMeant(std::string_view text)
{
    const std::size_t digit = text.find_first_not_of('0');
    if (digit == std::string_view::npos) {
        return text.empty() ? std::nullopt : std::optional<std::string>("0");
    }
    const bool isZero = digit > 0 && (text[digit] < '0' || text[digit] > '9');
    text.remove_prefix(isZero ? digit - 1 : digit);
    return parseWhole(text) || parseDuration(text) ? std::optional(std::string(text))
                                                   : std::nullopt;
}

/// The number behind it, for `>5` and `<=5`; nothing for durations, which have no next one.
std::optional<std::string> nextOf(const std::optional<std::string>& number)
{
    const auto whole = number ? parseWhole(*number) : engine::Result<std::int64_t> {-1};
    return whole && *whole >= 0 && *whole < std::numeric_limits<std::int64_t>::max()
        ? std::optional(std::to_string(*whole + 1))
        : std::nullopt;
}

std::optional<std::string> prefixed(std::string_view sign, const std::optional<std::string>& number)
{
    return number ? std::optional(fmt::format("{}{}", sign, *number)) : std::nullopt;
}

/// What was probably meant: `>5` is `>=6`, `<=5` is `<6`, `5..` is `>=5`, `>= 5` is `>=5`.
std::optional<std::string> meant(std::string_view written)
{
    std::string kept(written);
    std::erase(kept, ' ');
    const std::string_view text = kept;
    const auto behind = [&](std::size_t count) { return numberMeant(text.substr(count)); };
    if (text.starts_with(">=") || text.starts_with("=>")) {
        return prefixed(">=", behind(2));
    }
    if (text.starts_with("<=") || text.starts_with("=<")) {
        return prefixed("<", nextOf(behind(2)));
    }
    if (text.starts_with(">")) {
        return prefixed(">=", nextOf(behind(1)));
    }
    if (text.starts_with("<")) {
        return prefixed("<", behind(1));
    }
    if (text.starts_with("=")) {
        return numberMeant(text.substr(std::min(text.find_first_not_of('='), text.size())));
    }
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        return numberMeant(text);
    }
    const auto low = numberMeant(text.substr(0, dots));
    if (dots + 2 == text.size()) {
        return prefixed(">=", low);
    }
    return dots == 0 ? prefixed("<", nextOf(behind(2)))
        : low        ? prefixed(*low + "..", behind(dots + 2))
                     : std::nullopt;
}

std::string helpFor(std::string_view attribute, const Word& value)
{
    if (value.text == "absent") {
        return "write the plain word `absent`, without quotes, for a missing attribute";
    }
    if (const auto better = meant(value.text)) {
        const bool isSign = better->front() == '<' || better->front() == '>';
        return isSign ? fmt::format("write `\"{}\"`", *better) : fmt::format("write `{}`", *better);
    }
    const std::string_view forms = attribute == "duration"
        ? "`\">=2s\"`, `\"<2s\"`, `1s..2s`, or digits for nanoseconds"
        : attribute == "bytes" ? "`\">=1000\"`, `\"<1000\"`, `1000..2000`, or digits"
                               : "`\">=500\"`, `\"<500\"`, `400..499`, or digits such as `404`";
    return fmt::format("write {}; text may only have `*` and `?`, as `5*`", forms);
}

bool isDerived(const Policy& policy, std::string_view name)
{
    return std::any_of(policy.attributes.begin(), policy.attributes.end(),
                       [&](const Attribute& attribute) { return attribute.name.text == name; });
}

void checkMatch(Report& report, const Policy& policy, const MatchList& match)
{
    for (const MatchEntry& entry : match.entries) {
        const std::string& name = entry.attribute.text;
        if (std::find(kNumbers.begin(), kNumbers.end(), name) == kNumbers.end()
            || isDerived(policy, name)) {
            continue;
        }
        for (std::size_t i = 0; i < entry.values.size(); ++i) {
            if (!canMatch(entry.values[i], entry.tests[i])) {
                report.error("policy.comparison", entry.values[i].at,
                             fmt::format("`{}` can match no `{}`, which is a number",
                                         shown(entry.values[i].text), name),
                             helpFor(name, entry.values[i]));
            }
        }
    }
}

} // namespace

void checkResponseMatches(Report& report, const Policy& policy)
{
    for (const Exempt& exempt : policy.exempt) {
        checkMatch(report, policy, exempt.match);
    }
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            if (rule.match) {
                checkMatch(report, policy, *rule.match);
            }
            for (const Override& override : rule.overrides) {
                checkMatch(report, policy, override.match);
            }
            for (const ShedClass& shed : classesOf(rule)) {
                checkMatch(report, policy, shed.match);
            }
        }
    }
}

} // namespace policies::language
