#include "tests/support/model/random_case.h"

#include "tests/support/model/wide.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tests::model {

using engine::Algorithm;
using engine::Limit;
using engine::Match;
using engine::Mode;
using engine::Plan;
using engine::PlanRule;
using engine::Test;
using engine::TestKind;

namespace {

constexpr std::uint64_t kAlgorithms = 9;
constexpr std::int64_t kSecond = 1000000000;
constexpr std::int64_t kDay = 86400 * kSecond;
constexpr std::int64_t kMax = INT64_MAX;
constexpr std::int64_t kYears290 = 9151920000 * kSecond;

/// Waits of what delays stay far below 2^63 even where several tiers delay.
constexpr std::int64_t kLongestQueueNs = std::int64_t {1} << 60;
constexpr std::int64_t kLongestPeriodNs = std::int64_t {1} << 61;

constexpr std::array<std::int64_t, 22> kPeriods {1,
                                                 2,
                                                 3,
                                                 7,
                                                 10,
                                                 60,
                                                 999,
                                                 1000,
                                                 kSecond / 1000,
                                                 kSecond,
                                                 kSecond,
                                                 kSecond,
                                                 3 * kSecond,
                                                 7 * kSecond + 1,
                                                 60 * kSecond,
                                                 60 * kSecond,
                                                 600 * kSecond,
                                                 3600 * kSecond,
                                                 kDay,
                                                 7 * kDay,
                                                 365 * kDay,
                                                 kLongestPeriodNs};
constexpr std::array<std::int64_t, 20> kCounts {
    1, 1, 1, 2, 2, 3, 3, 4, 5, 5, 7, 7, 10, 13, 60, 1000, kSecond, 3 * kSecond, kMax / 2, kMax};

Test equals(std::string text)
{
    return {TestKind::Equals, std::move(text), 0, 0};
}

const Test kAbsent {TestKind::Absent, {}, 0, 0};

Match randomMatch(Random& random)
{
    const std::array<engine::Matcher, 10> kinds {{
        {"plan", false, {equals("free")}},
        {"plan", false, {equals("free"), kAbsent}},
        {"plan", true, {equals("free")}},
        {"plan", true, {kAbsent}},
        {"plan", true, {kAbsent, equals("pro")}},
        {"api_key", false, {kAbsent}},
        {"api_key", false, {equals("a"), equals("b")}},
        {"method", false, {equals("GET")}},
        {"weight", false, {{TestKind::Range, {}, 2, 3}}},
        {"weight", true, {{TestKind::Range, {}, 4, kMax}, equals("x")}},
    }};
    Match match {random.oneOf(kinds)};
    if (random.percent(25)) {
        match.push_back(random.oneOf(kinds));
    }
    return match;
}

engine::Cost randomCost(Random& random, const Limit& limit)
{
    engine::Cost cost;
    if (random.percent(60)) {
        return cost;
    }
    if (random.percent(50)) {
        const std::int64_t capacity = std::min(engine::capacityOf(limit), kMax - 1);
        const std::array<std::int64_t, 6> fixed {0, 2, 3, capacity, capacity / 2, capacity + 1};
        cost.fixed = random.oneOf(fixed);
        return cost;
    }
    cost.attribute = "units";
    constexpr std::array<std::int64_t, 4> kPer {1, 1, 2, 1000};
    cost.per = random.oneOf(kPer);
    return cost;
}

std::vector<std::string> randomKey(Random& random)
{
    static const std::vector<std::vector<std::string>> kKeys {{},
                                                              {"api_key"},
                                                              {"api_key"},
                                                              {"tenant"},
                                                              {"client_ip"},
                                                              {"api_key", "tenant"},
                                                              {"tenant", "api_key"}};
    return random.oneOf(kKeys);
}

PlanRule randomRule(Random& random, const std::string& name, engine::Tier tier)
{
    PlanRule rule;
    rule.rule = name;
    rule.tier = tier;
    rule.mode = random.percent(25) ? Mode::Shadow : Mode::Enforce;
    if (random.percent(35)) {
        rule.match = randomMatch(random);
    }
    rule.limit = randomLimit(random,
                             random.percent(10)
                                 ? Algorithm::LeakyBucket // few of them meet the end of time
                                 : static_cast<Algorithm>(random.below(kAlgorithms)));
    const bool holds = engine::holdsSlots(rule.limit.algorithm);
    rule.key = holds && random.percent(40) ? std::vector<std::string> {} : randomKey(random);
    if (rule.limit.algorithm != Algorithm::LoadShedder) {
        rule.cost = randomCost(random, rule.limit);
    }
    constexpr std::array<engine::StoreFailure, 3> kFailures {
        engine::StoreFailure::Open, engine::StoreFailure::Closed, engine::StoreFailure::Local};
    rule.onStoreFailure = random.oneOf(kFailures);
    return rule;
}

/// A load_shedder is a rule for each class, and one for what is in none; others are one.
void addClasses(Random& random, Plan& plan, const PlanRule& rule)
{
    if (rule.limit.algorithm != Algorithm::LoadShedder) {
        plan.rules.push_back(rule);
        return;
    }
    PlanRule rest = rule;
    const int classes = static_cast<int>(random.below(4));
    for (int i = 0; i < classes; ++i) {
        PlanRule one = rest;
        one.className = "c" + std::to_string(i);
        one.classMatch = randomMatch(random);
        if (rule.limit.strategy == engine::Strategy::Fleet) {
            constexpr std::array<int, 6> kShares {0, 33, 50, 80, 99, 100};
            one.limit.upTo = random.oneOf(kShares);
        } else {
            one.limit.shedAfter = classes - 1 - i;
        }
        rest.unless.push_back(one.classMatch);
        ++rest.stateBefore;
        plan.rules.push_back(std::move(one));
    }
    plan.rules.push_back(std::move(rest));
}

/// Has some rules count for more while another one is nearly full.
void tightenSome(Random& random, Plan& plan)
{
    std::vector<std::uint32_t> targets;
    for (std::uint32_t i = 0; i < plan.rules.size(); ++i) {
        const PlanRule& rule = plan.rules[i];
        const bool isWhole
            = std::none_of(plan.rules.begin(), plan.rules.end(), [&](const PlanRule& other) {
                  return other.rule == rule.rule && other.overrideName.has_value();
              });
        if (engine::holdsSlots(rule.limit.algorithm) && rule.key.empty() && isWhole
            && rule.stateBefore == 0) {
            targets.push_back(i);
        }
    }
    for (PlanRule& rule : plan.rules) {
        if (targets.empty() || rule.limit.algorithm == Algorithm::LoadShedder
            || !random.percent(35)) {
            continue;
        }
        constexpr std::array<int, 6> kShares {1, 20, 50, 80, 99, 100};
        constexpr std::array<std::int64_t, 4> kFactors {2, 2, 3, kMax};
        engine::Tighten tighten;
        tighten.rule = random.oneOf(targets);
        tighten.above = random.oneOf(kShares);
        tighten.factor = random.oneOf(kFactors);
        rule.tighten = tighten;
    }
}

/// A rule as it is, or in two or three: overrides first, the rest last.
void addRule(Random& random, Plan& plan, const PlanRule& rule)
{
    PlanRule rest = rule;
    const std::size_t overrides = random.percent(20) ? 1 + random.below(2) : 0;
    for (std::size_t i = 0; i < overrides; ++i) {
        PlanRule other = rest;
        other.overrideName = "o" + std::to_string(i);
        other.overrideMatch = randomMatch(random);
        other.limit = randomLimit(random, rule.limit.algorithm);
        other.mode = random.percent(20) ? Mode::Shadow : rule.mode;
        rest.unless.push_back(other.overrideMatch);
        addClasses(random, plan, other);
    }
    addClasses(random, plan, rest);
}

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

namespace {

void learnRandomly(Random& random, Limit& limit)
{
    constexpr std::array<engine::Strategy, 3> kStrategies {
        engine::Strategy::Vegas, engine::Strategy::Gradient2, engine::Strategy::Aimd};
    constexpr std::array<std::int64_t, 8> kInitial {1, 2, 3, 4, 6, 11, 120, 0x7FFFFFFF};
    limit.strategy = random.oneOf(kStrategies);
    limit.initial = random.oneOf(kInitial);
    limit.minimum = random.percent(70) ? 1 : random.between(1, limit.initial);
    limit.maximum = random.percent(70) ? std::max<std::int64_t>(1000, limit.initial)
                                       : random.between(limit.initial, 0x7FFFFFFF);
}

} // namespace

engine::Limit randomLimit(Random& random)
{
    return randomLimit(random, static_cast<Algorithm>(random.below(7)));
}

engine::Limit randomLimit(Random& random, Algorithm algorithm)
{
    for (;;) {
        Limit limit;
        limit.algorithm = algorithm;
        limit.rate.periodNs = random.oneOf(kPeriods);
        limit.rate.count = random.percent(4) ? 0 : random.oneOf(kCounts);
        const bool window = algorithm == Algorithm::FixedWindow
            || algorithm == Algorithm::SlidingWindowCounter
            || algorithm == Algorithm::SlidingWindowLog;
        if (window && random.percent(25)) {
            limit.countRejected = true;
        }
        if (algorithm == Algorithm::FixedWindow && random.percent(30)) {
            limit.alignToFirstRequest = true;
        } else if (window && algorithm != Algorithm::SlidingWindowLog && random.percent(30)) {
            limit.anchorNs = random.between(0, limit.rate.periodNs - 1);
        }
        if (algorithm == Algorithm::SlidingWindowCounter) {
            limit.floorEstimate = random.percent(30);
        }
        if (algorithm == Algorithm::TokenBucket || algorithm == Algorithm::Gcra) {
            limit.burst = std::max<std::int64_t>(random.oneOf(kCounts), 1);
        }
        if (algorithm == Algorithm::Gcra && random.percent(40)) {
            limit.burst = 1;
            limit.toleranceNs
                = random.between(0, std::min(limit.rate.periodNs, kLongestPeriodNs / 8) * 5);
        }
        if (algorithm == Algorithm::LeakyBucket) {
            limit.queue = random.percent(20) ? 0 : random.oneOf(kCounts);
            limit.delayAfter = random.percent(60) ? 0 : random.between(0, limit.queue);
        }
        if (engine::holdsSlots(algorithm)) {
            limit.rate = {};
            limit.inFlight = random.percent(4) ? 0 : random.oneOf(kCounts);
            if (random.percent(40)) {
                limit.assumeDurationNs = random.between(0, random.oneOf(kPeriods));
            }
        }
        if (algorithm == Algorithm::AdaptiveConcurrency) {
            learnRandomly(random, limit);
        }
        if (algorithm == Algorithm::LoadShedder) {
            limit.strategy
                = random.percent(50) ? engine::Strategy::Fleet : engine::Strategy::Utilisation;
        }
        const bool queueIsShort = algorithm != Algorithm::LeakyBucket || limit.rate.count == 0
            || (Wide(limit.queue) + 1) * limit.rate.periodNs
                <= Wide(kLongestQueueNs) * limit.rate.count;
        if (queueIsShort && engine::checkLimit(limit) == nullptr) {
            return limit;
        }
    }
}

engine::Plan randomPlan(Random& random, std::size_t maxRules)
{
    Plan plan;
    plan.name = "random";
    plan.counting = random.percent(30) ? engine::Counting::AllOrNothing : engine::Counting::PerTier;
    if (random.percent(20)) {
        plan.exempt.push_back({"monitoring", randomMatch(random)});
        plan.exempt.back().match.push_back({"tenant", false, {equals("t2")}});
        plan.exempt.push_back({"probes", {{"weight", false, {equals("30")}}}});
    }
    std::vector<engine::Tier> tiers(1 + random.below(maxRules));
    for (engine::Tier& tier : tiers) {
        tier = static_cast<engine::Tier>(random.below(engine::kTierCount));
    }
    std::sort(tiers.begin(), tiers.end());
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        addRule(random, plan, randomRule(random, "r" + std::to_string(i), tiers[i]));
    }
    tightenSome(random, plan);
    return plan;
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
