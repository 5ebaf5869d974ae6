#include "engine/limiter/servers.h"

#include "engine/algorithms/wide.h"
#include "engine/algorithms/window_start.h"
#include "engine/draws.h"

#include <algorithm>

namespace engine {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// What a table says of a key that it has not met.
struct Mark {
    std::int64_t value = 0;
    bool isSet = false;

    void notBefore(const Mark& other)
    {
        if (other.isSet) {
            value = isSet ? std::max(value, other.value) : other.value;
            isSet = true;
        }
    }
};

/// A log keeps what was counted beyond the limit as it keeps what was rejected.
Limit syncable(Limit limit)
{
    limit.countRejected = limit.countRejected || limit.algorithm == Algorithm::SlidingWindowLog;
    return limit;
}

} // namespace

struct ServerStates::Set {
    explicit Set(RuleStates& borrowed)
        : states(&borrowed)
        , judged(borrowed.rules.size())
        , epochs(borrowed.rules.size())
    {
    }

    explicit Set(std::unique_ptr<RuleStates> made)
        : Set(*made)
    {
        own = std::move(made);
    }

    std::unique_ptr<RuleStates> own;
    RuleStates* states;
    std::vector<KeyTable<Mark>>
        judged; ///< by rule: when a key was judged last, where clocks differ
    std::vector<KeyTable<Mark>> epochs; ///< by rule: between which syncs a key was last
};

struct ServerStates::Recent {
    std::int64_t windowNs = 0;
    std::int64_t inWindow = 0;
    std::int64_t secondNs = 0;
    std::int64_t inSecond = 0;
};

ServerStates::ServerStates(const Intake& intake, std::size_t plan, const Conditions& conditions,
                           RuleStates& shared)
    : m_intake(intake)
    , m_plan(plan)
    , m_conditions(conditions)
    , m_shared(std::make_unique<Set>(shared))
    , m_fallbacks(conditions.outages.size())
    , m_tallies(shared.rules.size())
    , m_outageTallies(conditions.outages.size(), std::vector<OutageTally>(shared.rules.size()))
    , m_recent(shared.rules.size())
    , m_together(shared.rules.size())
{
    if (conditions.servers.balance != Balance::Logged) {
        for (std::uint32_t server = 0; server < conditions.servers.count; ++server) {
            loadOf(server);
        }
    }
}

ServerStates::~ServerStates() = default;

const TierState& ServerStates::stateOf(std::uint32_t rule) const
{
    const Tier tier = m_intake.plans()[m_plan]->rules[rule].tier;
    return m_conditions.servers.states[static_cast<std::size_t>(tier)];
}

std::uint32_t ServerStates::serverOf(const Arrival& arrival, int attempt, std::uint32_t attribute)
{
    const Servers& servers = m_conditions.servers;
    const std::uint64_t seed = m_conditions.seed;
    switch (servers.balance) {
    case Balance::RoundRobin:
        return static_cast<std::uint32_t>(m_turns++ % servers.count);
    case Balance::Random:
        return static_cast<std::uint32_t>(
            draws::of(seed, draws::For::Server, arrival.n, static_cast<std::uint64_t>(attempt))
            % servers.count);
    case Balance::ByAttribute:
    case Balance::Logged:
        break;
    }
    if (attribute == kNoId) {
        return 0; // who says nothing comes to the first
    }
    if (servers.balance == Balance::Logged) {
        return std::min(attribute, kMostServers - 1) + 1; // 0: requests that do not say which
    }
    while (m_byValue.size() <= attribute) {
        const auto id = static_cast<std::uint32_t>(m_byValue.size());
        const std::size_t tuple = m_intake.facetTuple(m_plan, servers.facet);
        const std::string text(m_intake.keyText(tuple, id).front());
        m_byValue.push_back(static_cast<std::uint32_t>(
            draws::of(seed, draws::For::Server, std::string_view(text)) % servers.count));
    }
    return m_byValue[attribute];
}

std::int64_t ServerStates::clockOf(std::uint32_t server) const
{
    const std::int64_t skew = m_conditions.servers.skewNs;
    if (skew == 0) {
        return 0;
    }
    const std::uint64_t draw = draws::of(m_conditions.seed, draws::For::Clock, server);
    const auto span = 2 * static_cast<wide::Uint128>(skew) + 1;
    return static_cast<std::int64_t>((span * draw >> 64) - static_cast<wide::Uint128>(skew));
}

ServerLoad& ServerStates::loadOf(std::uint32_t server)
{
    while (m_loads.size() <= server) {
        m_loads.push_back({0, 0, clockOf(static_cast<std::uint32_t>(m_loads.size()))});
    }
    return m_loads[server];
}

std::int64_t ServerStates::clockTime(std::uint32_t server, std::int64_t timeNs)
{
    return wide::later(timeNs, loadOf(server).clockNs);
}

std::optional<std::size_t> ServerStates::outageAt(std::int64_t timeNs)
{
    const std::vector<Outage>& outages = m_conditions.outages;
    while (m_nextOutage < outages.size() && outages[m_nextOutage].toNs <= timeNs) {
        ++m_nextOutage;
    }
    const bool isAway = m_nextOutage < outages.size() && outages[m_nextOutage].fromNs <= timeNs;
    return isAway ? std::optional(m_nextOutage) : std::nullopt;
}

std::unique_ptr<ServerStates::Set> ServerStates::makeSet(std::uint32_t server) const
{
    const Servers& servers = m_conditions.servers;
    return std::make_unique<Set>(
        std::make_unique<RuleStates>(m_intake, m_plan, [&](const PlanRule& rule) {
            const TierState& state = servers.states[static_cast<std::size_t>(rule.tier)];
            if (state.kind == StateKind::Split) {
                return splitLimit(rule.limit, servers.count, server);
            }
            return state.kind == StateKind::Sync ? syncable(rule.limit) : rule.limit;
        }));
}

ServerStates::Set& ServerStates::serverSet(std::uint32_t server)
{
    if (server >= m_servers.size()) {
        m_servers.resize(server + std::size_t {1});
    }
    if (!m_servers[server]) {
        m_servers[server] = makeSet(server);
    }
    return *m_servers[server];
}

ServerStates::Set& ServerStates::fallbackSet(std::size_t outage, std::uint32_t server)
{
    std::vector<std::unique_ptr<Set>>& sets = m_fallbacks[outage];
    if (server >= sets.size()) {
        sets.resize(server + std::size_t {1});
    }
    if (!sets[server]) {
        sets[server] = std::make_unique<Set>(std::make_unique<RuleStates>(m_intake, m_plan));
    }
    return *sets[server];
}

StateAt ServerStates::inSet(Set& set, std::uint32_t rule, std::uint32_t key, std::uint32_t server,
                            std::int64_t timeNs, bool isJudged)
{
    StateAt at;
    at.rule = &set.states->rules[rule];
    at.cell = &set.states->cellOf(rule, key);
    at.nowNs = timeNs;
    if (m_conditions.servers.skewNs != 0) {
        at.nowNs = clockTime(server, timeNs);
        // Classes of a load_shedder share a state, and so its time.
        const std::uint32_t first = rule - m_intake.plans()[m_plan]->rules[rule].stateBefore;
        Mark& last = set.judged[first].at(key);
        at.nowNs = last.isSet ? std::max(at.nowNs, last.value) : at.nowNs;
        if (isJudged) {
            last = {at.nowNs, true};
        }
    }
    return at;
}

/// Brings what a server knows of a key to the last sync before `timeNs`.
void ServerStates::sync(std::uint32_t rule, std::uint32_t key, Set& own, std::int64_t timeNs)
{
    if (!m_counted) {
        m_counted = makeSet(0);
        m_known = makeSet(0);
    }
    const std::int64_t epoch = wide::floored(timeNs, stateOf(rule).everyNs);
    RuleState& arithmetic = own.states->rules[rule];
    KeyCell& known = m_known->states->cellOf(rule, key);
    Mark& counted = m_counted->epochs[rule].at(key);
    if (!counted.isSet || counted.value != epoch) {
        arithmetic.copy(m_counted->states->cellOf(rule, key), known);
        m_known->judged[rule].at(key) = m_counted->judged[rule].at(key);
        counted = {epoch, true};
    }
    Mark& mark = own.epochs[rule].at(key);
    if (!mark.isSet || mark.value != epoch) {
        arithmetic.copy(known, own.states->cellOf(rule, key));
        mark = {epoch, true};
        // What others counted, by clocks that may be ahead, is not undone by one that is behind.
        own.judged[rule].at(key).notBefore(m_known->judged[rule].at(key));
    }
}

StateAt ServerStates::find(std::uint32_t rule, std::uint32_t key, std::uint32_t server,
                           std::int64_t timeNs)
{
    const TierState& state = stateOf(rule);
    const bool hasStore = state.kind == StateKind::Shared || state.kind == StateKind::Sync;
    const std::optional<std::size_t> outage = outageAt(timeNs);
    if (hasStore && outage) {
        const StoreFailure failure = m_intake.plans()[m_plan]->rules[rule].onStoreFailure;
        if (failure != StoreFailure::Local) {
            StateAt away;
            away.nowNs = timeNs;
            away.failure = failure;
            return away;
        }
        StateAt at = inSet(fallbackSet(*outage, server), rule, key, server, timeNs, true);
        at.isFallback = true;
        at.state = 1 + server;
        return at;
    }
    if (state.kind == StateKind::Shared) {
        return inSet(*m_shared, rule, key, server, timeNs, true);
    }
    Set& own = serverSet(server);
    const bool isSynced = state.kind == StateKind::Sync
        && canSync(m_intake.plans()[m_plan]->rules[rule].limit.algorithm);
    if (isSynced) {
        sync(rule, key, own, timeNs);
    }
    StateAt at = inSet(own, rule, key, server, timeNs, true);
    at.isSynced = isSynced;
    at.state = isSynced ? 0 : 1 + server;
    if (isSynced) {
        toldOf(rule, key, at); // a window may open with it
    }
    return at;
}

StateAt ServerStates::look(std::uint32_t rule, std::uint32_t server, std::int64_t timeNs)
{
    const TierState& state = stateOf(rule);
    const bool hasStore = state.kind == StateKind::Shared || state.kind == StateKind::Sync;
    if (const std::optional<std::size_t> outage = outageAt(timeNs); hasStore && outage) {
        if (m_intake.plans()[m_plan]->rules[rule].onStoreFailure != StoreFailure::Local) {
            return {};
        }
        return inSet(fallbackSet(*outage, server), rule, 0, server, timeNs, false);
    }
    Set& set = state.kind == StateKind::Shared ? *m_shared : serverSet(server);
    return inSet(set, rule, 0, server, timeNs, false);
}

/// Brings what all have counted to a server's time of judging, or leaves it at a later one.
std::int64_t ServerStates::toldOf(std::uint32_t rule, std::uint32_t key, const StateAt& at)
{
    Mark& last = m_counted->judged[rule].at(key);
    last.notBefore({at.nowNs, true});
    at.rule->advance(m_counted->states->cellOf(rule, key), last.value);
    return last.value;
}

void ServerStates::counted(std::uint32_t rule, std::uint32_t key, const StateAt& at,
                           std::int64_t cost)
{
    if (!at.isSynced) {
        return;
    }
    at.rule->countBeyond(m_counted->states->cellOf(rule, key), cost, toldOf(rule, key, at));
}

/// Notes that a request holds slots, on whichever server: the most at one time is wanted.
Slots::Ticket ServerStates::noteSlots(std::uint32_t rule, std::uint32_t key, std::int64_t cost,
                                      std::int64_t timeNs, std::int64_t holdingNs)
{
    const std::uint32_t keeper = rule - m_intake.plans()[m_plan]->rules[rule].stateBefore;
    Slots& all = m_together[keeper][key];
    all.releaseUntil(timeNs, [](std::uint32_t) {});
    const Slots::Ticket ticket = all.take(cost, timeNs, holdingNs);
    // Under skewed clocks one server's times are not another's: what is held at one is not known.
    MostAdmitted& most = m_tallies[rule].inWindow;
    if (m_conditions.servers.skewNs == 0 && all.inFlight() > most.cost) {
        most = {all.inFlight(), key, timeNs};
    }
    return ticket;
}

void ServerStates::gaveBack(std::uint32_t rule, std::uint32_t key, Slots::Ticket ticket)
{
    const std::uint32_t keeper = rule - m_intake.plans()[m_plan]->rules[rule].stateBefore;
    m_together[keeper][key].giveBack(ticket);
}

void ServerStates::admitted(std::uint32_t rule, std::uint32_t key, std::int64_t cost,
                            std::int64_t timeNs)
{
    const Limit& limit = m_intake.plans()[m_plan]->rules[rule].limit;
    Recent& recent = m_recent[rule].at(key);
    const auto add
        = [&](std::int64_t beginNs, std::int64_t& lastNs, std::int64_t& sum, MostAdmitted& most) {
              sum = beginNs == lastNs ? wide::addSaturating(sum, cost) : cost;
              lastNs = beginNs;
              if (sum > most.cost) {
                  most = {sum, key, beginNs};
              }
          };
    ServerTally& tally = m_tallies[rule];
    add(window_start::of(limit, timeNs), recent.windowNs, recent.inWindow, tally.inWindow);
    add(wide::startOf(timeNs, kSecond), recent.secondNs, recent.inSecond, tally.inSecond);
}

void ServerStates::judged(std::uint32_t rule, const StateAt& at, bool admits)
{
    if (at.rule != nullptr && !at.isFallback) {
        return;
    }
    OutageTally& tally = m_outageTallies[m_nextOutage][rule];
    if (at.isFallback) {
        ++tally.judgedLocally;
        tally.deniedLocally += admits ? 0 : 1;
    } else {
        ++(admits ? tally.letIn : tally.turnedAway);
    }
}

void ServerStates::decided(std::uint32_t server, bool isAdmitted)
{
    ServerLoad& load = loadOf(server);
    ++load.requests;
    load.admitted += isAdmitted ? 1 : 0;
}

std::uint64_t ServerStates::memoryBytes(std::uint32_t rule) const
{
    std::uint64_t bytes = 0;
    const auto add = [&](const std::unique_ptr<Set>& set) {
        bytes += set ? set->states->rules[rule].stateBytes() : 0;
    };
    std::for_each(m_servers.begin(), m_servers.end(), add);
    add(m_counted);
    add(m_known);
    for (const auto& sets : m_fallbacks) {
        std::for_each(sets.begin(), sets.end(), add);
    }
    return bytes;
}

} // namespace engine
