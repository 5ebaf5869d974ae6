#include "app/workbench/figures_text.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSecond = 1'000'000'000;

std::uint64_t magnitude(std::int64_t number)
{
    return number < 0 ? ~static_cast<std::uint64_t>(number) + 1
                      : static_cast<std::uint64_t>(number);
}

/// value / unit with up to three decimals, cut off, without zeros at the end.
std::string decimals(std::uint64_t value, std::uint64_t unit, std::string_view name)
{
    std::string out = fmt::format("{}.{:03}", value / unit, Wide {value % unit} * 1000 / unit);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) {
        out.pop_back();
    }
    return fmt::format("{} {}", out, name);
}

std::string twoUnits(std::uint64_t value, std::uint64_t large, std::string_view largeName,
                     std::uint64_t small, std::string_view smallName)
{
    const std::uint64_t rest = value % large / small;
    std::string out = fmt::format("{} {}", value / large, largeName);
    return rest == 0 ? out : out + fmt::format(" {} {}", rest, smallName);
}

/// Towards the past.
std::int64_t flooredQuotient(std::int64_t value, std::int64_t unit)
{
    return value / unit - (value % unit < 0 ? 1 : 0);
}

/// `fraction`: ns behind the second.
std::string dateTime(std::int64_t second, std::int64_t fraction, char between,
                     std::string_view after)
{
    constexpr std::int64_t kDaySeconds = 86'400;
    const std::int64_t day = flooredQuotient(second, kDaySeconds);
    const std::int64_t seconds = second - day * kDaySeconds;
    const std::chrono::year_month_day date {
        std::chrono::sys_days {std::chrono::days {static_cast<int>(day)}}};
    std::string out = fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", int {date.year()},
                                  unsigned {date.month()}, unsigned {date.day()}, between,
                                  seconds / 3'600, seconds / 60 % 60, seconds % 60);
    if (fraction % 1'000'000 == 0 && fraction != 0) {
        out += fmt::format(".{:03}", fraction / 1'000'000);
    } else if (fraction % 1'000 == 0 && fraction != 0) {
        out += fmt::format(".{:06}", fraction / 1'000);
    } else if (fraction != 0) {
        out += fmt::format(".{:09}", fraction);
    }
    return out.append(after);
}

std::string dateTime(std::int64_t timeNs, char between, std::string_view after)
{
    // The fraction by remainder: second * kSecond would leave int64 in the first second of all.
    const std::int64_t rest = timeNs % kSecond;
    return dateTime(flooredQuotient(timeNs, kSecond), rest < 0 ? rest + kSecond : rest, between,
                    after);
}

} // namespace

std::string grouped(std::uint64_t number)
{
    std::string out = fmt::format("{}", number);
    for (std::size_t at = out.size(); at > 3;) {
        at -= 3;
        out.insert(at, 1, ',');
    }
    return out;
}

std::string groupedSigned(std::int64_t number)
{
    return (number < 0 ? "-" : "") + grouped(magnitude(number));
}

std::string percent(std::uint64_t part, std::uint64_t whole)
{
    if (whole == 0) {
        return "0.0%";
    }
    const Wide tenths = (Wide {part} * 2000 + whole) / (Wide {whole} * 2);
    if (tenths == 0 && part != 0) {
        return "<0.1%";
    }
    if (tenths == 1000 && part < whole) {
        return ">99.9%";
    }
    return fmt::format("{}.{}%", static_cast<std::uint64_t>(tenths / 10),
                       static_cast<std::uint64_t>(tenths % 10));
}

std::string durationText(std::int64_t ns)
{
    const std::uint64_t value = magnitude(ns);
    constexpr std::uint64_t second = kSecond;
    std::string out;
    if (value < 1'000) {
        out = fmt::format("{} ns", value);
    } else if (value < 1'000'000) {
        out = decimals(value, 1'000, "us");
    } else if (value < second) {
        out = decimals(value, 1'000'000, "ms");
    } else if (value < 60 * second) {
        out = decimals(value, second, "s");
    } else if (value < 3'600 * second) {
        out = twoUnits(value, 60 * second, "min", second, "s");
    } else if (value < 86'400 * second) {
        out = twoUnits(value, 3'600 * second, "h", 60 * second, "min");
    } else {
        out = twoUnits(value, 86'400 * second, "day", 3'600 * second, "h");
    }
    return ns < 0 ? "-" + out : ns == 0 ? "0 s" : out;
}

std::string waitText(std::int64_t ns)
{
    const std::int64_t second = static_cast<std::int64_t>(kSecond);
    if (ns < 60 * second) {
        const std::string cut = durationText(ns);
        // What three decimals can say is said with a unit, the rest in exact seconds.
        const bool isExact = ns < 1'000 || (ns < 1'000'000) || (ns < second && ns % 1'000 == 0)
            || (ns >= second && ns % 1'000'000 == 0);
        return isExact ? cut : secondsText(ns) + " s";
    }
    const std::int64_t hours = ns / (3'600 * second);
    const std::int64_t minutes = ns / (60 * second) % 60;
    const std::int64_t rest = ns % (60 * second);
    std::string out = hours > 0 ? fmt::format("{} h ", grouped(static_cast<std::uint64_t>(hours)))
                                : std::string();
    out += fmt::format("{} min", minutes);
    return rest == 0 ? out : out + " " + secondsText(rest) + " s";
}

std::string secondsText(std::int64_t ns)
{
    const std::uint64_t value = magnitude(ns);
    std::string out = fmt::format("{}.{:09}", value / kSecond, value % kSecond);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) {
        out.pop_back();
    }
    return ns < 0 ? "-" + out : out;
}

std::string timeText(std::int64_t timeNs)
{
    return dateTime(timeNs, ' ', " UTC");
}

std::string secondText(std::int64_t second)
{
    return dateTime(second, 0, ' ', " UTC");
}

std::int64_t secondOf(std::int64_t timeNs)
{
    return flooredQuotient(timeNs, kSecond);
}

std::int64_t secondNs(std::int64_t second)
{
    using Limits = std::numeric_limits<std::int64_t>;
    return static_cast<std::int64_t>(
        std::clamp<Wide>(Wide {second} * kSecond, Limits::min(), Limits::max()));
}

std::string rfc3339(std::int64_t timeNs)
{
    return dateTime(timeNs, 'T', "Z");
}

} // namespace app
