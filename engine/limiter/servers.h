#pragma once
#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/limiter/rule_states.h"
#include "engine/server_tally.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace engine {

/// Where the state is by which a rule judges a request, and what time it is there.
struct StateAt {
    RuleState* rule = nullptr; ///< whose limit holds; nullptr: the store is away
    KeyCell* cell = nullptr;
    std::int64_t nowNs = 0;
    StoreFailure failure = StoreFailure::Local; ///< where the store is away: Open or Closed
    bool isFallback = false; ///< a state of an outage
    std::uint32_t state = 0; ///< as CountedCost::state
    bool isSynced = false; ///< others count into it too, beyond what it admits
};

/// The states of a plan's rules where several servers share the traffic, clocks are off, or the
/// store of the counts is away for a while: which of them holds for a request.
///
/// One for each plan. Times of find() never go back. What it returns stays valid.
class ServerStates {
public:
    /// Borrows all three. `shared` holds the states of rules whose tier shares them.
    ServerStates(const Intake& intake, std::size_t plan, const Conditions& conditions,
                 RuleStates& shared);
    ~ServerStates();
    ServerStates(const ServerStates&) = delete;
    ServerStates& operator=(const ServerStates&) = delete;

    /// Which server the next attempt goes to; `attribute`: id of its value, kNoId without one.
    std::uint32_t serverOf(const Arrival& arrival, int attempt, std::uint32_t attribute);
    StateAt find(std::uint32_t rule, std::uint32_t key, std::uint32_t server, std::int64_t timeNs);
    /// Of a tightening rule: where its state is for this server, nothing while the store is away.
    StateAt look(std::uint32_t rule, std::uint32_t server, std::int64_t timeNs);

    /// What a server's clock says.
    [[nodiscard]] std::int64_t clockTime(std::uint32_t server, std::int64_t timeNs);

    /// A cost was admitted by a rule with a rate, unjudged too.
    void admitted(std::uint32_t rule, std::uint32_t key, std::int64_t cost, std::int64_t timeNs);
    /// The same of a rule that holds slots: the ticket is for gaveBack(), before they end.
    Slots::Ticket noteSlots(std::uint32_t rule, std::uint32_t key, std::int64_t cost,
                            std::int64_t timeNs, std::int64_t holdingNs);
    void gaveBack(std::uint32_t rule, std::uint32_t key, Slots::Ticket ticket);
    /// A cost was counted by one of the servers that sync.
    void counted(std::uint32_t rule, std::uint32_t key, const StateAt& at, std::int64_t cost);
    void judged(std::uint32_t rule, const StateAt& at, bool admits);
    void decided(std::uint32_t server, bool isAdmitted);

    /// What the states of a rule take that are not the shared ones.
    [[nodiscard]] std::uint64_t memoryBytes(std::uint32_t rule) const;

    [[nodiscard]] const ServerTally& tally(std::uint32_t rule) const { return m_tallies[rule]; }

    [[nodiscard]] const OutageTally& outage(std::size_t outage, std::uint32_t rule) const
    {
        return m_outageTallies[outage][rule];
    }

    [[nodiscard]] std::size_t outageCount() const { return m_outageTallies.size(); }

    [[nodiscard]] const std::vector<ServerLoad>& loads() const { return m_loads; }

private:
    /// Of one server, of one outage, or what all have counted.
    struct Set;
    /// What one key was admitted lately.
    struct Recent;

    [[nodiscard]] const TierState& stateOf(std::uint32_t rule) const;
    std::optional<std::size_t> outageAt(std::int64_t timeNs);
    Set& serverSet(std::uint32_t server);
    Set& fallbackSet(std::size_t outage, std::uint32_t server);
    std::unique_ptr<Set> makeSet(std::uint32_t server) const;
    StateAt inSet(Set& set, std::uint32_t rule, std::uint32_t key, std::uint32_t server,
                  std::int64_t timeNs, bool isJudged);
    std::int64_t toldOf(std::uint32_t rule, std::uint32_t key, const StateAt& at);
    void sync(std::uint32_t rule, std::uint32_t key, Set& own, std::int64_t timeNs);
    [[nodiscard]] std::int64_t clockOf(std::uint32_t server) const;
    ServerLoad& loadOf(std::uint32_t server);

    const Intake& m_intake;
    const std::size_t m_plan;
    const Conditions& m_conditions;
    std::unique_ptr<Set> m_shared;
    std::vector<std::unique_ptr<Set>> m_servers; ///< made when first met
    std::unique_ptr<Set> m_counted; ///< Sync: what all have counted so far
    std::unique_ptr<Set> m_known; ///< Sync: the same at the last sync
    std::vector<std::vector<std::unique_ptr<Set>>> m_fallbacks; ///< by outage, then server
    std::size_t m_nextOutage = 0; ///< those before it have ended
    std::uint64_t m_turns = 0;
    std::vector<std::uint32_t> m_byValue; ///< Balance by attribute: server of each value
    std::vector<ServerLoad> m_loads;
    std::vector<ServerTally> m_tallies; ///< by rule
    std::vector<std::vector<OutageTally>> m_outageTallies; ///< by outage, then rule
    std::vector<KeyTable<Recent>> m_recent; ///< by rule
    /// By the first rule of a state: what each key holds on all servers together.
    std::vector<std::unordered_map<std::uint32_t, Slots>> m_together;
};

} // namespace engine
