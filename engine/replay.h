#pragma once
#include "engine/client_tally.h"
#include "engine/conditions.h"
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/series.h"
#include "engine/server_tally.h"
#include "engine/tally.h"

#include <atomic>
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
    const Conditions* conditions = nullptr; ///< borrowed; nullptr: the usual ones
    SeriesSink* series = nullptr; ///< borrowed
    /// Borrowed. Once it is true, finish() lets no client come again: one that has many attempts
    /// left may do so for long behind the last request.
    const std::atomic<bool>* stop = nullptr;
};

/// What several servers and outages of the store did to one rule of one plan.
struct ServerFigures {
    ServerTally tally;
    std::vector<OutageTally> outages; ///< by Conditions::outages
};

/// Decides one ordered stream of arrivals by all plans of an intake at once.
///
/// arrive() in order of (timeNs, n), then finish(). Requests that a leaky_bucket delays meet later
/// tiers in order with all else that reaches them then (small print A18). Settled requests go to
/// the sink in order of arrival as soon as every plan has decided them; without delays that is at
/// once. Under conditions with clients, a request that a plan rejects comes again to that plan, in
/// order with all else; what is settled is its first attempt, and what came of the others is told
/// by clients(). One thread. Allocates only when a key or a profile is new, or where a request is
/// delayed.
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

    // Likewise, of the conditions that there were: nothing where there were none of the kind.
    [[nodiscard]] std::optional<ServerFigures> servers(std::size_t plan, std::uint32_t rule) const;
    [[nodiscard]] std::vector<ServerLoad> serverLoads(std::size_t plan) const;
    [[nodiscard]] const ClientTally* clients(std::size_t plan) const;
    /// What the states of a rule take at the end.
    [[nodiscard]] StateMemory memoryOf(std::size_t plan, std::uint32_t rule) const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine
