#include "policies/language/numbers.h"

#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace policies::language {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t ns = 0;
};

constexpr std::array<Unit, 6> kUnits {{
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"min", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"day", 86'400'000'000'000},
    {"week", 604'800'000'000'000},
}};

struct Alias {
    std::string_view written;
    std::string_view name;
};

constexpr std::array<Alias, 25> kAliases {{
    {"msec", "ms"},     {"millis", "ms"},    {"millisecond", "ms"}, {"milliseconds", "ms"},
    {"sec", "s"},       {"secs", "s"},       {"second", "s"},       {"seconds", "s"},
    {"m", "min"},       {"mins", "min"},     {"minute", "min"},     {"minutes", "min"},
    {"hr", "h"},        {"hour", "h"},       {"hours", "h"},        {"d", "day"},
    {"days", "day"},    {"w", "week"},       {"weeks", "week"},     {"mo", "month"},
    {"month", "month"}, {"months", "month"}, {"y", "year"},         {"year", "year"},
    {"years", "year"},
}};

constexpr std::string_view kUnitList = "ms, s, min, h, day or week";

const Unit* unitNamed(std::string_view name)
{
    const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                     [&](const Unit& unit) { return unit.name == name; });
    return found == kUnits.end() ? nullptr : found;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    for (char& c : out) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

/// The unit that a foreign spelling means: "Minutes" is "min", "month" is "month"; "" if none.
std::string_view unitMeant(std::string_view text)
{
    const std::string word = lowered(text);
    if (const Unit* unit = unitNamed(word)) {
        return unit->name;
    }
    const auto* found = std::find_if(kAliases.begin(), kAliases.end(),
                                     [&](const Alias& alias) { return alias.written == word; });
    return found == kAliases.end() ? std::string_view {} : found->name;
}

std::string withoutBlanks(std::string_view text)
{
    std::string out;
    std::copy_if(text.begin(), text.end(), std::back_inserter(out),
                 [](char c) { return c != ' ' && c != '\t'; });
    return out;
}

std::string withoutZeros(std::string_view digits)
{
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    return std::string(digits.substr(first));
}

/// 1e3 is 1000; nothing where the exponent is none or large.
std::optional<std::string> withoutExponent(const std::string& text)
{
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string::npos || e == 0) {
        return std::nullopt;
    }
    std::string exponent = text.substr(e + 1);
    if (!exponent.empty() && exponent[0] == '+') {
        exponent.erase(0, 1);
    }
    if (!isDigits(text.substr(0, e)) || !isDigits(exponent) || exponent.size() > 2) {
        return std::nullopt;
    }
    const std::size_t zeros = static_cast<std::size_t>(std::stoi(exponent));
    return zeros > 18 ? std::nullopt
                      : std::optional(withoutZeros(text.substr(0, e) + std::string(zeros, '0')));
}

/// What somebody who wrote a number in another notation meant, in digits.
std::optional<std::string> numberMeant(std::string_view written)
{
    std::string text;
    for (const char c : written) {
        if (c != '_' && c != ',' && c != '\'' && c != ' ') {
            text.push_back(c);
        }
    }
    if (!text.empty() && text[0] == '+') {
        text.erase(0, 1);
    }
    const std::size_t dot = text.find('.');
    if (dot != std::string::npos && dot > 0
        && text.find_first_not_of('0', dot + 1) == std::string::npos) {
        text.erase(dot);
    }
    if (isDigits(text)) {
        return withoutZeros(text);
    }
    if (text.size() > 2 && text.size() < 16 && text[0] == '0'
        && (text[1] == 'x' || text[1] == 'X')) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [at, failure] = std::from_chars(text.data() + 2, end, value, 16);
        return failure == std::errc {} && at == end ? std::optional(std::to_string(value))
                                                    : std::nullopt;
    }
    return withoutExponent(text);
}

engine::Failure rateFailure(std::string_view text, std::string help)
{
    return engine::fail("policy.rate", fmt::format("`{}` is no rate", shown(text)),
                        std::move(help));
}

constexpr std::string_view kRateForm
    = "write `N/UNIT` or `N/K UNIT` without a blank, as `60/min` or `1000/10min`; units are "
      "ms, s, min, h, day and week";

struct Period {
    std::string_view count; ///< digits, or nothing for 1
    std::string_view unit;
};

Period splitPeriod(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    return {text.substr(0, digits), text.substr(digits)};
}

/// A rate in the words of people and other systems: "60 per minute", "10r/s", "5rps".
std::optional<std::string> rateMeant(std::string_view written)
{
    std::string text = lowered(withoutBlanks(written));
    const auto replace = [&](std::string_view what, std::string_view with) {
        const std::size_t at = text.find(what);
        if (at != std::string::npos && at > 0) {
            text.replace(at, what.size(), with);
        }
    };
    replace("requests", "");
    replace("req", "");
    replace("per", "/");
    replace("r/", "/");
    if (text.find('/') == std::string::npos) {
        replace("rps", "/s");
        replace("rpm", "/min");
        replace("rph", "/h");
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
        return std::nullopt;
    }
    const auto count = numberMeant(std::string_view(text).substr(0, slash));
    const Period period = splitPeriod(std::string_view(text).substr(slash + 1));
    const std::string_view unit = unitMeant(period.unit);
    if (!count || unit.empty() || unit == "month" || unit == "year") {
        return std::nullopt;
    }
    const std::string times = period.count.empty() || withoutZeros(period.count) == "1"
        ? ""
        : withoutZeros(period.count);
    return times == "0" ? std::nullopt : std::optional(fmt::format("{}/{}{}", *count, times, unit));
}

engine::Failure monthFailure(std::string_view text, std::string_view count, std::string_view unit)
{
    const bool isYear = unit == "year";
    return engine::fail("policy.month",
                        fmt::format("`{}`: a {} has no fixed length", shown(text), unit),
                        fmt::format("write a fixed number of days, as `{}/{}day`",
                                    isDigits(count) ? count : "N", isYear ? 365 : 30));
}

/// 1h30min is 90min: the sum of parts that are durations each, if it is one.
std::optional<std::string> durationMeant(std::string_view written)
{
    const std::string text = withoutBlanks(written);
    std::string_view rest = text;
    std::int64_t sum = 0;
    while (!rest.empty()) {
        const Period part = splitPeriod(rest);
        const std::size_t end = std::min(part.unit.find_first_of("0123456789"), part.unit.size());
        const Unit* unit = unitNamed(unitMeant(part.unit.substr(0, end)));
        if (part.count.empty() || part.count.size() > 9 || unit == nullptr) {
            return std::nullopt;
        }
        std::int64_t count = 0;
        std::from_chars(part.count.data(), part.count.data() + part.count.size(), count);
        std::int64_t product = 0;
        if (__builtin_mul_overflow(count, unit->ns, &product)
            || __builtin_add_overflow(sum, product, &sum)) {
            return std::nullopt;
        }
        rest = part.unit.substr(end);
    }
    return durationText(sum);
}

} // namespace

bool isDigits(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

engine::Result<std::int64_t> parseWhole(std::string_view text)
{
    const bool isPlain = isDigits(text) && (text.size() == 1 || text[0] != '0');
    if (!isPlain) {
        const auto meant = numberMeant(text);
        return engine::fail(
            "policy.number", fmt::format("`{}` is no whole number in plain digits", shown(text)),
            meant ? fmt::format("write `{}`", *meant) : "write digits only, as `60`");
    }
    std::int64_t value = 0;
    const auto [at, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc {}) {
        return engine::fail("policy.number-range",
                            fmt::format("{} is too large a number", shown(text)),
                            "write at most 9223372036854775807");
    }
    return value;
}

engine::Result<std::int64_t> parseDuration(std::string_view text)
{
    const Period parts = splitPeriod(text);
    const Unit* unit = unitNamed(parts.unit);
    const bool isPlain = !parts.count.empty() && (parts.count.size() == 1 || parts.count[0] != '0');
    if (unit == nullptr || !isPlain) {
        std::string help = fmt::format(
            "write a number and a unit without a blank, as `10s`; units are {}", kUnitList);
        if (const auto meant = durationMeant(text)) {
            help = fmt::format("write `{}`", *meant);
        } else if (isDigits(text)) {
            help = fmt::format("write the unit, as `{}s`", withoutZeros(text));
        }
        return engine::fail("policy.duration", fmt::format("`{}` is no duration", shown(text)),
                            std::move(help));
    }
    const engine::Result<std::int64_t> count = parseWhole(parts.count);
    std::int64_t ns = 0;
    if (!count || __builtin_mul_overflow(*count, unit->ns, &ns)) {
        return engine::fail("policy.number-range",
                            fmt::format("`{}` is longer than can be counted", shown(text)),
                            "write at most `15250week`");
    }
    return ns;
}

engine::Result<engine::Rate> parseRate(std::string_view text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        if (const auto meant = rateMeant(text)) {
            return rateFailure(text, fmt::format("write `{}`", *meant));
        }
        return rateFailure(text,
                           isDigits(text)
                               ? fmt::format("write the unit, as `{}/min`", withoutZeros(text))
                               : std::string(kRateForm));
    }
    const std::string_view count = text.substr(0, slash);
    const Period period = splitPeriod(text.substr(slash + 1));
    const std::string_view meantUnit = unitMeant(withoutBlanks(period.unit));
    if (meantUnit == "month" || meantUnit == "year") {
        return monthFailure(text, count, meantUnit);
    }
    const Unit* unit = unitNamed(period.unit);
    if (unit == nullptr || count.empty() || text.find(' ') != std::string_view::npos) {
        const auto meant = rateMeant(text);
        return rateFailure(text,
                           meant ? fmt::format("write `{}`", *meant) : std::string(kRateForm));
    }
    const engine::Result<std::int64_t> number = parseWhole(count);
    if (!number) {
        const bool isForeign = !numberMeant(count);
        const auto meant = isForeign ? rateMeant(text) : std::nullopt;
        return meant ? rateFailure(text, fmt::format("write `{}`", *meant))
                     : engine::Failure {number.error()};
    }
    const engine::Result<std::int64_t> times
        = period.count.empty() ? std::int64_t {1} : parseWhole(period.count);
    if (!times) {
        return engine::Failure {times.error()};
    }
    std::int64_t ns = 0;
    if (*times == 0) {
        return rateFailure(text,
                           fmt::format("a period is at least 1, as `{}/{}`", count, unit->name));
    }
    if (__builtin_mul_overflow(*times, unit->ns, &ns)) {
        return engine::fail(
            "policy.number-range",
            fmt::format("the period of `{}` is longer than can be counted", shown(text)),
            "write a period of at most 15250week");
    }
    return engine::Rate {*number, ns};
}

engine::Result<Burst> parseBurst(std::string_view text)
{
    const bool isTimes = !text.empty() && (text.back() == 'x' || text.back() == 'X')
        && isDigits(text.substr(0, text.size() - 1));
    if (isTimes && text.back() == 'X') {
        return engine::fail("policy.burst", fmt::format("`{}` is no burst", shown(text)),
                            fmt::format("write `{}x`", text.substr(0, text.size() - 1)));
    }
    const engine::Result<std::int64_t> number
        = parseWhole(isTimes ? text.substr(0, text.size() - 1) : text);
    if (!number) {
        const bool isForeign = !isTimes && !numberMeant(text);
        return isForeign
            ? engine::fail("policy.burst", fmt::format("`{}` is no burst", shown(text)),
                           "write a number, as `60`, or a multiple of the rate per second, as `5x`")
            : engine::Failure {number.error()};
    }
    if (*number < 1) {
        return engine::fail("policy.burst",
                            fmt::format("a burst of `{}` could never admit anything", shown(text)),
                            "write at least `1`; `rate: 0/min` denies everything");
    }
    return Burst {*number, isTimes};
}

std::string durationText(std::int64_t ns)
{
    if (ns == 0) {
        return "0s";
    }
    for (auto unit = kUnits.rbegin(); unit != kUnits.rend(); ++unit) {
        if (ns % unit->ns == 0) {
            return fmt::format("{}{}", ns / unit->ns, unit->name);
        }
    }
    return fmt::format("{}ns", ns);
}

std::string rateText(const engine::Rate& rate)
{
    const std::string period = durationText(rate.periodNs);
    const bool isOne = period[0] == '1' && (period[1] < '0' || period[1] > '9');
    return fmt::format("{}/{}", rate.count, isOne ? period.substr(1) : period);
}

std::string burstText(const Burst& burst)
{
    return fmt::format("{}{}", burst.number, burst.timesRate ? "x" : "");
}

} // namespace policies::language
