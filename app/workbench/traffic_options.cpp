#include "app/workbench/traffic_options.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "policies/rates.h"

#include <array>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kHourNs = 3600 * kSecondNs;
constexpr std::int64_t kWeekNs = 7 * 24 * kHourNs;
constexpr std::int64_t kYearsNs = 3650 * 24 * kHourNs; ///< ten
constexpr std::int64_t kLastStartNs = 7'258'118'400 * kSecondNs; ///< 2200-01-01
constexpr std::size_t kWidth = 90; ///< of a line of help
constexpr std::int64_t kEndNs = 9'000'000'000 * kSecondNs; ///< 2255: of what has no end

enum class Kind : std::uint8_t { Rate, Number, Duration, Time };

/// How an option is read; a rate by readTrafficRate() alone.
struct Option {
    TrafficOption option;
    std::string_view name;
    Kind kind;
    std::int64_t TrafficSettings::*field; ///< none for a rate
    std::int64_t least;
    std::int64_t most;
    std::string_view help; ///< what to write instead
};

// clang-format off
constexpr std::array kOptions {
    Option {TrafficOption::Rate, "rate", Kind::Rate, nullptr, 0, 0, ""},
    Option {TrafficOption::Factor, "factor", Kind::Number, &TrafficSettings::factor, 1, 1000, "write a whole number from 1 to 1000"},
    Option {TrafficOption::At, "at", Kind::Duration, &TrafficSettings::atNs, 0, kYearsNs, "write how long after --start it begins, like 5min"},
    Option {TrafficOption::Burst, "burst", Kind::Number, &TrafficSettings::burst, 1, 1'000'000'000, "write a whole number from 1 to 1000000000"},
    Option {TrafficOption::Every, "every", Kind::Duration, &TrafficSettings::everyNs, 1, kYearsNs, "write a duration above 0, like 2s"},
    Option {TrafficOption::Window, "window", Kind::Duration, &TrafficSettings::windowNs, 2, kYearsNs, "write how long a window is, like 1min"},
    Option {TrafficOption::Length, "length", Kind::Duration, &TrafficSettings::lengthNs, 0, kYearsNs, "write a duration, like 30s"},
    Option {TrafficOption::Attempts, "attempts", Kind::Number, &TrafficSettings::attempts, 1, 10, "write a whole number from 1 (nobody comes again) to 10"},
    Option {TrafficOption::Wait, "wait", Kind::Duration, &TrafficSettings::waitNs, 0, kHourNs, "write a duration of at most 1h, like 200ms"},
    Option {TrafficOption::Keys, "keys", Kind::Number, &TrafficSettings::keys, 1, 100'000'000, "write a whole number from 1 to 100000000"},
    Option {TrafficOption::Tenants, "tenants", Kind::Number, &TrafficSettings::tenants, 1, 1'000'000, "write a whole number from 1 to 1000000"},
    Option {TrafficOption::Latency, "latency", Kind::Duration, &TrafficSettings::latencyNs, 0, 24 * kHourNs, "write a duration of at most a day, like 50ms"},
    Option {TrafficOption::Duration, "duration", Kind::Duration, &TrafficSettings::durationNs, 1, kYearsNs, "write a duration above 0, like 10min"},
    Option {TrafficOption::Start, "start", Kind::Time, &TrafficSettings::startNs, 0, kLastStartNs, "write a time from 1970 to 2200, like 2026-11-28T12:00:00Z"},
};

// clang-format on

engine::Failure wrongValue(std::string_view name, std::string_view text, std::string_view help)
{
    return engine::fail("traffic.value", fmt::format("`--{} {}` cannot be made", name, text),
                        std::string(help));
}

std::optional<std::int64_t> numberOf(Kind kind, std::string_view text)
{
    if (kind == Kind::Number) {
        return parseWhole(text);
    }
    const engine::Result<std::int64_t> ns
        = kind == Kind::Time ? parseTime(text) : parseDuration(text);
    return ns ? std::optional(*ns) : std::nullopt;
}

engine::Status read(const Option& option, const std::string& text, TrafficSettings& settings)
{
    const auto isWithin
        = [&](std::int64_t value) { return value >= option.least && value <= option.most; };
    if (option.kind == Kind::Rate) {
        const engine::Result<engine::Rate> rate = readTrafficRate(text);
        if (!rate) {
            return engine::fail(rate.error());
        }
        settings.rate = *rate;
        return engine::Done {};
    }
    const std::optional<std::int64_t> value = numberOf(option.kind, text);
    if (!value || !isWithin(*value)) {
        return wrongValue(option.name, text, option.help);
    }
    settings.*option.field = *value;
    return engine::Done {};
}

/// Who has it, and what this one has: for an option that a scenario lacks.
engine::Failure lacking(const TrafficScenario& scenario, const Option& option)
{
    std::vector<std::string> takers;
    std::string has;
    for (const TrafficScenario& other : trafficScenarios()) {
        if (other.has(option.option)) {
            takers.emplace_back(other.name);
        }
    }
    for (const Option& one : kOptions) {
        if (scenario.has(one.option)) {
            has += fmt::format("{}--{}", has.empty() ? "" : ", ", one.name);
        }
    }
    return engine::fail(
        "traffic.option", fmt::format("`{}` has no `--{}`", scenario.name, option.name),
        fmt::format("it goes with {}; {} has {}", choices(takers), scenario.name, has));
}

/// What two options say together.
engine::Status checkTogether(const TrafficScenario& scenario, const TrafficSettings& settings)
{
    if (scenario.has(TrafficOption::Every) && settings.lengthNs > settings.everyNs) {
        return engine::fail("traffic.value", "a burst would begin before the last one has ended",
                            "write a --length of at most --every");
    }
    if (scenario.has(TrafficOption::Window) && settings.lengthNs > settings.windowNs / 2) {
        return engine::fail("traffic.value", "bursts of two edges would overlap",
                            "write a --length of at most half of --window");
    }
    return engine::Done {};
}

std::string defaultOf(const Option& option, const TrafficSettings& settings)
{
    switch (option.kind) {
    case Kind::Rate:
        return policies::textOf(settings.rate);
    case Kind::Number:
        return std::to_string(settings.*option.field);
    case Kind::Duration:
        return policies::textOfDuration(settings.*option.field);
    case Kind::Time:
        break;
    }
    return rfc3339(settings.*option.field);
}

} // namespace

engine::Result<const TrafficScenario*> findTraffic(std::string_view name)
{
    if (const TrafficScenario* scenario = trafficScenario(name)) {
        return scenario;
    }
    std::vector<std::string> names;
    for (const TrafficScenario& scenario : trafficScenarios()) {
        names.emplace_back(scenario.name);
    }
    return engine::fail("traffic.scenario", fmt::format("there is no scenario `{}`", name),
                        suggest(name, names, "write " + choices(names)));
}

engine::Result<TrafficSettings> readTraffic(const TrafficScenario& scenario,
                                            const GivenOptions& given)
{
    TrafficSettings settings = scenario.defaults;
    for (const Option& option : kOptions) {
        const std::optional<std::string> text = given.text(option.name);
        if (!text) {
            continue;
        }
        if (!scenario.has(option.option)) {
            return lacking(scenario, option);
        }
        if (engine::Status status = read(option, *text, settings); !status) {
            return engine::fail(status.error());
        }
    }
    if (given.has("count") && !given.has("duration")) {
        settings.durationNs = kEndNs - settings.startNs;
    }
    if (engine::Status status = checkTogether(scenario, settings); !status) {
        return engine::fail(status.error());
    }
    return settings;
}

engine::Result<engine::Rate> readTrafficRate(std::string_view text)
{
    const engine::Result<engine::Rate> rate = policies::readRate(text);
    // A nanosecond has one request at most.
    if (!rate || rate->count < 1 || rate->periodNs > kWeekNs || rate->count > rate->periodNs) {
        return wrongValue("rate", text, "write a rate from 1/week to 1000000000/s, like 100/s");
    }
    return *rate;
}

engine::Result<std::optional<std::uint64_t>> readTrafficCount(const GivenOptions& given)
{
    const std::optional<std::string> text = given.text("count");
    if (!text) {
        return std::optional<std::uint64_t> {};
    }
    const std::optional<std::int64_t> count = parseWhole(*text);
    if (!count || *count < 1) {
        return wrongValue("count", *text, "write a whole number above 0");
    }
    return std::optional(static_cast<std::uint64_t>(*count));
}

std::string trafficHelp()
{
    std::string help;
    for (const TrafficScenario& scenario : trafficScenarios()) {
        help += fmt::format("  {:<13}  {}", scenario.name, scenario.brief);
        std::size_t column = kWidth;
        for (const Option& option : kOptions) {
            if (!scenario.has(option.option) || option.option == TrafficOption::Start) {
                continue;
            }
            const std::string text
                = fmt::format(" --{} {}", option.name, defaultOf(option, scenario.defaults));
            if (column + text.size() > kWidth) {
                help += fmt::format("\n{:16}", "");
                column = 16;
            }
            help += text;
            column += text.size();
        }
        help += '\n';
    }
    return help;
}

} // namespace app
