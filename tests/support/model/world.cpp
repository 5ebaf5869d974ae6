#include "tests/support/model/world.h"

#include "engine/draws.h"

#include <algorithm>

namespace tests::model {

using engine::Algorithm;
using engine::Balance;
using engine::Limit;
using engine::PlanRule;
using engine::StateKind;

namespace {

const std::string* valueOf(const Request& request, const std::string& attribute)
{
    const auto found = request.attributes.find(attribute);
    return found == request.attributes.end() ? nullptr : &found->second;
}

} // namespace

Limit shareOfServer(const Limit& limit, std::uint32_t count, std::uint32_t server)
{
    const auto share = [&](std::int64_t whole) {
        const Wide least = floorDiv(whole, static_cast<std::int64_t>(count));
        const Wide left = Wide(whole) - least * Wide(static_cast<std::int64_t>(count));
        return (least + (Wide(static_cast<std::int64_t>(server)) < left ? 1 : 0)).toInt64();
    };
    const auto atLeastOne
        = [&](std::int64_t whole) { return std::max<std::int64_t>(1, share(whole)); };
    Limit own = limit;
    own.rate.count = share(limit.rate.count);
    own.inFlight = share(limit.inFlight);
    own.queue = share(limit.queue);
    own.delayAfter = share(limit.delayAfter);
    own.burst = atLeastOne(limit.burst);
    own.initial = atLeastOne(limit.initial);
    own.minimum = atLeastOne(limit.minimum);
    own.maximum = atLeastOne(limit.maximum);
    const bool countsBurst = limit.algorithm == Algorithm::TokenBucket
        || (limit.algorithm == Algorithm::Gcra && !limit.toleranceNs);
    if (countsBurst && share(limit.burst) == 0) {
        own.rate.count = 0; // no token ever
    }
    return own;
}

World::World(const engine::Plan& plan, const engine::Conditions& conditions,
             const std::vector<Request>& requests)
    : m_plan(plan)
    , m_conditions(conditions)
{
    if (conditions.servers.balance == Balance::Logged) {
        for (const Request& request : requests) {
            if (const std::string* value = valueOf(request, conditions.servers.attribute)) {
                const auto next = static_cast<std::uint32_t>(m_logged.size() + 1);
                m_logged.insert({*value, next}); // 0: requests that do not say
            }
        }
    }
}

std::uint32_t World::serverOf(const Request& request, std::uint64_t n, int attempt)
{
    const engine::Servers& servers = m_conditions.servers;
    const std::string* const value = valueOf(request, servers.attribute);
    switch (servers.balance) {
    case Balance::RoundRobin:
        return static_cast<std::uint32_t>(m_turns++ % servers.count);
    case Balance::Random:
        return static_cast<std::uint32_t>(engine::draws::of(m_conditions.seed,
                                                            engine::draws::For::Server, n,
                                                            static_cast<std::uint64_t>(attempt))
                                          % servers.count);
    case Balance::ByAttribute:
        return value == nullptr ? 0
                                : static_cast<std::uint32_t>(
                                    engine::draws::of(m_conditions.seed, engine::draws::For::Server,
                                                      std::string_view(*value))
                                    % servers.count);
    case Balance::Logged:
        break;
    }
    return value == nullptr ? 0 : m_logged.at(*value);
}

const engine::TierState& World::tierState(std::size_t rule) const
{
    return m_conditions.servers.states.at(static_cast<std::size_t>(m_plan.rules[rule].tier));
}

std::optional<std::size_t> World::outageAt(const Wide& t) const
{
    for (std::size_t i = 0; i < m_conditions.outages.size(); ++i) {
        const engine::Outage& outage = m_conditions.outages[i];
        if (t >= Wide(outage.fromNs) && t < Wide(outage.toNs)) {
            return i;
        }
    }
    return std::nullopt;
}

bool World::hasStore(std::size_t rule) const
{
    const StateKind kind = tierState(rule).kind;
    return kind == StateKind::Shared || kind == StateKind::Sync;
}

bool World::isSynced(std::size_t rule) const
{
    return tierState(rule).kind == StateKind::Sync
        && !engine::holdsSlots(m_plan.rules[rule].limit.algorithm);
}

Limit World::limitFor(std::size_t rule, std::uint32_t server) const
{
    const Limit& limit = m_plan.rules[rule].limit;
    return tierState(rule).kind == StateKind::Split
        ? shareOfServer(limit, m_conditions.servers.count, server)
        : limit;
}

World::Owner World::ownerFor(std::size_t rule, std::uint32_t server) const
{
    return tierState(rule).kind == StateKind::Shared ? Owner {"shared"}
                                                     : Owner {"server", std::to_string(server)};
}

std::size_t World::firstOf(std::size_t rule) const
{
    return rule - m_plan.rules[rule].stateBefore;
}

Limiter& World::stateOf(const Owner& owner, std::size_t rule, const Key& key, const Limit& limit)
{
    std::unique_ptr<Limiter>& state = m_states[{owner, rule, key}];
    if (!state && limit.algorithm == Algorithm::LoadShedder) {
        int classes = 0;
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i) {
            if (firstOf(i) == firstOf(rule)) {
                classes = std::max(classes, m_plan.rules[i].limit.shedAfter.value_or(-1) + 1);
            }
        }
        state = Limiter::makeClass(limit, classes, m_shedders[{owner, firstOf(rule), key}]);
    } else if (!state) {
        state = Limiter::make(limit);
    }
    return *state;
}

Wide World::clock(std::uint32_t server, const Wide& t) const
{
    if (m_conditions.servers.skewNs == 0) {
        return t;
    }
    // The draw, of 2^64, laid over -skew .. skew.
    const Wide skew = m_conditions.servers.skewNs;
    const std::uint64_t draw
        = engine::draws::of(m_conditions.seed, engine::draws::For::Clock, server);
    const Wide off = floorDiv((skew * 2 + 1) * Wide::of(0, draw), Wide::powerOfTwo(64)) - skew;
    return max(min(t + off, INT64_MAX), INT64_MIN);
}

/// eff: a key's time never goes back.
Wide World::notBefore(const Owner& owner, std::size_t rule, const Key& key, const Wide& t) const
{
    const auto last = m_judged.find({owner, firstOf(rule), key});
    return last == m_judged.end() ? t : max(t, last->second);
}

Place World::judge(std::size_t rule, const Key& key, std::uint32_t server, const Wide& t,
                   std::uint64_t draw)
{
    const Wide local = clock(server, t);
    const auto judgeAt = [&](const Owner& owner, const Limit& limit) {
        Place place;
        place.limiter = &stateOf(owner, rule, key, limit);
        place.now = notBefore(owner, rule, key, local);
        m_judged[{owner, firstOf(rule), key}] = place.now;
        place.limiter->judge(place.now, draw);
        return place;
    };
    const PlanRule& planned = m_plan.rules[rule];
    if (const auto outage = outageAt(t); outage && hasStore(rule)) {
        if (planned.onStoreFailure != engine::StoreFailure::Local) {
            return {nullptr, t, planned.onStoreFailure == engine::StoreFailure::Open, false};
        }
        Place place
            = judgeAt({"outage", std::to_string(*outage), std::to_string(server)}, planned.limit);
        place.isLocal = true;
        return place;
    }
    return isSynced(rule) ? judgeSynced(rule, key, server, t)
                          : judgeAt(ownerFor(rule, server), limitFor(rule, server));
}

/// All that the others had counted when this epoch began, then what this server did in it.
Place World::judgeSynced(std::size_t rule, const Key& key, std::uint32_t server, const Wide& t)
{
    const Wide epoch = floorDiv(t, tierState(rule).everyNs);
    std::vector<Event>& events = m_events[{rule, key}];
    m_retold.push_back(Limiter::make(m_plan.rules[rule].limit));
    Place place;
    place.limiter = m_retold.back().get();
    place.now = clock(server, t);
    std::optional<Wide> last;
    const auto tell = [&](const Event& event) {
        last = last ? max(*last, event.at) : event.at;
        place.limiter->judge(*last);
        if (event.cost > Wide(0)) {
            place.limiter->count(*last, event.cost, 0, 0);
        }
    };
    for (const Event& event : events) {
        if (event.epoch < epoch) {
            tell(event);
        }
    }
    for (const Event& event : events) {
        if (event.epoch == epoch && event.server == server) {
            tell(event);
        }
    }
    // Its own clock does not go back either, whatever the others know.
    for (const Event& event : events) {
        if (event.server == server) {
            place.now = max(place.now, event.at);
        }
    }
    place.now = last ? max(place.now, *last) : place.now;
    events.push_back({server, epoch, place.now, 0});
    place.limiter->judge(place.now);
    return place;
}

void World::count(const Place& place, std::size_t rule, const Key& key, std::uint32_t server,
                  const Wide& t, const Wide& cost, std::uint64_t request, const Wide& duration)
{
    place.limiter->count(place.now, cost, request, duration);
    if (isSynced(rule) && !place.isLocal) {
        m_events[{rule, key}].push_back(
            {server, floorDiv(t, tierState(rule).everyNs), place.now, cost});
    }
}

bool World::isTight(const engine::Tighten& tighten, std::uint32_t server, const Wide& t)
{
    const std::size_t rule = tighten.rule;
    Owner owner = ownerFor(rule, server);
    Limit limit = limitFor(rule, server);
    if (const auto outage = outageAt(t); outage && hasStore(rule)) {
        if (m_plan.rules[rule].onStoreFailure != engine::StoreFailure::Local) {
            return false; // nobody knows
        }
        owner = {"outage", std::to_string(*outage), std::to_string(server)};
        limit = m_plan.rules[rule].limit;
    }
    const Fill fill
        = stateOf(owner, rule, {}, limit).look(notBefore(owner, rule, {}, clock(server, t)));
    return fill.inFlight * 100 >= fill.limit * tighten.above;
}

} // namespace tests::model
