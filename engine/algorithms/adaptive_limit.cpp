#include "engine/algorithms/adaptive_limit.h"

#include <algorithm>
#include <cmath>

namespace engine::adaptive_limit {
namespace {

/// max(1, floor(log10(limit))), without a logarithm whose last bit machines disagree on.
double tens(double limit)
{
    const auto whole = static_cast<std::int64_t>(limit);
    double digits = 0;
    for (std::int64_t power = 10; power <= whole; power *= 10) {
        digits += 1;
    }
    return std::max(1.0, digits);
}

/// What vegas does, given the queue that it estimates.
Step stepOf(const Sample& sample, double limit, double queue)
{
    const double unit = tens(limit);
    if (sample.dropped) {
        return Step::Drop;
    }
    if (static_cast<double>(sample.inFlight) * 2 < limit) {
        return Step::AppLimited;
    }
    if (queue <= unit) {
        return Step::Leap;
    }
    if (queue < 3 * unit) {
        return Step::Rise;
    }
    return queue > 6 * unit ? Step::Fall : Step::Hold;
}

double stepped(double limit, Step step)
{
    switch (step) {
    case Step::Drop:
    case Step::Fall:
        return limit - tens(limit);
    case Step::Leap:
        return limit + 6 * tens(limit);
    case Step::Rise:
        return limit + tens(limit);
    case Step::Probe:
    case Step::NewMinimum:
    case Step::AppLimited:
    case Step::Hold:
        break;
    }
    return limit;
}

/// The long mean with the sample in it: a plain mean of the first 10, then exponential.
double longMean(const Settings& settings, Learned& learned, double duration)
{
    constexpr std::int64_t kWarmup = 10;
    if (learned.samples < kWarmup) {
        ++learned.samples;
        learned.warmupSum += duration;
        learned.longNs = learned.warmupSum / static_cast<double>(learned.samples);
    } else {
        const double factor = 2.0 / static_cast<double>(settings.longWindow + 1);
        learned.longNs = learned.longNs * (1 - factor) + duration * factor;
    }
    return learned.longNs;
}

void learnGradient2(const Settings& settings, Learned& learned, const Sample& sample)
{
    const auto duration = static_cast<double>(sample.durationNs);
    const double mean = longMean(settings, learned, duration);
    if (mean / duration > 2) {
        learned.longNs *= 0.95; // from the next sample on
    }
    const double limit = learned.estimate;
    if (static_cast<double>(sample.inFlight) < limit / 2) {
        return;
    }
    const double gradient = std::max(0.5, std::min(1.0, settings.tolerance * mean / duration));
    double next = limit * gradient + settings.queue;
    next = limit * (1 - settings.smoothing) + next * settings.smoothing;
    learned.estimate = std::clamp(next, settings.minimum, settings.maximum);
}

void learnAimd(const Settings& settings, Learned& learned, const Sample& sample)
{
    double limit = learned.estimate;
    if (sample.dropped || sample.durationNs > settings.timeoutNs) {
        limit = std::floor(limit * settings.backoffRatio);
    } else if (static_cast<double>(sample.inFlight) * 2 >= limit) {
        limit += 1;
    }
    learned.estimate = std::clamp(limit, settings.minimum, settings.maximum);
}

} // namespace

VegasStep learnVegas(const Settings& settings, Learned& learned, const Sample& sample)
{
    const auto duration = static_cast<double>(sample.durationNs);
    const double limit = learned.estimate;
    ++learned.probes;
    if (settings.probeJitter * settings.probeMultiplier * limit
        <= static_cast<double>(learned.probes)) {
        learned.probes = 0;
        learned.noLoadNs = duration;
        return {Step::Probe, std::nullopt};
    }
    if (learned.noLoadNs == 0 || duration < learned.noLoadNs) {
        learned.noLoadNs = duration;
        return {Step::NewMinimum, std::nullopt};
    }
    const double queue = std::ceil(limit * (1 - learned.noLoadNs / duration));
    const Step step = stepOf(sample, limit, queue);
    const double next = std::clamp(stepped(limit, step), settings.minimum, settings.maximum);
    if (step != Step::AppLimited && step != Step::Hold) {
        learned.estimate = (1 - settings.smoothing) * limit + settings.smoothing * next;
    }
    return {step, static_cast<std::int64_t>(queue)};
}

Settings settingsOf(const Limit& limit)
{
    Settings settings;
    settings.strategy = limit.strategy;
    settings.initial = static_cast<double>(limit.initial);
    settings.minimum = static_cast<double>(limit.minimum);
    settings.maximum = static_cast<double>(limit.maximum);
    settings.smoothing = limit.strategy == Strategy::Gradient2 ? 0.2 : 1.0;
    return settings;
}

Learned begin(const Settings& settings)
{
    Learned learned;
    learned.estimate = settings.initial;
    return learned;
}

void learn(const Settings& settings, Learned& learned, const Sample& sample)
{
    switch (settings.strategy) {
    case Strategy::Vegas:
        learnVegas(settings, learned, sample);
        break;
    case Strategy::Gradient2:
        learnGradient2(settings, learned, sample);
        break;
    case Strategy::Aimd:
        learnAimd(settings, learned, sample);
        break;
    case Strategy::Fleet:
    case Strategy::Utilisation:
        break; // nothing to learn
    }
}

EnvoyGradient envoyGradient(std::int64_t limit, double minimumRtt, double sampleRtt, double buffer,
                            std::int64_t lowest, std::int64_t highest)
{
    EnvoyGradient result;
    result.gradient = std::clamp(minimumRtt * (1 + buffer) / sampleRtt, 0.5, 2.0);
    const double scaled = static_cast<double>(limit) * result.gradient;
    result.limit
        = std::clamp(static_cast<std::int64_t>(scaled + std::sqrt(scaled)), lowest, highest);
    return result;
}

} // namespace engine::adaptive_limit
