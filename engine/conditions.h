#pragma once
#include "engine/clients.h"
#include "engine/diagnostic.h"
#include "engine/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Under which conditions a plan is at work: how many servers share the traffic and where they keep
/// their counts, when the store of the counts is away, how clients take a rejection. As they stand
/// here, one server decides, its store never fails and nobody comes again: what a replay costs then
/// is what it costs without any of this.
///
/// Definition: semantics sections 16 and 17; the decisions in engine/README.md.
namespace engine {

/// Which server gets a request.
enum class Balance : std::uint8_t {
    RoundRobin, ///< in the order in which requests, and retries, are decided
    Random,
    ByAttribute, ///< the same value, the same server
    Logged, ///< each value of the attribute is a server
};

/// Where the rules of a tier keep their counts.
enum class StateKind : std::uint8_t {
    Shared, ///< one state for all servers
    Local, ///< each server its own, with the whole limit
    Split, ///< each server its own, with its share of the limit
    Sync, ///< each server its own, and every so often what the others have counted
};

struct TierState {
    StateKind kind = StateKind::Shared;
    std::int64_t everyNs = 0; ///< Sync: at multiples of it since 1970; above 0
};

/// Each has states of its own: so many are told apart.
inline constexpr std::uint32_t kMostServers = 10'000;

struct Servers {
    /// 1 .. kMostServers. Logged: how many values there are is known at the end only; those that
    /// come later than the first kMostServers share the last one.
    std::uint32_t count = 1;
    Balance balance = Balance::RoundRobin;
    std::string attribute; ///< ByAttribute, Logged
    std::size_t facet = 0; ///< its place among the intake's facets
    std::array<TierState, kTierCount> states; ///< by tier
    std::int64_t skewNs = 0; ///< the clock of each is off by up to so much, either way
};

/// fromNs <= t < toNs.
struct Outage {
    std::int64_t fromNs = 0;
    std::int64_t toNs = 0;
};

struct Conditions {
    std::uint64_t seed = 0; ///< of all draws
    Servers servers;
    std::vector<Outage> outages; ///< in order of time, apart from each other
    std::optional<ClientProfile> clients;

    /// One server, no outage, nobody comes again.
    [[nodiscard]] bool areUsual() const;
};

/// What stands against these conditions for a plan; nothing if nothing does.
std::optional<Diagnostic> checkConditions(const Conditions& conditions, const Plan& plan);

/// Can a rule with this algorithm learn the others' counts? Those that hold slots cannot: with Sync
/// each server counts them for itself.
bool canSync(Algorithm algorithm);

/// The share of `whole` that server `index` of `count` gets by largest remainder: the first
/// whole % count of them get one more. Example: 10 over 3 servers are 4, 3 and 3.
std::int64_t shareOf(std::int64_t whole, std::uint32_t count, std::uint32_t index);

/// The limit of one of several servers that split it: rate, burst, queue, in_flight and capacity,
/// and the bounds of what is learned. Where its share of the rate or of the burst is nothing, it
/// admits nothing.
Limit splitLimit(const Limit& limit, std::uint32_t count, std::uint32_t index);

std::string_view nameOf(Balance balance); ///< "round_robin"
std::string_view nameOf(StateKind kind); ///< "shared"

} // namespace engine
