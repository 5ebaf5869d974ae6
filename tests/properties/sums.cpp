#include "tests/properties/sums.h"

#include "tests/support/model/wide.h"

#include <algorithm>
#include <map>
#include <set>

namespace tests::properties {

using tests::model::Case;
using tests::model::Decision;
using tests::model::EngineRun;

namespace {

bool isAdmitted(const Decision& decision)
{
    return !decision.rejected;
}

/// What clients did, added up in every way that there is.
std::string workComplaint(const Case& given, const EngineRun& run, std::size_t plan)
{
    const engine::ClientTally& tally = run.clients[plan];
    const std::vector<Decision>& decisions = run.decisions[plan];
    for (const engine::BehaviourTally& one : tally.behaviours) {
        if (one.first != one.admittedAtOnce + one.admittedLater + one.gaveUp) {
            return "first attempts end in more or fewer ways than three";
        }
        if (one.outOfBudget > one.gaveUp) {
            return "more are out of budget than gave up";
        }
    }
    const engine::BehaviourTally all = tally.all();
    if (all.first + tally.nameless != given.requests.size()) {
        return "first attempts are not the requests";
    }
    if (all.first + tally.nameless + all.retries != decisions.size()) {
        return "attempts are not first ones and retries";
    }
    engine::AttemptSecond sum;
    std::uint64_t peak = 0;
    for (const engine::AttemptSecond& second : run.attempts[plan]) {
        sum.attempts += second.attempts;
        sum.retries += second.retries;
        sum.admitted += second.admitted;
        peak = std::max(peak, second.attempts);
    }
    if (sum.attempts != all.first + all.retries || sum.retries != all.retries) {
        return "the seconds do not add up";
    }
    if (sum.admitted != all.admittedAtOnce + all.admittedLater || peak != tally.peakAttempts) {
        return "the seconds' admissions or their peak";
    }
    return tally.untilAdmitted.count() == all.admittedLater ? "" : "times until admission";
}

/// The herd and the clients that are locked out, found once more in the decisions.
std::string crowdComplaint(const Case& given, const EngineRun& run, std::size_t plan)
{
    const std::string& named = given.conditions.clients->attribute;
    const std::string who = named.empty() ? "api_key" : named;
    std::map<std::int64_t, std::uint64_t> tenths;
    std::set<std::pair<std::uint64_t, int>> attempts;
    for (const Decision& decision : run.decisions[plan]) {
        attempts.insert({decision.n, decision.attempt});
        if (decision.attempt > 1) {
            ++tenths[tests::model::floorDiv(decision.arrivalNs, 100000000).toInt64()];
        }
    }
    std::uint64_t herd = 0;
    for (const auto& [tenth, count] : tenths) {
        herd = std::max(herd, count);
    }
    std::map<std::string, std::uint64_t> gaveUp; // since the last admission
    for (const Decision& decision : run.decisions[plan]) {
        const auto& attributes = given.requests[decision.n - 1].attributes;
        if (const auto client = attributes.find(who); client != attributes.end()) {
            std::uint64_t& count = gaveUp[client->second];
            const bool comesAgain = attempts.contains({decision.n, decision.attempt + 1});
            if (comesAgain != decision.comesAgain) {
                return "a client that is said to come again, or not to";
            }
            count = isAdmitted(decision) ? 0 : count + (comesAgain ? 0 : 1);
        }
    }
    const auto lockedOut = static_cast<std::uint64_t>(std::count_if(
        gaveUp.begin(), gaveUp.end(), [](const auto& client) { return client.second >= 2; }));
    if (herd != run.clients[plan].herd) {
        return "the herd";
    }
    return lockedOut == run.clients[plan].lockouts ? "" : "clients that are locked out";
}

/// Requests by server.
std::string loadComplaint(const EngineRun& run, std::size_t plan)
{
    std::vector<engine::ServerLoad> loads(run.loads[plan].size());
    for (const Decision& decision : run.decisions[plan]) {
        if (decision.server >= loads.size()) {
            return "a server without a load";
        }
        ++loads[decision.server].requests;
        loads[decision.server].admitted += isAdmitted(decision) ? 1U : 0U;
    }
    const bool isSame = std::equal(loads.begin(), loads.end(), run.loads[plan].begin(),
                                   [](const auto& a, const auto& b) {
                                       return a.requests == b.requests && a.admitted == b.admitted;
                                   });
    return isSame ? "" : "loads of servers";
}

/// What outages let in and turned away, counted once more from the decisions.
std::string outageComplaint(const Case& given, const EngineRun& run, std::size_t plan)
{
    const std::vector<engine::PlanRule>& rules = given.plans[plan].rules;
    const auto& outages = given.conditions.outages;
    std::vector<std::vector<engine::OutageTally>> counted(
        rules.size(), std::vector<engine::OutageTally>(outages.size()));
    for (const Decision& decision : run.decisions[plan]) {
        for (const tests::model::RulePart& part : decision.rules) {
            const engine::PlanRule& rule = rules[part.rule];
            const auto kind
                = given.conditions.servers.states.at(static_cast<std::size_t>(rule.tier)).kind;
            const bool hasStore
                = kind == engine::StateKind::Shared || kind == engine::StateKind::Sync;
            for (std::size_t i = 0; hasStore && i < outages.size(); ++i) {
                if (part.judgedNs < outages[i].fromNs || part.judgedNs >= outages[i].toNs) {
                    continue;
                }
                engine::OutageTally& tally = counted[part.rule][i];
                const bool isLocal = rule.onStoreFailure == engine::StoreFailure::Local;
                tally.judgedLocally += isLocal ? 1 : 0;
                tally.deniedLocally += isLocal && !part.admits ? 1 : 0;
                tally.letIn += !isLocal && part.admits ? 1 : 0;
                tally.turnedAway += !isLocal && !part.admits ? 1 : 0;
            }
        }
    }
    for (std::size_t rule = 0; rule < run.servers[plan].size(); ++rule) {
        const bool isSame = std::equal(
            counted[rule].begin(), counted[rule].end(), run.servers[plan][rule].outages.begin(),
            run.servers[plan][rule].outages.end(), [](const auto& a, const auto& b) {
                return a.letIn == b.letIn && a.turnedAway == b.turnedAway
                    && a.judgedLocally == b.judgedLocally && a.deniedLocally == b.deniedLocally;
            });
        if (!isSame) {
            return "figures of an outage, rule " + std::to_string(rule);
        }
    }
    return "";
}

/// The most that all servers together admitted of one key, in a window and in a second.
std::string mostComplaint(const Case& given, const EngineRun& run, std::size_t plan)
{
    using tests::model::Wide;
    using Span = std::tuple<std::size_t, std::vector<std::string>, bool, Wide>;
    const engine::Plan& policy = given.plans[plan];
    const bool isPerTier = policy.counting == engine::Counting::PerTier;
    std::map<Span, Wide> sums;
    std::map<std::pair<std::size_t, bool>, Wide> most;
    for (const Decision& decision : run.decisions[plan]) {
        for (const tests::model::RulePart& part : decision.rules) {
            const engine::PlanRule& rule = policy.rules[part.rule];
            const bool isTurnedAway = decision.rejected
                && (!isPerTier || rule.tier == policy.rules[*decision.rejectedBy].tier);
            if (!part.admits || isTurnedAway || engine::holdsSlots(rule.limit.algorithm)) {
                continue;
            }
            std::vector<std::string> key;
            for (const std::string& attribute : rule.key) {
                key.push_back(given.requests[decision.n - 1].attributes.at(attribute));
            }
            const Wide window = tests::model::floorDiv(Wide(part.judgedNs) - rule.limit.anchorNs,
                                                       rule.limit.rate.periodNs);
            const Wide second = tests::model::floorDiv(part.judgedNs, 1000000000);
            for (const bool isWindow : {true, false}) {
                Wide& sum = sums[{part.rule, key, isWindow, isWindow ? window : second}];
                sum = tests::model::min(sum + part.cost, INT64_MAX);
                Wide& greatest = most[{part.rule, isWindow}];
                greatest = tests::model::max(greatest, sum);
            }
        }
    }
    for (std::size_t rule = 0; rule < run.servers[plan].size(); ++rule) {
        const engine::ServerTally& told = run.servers[plan][rule].tally;
        if (!engine::holdsSlots(policy.rules[rule].limit.algorithm)
            && (most[{rule, true}] != Wide(told.inWindow.cost)
                || most[{rule, false}] != Wide(told.inSecond.cost))) {
            return "the most that was admitted, rule " + std::to_string(rule);
        }
    }
    return "";
}

} // namespace

std::string complaintAboutSums(const Case& given, const EngineRun& run, std::size_t plan)
{
    std::string found;
    if (!run.clients.empty()) {
        found += workComplaint(given, run, plan) + crowdComplaint(given, run, plan);
    }
    if (!run.servers[plan].empty()) {
        found += loadComplaint(run, plan) + outageComplaint(given, run, plan)
            + mostComplaint(given, run, plan);
    }
    return found;
}

std::string complaintAboutLimits(const Case& given, const EngineRun& run, std::size_t plan)
{
    using Range = std::pair<std::int64_t, std::int64_t>;
    std::map<std::pair<std::size_t, std::int64_t>, Range> told;
    std::map<std::pair<std::size_t, std::int64_t>, Range> found;
    const auto learns = [&](std::size_t rule) {
        return given.plans[plan].rules[rule].limit.algorithm
            == engine::Algorithm::AdaptiveConcurrency;
    };
    for (const engine::LimitSecond& second : run.limits[plan]) {
        if (second.last < second.lowest || second.last > second.highest) {
            return "the last limit of a second is none of its limits";
        }
        if (learns(second.rule)
            && !told.insert({{second.rule, second.second}, {second.lowest, second.highest}})
                    .second) {
            return "a second is told twice";
        }
    }
    for (const Decision& decision : run.decisions[plan]) {
        for (const tests::model::RulePart& part : decision.rules) {
            if (!learns(part.rule) || part.isStoreAway) {
                continue;
            }
            const std::int64_t second = tests::model::floorDiv(part.judgedNs, 1000000000).toInt64();
            Range& range
                = found.insert({{part.rule, second}, {part.capacity, part.capacity}}).first->second;
            range.first = std::min(range.first, part.capacity);
            range.second = std::max(range.second, part.capacity);
        }
    }
    return told == found ? "" : "the limits over time";
}

} // namespace tests::properties
