#pragma once
#include "engine/decision.h"
#include "engine/limiter.h"
#include "engine/limiter/key_table.h"
#include "engine/plan.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace engine {

/// One rule at work: its numbers made ready, and the states of its keys. Gives all
/// algorithms one face; which one it is, is decided by a switch, not a virtual call.
class RuleState {
public:
    /// By `limit` instead of the rule's own: a server's share of it.
    RuleState(const PlanRule& rule, const Limit& limit, std::size_t idAt, std::size_t costIndex,
              CellGroup& group);
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

    /// Of a class of a load_shedder: the first one, in whose cells the state of all is, and which
    /// is tidied for all. Both stay where they are from then on.
    void keepStatesWith(RuleState& first) { m_keeper = &first; }

    /// Itself, but for later classes.
    [[nodiscard]] RuleState& keeper() { return m_keeper == nullptr ? *this : *m_keeper; }

    [[nodiscard]] bool keepsOwnStates() const { return m_keeper == nullptr; }

    /// Brings the key to nowNs and judges the cost. A load_shedder of strategy utilisation decides
    /// by the draw (shed_ramp.h).
    bool judge(KeyCell& cell, std::int64_t cost, std::int64_t nowNs, std::uint64_t draw = 0) const;
    /// Only brings it to nowNs. The ramp of a load_shedder stays where it is: it goes by what was
    /// judged.
    void advance(KeyCell& cell, std::int64_t nowNs) const;
    /// judge(), and count() if the cost is admitted: for rules that neither delay nor hold, of
    /// which no other rule of the tier decides.
    bool pass(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// What an admitted request waits here; before count().
    [[nodiscard]] std::int64_t delayNs(const KeyCell& cell) const;
    /// Counts an admitted cost above 0. For rules that hold slots: see take().
    void count(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// The same for rules that hold slots: takes them until they are given back, or for `heldNs`.
    concurrency::Ticket take(KeyCell& cell, std::int64_t cost, std::int64_t nowNs,
                             std::int64_t heldNs);

    /// Either of both, where nobody gives slots back before a request of that duration ends.
    void admit(KeyCell& cell, std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs)
    {
        if (holds()) {
            take(cell, cost, nowNs, holdingNs(durationNs));
        } else {
            count(cell, cost, nowNs);
        }
    }

    void countRejected(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// Counts a cost that another server admitted, and that this state might not have. Rules that
    /// hold slots have none; a log must have been made with count_rejected.
    void countBeyond(KeyCell& cell, std::int64_t cost, std::int64_t nowNs);
    /// Makes `to` answer as `from` does. Not for rules that hold slots.
    void copy(const KeyCell& from, KeyCell& to);
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

    [[nodiscard]] bool holds() const { return holdsSlots(m_limit.algorithm); }

    /// Where slots are held, at the time that the key was last brought to: how many are, and how
    /// many may be. A load_shedder tells its whole capacity, whatever the class.
    struct Fill {
        std::int64_t inFlight = 0;
        std::int64_t limit = 0;
    };

    [[nodiscard]] Fill fillOf(const KeyCell& cell) const;
    /// As it would be at nowNs, leaving the key at its time: where clocks differ, the next one to
    /// judge may be behind.
    [[nodiscard]] Fill fillAt(const KeyCell& cell, std::int64_t nowNs) const;

    /// The most that it would admit at one instant from rest, as it stands now.
    [[nodiscard]] std::int64_t capacity(const KeyCell& cell) const;

    /// Does what it goes by change with time?
    [[nodiscard]] bool learns() const
    {
        return m_limit.algorithm == Algorithm::AdaptiveConcurrency
            || (m_limit.algorithm == Algorithm::LoadShedder
                && m_limit.strategy == Strategy::Utilisation);
    }

    /// Of a rule that does: its limit, or how many classes it sheds in thousandths.
    [[nodiscard]] std::int64_t learned(const KeyCell& cell) const;
    [[nodiscard]] StateMemory memory();
    /// The same where nobody counts who was judged: of keys whose state is not that of a new one.
    [[nodiscard]] std::uint64_t stateBytes();

    /// How many classes of a load_shedder of strategy utilisation can be shed.
    void setClasses(int classes) { m_classes = classes; }

    [[nodiscard]] std::size_t idAt() const { return m_idAt; }

    [[nodiscard]] std::size_t costIndex() const { return m_costIndex; }

    [[nodiscard]] std::int64_t fixedCost() const { return m_fixedCost; }

    /// May a request cost more here while another rule is nearly full?
    [[nodiscard]] bool tightens() const { return m_tightens; }

    /// How long an admitted request holds its slot here.
    [[nodiscard]] std::int64_t holdingNs(std::int64_t durationNs) const;

    CellLane cells;
    KeyTable<std::uint64_t> denied; ///< verdicts by key

private:
    void sweep(std::int64_t nowNs);
    /// What a key at rest keeps on the heap is given back; is there any left?
    bool forgetIfAtRest(KeyState& state, std::int64_t nowNs) const;
    [[nodiscard]] bool hasHeap() const;
    void release(KeyState& state) const;
    [[nodiscard]] std::size_t heapBytes(const KeyState& state) const;

    Limit m_limit;
    meter::Spec m_spec;
    adaptive_limit::Settings m_learning;
    int m_classes = 0;
    Mode m_mode;
    bool m_tightens;
    std::size_t m_idAt; ///< of the key's id behind an Arrival
    std::size_t m_costIndex; ///< Intake::kFixedCost: m_fixedCost holds
    std::int64_t m_fixedCost;
    std::size_t m_withMemory = 0; ///< keys whose log or slots lie on the heap
    std::size_t m_sweepAt = kFirstSweep;
    RuleState* m_keeper = nullptr;

    static constexpr std::size_t kFirstSweep = 4096;
};

inline bool RuleState::judge(KeyCell& cell, std::int64_t cost, std::int64_t nowNs,
                             std::uint64_t draw) const
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
    case Algorithm::AdaptiveConcurrency:
        adaptive_concurrency::advance(m_learning, state.adaptive, nowNs);
        return adaptive_concurrency::admits(m_learning, state.adaptive, cost);
    case Algorithm::LoadShedder:
        load_shedder::advance(m_limit, m_classes, state.shedder, nowNs);
        return load_shedder::admits(m_limit, state.shedder, draw);
    }
    std::abort();
}

inline void RuleState::count(KeyCell& cell, std::int64_t cost, std::int64_t nowNs)
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
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
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
        count(cell, cost, nowNs);
    }
    return admits;
}

} // namespace engine
