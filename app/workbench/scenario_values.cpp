#include "app/workbench/scenario_values.h"

#include "app/workbench/figures_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

namespace app {

std::optional<std::int64_t> readSeconds(std::string_view text)
{
    if (const std::optional<std::int64_t> seconds = parseSeconds(text)) {
        return seconds;
    }
    const engine::Result<std::int64_t> duration = parseDuration(text);
    return duration ? std::optional(*duration) : std::nullopt;
}

std::optional<std::string> normalised(Asked asked, std::string_view text)
{
    const auto oneOf = [text](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), text) != words.end()
            ? std::optional<std::string>(text)
            : std::nullopt;
    };
    switch (asked) {
    case Asked::Outcome:
        return oneOf({"admitted", "rejected", "exempt"});
    case Asked::Late:
        return oneOf({"yes", "no"});
    case Asked::Tier:
        return oneOf({"-", "edge", "gateway", "endpoint", "tenant"});
    case Asked::Rule:
    case Asked::Shadow:
        return std::string(text);
    case Asked::Remaining: {
        const std::optional<std::int64_t> number = parseWhole(text);
        return number ? fmt::format("{}", *number) : oneOf({"-"});
    }
    case Asked::Retry:
    case Asked::Next:
    case Asked::Full:
    case Asked::Delay:
    case Asked::Decided:
        break;
    }
    if (const std::optional<std::int64_t> ns = readSeconds(text)) {
        // A wait of nothing and no wait are one thing.
        return *ns == 0 && (asked == Asked::Retry || asked == Asked::Delay) ? "-"
                                                                            : secondsText(*ns);
    }
    return asked == Asked::Decided || asked == Asked::Delay ? oneOf({"-"}) : oneOf({"-", "never"});
}

std::string_view formOf(Asked asked)
{
    switch (asked) {
    case Asked::Outcome:
        return "write admitted, rejected or exempt";
    case Asked::Late:
        return "write yes or no";
    case Asked::Tier:
        return "write edge, gateway, endpoint, tenant or -";
    case Asked::Remaining:
        return "write a whole number, or - for none";
    case Asked::Rule:
    case Asked::Shadow:
        return "write the name of a rule, or - for none";
    case Asked::Retry:
    case Asked::Next:
    case Asked::Full:
    case Asked::Delay:
    case Asked::Decided:
        break;
    }
    return "write seconds (0.25) or a duration (250ms), `never`, or - for none";
}

bool perRule(Asked asked)
{
    return asked == Asked::Remaining || asked == Asked::Retry || asked == Asked::Next
        || asked == Asked::Full || asked == Asked::Delay;
}

std::string_view nameOf(Asked asked)
{
    switch (asked) {
    case Asked::Outcome:
        return "outcome";
    case Asked::Rule:
        return "rule";
    case Asked::Tier:
        return "tier";
    case Asked::Shadow:
        return "shadow";
    case Asked::Remaining:
        return "remaining";
    case Asked::Retry:
        return "retry";
    case Asked::Next:
        return "next";
    case Asked::Full:
        return "full";
    case Asked::Delay:
        return "delay";
    case Asked::Decided:
        return "decided";
    case Asked::Late:
        return "late";
    }
    return "";
}

} // namespace app
