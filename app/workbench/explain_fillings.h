#pragma once
#include "app/workbench/explain.h"
#include "engine/decision.h"
#include "engine/plan.h"
#include "engine/request.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <vector>

namespace app {

/// Keeps, for the keys of the request that is explained, what still lies in their states; what has
/// run out is dropped as time goes by.
class Fillings {
public:
    explicit Fillings(const engine::Plan& plan)
        : m_plan(plan)
        , m_fillings(plan.rules.size())
    {
    }

    void clear()
    {
        m_fillings.assign(m_plan.rules.size(), {});
        m_closed = false;
    }

    void add(const engine::CountedCost& counted)
    {
        if (m_closed) {
            return;
        }
        Filling& filling = m_fillings[stateOf(counted.rule)][counted.state];
        const engine::Limit& limit = m_plan.rules[counted.rule].limit;
        if (counted.fromRest) {
            filling = {};
        }
        filling.entries.push_back({{counted.arrival->n, counted.arrival->line,
                                    counted.arrival->file, counted.atNs, counted.cost},
                                   endOf(limit, *counted.arrival, counted.atNs)});
        dropEnded(filling, counted.atNs);
        if (filling.entries.size() > kKept) {
            filling.droppedEnds.push_back(filling.entries.front().endNs);
            filling.entries.pop_front();
        }
    }

    void remove(std::uint32_t rule, std::uint64_t n)
    {
        for (auto& [state, filling] : m_fillings[stateOf(rule)]) {
            std::erase_if(filling.entries, [n](const Entry& entry) { return entry.by.n == n; });
        }
    }

    /// The target is being decided: from now on nothing counts as earlier.
    void close() { m_closed = true; }

    void describe(ExplainedRule& rule, std::uint64_t target, std::int64_t nowNs)
    {
        Filling& filling = m_fillings[stateOf(rule.decision.rule)][rule.decision.state];
        dropEnded(filling, nowNs);
        std::vector<FilledBy> entries;
        for (const Entry& entry : filling.entries) {
            if (entry.by.n != target && entry.endNs > nowNs) {
                entries.push_back(entry.by);
            }
        }
        rule.filledByCount = filling.droppedEnds.size() + entries.size();
        const std::size_t shown = std::min(entries.size(), kFilledByShown);
        rule.filledBy.assign(entries.end() - static_cast<std::ptrdiff_t>(shown), entries.end());
    }

private:
    struct Entry {
        FilledBy by;
        std::int64_t endNs = 0; ///< from then on it is certainly not in the state
    };

    struct Filling {
        std::deque<Entry> entries;
        std::deque<std::int64_t> droppedEnds; ///< of those that were too many to keep
    };

    /// The rule that it is kept under: classes of a load_shedder fill one state.
    [[nodiscard]] std::uint32_t stateOf(std::uint32_t rule) const
    {
        return rule - m_plan.rules[rule].stateBefore;
    }

    static std::int64_t later(std::int64_t timeNs, std::int64_t spanNs)
    {
        const std::int64_t end = std::numeric_limits<std::int64_t>::max();
        return timeNs > end - spanNs ? end : timeNs + spanNs;
    }

    /// When a cost has certainly left the state: windows say it; a bucket only by coming to rest.
    static std::int64_t endOf(const engine::Limit& limit, const engine::Arrival& arrival,
                              std::int64_t atNs)
    {
        const std::int64_t period = limit.rate.periodNs;
        switch (limit.algorithm) {
        case engine::Algorithm::FixedWindow:
            return limit.alignToFirstRequest ? std::numeric_limits<std::int64_t>::max()
                                             : later(windowStart(atNs, limit), period);
        case engine::Algorithm::SlidingWindowLog:
            return later(atNs, period);
        case engine::Algorithm::SlidingWindowCounter:
            return later(later(windowStart(atNs, limit), period), period);
        case engine::Algorithm::Concurrency:
        case engine::Algorithm::AdaptiveConcurrency:
        case engine::Algorithm::LoadShedder: {
            const bool known = arrival.durationNs != engine::kUnknownDuration;
            return later(atNs, known ? arrival.durationNs : limit.assumeDurationNs.value_or(0));
        }
        case engine::Algorithm::TokenBucket:
        case engine::Algorithm::LeakyBucket:
        case engine::Algorithm::Gcra:
            break;
        }
        return std::numeric_limits<std::int64_t>::max();
    }

    static std::int64_t windowStart(std::int64_t timeNs, const engine::Limit& limit)
    {
        const std::int64_t period = limit.rate.periodNs;
        std::int64_t phase = (timeNs % period - limit.anchorNs % period) % period;
        phase += phase < 0 ? period : 0;
        return timeNs - phase;
    }

    static void dropEnded(Filling& filling, std::int64_t nowNs)
    {
        while (!filling.entries.empty() && filling.entries.front().endNs <= nowNs) {
            filling.entries.pop_front();
        }
        while (!filling.droppedEnds.empty() && filling.droppedEnds.front() <= nowNs) {
            filling.droppedEnds.pop_front();
        }
    }

    static constexpr std::size_t kKept = 100'000;
    const engine::Plan& m_plan;
    /// By the first rule of those that share a state, then by which of several states it is.
    std::vector<std::map<std::uint32_t, Filling>> m_fillings;
    bool m_closed = false;
};

} // namespace app
