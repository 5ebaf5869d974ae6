#include "tests/support/model/limiter.h"

#include "tests/support/model/slot_limiters.h"

#include <map>
#include <vector>

namespace tests::model {

using engine::Algorithm;
using engine::Limit;

std::optional<Wide> leastWait(const std::function<bool(const Wide& wait)>& holds)
{
    Wide high = Wide::powerOfTwo(65);
    if (!holds(high)) {
        return std::nullopt;
    }
    if (holds(0)) {
        return Wide(0);
    }
    Wide low = 0; // holds(low) is false, holds(high) is true
    while (high - low > Wide(1)) {
        const Wide middle = floorDiv(low + high, 2);
        (holds(middle) ? high : low) = middle;
    }
    return high;
}

engine::Figures Limiter::figures(const Wide& t, const Wide& cost, bool admitted) const
{
    const auto shown = [](const std::optional<Wide>& wait) -> std::optional<std::int64_t> {
        return wait ? std::optional(wait->toInt64()) : std::nullopt;
    };
    const Wide left = remainingNow(t);
    engine::Figures figures;
    figures.remaining = left.toInt64();
    figures.retryAfterNs = admitted ? std::optional<std::int64_t>(0) : std::nullopt;
    if (!admitted && waitsHelp()) {
        figures.retryAfterNs = shown(leastWait([&](const Wide& d) { return admits(t + d, cost); }));
    }
    if (left != capacity()) {
        const auto more = leastWait([&](const Wide& d) { return remaining(t + d) > left; });
        figures.nextAfterNs = more.value().toInt64();
    }
    figures.fullAfterNs = shown(leastWait([&](const Wide& d) { return full(t + d); }));
    return figures;
}

namespace {

/// Counts saturate where int64 ends (small print A21).
Wide saturated(const Wide& count)
{
    return min(count, Wide(INT64_MAX));
}

Wide notBelowZero(const Wide& value)
{
    return max(value, Wide(0));
}

/// `0/min`: denies every cost above 0, whatever else the rule says.
class ZeroRate : public Limiter {
public:
    bool admits(const Wide& /*t*/, const Wide& cost) const override { return cost == Wide(0); }

    void count(const Wide&, const Wide&, std::uint64_t, const Wide&) override { }

    Wide capacity() const override { return 0; }

    Wide remaining(const Wide& /*t*/) const override { return 0; }

    bool full(const Wide& /*t*/) const override { return false; }
};

class FixedWindow : public Limiter {
public:
    explicit FixedWindow(const Limit& limit)
        : m_limit(limit.rate.count)
        , m_period(limit.rate.periodNs)
        , m_anchor(limit.anchorNs)
        , m_byFirstRequest(limit.alignToFirstRequest)
    {
    }

    void judge(const Wide& t, std::uint64_t /*draw*/) override
    {
        if (m_byFirstRequest && (!m_opened || t >= *m_opened + m_period)) {
            m_opened = t;
        }
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return counted(t) + cost <= m_limit;
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t, const Wide&) override
    {
        Wide& sum = m_counts[windowAt(t)];
        sum = saturated(sum + cost);
    }

    Wide capacity() const override { return m_limit; }

    Wide remaining(const Wide& t) const override { return notBelowZero(m_limit - counted(t)); }

    bool full(const Wide& t) const override { return counted(t) == Wide(0); }

private:
    /// The start of t's window; with align: first_request a window that would open now.
    Wide windowAt(const Wide& t) const
    {
        if (m_byFirstRequest) {
            return m_opened && t < *m_opened + m_period ? *m_opened : t;
        }
        return floorDiv(t - m_anchor, m_period) * m_period + m_anchor;
    }

    Wide counted(const Wide& t) const
    {
        const auto found = m_counts.find(windowAt(t));
        return found == m_counts.end() ? Wide(0) : found->second;
    }

    Wide m_limit;
    Wide m_period;
    Wide m_anchor;
    bool m_byFirstRequest;
    std::optional<Wide> m_opened;
    std::map<Wide, Wide> m_counts; ///< by start of window
};

class SlidingWindowLog : public Limiter {
public:
    explicit SlidingWindowLog(const Limit& limit)
        : m_limit(limit.rate.count)
        , m_period(limit.rate.periodNs)
    {
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return live(t) + cost <= m_limit;
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t, const Wide&) override
    {
        m_entries.push_back({t, cost});
    }

    Wide capacity() const override { return m_limit; }

    Wide remaining(const Wide& t) const override { return notBelowZero(m_limit - live(t)); }

    bool full(const Wide& t) const override { return live(t) == Wide(0); }

private:
    struct Entry {
        Wide time;
        Wide cost;
    };

    Wide live(const Wide& t) const
    {
        Wide sum = 0;
        for (const Entry& entry : m_entries) {
            if (entry.time > t - m_period) {
                sum = sum + entry.cost;
            }
        }
        return sum;
    }

    Wide m_limit;
    Wide m_period;
    std::vector<Entry> m_entries;
};

class SlidingWindowCounter : public Limiter {
public:
    explicit SlidingWindowCounter(const Limit& limit)
        : m_limit(limit.rate.count)
        , m_period(limit.rate.periodNs)
        , m_anchor(limit.anchorNs)
        , m_floors(limit.floorEstimate)
    {
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return estimate(t) + cost * m_period <= m_limit * m_period;
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t, const Wide&) override
    {
        Wide& sum = m_counts[windowAt(t)];
        sum = saturated(sum + cost);
    }

    Wide capacity() const override { return m_limit; }

    Wide remaining(const Wide& t) const override
    {
        return notBelowZero(floorDiv(m_limit * m_period - estimate(t), m_period));
    }

    bool full(const Wide& t) const override { return estimate(t) == Wide(0); }

private:
    Wide windowAt(const Wide& t) const { return floorDiv(t - m_anchor, m_period); }

    Wide counted(const Wide& window) const
    {
        const auto found = m_counts.find(window);
        return found == m_counts.end() ? Wide(0) : found->second;
    }

    /// The estimate times the period, so that it is whole.
    Wide estimate(const Wide& t) const
    {
        const Wide window = windowAt(t);
        const Wide elapsed = t - (window * m_period + m_anchor);
        const Wide exact = counted(window - 1) * (m_period - elapsed) + counted(window) * m_period;
        return m_floors ? floorDiv(exact, m_period) * m_period : exact;
    }

    Wide m_limit;
    Wide m_period;
    Wide m_anchor;
    bool m_floors;
    std::map<Wide, Wide> m_counts; ///< by index of window
};

/// Levels are kept times the period, so that they are whole: a token is `period`.
class TokenBucket : public Limiter {
public:
    explicit TokenBucket(const Limit& limit)
        : m_count(limit.rate.count)
        , m_period(limit.rate.periodNs)
        , m_burst(limit.burst)
        , m_level(m_burst * m_period)
    {
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return level(t) >= cost * m_period;
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t, const Wide&) override
    {
        m_level = level(t) - cost * m_period;
        m_time = t;
    }

    Wide capacity() const override { return m_burst; }

    Wide remaining(const Wide& t) const override
    {
        return notBelowZero(floorDiv(level(t), m_period));
    }

    bool full(const Wide& t) const override { return level(t) == m_burst * m_period; }

private:
    Wide level(const Wide& t) const
    {
        return min(m_burst * m_period, m_level + (t - m_time) * m_count);
    }

    Wide m_count;
    Wide m_period;
    Wide m_burst;
    Wide m_level;
    Wide m_time = Wide(INT64_MIN); ///< of m_level; full at the beginning of time
};

/// gcra and leaky_bucket. Times are kept times the count N, so that they are whole: T is `period`.
class Spacing : public Limiter {
public:
    explicit Spacing(const Limit& limit)
        : m_count(limit.rate.count)
        , m_period(limit.rate.periodNs)
        , m_waits(limit.algorithm == Algorithm::LeakyBucket)
        , m_delayAfter(limit.delayAfter)
    {
        if (m_waits) {
            m_tau = Wide(limit.queue) * m_period;
        } else if (limit.toleranceNs) {
            m_tau = Wide(*limit.toleranceNs) * m_count;
        } else {
            m_tau = (Wide(limit.burst) - 1) * m_period;
        }
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return backlog(t) + cost * m_period <= m_tau + m_period;
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t, const Wide&) override
    {
        m_tat = t * m_count + backlog(t) + cost * m_period;
    }

    Wide delay(const Wide& t) const override
    {
        if (!m_waits) {
            return 0;
        }
        return ceilDiv(notBelowZero(backlog(t) - m_delayAfter * m_period), m_count);
    }

    Wide capacity() const override { return floorDiv(m_tau + m_period, m_period); }

    Wide remaining(const Wide& t) const override
    {
        return notBelowZero(floorDiv(m_tau + m_period - backlog(t), m_period));
    }

    bool full(const Wide& t) const override { return backlog(t) == Wide(0); }

private:
    /// max(TAT, t) - t, times N.
    Wide backlog(const Wide& t) const
    {
        return m_tat ? notBelowZero(*m_tat - t * m_count) : Wide(0);
    }

    Wide m_count;
    Wide m_period;
    bool m_waits;
    Wide m_delayAfter;
    Wide m_tau;
    std::optional<Wide> m_tat;
};

} // namespace

std::unique_ptr<Limiter> Limiter::make(const Limit& limit)
{
    if (engine::holdsSlots(limit.algorithm)) {
        return makeSlotLimiter(limit);
    }
    if (limit.rate.count == 0) {
        return std::make_unique<ZeroRate>();
    }
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
        return std::make_unique<FixedWindow>(limit);
    case Algorithm::SlidingWindowLog:
        return std::make_unique<SlidingWindowLog>(limit);
    case Algorithm::SlidingWindowCounter:
        return std::make_unique<SlidingWindowCounter>(limit);
    case Algorithm::TokenBucket:
        return std::make_unique<TokenBucket>(limit);
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break;
    }
    return std::make_unique<Spacing>(limit);
}

} // namespace tests::model
