#pragma once
#include "engine/decision.h"
#include "engine/limiter/key_table.h"
#include "engine/plan.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace engine {

/// One rule at work: its numbers made ready, and the states of its keys. Gives the five families
/// of algorithms one face; which one it is, is decided by a switch, not a virtual call.
class RuleState {
public:
    RuleState(const PlanRule& rule, std::size_t idAt, std::size_t costIndex, CellGroup& group);
    ~RuleState();
    RuleState(RuleState&&) noexcept = default;
    RuleState& operator=(RuleState&&) = delete;
    RuleState(const RuleState&) = delete;
    RuleState& operator=(const RuleState&) = delete;

    /// Once twice as many keys have memory of their own as after the last look, those at rest lose
    /// it: memory follows the keys that are alive, at a constant cost a key. Before judge(), so
    /// that a slot of no duration still counts in the figures of its own decision.
    void tidy(std::int64_t nowNs)
    {
        if (m_withMemory >= m_sweepAt) {
            sweep(nowNs);
        }
    }

    /// Brings the key to nowNs and judges the cost.
    bool judge(KeyCell& cell, std::int64_t cost, std::int64_t nowNs) const;
    /// judge(), and count() if the cost is admitted: for rules that neither delay nor hold, of
    /// which no other rule of the tier decides.
    bool pass(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// What an admitted request waits here; before count().
    [[nodiscard]] std::int64_t delayNs(const KeyCell& cell) const;
    /// Counts an admitted cost above 0. The ticket is set by concurrency only.
    void count(KeyCell& cell, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs,
               concurrency::Ticket& ticket);
    /// The same for rules that hold no slots.
    void countUnheld(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    void countRejected(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// Nothing is used at nowNs.
    [[nodiscard]] bool atRest(const KeyCell& cell, std::int64_t nowNs) const;
    void giveBack(KeyCell& cell, concurrency::Ticket ticket) const;
    [[nodiscard]] Figures figures(const KeyCell& cell, std::int64_t cost, bool admitted,
                                  std::int64_t nowNs) const;
    [[nodiscard]] std::vector<StateFigure> describe(const KeyCell& cell, std::int64_t nowNs) const;

    [[nodiscard]] Algorithm algorithm() const { return m_limit.algorithm; }

    [[nodiscard]] bool enforced() const { return m_mode == Mode::Enforce; }

    [[nodiscard]] bool countsRejected() const { return m_limit.countRejected; }

    [[nodiscard]] bool delays() const { return m_limit.algorithm == Algorithm::LeakyBucket; }

    [[nodiscard]] bool holds() const { return m_limit.algorithm == Algorithm::Concurrency; }

    [[nodiscard]] std::size_t idAt() const { return m_idAt; }

    [[nodiscard]] std::size_t costIndex() const { return m_costIndex; }

    [[nodiscard]] std::int64_t fixedCost() const { return m_fixedCost; }

    /// How long an admitted request holds its slot here.
    [[nodiscard]] std::int64_t holdingNs(std::int64_t durationNs) const;

    CellLane cells;
    KeyTable<std::uint64_t> denied; ///< verdicts by key

private:
    void sweep(std::int64_t nowNs);

    Limit m_limit;
    meter::Spec m_spec;
    Mode m_mode;
    std::size_t m_idAt; ///< of the key's id behind an Arrival
    std::size_t m_costIndex; ///< Intake::kFixedCost: m_fixedCost holds
    std::int64_t m_fixedCost;
    std::size_t m_withMemory = 0; ///< keys whose log or slots lie on the heap
    std::size_t m_sweepAt = kFirstSweep;

    static constexpr std::size_t kFirstSweep = 4096;
};

inline bool RuleState::judge(KeyCell& cell, std::int64_t cost, std::int64_t nowNs) const
{
    KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        fixed_window::advance(m_limit, state.window, nowNs);
        return fixed_window::admits(m_limit, state.window, cost);
    case Algorithm::SlidingWindowLog:
        sliding_window_log::advance(m_limit, state.log, nowNs);
        return sliding_window_log::admits(m_limit, state.log, cost);
    case Algorithm::SlidingWindowCounter:
        sliding_window_counter::advance(m_limit, state.counter, nowNs);
        return sliding_window_counter::admits(m_limit, state.counter, cost, nowNs);
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        meter::advance(m_spec, state.meter, nowNs);
        return meter::admits(m_spec, state.meter, cost);
    case Algorithm::Concurrency:
        concurrency::advance(state.slots, nowNs);
        return concurrency::admits(m_limit, state.slots, cost);
    }
    std::abort();
}

inline void RuleState::count(KeyCell& cell, std::int64_t cost, std::int64_t nowNs,
                             std::int64_t durationNs, concurrency::Ticket& ticket)
{
    if (!holds()) {
        countUnheld(cell, cost, nowNs);
        return;
    }
    concurrency::State& state = cell.state.slots;
    const bool wasEmpty = state.slots == nullptr;
    ticket = concurrency::take(state, cost, nowNs, holdingNs(durationNs));
    m_withMemory += wasEmpty ? 1 : 0;
}

inline void RuleState::countUnheld(KeyCell& cell, std::int64_t cost, std::int64_t nowNs)
{
    KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        fixed_window::count(m_limit, state.window, cost);
        break;
    case Algorithm::SlidingWindowLog: {
        const bool wasEmpty = state.log.ring == nullptr;
        sliding_window_log::count(m_limit, state.log, cost, nowNs);
        m_withMemory += wasEmpty ? 1 : 0;
        break;
    }
    case Algorithm::SlidingWindowCounter:
        sliding_window_counter::count(m_limit, state.counter, cost);
        break;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        meter::count(m_spec, state.meter, cost);
        break;
    case Algorithm::Concurrency:
        std::abort();
    }
}

inline bool RuleState::pass(KeyCell& cell, std::int64_t cost, std::int64_t nowNs)
{
    KeyState& state = cell.state;
    const Algorithm algorithm = m_limit.algorithm;
    if (algorithm == Algorithm::SlidingWindowCounter) {
        sliding_window_counter::advance(m_limit, state.counter, nowNs);
        const bool admits = sliding_window_counter::admits(m_limit, state.counter, cost, nowNs);
        if (admits) {
            sliding_window_counter::count(m_limit, state.counter, cost);
        }
        return admits;
    }
    if ((algorithm == Algorithm::TokenBucket || algorithm == Algorithm::Gcra) && cost > 0) {
        meter::advance(m_spec, state.meter, nowNs);
        const bool admits = meter::admits(m_spec, state.meter, cost);
        if (admits) {
            meter::count(m_spec, state.meter, cost);
        }
        return admits;
    }
    tidy(nowNs);
    const bool admits = judge(cell, cost, nowNs);
    if (admits && cost > 0) {
        countUnheld(cell, cost, nowNs);
    }
    return admits;
}

} // namespace engine
