#pragma once
#include "app/workbench/traffic.h"
#include "app/workbench/traffic_random.h"

#include <optional>

/// When requests arrive.
namespace app {

/// A rate, and until when it holds (a time since 1970, not included).
struct RateUntil {
    engine::Rate rate;
    std::int64_t untilNs = 0;
};

/// Times of a Poisson process whose rate is constant piece by piece: where a gap reaches beyond its
/// piece the next piece begins afresh, which is exact, since the process does not remember.
class PoissonTimes {
public:
    /// The rate at a time; may differ only where it said.
    using RateAt = RateUntil (*)(const TrafficSettings& settings, std::int64_t atNs);

    PoissonTimes(const TrafficSettings& settings, RateAt rateAt);

    std::optional<std::int64_t> next(TrafficRandom& random);

private:
    const TrafficSettings m_settings;
    RateAt m_rateAt;
    PoissonGaps m_gaps;
    RateUntil m_piece;
    std::int64_t m_nowNs;
    std::int64_t m_endNs;
};

RateUntil evenRate(const TrafficSettings& settings, std::int64_t atNs);
/// `factor` times the rate from atNs for lengthNs.
RateUntil spikeRate(const TrafficSettings& settings, std::int64_t atNs);
/// A day of UTC: least at 04:00, most, `factor` times as much, at 16:00; the mean of a day is
/// `rate`. Constant within each minute.
RateUntil diurnalRate(const TrafficSettings& settings, std::int64_t atNs);

/// length * i / count without overflow.
std::int64_t partOf(std::int64_t length, std::int64_t i, std::int64_t count);

/// startNs + durationNs, or the last time there is.
std::int64_t endOf(const TrafficSettings& settings);

} // namespace app
