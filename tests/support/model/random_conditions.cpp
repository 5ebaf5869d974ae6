#include "tests/support/model/random_case.h"
#include "tests/support/model/wide.h"

#include <algorithm>
#include <array>

namespace tests::model {

using engine::Balance;
using engine::Behaviour;
using engine::StateKind;

namespace {

constexpr std::int64_t kSecond = 1000000000;
constexpr std::array<std::int64_t, 8> kSpans {1,           2,       10,          1000,
                                              kSecond / 2, kSecond, 7 * kSecond, 60 * kSecond};
const std::vector<std::string> kAttributes {"api_key", "tenant", "client_ip", "plan"};

engine::Servers randomServers(Random& random)
{
    constexpr std::array<Balance, 4> kBalances {Balance::RoundRobin, Balance::Random,
                                                Balance::ByAttribute, Balance::Logged};
    constexpr std::array<StateKind, 4> kKinds {StateKind::Shared, StateKind::Local,
                                               StateKind::Split, StateKind::Sync};
    engine::Servers servers;
    servers.count = static_cast<std::uint32_t>(1 + random.below(4));
    servers.balance = random.oneOf(kBalances);
    if (servers.balance == Balance::ByAttribute || servers.balance == Balance::Logged) {
        servers.attribute = random.oneOf(kAttributes);
    }
    const bool isMixed = random.percent(50);
    const StateKind all = random.oneOf(kKinds);
    for (engine::TierState& state : servers.states) {
        state.kind = isMixed ? random.oneOf(kKinds) : all;
        state.everyNs = state.kind == StateKind::Sync ? random.oneOf(kSpans) : 0;
    }
    if (random.percent(40)) {
        servers.skewNs = random.oneOf(kSpans);
    }
    return servers;
}

/// Outages between times at which requests come.
std::vector<engine::Outage> randomOutages(Random& random, const std::vector<Request>& requests)
{
    std::vector<std::int64_t> edges;
    for (std::uint64_t i = 2 * random.below(3); i > 0; --i) {
        const std::int64_t t = random.oneOf(requests).timeNs;
        edges.push_back(random.percent(50) || t == INT64_MAX ? t : t + 1);
    }
    std::sort(edges.begin(), edges.end());
    std::vector<engine::Outage> outages;
    for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
        if (edges[i] < edges[i + 1]) {
            outages.push_back({edges[i], edges[i + 1]});
        }
    }
    return outages;
}

Behaviour randomBehaviour(Random& random, int share)
{
    constexpr std::array<engine::Jitter, 4> kJitters {engine::Jitter::None, engine::Jitter::Full,
                                                      engine::Jitter::Equal,
                                                      engine::Jitter::Decorrelated};
    constexpr std::array<engine::RetryAfter, 3> kObedience {
        engine::RetryAfter::Ignore, engine::RetryAfter::Obey, engine::RetryAfter::AtLeast};
    constexpr std::array<int, 4> kBudgets {0, 20, 50, 150};
    Behaviour behaviour;
    behaviour.name = "b" + std::to_string(share);
    behaviour.share = share;
    behaviour.attempts = static_cast<int>(1 + random.below(5));
    behaviour.baseNs = random.percent(30) ? 0 : random.oneOf(kSpans);
    behaviour.capNs = behaviour.baseNs + (random.percent(40) ? 0 : random.oneOf(kSpans));
    behaviour.jitter = random.oneOf(kJitters);
    behaviour.retryAfter = random.oneOf(kObedience);
    if (random.percent(25)) {
        behaviour.budgetPercent = random.oneOf(kBudgets);
    }
    return behaviour;
}

engine::ClientProfile randomClients(Random& random)
{
    engine::ClientProfile profile;
    profile.name = "random";
    profile.attribute = random.percent(30) ? "" : random.oneOf(kAttributes);
    profile.facet = 1;
    const int first = random.percent(50) ? 100 : static_cast<int>(random.below(101));
    profile.behaviours.push_back(randomBehaviour(random, first));
    if (first < 100) {
        profile.behaviours.push_back(randomBehaviour(random, 100 - first));
    }
    return profile;
}

} // namespace

engine::Conditions randomConditions(Random& random, const Case& given)
{
    for (;;) {
        engine::Conditions conditions;
        conditions.seed = random.below(1000);
        if (random.percent(75)) {
            conditions.servers = randomServers(random);
        }
        if (random.percent(35)) {
            conditions.outages = randomOutages(random, given.requests);
        }
        if (random.percent(50)) {
            conditions.clients = randomClients(random);
        }
        const bool isPossible
            = std::none_of(given.plans.begin(), given.plans.end(), [&](const engine::Plan& plan) {
                  return engine::checkConditions(conditions, plan).has_value();
              });
        if (isPossible) {
            return conditions;
        }
    }
}

} // namespace tests::model
