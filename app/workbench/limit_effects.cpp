#include "app/workbench/limit_effects.h"

#include <algorithm>

namespace app {
namespace {

class WindowEffects final : public LimitEffects {
public:
    WindowEffects(const KeyMeter& meter, std::size_t which)
        : m_curves(meter.curves[which])
    {
        for (std::uint32_t key = 0; key < meter.windows->keyCount(); ++key) {
            keys.add(key, meter.windows->peak(key, which));
        }
        for (std::size_t who = 0; who < m_curves.customers.size(); ++who) {
            customers.add(who, m_curves.customers[who]);
        }
    }

    [[nodiscard]] std::optional<std::int64_t> candidate(std::int64_t limit) const override
    {
        return limit;
    }

    [[nodiscard]] LimitEffect of(std::int64_t limit) const override
    {
        LimitEffect effect;
        effect.limit = limit;
        effect.requests = m_curves.all.above(limit);
        effect.keys = keys.curve.above(limit);
        effect.stopped = m_curves.stop.above(limit);
        effect.protectedRequests = m_curves.protect.above(limit);
        effect.customers = customers.curve.above(limit);
        effect.largestServed = largestServed(limit);
        return effect;
    }

    [[nodiscard]] NeedShares requests() const override { return sharesOf(m_curves.all); }

    [[nodiscard]] std::optional<std::int64_t> sparing() const override
    {
        return std::max<std::int64_t>(1, customers.curve.largest());
    }

private:
    const WindowCurves& m_curves;
};

class BurstEffects final : public LimitEffects {
public:
    BurstEffects(const KeyMeter& meter, std::size_t which, const engine::Rate& rate)
        : m_bursts(meter.bursts[which].candidates())
        , m_counts(meter.counts[which])
        , m_requests(meter.requests)
    {
        m_limit.algorithm = engine::Algorithm::TokenBucket;
        m_limit.rate = rate;
        for (std::uint32_t key = 0; key < meter.bursts[which].keyCount(); ++key) {
            // At most one for each request.
            keys.add(key, static_cast<std::uint32_t>(meter.bursts[which].needed(key)));
        }
        for (std::size_t who = 0; who < m_counts.customers.size(); ++who) {
            customers.add(who, m_counts.customers[who].need);
        }
    }

    /// What no key needs more than is known without having been tried: it rejects nothing.
    [[nodiscard]] std::optional<std::int64_t> candidate(std::int64_t limit) const override
    {
        engine::Limit asked = m_limit;
        asked.burst = limit;
        if (limit >= keys.curve.largest() && engine::checkLimit(asked) == nullptr) {
            return limit;
        }
        const auto found = std::lower_bound(m_bursts.begin(), m_bursts.end(), limit);
        return found == m_bursts.end() ? std::nullopt : std::optional(*found);
    }

    [[nodiscard]] LimitEffect of(std::int64_t burst) const override
    {
        const auto at = static_cast<std::size_t>(
            std::lower_bound(m_bursts.begin(), m_bursts.end(), burst) - m_bursts.begin());
        LimitEffect effect;
        effect.limit = burst;
        effect.largestServed = largestServed(burst);
        if (burst >= keys.curve.largest()) {
            return effect;
        }
        effect.requests = m_counts.all[at];
        effect.keys = keys.curve.above(burst);
        effect.stopped = m_counts.stop[at];
        effect.protectedRequests = m_counts.protect[at];
        effect.customers = static_cast<std::uint64_t>(
            std::count_if(m_counts.customers.begin(), m_counts.customers.end(),
                          [at](const auto& customer) { return (customer.hitBy >> at & 1U) != 0; }));
        return effect;
    }

    [[nodiscard]] NeedShares requests() const override
    {
        return {admitting(500), admitting(900), admitting(990), admitting(999), admitting(1000)};
    }

    [[nodiscard]] std::optional<std::int64_t> sparing() const override
    {
        std::uint64_t hit = 0;
        for (const BurstCounts::Customer& customer : m_counts.customers) {
            hit |= customer.hitBy;
        }
        std::size_t at = m_bursts.size();
        while (at > 0 && (hit >> (at - 1) & 1U) == 0) {
            --at;
        }
        const std::int64_t largest = keys.curve.largest();
        return candidate(at == m_bursts.size() ? largest : std::min(m_bursts[at], largest));
    }

private:
    /// The least candidate that admits so many of the requests; all are admitted from the
    /// largest need on.
    [[nodiscard]] std::uint32_t admitting(std::uint64_t perMille) const
    {
        for (std::size_t at = 0; at < m_bursts.size(); ++at) {
            if ((m_requests - m_counts.all[at]) * 1000 >= m_requests * perMille) {
                return static_cast<std::uint32_t>(
                    std::min<std::int64_t>(m_bursts[at], keys.curve.largest()));
            }
        }
        return keys.curve.largest();
    }

    engine::Limit m_limit; ///< of the rate
    const std::vector<std::int64_t>& m_bursts;
    const BurstCounts& m_counts;
    std::uint64_t m_requests;
};

} // namespace

NeedShares sharesOf(const engine::NeedCurve& curve)
{
    return {curve.atShare(500), curve.atShare(900), curve.atShare(990), curve.atShare(999),
            curve.largest()};
}

std::unique_ptr<LimitEffects> windowEffects(const KeyMeter& meter, std::size_t which)
{
    return std::make_unique<WindowEffects>(meter, which);
}

std::unique_ptr<LimitEffects> burstEffects(const KeyMeter& meter, std::size_t which,
                                           const engine::Rate& rate)
{
    return std::make_unique<BurstEffects>(meter, which, rate);
}

} // namespace app
