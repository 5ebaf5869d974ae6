#include "app/workbench/log_options.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/log_reading.h"
#include "app/workbench/near_miss.h"
#include "storage/zone.h"

#include <fmt/format.h>

namespace app {
namespace {

engine::Failure usage(std::string message, std::string help)
{
    return engine::fail("cli.usage", std::move(message), std::move(help));
}

engine::Result<storage::Spread> spreadOf(const std::string& text)
{
    if (text == "even" || text == "both") {
        return storage::Spread::Even;
    }
    if (text == "none") {
        return storage::Spread::None;
    }
    const std::vector<std::string> spreads {"even", "none", "both"};
    return usage(fmt::format("there is no spread `{}`", text),
                 suggest(text, spreads, "write " + choices(spreads)));
}

/// --tz and --trusted-proxies: what the lines do not say of when and who.
engine::Status readOrigins(const GivenOptions& given, LogChoice& log)
{
    if (const std::optional<std::string> tz = given.text("tz")) {
        auto zone = storage::Zone::named(*tz);
        if (!zone) {
            return engine::fail(zone.error());
        }
        log.zone = std::move(*zone);
    }
    for (const std::string& text : given.all("trusted-proxies")) {
        const auto networks = parseNetworks(text);
        if (!networks) {
            return engine::fail(networks.error());
        }
        log.trustedProxies.insert(log.trustedProxies.end(), networks->begin(), networks->end());
    }
    return engine::Done {};
}

/// A day, or a time that could still be given a zone.
bool namesNoZone(const std::string& text)
{
    constexpr std::size_t kDay = std::string_view("2026-11-28").size();
    return text.size() == kDay || parseTime(text + "Z").has_value();
}

engine::Status readLimits(const GivenOptions& given, storage::SourceLimits& limits)
{
    constexpr std::string_view kNone = "none";
    if (const std::optional<std::string> text = given.text("max-ratio")) {
        const std::optional<std::int64_t> ratio = parseWhole(*text);
        if (*text != kNone && (!ratio || *ratio < 1)) {
            return usage(fmt::format("`--max-ratio {}` is no ratio", *text),
                         "write a number like 1000, or `none`");
        }
        limits.maxRatio
            = *text == kNone ? storage::SourceLimits::kNoLimit : static_cast<std::uint64_t>(*ratio);
    }
    if (const std::optional<std::string> text = given.text("max-bytes")) {
        const std::optional<std::uint64_t> size = parseSize(*text);
        if (*text != kNone && !size) {
            return usage(fmt::format("`--max-bytes {}` is no size", *text),
                         "write a size like 500G, or `none`");
        }
        limits.maxBytes = *text == kNone ? storage::SourceLimits::kNoLimit : *size;
    }
    return engine::Done {};
}

} // namespace

engine::Result<LogChoice> logChoiceOf(const GivenOptions& given, std::string path,
                                      storage::Spread spread)
{
    LogChoice log;
    log.path = std::move(path);
    log.format = given.text("log-format").value_or("");
    log.spread = spread;
    for (const std::string& text : given.all("map")) {
        const engine::Result<storage::FieldMapping> mapping = storage::parseMapping(text);
        if (!mapping) {
            return engine::fail(mapping.error());
        }
        log.mappings.push_back(*mapping);
    }
    if (const engine::Status done = readOrigins(given, log); !done) {
        return engine::fail(done.error());
    }
    if (const engine::Status done = readLimits(given, log.limits); !done) {
        return engine::fail(done.error());
    }
    if (const std::optional<std::string> reorder = given.text("reorder");
        reorder && *reorder != "auto") {
        const engine::Result<std::int64_t> horizon = parseDuration(*reorder);
        if (!horizon) {
            return usage(fmt::format("`--reorder {}` is neither `auto` nor a duration", *reorder),
                         "write `auto`, or a duration like `90s`");
        }
        log.reorderNs = *horizon;
    }
    if (const std::optional<std::string> text = given.text("spread")) {
        const engine::Result<storage::Spread> chosen = spreadOf(*text);
        if (!chosen) {
            return engine::fail(chosen.error());
        }
        log.spread = *chosen;
    }
    return log;
}

std::optional<std::uint64_t> parseSize(std::string_view text)
{
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? kUnits.npos : kUnits.find(text.back());
    const unsigned shift = unit == kUnits.npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    const std::optional<std::int64_t> number
        = parseWhole(text.substr(0, text.size() - (shift > 0 ? 1 : 0)));
    if (!number || *number < 0) {
        return std::nullopt;
    }
    const auto size = static_cast<std::uint64_t>(*number);
    return (size << shift) >> shift == size ? std::optional(size << shift) : std::nullopt;
}

engine::Result<std::optional<std::int64_t>> timeOf(const GivenOptions& given,
                                                   std::string_view option)
{
    const std::optional<std::string> text = given.text(option);
    if (!text) {
        return std::optional<std::int64_t>();
    }
    const engine::Result<std::int64_t> time = parseTime(*text);
    if (!time) {
        engine::Diagnostic diagnostic = time.error();
        diagnostic.place.file = "--" + std::string(option);
        return engine::fail(std::move(diagnostic));
    }
    const std::optional<std::string> tz = given.text("tz");
    if (!tz || !namesNoZone(*text)) {
        return std::optional(*time);
    }
    const auto zone = storage::Zone::named(*tz);
    if (!zone) {
        return engine::fail(zone.error());
    }
    constexpr std::int64_t kNs = 1'000'000'000;
    const std::int64_t part = (*time % kNs + kNs) % kNs;
    storage::Zone::Scratch scratch;
    const std::int64_t seconds = (*zone)->toUtc((*time - part) / kNs, scratch).utcSeconds;
    std::int64_t ns = 0;
    if (__builtin_mul_overflow(seconds, kNs, &ns) || __builtin_add_overflow(ns, part, &ns)) {
        return engine::fail("time.range",
                            fmt::format("`{}` cannot be counted in nanoseconds", *text),
                            "write a time between the years 1678 and 2261");
    }
    return std::optional(ns);
}

engine::Result<Period> givenPeriod(const GivenOptions& given)
{
    Period period;
    for (const auto& [option, bound] : {std::pair("from", &period.fromNs), {"to", &period.toNs}}) {
        const engine::Result<std::optional<std::int64_t>> time = timeOf(given, option);
        if (!time) {
            return engine::fail(time.error());
        }
        *bound = *time;
    }
    if (period.fromNs && period.toNs && *period.fromNs >= *period.toNs) {
        return engine::fail("cli.usage", "--from is not before --to: no request is between them",
                            "give the earlier time to --from; --to itself is not included");
    }
    return period;
}

} // namespace app
