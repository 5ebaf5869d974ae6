#include "app/workbench/traffic_arrivals.h"

#include "engine/algorithms.h"

#include <algorithm>
#include <limits>

namespace app {
namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;
constexpr std::int64_t kMinutesOfDay = 24 * 60;
constexpr std::int64_t kLeastMinute = 4 * 60; ///< 04:00
constexpr auto kEverNs = std::numeric_limits<std::int64_t>::max();

/// A whole of the curve below; with rates of at most a week a period in these parts fits.
constexpr std::int64_t kWhole = 10'000;

/// sin(pi * i / n)^2, of kWhole, by the rational form of Bhaskara I (wrong by 0.3 % of the whole at
/// most): the same on every machine.
std::int64_t sineSquared(std::int64_t i, std::int64_t n)
{
    const std::int64_t product = 4 * i * (n - i); // n^2 at the middle
    const std::int64_t sine = 4 * kWhole * product / (5 * n * n - product);
    return sine * sine / kWhole;
}

engine::Rate times(const engine::Rate& rate, std::int64_t factor)
{
    return {rate.count * factor, rate.periodNs};
}

} // namespace

std::int64_t partOf(std::int64_t length, std::int64_t i, std::int64_t count)
{
    return static_cast<std::int64_t>(engine::wide::Int128 {length} * i / count);
}

std::int64_t endOf(const TrafficSettings& settings)
{
    std::int64_t end = 0;
    return __builtin_add_overflow(settings.startNs, settings.durationNs, &end) ? kEverNs : end;
}

PoissonTimes::PoissonTimes(const TrafficSettings& settings, RateAt rateAt)
    : m_settings(settings)
    , m_rateAt(rateAt)
    , m_piece(rateAt(settings, settings.startNs))
    , m_nowNs(settings.startNs)
    , m_endNs(endOf(settings))
{
}

std::optional<std::int64_t> PoissonTimes::next(TrafficRandom& random)
{
    while (m_nowNs < m_endNs) {
        const std::int64_t gapNs = m_gaps.next(random, m_piece.rate);
        const std::int64_t endNs = std::min(m_piece.untilNs, m_endNs);
        if (gapNs < endNs - m_nowNs) {
            m_nowNs += gapNs;
            return m_nowNs;
        }
        m_nowNs = endNs;
        m_piece = m_rateAt(m_settings, m_nowNs);
    }
    return std::nullopt;
}

RateUntil evenRate(const TrafficSettings& settings, std::int64_t /*atNs*/)
{
    return {settings.rate, kEverNs};
}

RateUntil spikeRate(const TrafficSettings& settings, std::int64_t atNs)
{
    const std::int64_t passedNs = atNs - settings.startNs;
    if (passedNs < settings.atNs) {
        return {settings.rate, settings.startNs + settings.atNs};
    }
    if (passedNs - settings.atNs < settings.lengthNs) {
        return {times(settings.rate, settings.factor),
                settings.startNs + settings.atNs + settings.lengthNs};
    }
    return {settings.rate, kEverNs};
}

RateUntil diurnalRate(const TrafficSettings& settings, std::int64_t atNs)
{
    const auto minute = static_cast<std::int64_t>(engine::wide::floorDivide(atNs, kMinuteNs));
    const std::int64_t ofDay
        = ((minute - kLeastMinute) % kMinutesOfDay + kMinutesOfDay) % kMinutesOfDay;
    // least + (most - least) * sin^2, of which the mean is (least + most) / 2: with most = factor *
    // least the mean is least * (factor + 1) / 2.
    const std::int64_t height = kWhole + (settings.factor - 1) * sineSquared(ofDay, kMinutesOfDay);
    return {{partOf(settings.rate.count, 2 * height, settings.factor + 1),
             settings.rate.periodNs * kWhole},
            (minute + 1) * kMinuteNs};
}

} // namespace app
