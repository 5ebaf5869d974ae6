#include "engine/plan.h"

#include "engine/algorithms/meter.h"
#include "engine/algorithms/wide.h"

namespace engine {
namespace {

template <class Enum, std::size_t Count>
std::optional<Enum> find(const std::array<std::string_view, Count>& names, std::string_view name)
{
    for (std::size_t i = 0; i < Count; ++i) {
        if (names[i] == name) {
            return static_cast<Enum>(i);
        }
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, kTierCount> kTierNames {"edge", "gateway", "endpoint",
                                                               "tenant"};
constexpr std::array<std::string_view, 9> kAlgorithmNames {
    "fixed_window", "sliding_window_log", "sliding_window_counter", "token_bucket", "leaky_bucket",
    "gcra",         "concurrency",        "adaptive_concurrency",   "load_shedder"};
constexpr std::array<std::string_view, 5> kStrategyNames {"vegas", "gradient2", "aimd", "fleet",
                                                          "utilisation"};
constexpr std::array<std::string_view, 3> kModeNames {"enforce", "shadow", "off"};

using wide::Int128;

constexpr std::int64_t kMost = std::int64_t {1} << 62;

bool isCount(std::int64_t value)
{
    return value >= 0 && value <= kMost;
}

/// burst and queue + 1: does the whole capacity refill within 2^62 ns?
bool refillsInTime(const Rate& rate, Int128 capacity)
{
    return capacity * rate.periodNs <= Int128 {kMost} * rate.count;
}

const char* checkWindow(const Limit& limit)
{
    if (limit.anchorNs < 0 || limit.anchorNs >= limit.rate.periodNs) {
        return "anchor is not in 0 .. period - 1";
    }
    if (limit.algorithm == Algorithm::SlidingWindowCounter && limit.rate.periodNs == kMost) {
        return "two periods of rate are above 2^63 - 1 ns"; // as long as full_after may be
    }
    return nullptr;
}

const char* checkBurst(const Limit& limit)
{
    if (limit.burst < 1 || limit.burst > kMost) {
        return "burst is not in 1 .. 2^62";
    }
    if (limit.rate.count > 0 && !refillsInTime(limit.rate, limit.burst)) {
        return "burst * period / rate is above 2^62 ns";
    }
    return nullptr;
}

const char* checkTolerance(const Limit& limit)
{
    if (!isCount(*limit.toleranceNs)) {
        return "tolerance is not in 0 .. 2^62 ns";
    }
    if (limit.rate.count == 0) {
        return nullptr;
    }
    const Int128 capacity = Int128 {*limit.toleranceNs} * limit.rate.count + limit.rate.periodNs;
    if (capacity / limit.rate.count > wide::kLastNs) {
        return "tolerance + period / rate is above 2^63 - 1 ns";
    }
    if (capacity / limit.rate.periodNs > kMost) {
        return "tolerance * rate / period is above 2^62 requests";
    }
    return nullptr;
}

const char* checkQueue(const Limit& limit)
{
    if (!isCount(limit.queue)) {
        return "queue is not in 0 .. 2^62";
    }
    if (!isCount(limit.delayAfter)) {
        return "delay_after is not in 0 .. 2^62";
    }
    if (limit.rate.count > 0 && !refillsInTime(limit.rate, Int128 {limit.queue} + 1)) {
        return "(queue + 1) * period / rate is above 2^62 ns";
    }
    return nullptr;
}

const char* checkSlots(const Limit& limit)
{
    if (!isCount(limit.inFlight)) {
        return limit.algorithm == Algorithm::LoadShedder ? "capacity is not in 0 .. 2^62"
                                                         : "in_flight is not in 0 .. 2^62";
    }
    if (limit.assumeDurationNs && *limit.assumeDurationNs < 0) {
        return "assume_duration is below 0";
    }
    return nullptr;
}

const char* checkAdaptive(const Limit& limit)
{
    constexpr std::int64_t kMostSlots = 0x7FFFFFFF; // the strategies reckon in ints
    if (limit.strategy > Strategy::Aimd) {
        return "strategy is not vegas, gradient2 or aimd";
    }
    if (limit.minimum < 1 || limit.maximum > kMostSlots) {
        return "min and max are not in 1 .. 2^31 - 1";
    }
    if (limit.initial < limit.minimum || limit.initial > limit.maximum) {
        return "initial is not in min .. max";
    }
    return nullptr;
}

const char* checkShedder(const Limit& limit)
{
    if (limit.strategy < Strategy::Fleet) {
        return "strategy is not fleet or utilisation";
    }
    if (limit.upTo < 0 || limit.upTo > 100) {
        return "up_to is not in 0 .. 100 %";
    }
    constexpr std::int64_t kMostUtilised = 1'000'000'000; // products of the ramp stay in 128 bits
    if (limit.strategy == Strategy::Utilisation
        && (limit.inFlight < 1 || limit.inFlight > kMostUtilised)) {
        return "capacity of strategy utilisation is not in 1 .. 10^9";
    }
    return nullptr;
}

} // namespace

const char* checkLimit(const Limit& limit)
{
    if (holdsSlots(limit.algorithm)) {
        const char* why = checkSlots(limit);
        if (why == nullptr && limit.algorithm == Algorithm::AdaptiveConcurrency) {
            why = checkAdaptive(limit);
        } else if (why == nullptr && limit.algorithm == Algorithm::LoadShedder) {
            why = checkShedder(limit);
        }
        return why;
    }
    if (!isCount(limit.rate.count)) {
        return "rate is not in 0 .. 2^62 requests";
    }
    if (limit.rate.periodNs < 1 || limit.rate.periodNs > kMost) {
        return "the period of rate is not in 1 .. 2^62 ns";
    }
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        return checkWindow(limit);
    case Algorithm::Gcra:
        return limit.toleranceNs ? checkTolerance(limit) : checkBurst(limit);
    case Algorithm::TokenBucket:
        return checkBurst(limit);
    case Algorithm::LeakyBucket:
        return checkQueue(limit);
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break;
    }
    return nullptr;
}

std::int64_t slotsOf(const Limit& limit)
{
    return static_cast<std::int64_t>(Int128 {limit.inFlight} * limit.upTo / 100);
}

std::int64_t capacityOf(const Limit& limit)
{
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        return limit.rate.count;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        return meter::specOf(limit).capacityUnits;
    case Algorithm::AdaptiveConcurrency:
        return limit.initial;
    case Algorithm::LoadShedder:
        return limit.strategy == Strategy::Fleet ? slotsOf(limit) : limit.inFlight;
    case Algorithm::Concurrency:
        break;
    }
    return limit.inFlight;
}

std::string_view nameOf(Tier tier)
{
    return kTierNames[static_cast<std::size_t>(tier)];
}

std::string_view nameOf(Algorithm algorithm)
{
    return kAlgorithmNames[static_cast<std::size_t>(algorithm)];
}

std::string_view nameOf(Mode mode)
{
    return kModeNames[static_cast<std::size_t>(mode)];
}

std::string_view nameOf(Strategy strategy)
{
    return kStrategyNames[static_cast<std::size_t>(strategy)];
}

std::optional<Tier> tierNamed(std::string_view name)
{
    return find<Tier>(kTierNames, name);
}

std::optional<Algorithm> algorithmNamed(std::string_view name)
{
    return find<Algorithm>(kAlgorithmNames, name);
}

std::optional<Mode> modeNamed(std::string_view name)
{
    return find<Mode>(kModeNames, name);
}

std::optional<Strategy> strategyNamed(std::string_view name)
{
    return find<Strategy>(kStrategyNames, name);
}

} // namespace engine
