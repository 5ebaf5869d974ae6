#include "policies/diffing/limited.h"

#include "engine/worst_case.h"
#include "policies/language/limits.h"
#include "policies/language/numbers.h"

#include <fmt/format.h>
#include <numeric>

namespace policies::diffing {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// Units per second, rounded down, where that is a matter of one division.
std::optional<std::int64_t> perSecond(const engine::Rate& rate)
{
    std::int64_t count = 0;
    if (rate.periodNs % kSecondNs == 0) {
        return rate.count / (rate.periodNs / kSecondNs);
    }
    if (kSecondNs % rate.periodNs == 0
        && !__builtin_mul_overflow(rate.count, kSecondNs / rate.periodNs, &count)) {
        return count;
    }
    return std::nullopt;
}

std::string within(std::int64_t count, std::int64_t more, const std::string& period)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(count, more, &sum)
        ? fmt::format("{} + {} {}", count, more, period)
        : fmt::format("{} {}", sum, period);
}

/// ", class a up to 32, class b up to 20".
std::string classSlots(const Rule& rule, engine::Limit limit)
{
    std::string text;
    for (const ShedClass& shed : classesOf(rule)) {
        limit.upTo = shed.upTo.value;
        text += fmt::format(", class {} up to {}", shed.name.value, engine::slotsOf(limit));
    }
    return text;
}

/// "twice as many", "50% fewer": exact in whole multiples, else rounded to a tenth of a percent.
std::string ratioText(std::int64_t before, std::int64_t after)
{
    if (after % before == 0) {
        return fmt::format("{} times as many", after / before);
    }
    if (after != 0 && before % after == 0) {
        return fmt::format("1/{} as many", before / after);
    }
    std::int64_t scaled = 0;
    const std::int64_t change = after > before ? after - before : before - after;
    if (__builtin_mul_overflow(change, std::int64_t {2000}, &scaled)) {
        return after > before ? "more" : "fewer";
    }
    const std::int64_t tenths = (scaled / before + 1) / 2;
    return fmt::format("{}.{}% {}", tenths / 10, tenths % 10, after > before ? "more" : "fewer");
}

} // namespace

std::optional<Limited> limitedIn(const Policy& policy, const std::string& name,
                                 const std::string& overrideName)
{
    Limited found;
    found.rule = policy.rule(name);
    if (found.rule == nullptr) {
        return std::nullopt;
    }
    for (const Override& override : found.rule->overrides) {
        found.override = override.name.value == overrideName ? &override : found.override;
    }
    if (!overrideName.empty() && found.override == nullptr) {
        return std::nullopt;
    }
    const Values values = language::valuesOf(*found.rule, found.override);
    if (auto limit = language::limitOf(*found.rule, values)) {
        found.limit = *limit;
    }
    found.mode = language::modeOf(values);
    found.countsAll = language::countsAllItAdmits(policy, *found.rule);
    return found;
}

std::string worstCase(const Limited& limited)
{
    const engine::Limit& limit = *limited.limit;
    using engine::Algorithm;
    const std::int64_t n = limit.rate.count;
    const std::string period = "within " + language::durationText(limit.rate.periodNs);
    const std::int64_t capacity = engine::capacityOf(limit);
    const engine::AroundEdge edge = engine::mostAroundEdge(limit, 1, limited.countsAll);
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
        return within(edge.before, edge.after, period + ", around the edge of a window");
    case Algorithm::SlidingWindowCounter:
        return within(edge.before, edge.after, period + ", after a late burst");
    case Algorithm::SlidingWindowLog:
        return fmt::format("{} {}", n, period);
    case Algorithm::LeakyBucket:
        return fmt::format("{} at once, then {}", capacity, language::rateText(limit.rate));
    case Algorithm::TokenBucket:
    case Algorithm::Gcra:
        break;
    case Algorithm::AdaptiveConcurrency:
        return fmt::format("{} to {} at a time, as durations go", limit.minimum, limit.maximum);
    case Algorithm::LoadShedder:
        return limit.strategy == engine::Strategy::Fleet
            ? fmt::format("{} at a time{}", limit.inFlight, classSlots(*limited.rule, limit))
            : fmt::format("no bound: shed while {} at a time are reached for long", limit.inFlight);
    case Algorithm::Concurrency:
        return fmt::format("{} at a time", limit.inFlight);
    }
    if (n == 0) {
        return "nothing";
    }
    const std::optional<std::int64_t> second = perSecond(limit.rate);
    const std::string span = second ? "in the first second" : period;
    if (limit.toleranceNs) { // no whole burst: what is left of it counts with what comes in
        const std::int64_t spanNs = second ? kSecondNs : limit.rate.periodNs;
        return fmt::format("{} at once, {} {}", capacity, *engine::mostWithin(limit, spanNs + 1),
                           span);
    }
    return fmt::format("{} at once, {}", capacity, within(capacity, second.value_or(n), span));
}

std::optional<std::string> rateChange(const engine::Limit& before, const engine::Limit& after)
{
    const engine::Rate& a = before.rate;
    const engine::Rate& b = after.rate;
    const std::int64_t common
        = a.periodNs == 0 || b.periodNs == 0 ? 0 : std::gcd(a.periodNs, b.periodNs);
    std::int64_t x = 0;
    std::int64_t y = 0;
    if (common == 0 || a.count == 0 || __builtin_mul_overflow(a.count, b.periodNs / common, &x)
        || __builtin_mul_overflow(b.count, a.periodNs / common, &y) || x == y) {
        return std::nullopt;
    }
    std::string text = ratioText(x, y) + " per time";
    const std::int64_t scale = a.periodNs / common;
    const std::int64_t divisor = b.periodNs / common;
    if (a.periodNs != b.periodNs && (b.count * scale) % divisor == 0) {
        text += fmt::format(": {} -> {}", language::rateText(a),
                            language::rateText({b.count * scale / divisor, a.periodNs}));
    }
    return text;
}

} // namespace policies::diffing
