#include "policies/writing/match_words.h"

#include "policies/language/numbers.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace policies::writing {
namespace {

std::string boundText(const std::string& attribute, std::int64_t bound)
{
    return attribute == "duration" ? language::durationText(bound) : std::to_string(bound);
}

std::string valueText(const std::string& attribute, const engine::Test& test)
{
    if (test.kind != engine::TestKind::Range) {
        return test.text;
    }
    const std::string low = boundText(attribute, test.low);
    if (test.low == test.high) {
        return low;
    }
    if (test.high == std::numeric_limits<std::int64_t>::max()) {
        return low + " or more";
    }
    return test.low <= 0 ? "under " + boundText(attribute, test.high + 1)
                         : low + " to " + boundText(attribute, test.high);
}

std::vector<std::string> valuesOf(const engine::Matcher& matcher)
{
    std::vector<std::string> values;
    for (const engine::Test& test : matcher.anyOf) {
        values.push_back(
            test.kind == engine::TestKind::Absent ? "none" : valueText(matcher.attribute, test));
    }
    return values;
}

bool isAbsenceAlone(const engine::Matcher& matcher)
{
    return matcher.anyOf.size() == 1 && matcher.anyOf[0].kind == engine::TestKind::Absent;
}

bool isOf(const engine::Matcher& matcher, std::string_view attribute)
{
    return matcher.attribute == attribute && !matcher.negated && !isAbsenceAlone(matcher);
}

const engine::Matcher* find(const engine::Match& match, std::string_view attribute)
{
    const auto found = std::find_if(match.begin(), match.end(), [&](const engine::Matcher& one) {
        return isOf(one, attribute);
    });
    return found == match.end() ? nullptr : &*found;
}

/// Entries but for the first method and the first path, which are told in a way of their own.
template <class Tell> std::vector<std::string> others(const engine::Match& match, const Tell& tell)
{
    std::vector<std::string> texts;
    const engine::Matcher* const method = find(match, "method");
    const engine::Matcher* const path = find(match, "path");
    for (const engine::Matcher& matcher : match) {
        if (&matcher != method && &matcher != path) {
            texts.push_back(tell(matcher));
        }
    }
    return texts;
}

std::string cardEntry(const engine::Matcher& matcher)
{
    if (isAbsenceAlone(matcher)) {
        return (matcher.negated ? "has " : "no ") + matcher.attribute;
    }
    return fmt::format("{} {} {}", matcher.attribute, matcher.negated ? "is not" : "is",
                       joined(valuesOf(matcher), "or"));
}

std::string sentenceEntry(const engine::Matcher& matcher)
{
    if (isAbsenceAlone(matcher)) {
        return (matcher.negated ? "any " : "no ") + matcher.attribute;
    }
    return fmt::format("{} {}{}", matcher.attribute, matcher.negated ? "other than " : "",
                       joined(valuesOf(matcher), "or"));
}

} // namespace

std::string joined(const std::vector<std::string>& words, std::string_view last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += i == 0 ? "" : i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
        text += words[i];
    }
    return text;
}

std::string conditionWords(const engine::Match& match)
{
    std::vector<std::string> parts;
    for (const std::string_view attribute : {"method", "path"}) {
        if (const engine::Matcher* const matcher = find(match, attribute)) {
            parts.push_back(fmt::format("{}", fmt::join(valuesOf(*matcher), ", ")));
        }
    }
    const std::string asked = fmt::format("{}", fmt::join(parts, "  "));
    std::vector<std::string> all = others(match, cardEntry);
    if (!asked.empty()) {
        all.insert(all.begin(), asked);
    }
    return all.empty() ? "every request" : fmt::format("{}", fmt::join(all, ", "));
}

std::string scopeWords(const engine::Match& match)
{
    const engine::Matcher* const method = find(match, "method");
    const engine::Matcher* const path = find(match, "path");
    std::string text = method == nullptr ? "" : joined(valuesOf(*method), "and");
    if (path != nullptr) {
        text += (text.empty() ? "" : " of ") + joined(valuesOf(*path), "and");
    }
    if (const auto rest = others(match, sentenceEntry); !rest.empty()) {
        text += (text.empty() ? "" : " with ") + joined(rest, "and");
    }
    return text.empty() ? "" : "For " + text + ": ";
}

} // namespace policies::writing
