#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <optional>

/// How a limit is learned from durations: the update rules of adaptive_concurrency as pure
/// functions of what was learned so far and one sample. IEEE doubles, in a fixed order of
/// operations, so that the same samples give the same limit on every machine.
///
/// Example (vegas, initial 20): a first sample of 10 ms sets the duration without load; a second
/// one of 10 ms with 20 in flight finds no queue and raises the limit by 6 to 26. Definition:
/// notes-adaptive.md section 4; small print A13, A16, A17.
namespace engine::adaptive_limit {

/// One request that has ended.
struct Sample {
    std::int64_t durationNs = 0; ///< above 0
    std::int64_t inFlight = 0; ///< when it started, itself included
    bool dropped = false; ///< a replay never sets it
};

/// Numbers of the strategies that the policy language does not have, with their usual values.
struct Settings {
    Strategy strategy = Strategy::Vegas;
    double initial = 20;
    double minimum = 1;
    double maximum = 1000;
    double smoothing = 1.0; ///< vegas; gradient2 usually has 0.2
    double probeMultiplier = 30; ///< vegas
    double probeJitter = 0.75; ///< vegas: fixed, where others draw it from [0.5, 1)
    double queue = 4; ///< gradient2
    double tolerance = 1.5; ///< gradient2
    std::int64_t longWindow = 600; ///< gradient2: samples
    double backoffRatio = 0.9; ///< aimd
    std::int64_t timeoutNs = 5'000'000'000; ///< aimd
};

/// By the strategy's usual values, and the limit's own bounds.
Settings settingsOf(const Limit& limit);

/// What was learned. estimate is the limit before it is cut to a whole number.
struct Learned {
    double estimate = 0;
    double noLoadNs = 0; ///< vegas: the least duration since the last probe; 0: none yet
    std::int64_t probes = 0; ///< vegas: samples since then
    double longNs = 0; ///< gradient2: mean of durations over the long window
    double warmupSum = 0; ///< gradient2: of the first 10 samples
    std::int64_t samples = 0; ///< gradient2: at most 10
};

/// What vegas made of a sample.
enum class Step : std::uint8_t {
    Probe, ///< time to learn the duration without load anew
    NewMinimum, ///< the least duration so far
    Drop,
    AppLimited, ///< too few in flight to tell
    Leap, ///< hardly a queue: up by beta
    Rise, ///< a short queue
    Fall, ///< a long queue
    Hold,
};

/// Estimated queue: none where the duration without load was learned.
struct VegasStep {
    Step step = Step::Hold;
    std::optional<std::int64_t> queue;
};

Learned begin(const Settings& settings);
void learn(const Settings& settings, Learned& learned, const Sample& sample);
/// learn() for vegas, telling what it did.
VegasStep learnVegas(const Settings& settings, Learned& learned, const Sample& sample);

/// The limit that holds now.
inline std::int64_t limitOf(const Learned& learned)
{
    return static_cast<std::int64_t>(learned.estimate);
}

/// Envoy's adaptive concurrency: the limit after one window of samples. For those who compare.
struct EnvoyGradient {
    double gradient = 0;
    std::int64_t limit = 0;
};

EnvoyGradient envoyGradient(std::int64_t limit, double minimumRtt, double sampleRtt, double buffer,
                            std::int64_t lowest, std::int64_t highest);

} // namespace engine::adaptive_limit
