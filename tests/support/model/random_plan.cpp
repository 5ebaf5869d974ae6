#include "tests/support/model/random_case.h"
#include "tests/support/model/wide.h"

#include <algorithm>
#include <array>

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

} // namespace

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

} // namespace tests::model
