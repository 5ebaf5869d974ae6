#include "app/workbench/figures_text.h"
#include "app/workbench/lab.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace app {
namespace {

using engine::Algorithm;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kApartNs = 2 * kSecondNs;
constexpr std::int64_t kSpreadNs = kSecondNs / 20;
constexpr std::int64_t kSpikeTimes = 10;
constexpr std::int64_t kMostPeriods = 200;
constexpr auto kMost = static_cast<std::int64_t>(kLabMost);
/// 36 years: periods beyond that are tried as if they were this long.
constexpr std::int64_t kLongestNs = std::int64_t {1} << 60;

std::int64_t periodOf(const engine::Limit& limit)
{
    return engine::holdsSlots(limit.algorithm)
        ? kSecondNs
        : std::clamp<std::int64_t>(limit.rate.periodNs, 1, kLongestNs);
}

/// What it lets through for long, in one period.
std::int64_t perPeriod(const engine::Limit& limit)
{
    return engine::holdsSlots(limit.algorithm) ? engine::capacityOf(limit) : limit.rate.count;
}

/// So many periods that what was saved up is used up half way.
std::int64_t periodsOf(const engine::Limit& limit, std::int64_t count, std::int64_t least,
                       bool isSpike)
{
    const std::int64_t saved
        = std::min(engine::capacityOf(limit), kMost) / std::max<std::int64_t>(1, count);
    const std::int64_t wanted = std::clamp<std::int64_t>(least + 4 * saved, least, kMostPeriods);
    const std::int64_t fits = kMost / count - (isSpike ? kSpikeTimes : 0);
    return std::max<std::int64_t>(1, std::min({wanted, fits, 4 * (kLongestNs / periodOf(limit))}));
}

/// i * length / count without overflow.
std::int64_t part(std::int64_t lengthNs, std::int64_t i, std::int64_t count)
{
    return lengthNs / count * i + lengthNs % count * i / count;
}

class Maker {
public:
    Maker(const engine::PlanRule& rule, std::int64_t count)
        : m_limit(rule.limit)
        , m_count(count)
        , m_periodNs(periodOf(rule.limit))
        , m_cost(rule.cost.attribute.empty() ? rule.cost.fixed : 1)
        , m_durationNs(rule.limit.assumeDurationNs.value_or(kSecondNs))
    {
        traffic.originNs = rule.limit.anchorNs;
    }

    void twice()
    {
        for (std::int64_t i = 0; i < m_count; ++i) {
            add(0);
        }
        for (std::int64_t i = 0; i < m_count; ++i) {
            add(kApartNs + part(kSpreadNs, i + 1, m_count));
        }
        traffic.secondAtNs = kApartNs;
        traffic.lengthNs = 5 * kSecondNs;
    }

    void boundary()
    {
        const std::int64_t edgeNs = m_periodNs;
        const std::int64_t beforeNs = edgeNs - std::min(edgeNs / 2, kSecondNs / 1000);
        const bool isOpened = m_limit.algorithm == Algorithm::FixedWindow
            && m_limit.alignToFirstRequest; // by the first of them
        for (std::int64_t i = 0; i < m_count; ++i) {
            add(isOpened && i == 0 ? 0 : beforeNs);
        }
        for (std::int64_t i = 0; i < m_count; ++i) {
            add(edgeNs);
        }
        traffic.secondAtNs = edgeNs;
        traffic.lengthNs = 2 * edgeNs;
    }

    void steady()
    {
        const bool learns = m_limit.algorithm == Algorithm::AdaptiveConcurrency;
        const std::int64_t periods = periodsOf(m_limit, m_count, learns ? 20 : 5, false);
        for (std::int64_t period = 0; period < periods; ++period) {
            for (std::int64_t i = 0; i < m_count; ++i) {
                add(period * m_periodNs + part(m_periodNs, i, m_count));
            }
        }
        traffic.lengthNs = periods * m_periodNs;
    }

    /// Times of a Poisson process, given how many there are, are even and independent.
    void spike()
    {
        const std::int64_t periods = periodsOf(m_limit, m_count, 10, true);
        std::mt19937_64 random(1); // the same for everybody
        const auto below = [&random](std::int64_t bound) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
        };
        traffic.lengthNs = periods * m_periodNs;
        for (std::int64_t i = 0; i < periods * m_count; ++i) {
            add(below(traffic.lengthNs));
        }
        const std::int64_t spikeNs = periods / 2 * m_periodNs;
        for (std::int64_t i = 0; i < kSpikeTimes * m_count; ++i) {
            add(spikeNs + below(m_periodNs));
        }
        std::sort(traffic.requests.begin(), traffic.requests.end(),
                  [](const LabRequest& a, const LabRequest& b) { return a.atNs < b.atNs; });
    }

    LabTraffic traffic;

private:
    void add(std::int64_t atNs) { traffic.requests.push_back({atNs, m_cost, m_durationNs}); }

    const engine::Limit& m_limit;
    std::int64_t m_count;
    std::int64_t m_periodNs;
    std::int64_t m_cost;
    std::int64_t m_durationNs;
};

} // namespace

std::int64_t mostCount(LabPattern pattern)
{
    return pattern == LabPattern::Steady ? kMost
        : pattern == LabPattern::Spike   ? kMost / (kSpikeTimes + 1)
                                         : kMost / 2;
}

std::int64_t usualCount(LabPattern pattern, const engine::Limit& limit)
{
    const std::int64_t steady = std::min(perPeriod(limit), kMost);
    std::int64_t count = std::min(engine::capacityOf(limit), kMost);
    if (pattern == LabPattern::Steady) {
        count = steady + steady / 2;
    } else if (pattern == LabPattern::Spike) {
        count = steady - steady / 5;
    } else if (engine::holdsSlots(limit.algorithm)) {
        count = count + count / 2; // slots are free again by then
    }
    return std::clamp<std::int64_t>(count, 1, mostCount(pattern));
}

std::string nameOf(LabPattern pattern, std::int64_t count, const engine::Limit& limit)
{
    const std::string number = grouped(static_cast<std::uint64_t>(count));
    const std::string period = durationText(periodOf(limit));
    switch (pattern) {
    case LabPattern::Twice:
        return fmt::format("{} at once, twice, 2 s apart", number);
    case LabPattern::Boundary:
        return fmt::format("{} on each side of an edge", number);
    case LabPattern::Steady:
        return fmt::format("Steady: {} in each {}", number, period);
    case LabPattern::Spike:
        break;
    }
    return fmt::format("Random with a spike: {} in {}", number, period);
}

std::string captionOf(LabPattern pattern, const engine::Limit& limit)
{
    const std::string holding = engine::holdsSlots(limit.algorithm)
        ? fmt::format(", each takes {}", durationText(limit.assumeDurationNs.value_or(kSecondNs)))
        : "";
    switch (pattern) {
    case LabPattern::Twice:
        return "the second over 50 ms" + holding;
    case LabPattern::Boundary:
        return fmt::format("windows of {}{}", durationText(periodOf(limit)), holding);
    case LabPattern::Steady:
        return "at equal distances" + holding;
    case LabPattern::Spike:
        break;
    }
    return fmt::format("in the middle {} times as many more{}", kSpikeTimes, holding);
}

LabTraffic labTraffic(LabPattern pattern, std::int64_t count, const engine::PlanRule& rule)
{
    Maker maker(rule, count);
    switch (pattern) {
    case LabPattern::Twice:
        maker.twice();
        break;
    case LabPattern::Boundary:
        maker.boundary();
        break;
    case LabPattern::Steady:
        maker.steady();
        break;
    case LabPattern::Spike:
        maker.spike();
        break;
    }
    return std::move(maker.traffic);
}

} // namespace app
