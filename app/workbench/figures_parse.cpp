#include "app/workbench/figures_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSecond = 1'000'000'000;

struct Unit {
    std::string_view name;
    std::int64_t ns;
};

constexpr std::array kUnits {Unit {"week", 7 * 86'400 * kSecond},
                             Unit {"day", 86'400 * kSecond},
                             Unit {"min", 60 * kSecond},
                             Unit {"ms", 1'000'000},
                             Unit {"us", 1'000},
                             Unit {"ns", 1},
                             Unit {"h", 3'600 * kSecond},
                             Unit {"s", kSecond}};

/// Takes exactly `count` digits from the front of `text`; nothing if they are not there.
std::optional<int> takeDigits(std::string_view& text, std::size_t count)
{
    if (text.size() < count) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> number = parseWhole(text.substr(0, count));
    text.remove_prefix(count);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

bool take(std::string_view& text, std::string_view oneOf)
{
    if (text.empty() || oneOf.find(text.front()) == oneOf.npos) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

/// Digits after a decimal point, as billionths; nothing if there are none or more than nine.
std::optional<std::int64_t> takeFraction(std::string_view& text)
{
    std::int64_t billionths = 0;
    std::size_t count = 0;
    for (; count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count) {
        if (count == 9) {
            return std::nullopt;
        }
        billionths = billionths * 10 + (text[count] - '0');
    }
    if (count == 0) {
        return std::nullopt;
    }
    text.remove_prefix(count);
    for (; count < 9; ++count) {
        billionths *= 10;
    }
    return billionths;
}

struct Parsed {
    Wide seconds = 0;
    std::int64_t fraction = 0;
};

std::optional<std::int64_t> takeDate(std::string_view& text)
{
    const std::optional<int> year = takeDigits(text, 4);
    if (!year || !take(text, "-")) {
        return std::nullopt;
    }
    const std::optional<int> month = takeDigits(text, 2);
    if (!month || !take(text, "-")) {
        return std::nullopt;
    }
    const std::optional<int> day = takeDigits(text, 2);
    if (!day) {
        return std::nullopt;
    }
    using namespace std::chrono;
    const year_month_day date {std::chrono::year {*year},
                               std::chrono::month(static_cast<unsigned>(*month)),
                               std::chrono::day(static_cast<unsigned>(*day))};
    return date.ok() ? std::optional<std::int64_t>(sys_days {date}.time_since_epoch().count())
                     : std::nullopt;
}

/// "12:00:01" in seconds since midnight; a leap second (:60) is the next minute's start.
std::optional<std::int64_t> takeClock(std::string_view& text)
{
    const std::optional<int> hours = takeDigits(text, 2);
    if (!hours || *hours > 23 || !take(text, ":")) {
        return std::nullopt;
    }
    const std::optional<int> minutes = takeDigits(text, 2);
    if (!minutes || *minutes > 59 || !take(text, ":")) {
        return std::nullopt;
    }
    const std::optional<int> seconds = takeDigits(text, 2);
    if (!seconds || *seconds > 60) {
        return std::nullopt;
    }
    return (*hours * 60 + *minutes) * 60 + *seconds;
}

/// "Z", " UTC", "+02:00", or nothing, as seconds east of UTC.
std::optional<std::int64_t> takeZone(std::string_view& text)
{
    if (text == "Z" || text == "z" || text == " UTC" || text.empty()) {
        text = {};
        return 0;
    }
    const bool west = text.starts_with('-');
    if (!take(text, "+-")) {
        return std::nullopt;
    }
    const std::optional<int> hours = takeDigits(text, 2);
    take(text, ":");
    const std::optional<int> minutes = takeDigits(text, 2);
    if (!hours || !minutes || *hours > 23 || *minutes > 59) {
        return std::nullopt;
    }
    const std::int64_t offset = (*hours * 60 + *minutes) * 60;
    return west ? -offset : offset;
}

std::optional<Parsed> parseParts(std::string_view text)
{
    Parsed parsed;
    const std::optional<std::int64_t> day = takeDate(text);
    if (!day) {
        return std::nullopt;
    }
    parsed.seconds = Wide {*day} * 86'400;
    if (text.empty()) {
        return parsed;
    }
    const std::optional<std::int64_t> clock = take(text, "Tt ") ? takeClock(text) : std::nullopt;
    if (!clock) {
        return std::nullopt;
    }
    if (take(text, ".")) {
        const std::optional<std::int64_t> fraction = takeFraction(text);
        if (!fraction) {
            return std::nullopt;
        }
        parsed.fraction = *fraction;
    }
    const std::optional<std::int64_t> zone = takeZone(text);
    if (!zone || !text.empty()) {
        return std::nullopt;
    }
    parsed.seconds += *clock - *zone;
    return parsed;
}

bool fits(Wide value)
{
    return value >= std::numeric_limits<std::int64_t>::min()
        && value <= std::numeric_limits<std::int64_t>::max();
}

} // namespace

engine::Result<std::int64_t> parseTime(std::string_view text)
{
    const std::optional<Parsed> parsed = parseParts(text);
    if (!parsed) {
        return engine::fail("time.syntax", fmt::format("`{}` is no time", text),
                            "write it like 2026-11-28T12:00:01.250Z");
    }
    const Wide ns = parsed->seconds * kSecond + parsed->fraction;
    if (!fits(ns)) {
        return engine::fail("time.range",
                            fmt::format("`{}` cannot be counted in nanoseconds", text),
                            "write a time between the years 1678 and 2261");
    }
    return static_cast<std::int64_t>(ns);
}

engine::Result<std::int64_t> parseDuration(std::string_view text)
{
    if (text == "0") {
        return std::int64_t {0};
    }
    const auto wrong = [text] {
        return engine::fail("duration.syntax", fmt::format("`{}` is no duration", text),
                            "write a number and a unit: 250ms, 1.5s, 1min30s, 2h, 1day");
    };
    Wide total = 0;
    std::string_view rest = text;
    if (rest.empty()) {
        return wrong();
    }
    while (!rest.empty()) {
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const std::optional<std::int64_t> whole = parseWhole(rest.substr(0, digits));
        rest.remove_prefix(digits);
        const std::optional<std::int64_t> fraction
            = take(rest, ".") ? takeFraction(rest) : std::optional<std::int64_t>(0);
        const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                       [&](const Unit& u) { return rest.starts_with(u.name); });
        if (!whole || !fraction || unit == kUnits.end()) {
            return wrong();
        }
        rest.remove_prefix(unit->name.size());
        const Wide scaled = Wide {*fraction} * unit->ns;
        if (scaled % kSecond != 0
            || (!rest.empty() && (rest.front() < '0' || rest.front() > '9'))) {
            return wrong();
        }
        total += Wide {*whole} * unit->ns + scaled / kSecond;
        if (!fits(total)) {
            return engine::fail("duration.range", fmt::format("`{}` is too long", text),
                                "write less than 292 years");
        }
    }
    return static_cast<std::int64_t>(total);
}

std::optional<std::int64_t> parseSeconds(std::string_view text)
{
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::optional<std::int64_t> whole = parseWhole(text.substr(0, dot));
    std::string_view rest = text.substr(dot);
    const std::optional<std::int64_t> fraction
        = take(rest, ".") ? takeFraction(rest) : std::optional<std::int64_t>(0);
    if (!whole || !fraction || !rest.empty() || !fits(Wide {*whole} * kSecond + *fraction)) {
        return std::nullopt;
    }
    return *whole * kSecond + *fraction;
}

std::optional<std::int64_t> parseWhole(std::string_view text)
{
    if (text.empty()) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9'
            || number > (std::numeric_limits<std::int64_t>::max() - (c - '0')) / 10) {
            return std::nullopt;
        }
        number = number * 10 + (c - '0');
    }
    return number;
}

} // namespace app
