#pragma once
#include "engine/algorithms/figures.h"
#include "engine/verdict.h"

#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// One number of a rule's state: {"remaining", 3, Count}. Names: capacity, remaining, count (what
/// the window or log holds), previous_count, backlog (how far the key is ahead of the clock),
/// in_flight, full_after (until nothing is used).
struct StateFigure {
    enum class Unit : std::uint8_t { Count, DurationNs, TimeNs };
    std::string_view name;
    std::int64_t value = 0;
    Unit unit = Unit::Count;
};

/// One rule's part in a decision, with everything that is left out of the hot path.
struct RuleDecision {
    std::uint32_t rule = 0; ///< index in Plan::rules
    std::uint32_t key = 0; ///< id in the rule's tuple
    std::int64_t judgedNs = 0;
    std::int64_t cost = 1;
    bool admits = true;
    bool counted = false;
    bool isStoreAway = false; ///< nothing was judged: on_store_failure decided
    std::uint32_t state = 0; ///< by which it was judged; see CountedCost
    /// What it would admit at one instant from rest, as it stands; nothing: as its limit says.
    std::optional<std::int64_t> capacity;
    Figures figures;
    std::int64_t delayNs = 0; ///< leaky_bucket that admits
    std::vector<StateFigure> before; ///< only where states were asked for
    std::vector<StateFigure> after;
};

/// What a client makes of its rejection.
enum class ClientMove : std::uint8_t {
    None, ///< it is admitted, or nobody comes again; also of a request that names no client
    ComesAgain,
    OutOfAttempts, ///< gives up: it has made all that it makes
    OutOfBudget, ///< gives up: its budget allows no retry now
};

/// One plan's decision in full: what --decisions writes and explain shows.
struct Decision {
    const Arrival* arrival = nullptr;
    Verdict verdict;
    std::int64_t decidedNs = 0;
    int attempt = 1; ///< above 1: its client came again
    std::uint32_t server = 0; ///< that decided
    bool isStoreAway = false; ///< rejected, by a rule whose store was away
    std::optional<std::int64_t> retryAfterNs = 0; ///< nothing: no wait helps
    ClientMove client = ClientMove::None;
    std::vector<RuleDecision> rules; ///< that were judged, in policy order
};

/// One cost that went into the state of a rule's key.
struct CountedCost {
    std::uint32_t rule = 0;
    std::uint32_t key = 0;
    const Arrival* arrival = nullptr;
    std::int64_t atNs = 0;
    std::int64_t cost = 1;
    bool fromRest = false; ///< nothing was used in this key before it
    /// Which of the states that the rule has for the key: 0 is the one that servers share, or sync;
    /// else 1 + the server that it belongs to.
    std::uint32_t state = 0;
};

/// Receives decisions in order of (decidedNs, order of arrival), plan by plan where several decide.
class DecisionSink {
public:
    DecisionSink() = default;
    DecisionSink(const DecisionSink&) = delete;
    DecisionSink& operator=(const DecisionSink&) = delete;
    virtual ~DecisionSink() = default;
    /// Does this request's decision interest anybody? Figures are computed only then.
    virtual bool wants(std::size_t plan, const Arrival& arrival) = 0;

    /// Should `before` and `after` be filled for it as well?
    virtual bool wantsStates(std::size_t /*plan*/, const Arrival& /*arrival*/) { return false; }

    virtual void decided(std::size_t plan, const Decision& decision) = 0;

    /// Does it want to hear of every cost that is counted (admitted, or count_rejected)?
    /// It is what explain needs to name the requests that filled a state.
    virtual bool tracksCounts() const { return false; }

    virtual void counted(std::size_t /*plan*/, const CountedCost& /*counted*/) { }

    /// A slot that counted() told of was given back before its end.
    virtual void givenBack(std::size_t /*plan*/, std::uint32_t /*rule*/, std::uint32_t /*key*/,
                           const Arrival& /*arrival*/)
    {
    }
};

} // namespace engine
