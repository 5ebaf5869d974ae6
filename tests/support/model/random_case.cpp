#include "tests/support/model/random_case.h"

#include "tests/support/model/wide.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tests::model {

using engine::Limit;
using engine::Plan;

namespace {

constexpr std::int64_t kSecond = 1000000000;
constexpr std::int64_t kMax = INT64_MAX;
constexpr std::int64_t kYears290 = 9151920000 * kSecond;

/// Where the clock of the traffic starts and how far it may go.
struct Era {
    std::int64_t start = 0;
    std::int64_t end = kMax;
};

Era randomEra(Random& random)
{
    const auto draw = random.below(100);
    const std::int64_t little = random.between(0, 3 * kSecond);
    if (draw < 35) {
        return {little, kMax / 2};
    }
    if (draw < 60) {
        return {1700000000 * kSecond + little, kMax - kMax / 8};
    }
    if (draw < 78) {
        return {-1200000000 * kSecond - little, kMax / 2};
    }
    if (draw < 84) {
        return {INT64_MIN + static_cast<std::int64_t>(random.below(3)), kMax / 2};
    }
    if (draw < 92) {
        return {-4600000000 * kSecond - little, kMax};
    }
    return {kMax - (std::int64_t {1} << random.below(62)), kMax};
}

std::int64_t addClamped(std::int64_t t, std::int64_t step, std::int64_t end)
{
    return min(Wide(t) + Wide(step), Wide(end)).toInt64();
}

/// The rule's period; where slots are held, one of few durations, so that ends and arrivals meet.
std::int64_t periodFor(Random& random, const Limit& limit)
{
    if (!engine::holdsSlots(limit.algorithm)) {
        return limit.rate.periodNs;
    }
    if (limit.strategy == engine::Strategy::Utilisation) {
        constexpr std::array<std::int64_t, 5> kRamps {kSecond, 5 * kSecond, 27 * kSecond,
                                                      60 * kSecond, 300 * kSecond};
        return random.oneOf(kRamps);
    }
    constexpr std::array<std::int64_t, 5> kDurations {2, 3, 10, kSecond, 60 * kSecond};
    return limit.assumeDurationNs && *limit.assumeDurationNs > 0 && random.percent(50)
        ? *limit.assumeDurationNs
        : random.oneOf(kDurations);
}

/// A wait that leads to where something happens for `limit`.
std::int64_t randomStep(Random& random, const Limit& limit, std::int64_t t)
{
    const std::int64_t period = periodFor(random, limit);
    const std::int64_t spacing = limit.rate.count > 0 ? period / limit.rate.count : period;
    const Wide sinceAnchor = Wide(t) - limit.anchorNs;
    const std::int64_t toEdge = (ceilDiv(sinceAnchor, period) * period - sinceAnchor).toInt64();
    switch (random.below(16)) {
    case 0:
        return spacing;
    case 1:
        return spacing + 1;
    case 2:
        return std::max<std::int64_t>(spacing - 1, 0);
    case 3:
        return period;
    case 4:
        return period - 1;
    case 5:
        return period + 1;
    case 6:
        return toEdge;
    case 7:
        return toEdge + 1;
    case 8:
        return std::max<std::int64_t>(toEdge - 1, 0);
    case 9:
        return 1;
    case 10:
        return random.between(0, period);
    case 11:
        return random.between(0, spacing * 2 > 0 ? spacing * 2 : 1);
    case 12:
        return random.percent(10) ? kYears290 : random.between(0, 5);
    default:
        return 0;
    }
}

std::int64_t randomUnits(Random& random, const Limit& limit)
{
    const std::int64_t capacity = std::min(engine::capacityOf(limit), kMax - 1);
    const std::array<std::int64_t, 8> units {
        0, 1, 2, 3, capacity, capacity + 1, capacity / 2, random.between(0, capacity)};
    return random.oneOf(units);
}

std::optional<std::int64_t> randomDuration(Random& random, const Limit& limit)
{
    const auto draw = random.below(20);
    if (draw < 3) {
        return std::nullopt;
    }
    if (draw < 5) {
        return 0;
    }
    if (draw == 5) {
        constexpr std::array<std::int64_t, 3> kLong {kMax, kMax / 2, kYears290};
        return random.oneOf(kLong);
    }
    if (draw < 10) {
        return random.between(0, 3);
    }
    const std::int64_t period = periodFor(random, limit);
    return draw < 16 ? period : random.between(0, period);
}

void drawAttributes(Random& random, const Limit& limit, Request& request)
{
    const auto give
        = [&](const char* name, unsigned share, const std::vector<std::string>& values) {
              if (random.percent(share)) {
                  request.attributes[name] = random.oneOf(values);
              }
          };
    give("api_key", 85, {"a", "a", "b"});
    give("tenant", 90, {"t1", "t2"});
    give("client_ip", 95, {"192.0.2.1", "2001:db8::1"});
    give("plan", 75, {"free", "pro"});
    give("method", 90, {"GET", "POST"});
    give("weight", 80, {"1", "2", "3", "4", "x", "9223372036854775807", "30"});
    give("path", 80, {"/search/x", "/login"});
    if (random.percent(6)) {
        give("units", 100, {"x", "-3", "1.5", "007"});
    } else if (random.percent(90)) {
        request.attributes["units"] = std::to_string(randomUnits(random, limit));
    }
}

} // namespace

std::uint64_t Random::next()
{
    m_state += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

std::uint64_t Random::below(std::uint64_t bound)
{
    return next() % bound;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high)
{
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const std::uint64_t drawn = span == UINT64_MAX ? next() : below(span + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn);
}

bool Random::percent(unsigned share)
{
    return below(100) < share;
}

std::vector<Request> randomRequests(Random& random, const std::vector<Plan>& plans,
                                    std::size_t count)
{
    const Era era = randomEra(random);
    // Much at one instant makes full buckets, long waits make empty ones: both, in turns.
    unsigned stay = static_cast<unsigned>(random.below(95));
    std::vector<Request> requests(count);
    std::int64_t t = era.start;
    for (Request& request : requests) {
        const Limit& limit = random.oneOf(random.oneOf(plans).rules).limit;
        if (random.percent(5)) {
            stay = static_cast<unsigned>(random.below(95));
        }
        if (!random.percent(stay)) {
            t = addClamped(t, randomStep(random, limit, t), era.end);
        }
        request.timeNs = t;
        request.durationNs = randomDuration(random, limit);
        drawAttributes(random, limit, request);
    }
    return requests;
}

Case randomCase(std::uint64_t seed, const CaseOptions& options)
{
    Random random(seed);
    Case made;
    const std::size_t plans = 1 + random.below(options.maxPlans);
    for (std::size_t i = 0; i < plans; ++i) {
        made.plans.push_back(randomPlan(random, options.maxRules));
    }
    const std::size_t least = std::min<std::size_t>(options.maxRequests, 10);
    made.requests
        = randomRequests(random, made.plans, least + random.below(options.maxRequests - least + 1));
    if (!options.ordered && random.percent(20)) {
        for (std::size_t i = 1; i < made.requests.size(); ++i) {
            if (random.percent(20)) {
                std::swap(made.requests[i - 1], made.requests[i]);
            }
        }
    }
    if (options.conditions) {
        made.conditions = randomConditions(random, made);
    }
    return made;
}

std::uint64_t numberFromEnvironment(const char* name, std::uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

} // namespace tests::model
