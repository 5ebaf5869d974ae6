#pragma once
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/tally.h"

#include <cstdint>
#include <memory>
#include <span>

namespace engine {

struct ReplayOptions {
    std::int64_t warmupNs = 0; ///< the first so many ns of the log are decided, not counted
    DecisionSink* decisions = nullptr; ///< borrowed
    /// false: nothing is decided; the sink gets each arrival in order, with no verdicts. For those
    /// who measure or decide by themselves.
    bool decides = true;
};

/// Decides one ordered stream of arrivals by all plans of an intake at once.
///
/// arrive() in order of (timeNs, n), then finish(). Requests that a leaky_bucket delays meet later
/// tiers in order with all else that reaches them then (small print A18). Settled requests go to
/// the sink in order of arrival as soon as every plan has decided them; without delays that is at
/// once. One thread. Allocates only when a key or a
/// profile is new, or where a request is delayed.
///
/// Borrows intake and sink. The same stream gives the same calls, whatever threads prepared it.
class Replay {
public:
    Replay(const Intake& intake, SettledSink& sink, ReplayOptions options = {});
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    void arrive(const Arrival& arrival);
    /// The same for one after the other; they are borrowed during the call only.
    void arriveAll(std::span<const Arrival* const> arrivals);
    void finish();

    /// Per key: how often a rule judged it and denied it. Read after finish().
    [[nodiscard]] KeyTally keyTally(std::size_t plan, std::uint32_t rule, std::uint32_t key) const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine
