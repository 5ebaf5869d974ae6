#include "engine/conditions.h"

#include "engine/algorithms/meter.h"
#include "engine/algorithms/wide.h"

#include <algorithm>

namespace engine {
namespace {

bool isBucket(Algorithm algorithm)
{
    return algorithm == Algorithm::TokenBucket || algorithm == Algorithm::LeakyBucket
        || algorithm == Algorithm::Gcra;
}

/// Between two syncs each server may let the whole capacity through, and what comes back meanwhile:
/// does their sum still count?
bool countsOf(const Limit& limit, std::uint32_t servers, std::int64_t everyNs)
{
    if (limit.rate.count == 0) {
        return true;
    }
    const wide::Int128 capacityNs
        = wide::Int128 {capacityOf(limit)} * limit.rate.periodNs / limit.rate.count;
    return (capacityNs + everyNs) * servers <= wide::kLastNs / 2;
}

Diagnostic refusal(const char* code, std::string message, std::string help)
{
    Diagnostic made;
    made.code = code;
    made.message = std::move(message);
    made.help = std::move(help);
    return made;
}

std::optional<Diagnostic> checkClients(const ClientProfile& profile)
{
    int shares = 0;
    for (const Behaviour& behaviour : profile.behaviours) {
        if (const char* const why = checkBehaviour(behaviour)) {
            return refusal("conditions.clients", "of `" + behaviour.name + "`, " + why,
                           "change it in the profile of the clients");
        }
        shares += behaviour.share;
    }
    if (shares != 100) {
        return refusal("conditions.clients",
                       "the shares of a profile add up to " + std::to_string(shares) + " %",
                       "write behaviours whose shares add up to 100 %");
    }
    return std::nullopt;
}

/// Has the share of some server a limit that cannot be counted?
bool splitsWell(const Limit& limit, std::uint32_t servers)
{
    // The first and the last share are all that there are.
    return checkLimit(splitLimit(limit, servers, 0)) == nullptr
        && checkLimit(splitLimit(limit, servers, servers - 1)) == nullptr;
}

std::optional<Diagnostic> checkServers(const Servers& servers, const Plan& plan)
{
    const bool isLogged = servers.balance == Balance::Logged;
    if (!isLogged && (servers.count < 1 || servers.count > kMostServers)) {
        return refusal("conditions.nodes", "there are no servers, or more than 10,000",
                       "write `--nodes N`, N in 1 .. 10000");
    }
    if (servers.skewNs < 0) {
        return refusal("conditions.skew", "clocks are off by less than nothing",
                       "write a duration, as `250ms`");
    }
    for (const PlanRule& rule : plan.rules) {
        const TierState& state = servers.states[static_cast<std::size_t>(rule.tier)];
        if (state.kind == StateKind::Sync && state.everyNs < 1) {
            return refusal("conditions.state", "servers sync at every moment",
                           "write `sync:D` with a duration, as `sync:1s`");
        }
        if (state.kind == StateKind::Split && isLogged) {
            return refusal("conditions.state",
                           "a limit cannot be split among servers whose number only the log knows",
                           "write `--nodes N` with their number");
        }
        if (state.kind == StateKind::Split && !splitsWell(rule.limit, servers.count)) {
            return refusal("conditions.state",
                           "the share of one server of `" + rule.rule
                               + "` is too little to be counted",
                           "write fewer servers, or another state for its tier");
        }
        if (state.kind == StateKind::Sync && isBucket(rule.limit.algorithm)
            && !countsOf(rule.limit, isLogged ? kMostServers : servers.count, state.everyNs)) {
            return refusal("conditions.state",
                           "`" + rule.rule
                               + "` refills so slowly that what all servers admit between two "
                                 "syncs cannot be counted",
                           "write fewer servers, or another state for its tier");
        }
    }
    return std::nullopt;
}

} // namespace

bool Conditions::areUsual() const
{
    const bool single = servers.count == 1 && servers.balance != Balance::Logged;
    return single && servers.skewNs == 0 && outages.empty() && !clients;
}

std::optional<Diagnostic> checkConditions(const Conditions& conditions, const Plan& plan)
{
    for (std::size_t i = 0; i < conditions.outages.size(); ++i) {
        const Outage& outage = conditions.outages[i];
        if (outage.fromNs >= outage.toNs) {
            return refusal("conditions.outage", "an outage of the store ends before it begins",
                           "write FROM..TO with FROM before TO");
        }
        if (i > 0 && conditions.outages[i - 1].toNs > outage.fromNs) {
            return refusal("conditions.outage", "two outages of the store overlap",
                           "write one for the whole time");
        }
    }
    if (conditions.clients) {
        if (auto wrong = checkClients(*conditions.clients)) {
            return wrong;
        }
    }
    return checkServers(conditions.servers, plan);
}

bool canSync(Algorithm algorithm)
{
    return !holdsSlots(algorithm);
}

std::int64_t shareOf(std::int64_t whole, std::uint32_t count, std::uint32_t index)
{
    return whole / count + (index < whole % count ? 1 : 0);
}

Limit splitLimit(const Limit& limit, std::uint32_t count, std::uint32_t index)
{
    const auto share = [&](std::int64_t whole) { return shareOf(whole, count, index); };
    Limit split = limit;
    split.rate.count = share(limit.rate.count);
    split.inFlight = share(limit.inFlight);
    split.queue = share(limit.queue);
    split.delayAfter = share(limit.delayAfter);
    split.burst = std::max<std::int64_t>(1, share(limit.burst));
    split.initial = std::max<std::int64_t>(1, share(limit.initial));
    split.minimum = std::max<std::int64_t>(1, share(limit.minimum));
    split.maximum = std::max<std::int64_t>(1, share(limit.maximum));
    const bool hasBurst = limit.algorithm == Algorithm::TokenBucket
        || (limit.algorithm == Algorithm::Gcra && !limit.toleranceNs);
    if (hasBurst && share(limit.burst) == 0) {
        split.rate.count = 0; // a server without a token never admits
    }
    return split;
}

std::string_view nameOf(Balance balance)
{
    constexpr std::array<std::string_view, 4> kNames {"round_robin", "random", "by_attribute",
                                                      "logged"};
    return kNames.at(static_cast<std::size_t>(balance));
}

std::string_view nameOf(StateKind kind)
{
    constexpr std::array<std::string_view, 4> kNames {"shared", "local", "split", "sync"};
    return kNames.at(static_cast<std::size_t>(kind));
}

} // namespace engine
