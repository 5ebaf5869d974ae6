#pragma once
#include "engine/conditions.h"
#include "tests/support/model/limiter.h"
#include "tests/support/model/model.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace tests::model {

using Key = std::vector<std::string>;

/// Where a rule's state for a key is, for one request, and what time it is there.
struct Place {
    Limiter* limiter = nullptr; ///< nullptr: the store is away
    Wide now;
    bool isOpen = false; ///< then: does the rule let everything through?
    bool isLocal = false; ///< a state of an outage
};

/// All states of a policy, of one server or of many, in plain maps. A synced state is not kept but
/// told anew, from all that was ever counted, each time that it is asked for.
class World {
public:
    /// Borrows both. `requests` in order of input: servers that the log names are numbered by it.
    World(const engine::Plan& plan, const engine::Conditions& conditions,
          const std::vector<Request>& requests);

    [[nodiscard]] std::uint32_t serverOf(const Request& request, std::uint64_t n, int attempt);
    /// The state to judge by; later judgements are at the same time there or later.
    Place judge(std::size_t rule, const Key& key, std::uint32_t server, const Wide& t,
                std::uint64_t draw);
    void count(const Place& place, std::size_t rule, const Key& key, std::uint32_t server,
               const Wide& t, const Wide& cost, std::uint64_t request, const Wide& duration);
    /// Is a rule with one key at least so full?
    bool isTight(const engine::Tighten& tighten, std::uint32_t server, const Wide& t);
    /// What a server's clock says.
    [[nodiscard]] Wide clock(std::uint32_t server, const Wide& t) const;

private:
    /// Who has a state: {"shared"}, {"server", 3}, {"outage", 0, 3}.
    using Owner = std::vector<std::string>;

    /// One look at a synced state, or what it counted.
    struct Event {
        std::uint32_t server;
        Wide epoch;
        Wide at;
        Wide cost; ///< 0: a look
    };

    [[nodiscard]] const engine::TierState& tierState(std::size_t rule) const;
    [[nodiscard]] std::optional<std::size_t> outageAt(const Wide& t) const;
    [[nodiscard]] bool hasStore(std::size_t rule) const;
    [[nodiscard]] bool isSynced(std::size_t rule) const;
    [[nodiscard]] engine::Limit limitFor(std::size_t rule, std::uint32_t server) const;
    [[nodiscard]] Owner ownerFor(std::size_t rule, std::uint32_t server) const;
    [[nodiscard]] std::size_t firstOf(std::size_t rule) const;
    Limiter& stateOf(const Owner& owner, std::size_t rule, const Key& key,
                     const engine::Limit& limit);
    [[nodiscard]] Wide notBefore(const Owner& owner, std::size_t rule, const Key& key,
                                 const Wide& t) const;
    Place judgeSynced(std::size_t rule, const Key& key, std::uint32_t server, const Wide& t);

    const engine::Plan& m_plan;
    const engine::Conditions& m_conditions;
    std::map<std::string, std::uint32_t> m_logged;
    std::uint64_t m_turns = 0;
    using Whose = std::tuple<Owner, std::size_t, Key>;
    std::map<Whose, std::unique_ptr<Limiter>> m_states;
    std::map<Whose, std::shared_ptr<Shedder>> m_shedders; ///< what classes share; by first rule
    std::map<Whose, Wide> m_judged; ///< when last; by first rule
    std::map<std::pair<std::size_t, Key>, std::vector<Event>> m_events;
    std::vector<std::unique_ptr<Limiter>> m_retold; ///< synced states, as they were told
};

/// The share of one server, by largest remainder.
engine::Limit shareOfServer(const engine::Limit& limit, std::uint32_t count, std::uint32_t server);

} // namespace tests::model
