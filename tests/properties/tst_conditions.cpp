#include "tests/support/model/engine_run.h"
#include "tests/support/model/wide.h"

#include <QTest>

#include <algorithm>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::describe;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::runEngine;
using tests::model::sameVerdicts;

namespace {

constexpr std::uint64_t kDecisions = 60000;
const CaseOptions kOptions {.maxRules = 4, .maxRequests = 80, .conditions = true};

void check(const tests::model::Complaint& complaint, const CaseOptions& options = kOptions)
{
    const std::string found = firstComplaint(kDecisions, options, complaint);
    QVERIFY2(found.empty(), found.c_str());
}

/// But for which server it was.
std::string differenceIn(const std::vector<Decision>& a, const std::vector<Decision>& b,
                         const engine::Plan& plan)
{
    if (a.size() != b.size()) {
        return "another number of decisions";
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        Decision same = b[i];
        same.server = a[i].server;
        if (!(a[i] == same)) {
            return "\n  one   " + describe(a[i], plan) + "  other " + describe(b[i], plan);
        }
    }
    return "";
}

std::string differenceIn(const EngineRun& a, const EngineRun& b, const Case& given)
{
    for (std::size_t p = 0; p < given.plans.size(); ++p) {
        const std::string difference = differenceIn(a.decisions[p], b.decisions[p], given.plans[p]);
        if (!difference.empty()) {
            return difference;
        }
    }
    return sameVerdicts(a.settled, b.settled) ? "" : "the verdicts differ";
}

bool sameAttempts(const std::vector<engine::AttemptSecond>& a,
                  const std::vector<engine::AttemptSecond>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.second == y.second && x.attempts == y.attempts && x.retries == y.retries
            && x.admitted == y.admitted;
    });
}

bool sameLimits(const std::vector<engine::LimitSecond>& a,
                const std::vector<engine::LimitSecond>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.rule == y.rule && x.second == y.second && x.lowest == y.lowest
            && x.highest == y.highest && x.last == y.last;
    });
}

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
    if (sum.attempts != decisions.size() || sum.retries != all.retries) {
        return "the seconds do not add up";
    }
    const auto admitted
        = static_cast<std::uint64_t>(std::count_if(decisions.begin(), decisions.end(), isAdmitted));
    if (sum.admitted != admitted || peak != tally.peakAttempts) {
        return "the seconds' admissions or their peak";
    }
    return tally.untilAdmitted.count() == all.admittedLater ? "" : "times until admission";
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

/// The limits over time of what learns, found once more in the decisions.
std::string limitComplaint(const Case& given, const EngineRun& run, std::size_t plan)
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

Case withoutConditions(Case given)
{
    given.conditions = {};
    return given;
}

} // namespace

/// What holds under whatever conditions.
class TestConditions : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void workIsConserved()
    {
        check([](const Case& given) -> std::string {
            const EngineRun run = runEngine(given);
            for (std::size_t plan = 0; plan < given.plans.size(); ++plan) {
                std::string found = run.clients.empty() ? "" : workComplaint(given, run, plan);
                found += run.loads[plan].empty() ? "" : loadComplaint(run, plan);
                found += run.servers[plan].empty() ? "" : outageComplaint(given, run, plan);
                if (!found.empty()) {
                    return found;
                }
            }
            return "";
        });
    }

    void limitsOverTimeAreThoseOfTheDecisions()
    {
        check([](const Case& given) -> std::string {
            const EngineRun run = runEngine(given);
            for (std::size_t plan = 0; plan < given.plans.size(); ++plan) {
                const std::string found = limitComplaint(given, run, plan);
                if (!found.empty()) {
                    return found;
                }
            }
            return "";
        });
    }

    /// Requests of the warm-up are decided as others are, come again as others do, and are in no
    /// figure.
    void aWarmUpIsNotCounted()
    {
        check([](const Case& given) -> std::string {
            const auto first = std::min_element(
                given.requests.begin(), given.requests.end(),
                [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; });
            const std::int64_t warmupNs = 2000000000;
            const auto isWarm = [&](std::int64_t timeNs) {
                return tests::model::Wide(timeNs)
                    < tests::model::min(tests::model::Wide(first->timeNs) + warmupNs, INT64_MAX);
            };
            const EngineRun cold = runEngine(given);
            const EngineRun warm = runEngine(given, {.warmupNs = warmupNs});
            const auto counted = static_cast<std::uint64_t>(
                std::count_if(given.requests.begin(), given.requests.end(),
                              [&](const auto& request) { return !isWarm(request.timeNs); }));
            for (std::size_t plan = 0; plan < given.plans.size(); ++plan) {
                const std::string found
                    = differenceIn(cold.decisions[plan], warm.decisions[plan], given.plans[plan]);
                if (!found.empty()) {
                    return "a warm-up changes a decision" + found;
                }
                if (warm.tallies[plan].requests != counted) {
                    return "requests outside the warm-up";
                }
                if (warm.clients.empty()) {
                    continue;
                }
                const engine::BehaviourTally all = warm.clients[plan].all();
                if (all.first + warm.clients[plan].nameless != counted
                    || all.first != all.admittedAtOnce + all.admittedLater + all.gaveUp) {
                    return "first attempts outside the warm-up";
                }
            }
            return "";
        });
    }

    void twiceIsTheSame()
    {
        check([](const Case& given) -> std::string {
            const EngineRun one = runEngine(given);
            const EngineRun other = runEngine(given, {.cuts = 3, .prepareBackwards = true});
            for (std::size_t plan = 0; plan < given.plans.size(); ++plan) {
                if (!sameAttempts(one.attempts[plan], other.attempts[plan])
                    || !sameLimits(one.limits[plan], other.limits[plan])) {
                    return "another series";
                }
            }
            return differenceIn(one, other, given);
        });
    }

    void askingChangesNothing()
    {
        check([](const Case& given) -> std::string {
            const EngineRun silent = runEngine(given, {.decisions = false});
            const EngineRun full = runEngine(given);
            for (std::size_t plan = 0; plan < given.plans.size(); ++plan) {
                if (!sameAttempts(silent.attempts[plan], full.attempts[plan])) {
                    return "other attempts where no decision is asked for";
                }
            }
            return sameVerdicts(silent.settled, full.settled)
                ? ""
                : "the verdicts differ where no decision is asked for";
        });
    }

    void policiesDoNotSeeEachOther()
    {
        CaseOptions options = kOptions;
        options.maxPlans = 4;
        check(
            [](const Case& given) -> std::string {
                const EngineRun together = runEngine(given);
                for (std::size_t p = 0; p < given.plans.size(); ++p) {
                    Case alone = given;
                    alone.plans = {given.plans[p]};
                    const EngineRun run = runEngine(alone);
                    const std::string found
                        = differenceIn(together.decisions[p], run.decisions[0], given.plans[p]);
                    if (!found.empty() || !sameAttempts(together.attempts[p], run.attempts[0])) {
                        return "plan " + std::to_string(p) + found;
                    }
                }
                return "";
            },
            options);
    }

    /// Told of the usual conditions, a replay does what it does untold.
    void theUsualOnesAreNone()
    {
        check([](const Case& given) {
            const Case usual = withoutConditions(given);
            return differenceIn(runEngine(usual), runEngine(usual, {.conditions = false}), given);
        });
    }

    /// One server is all servers: however it keeps its state, by the way that several take.
    void oneServerIsAll()
    {
        check([](const Case& given) {
            Case single = withoutConditions(given);
            single.conditions.servers = given.conditions.servers;
            single.conditions.servers.balance = engine::Balance::Logged;
            single.conditions.servers.attribute = "nobody_has_it";
            single.conditions.servers.skewNs = 0;
            for (engine::TierState& state : single.conditions.servers.states) {
                if (state.kind == engine::StateKind::Split) { // not where the log says how many
                    state.kind = engine::StateKind::Local;
                }
            }
            return differenceIn(runEngine(withoutConditions(given)), runEngine(single), given);
        });
    }

    /// What all share is the same wherever a request goes.
    void sharedIsOneServer()
    {
        check([](const Case& given) {
            Case shared = withoutConditions(given);
            shared.conditions.servers = given.conditions.servers;
            shared.conditions.servers.count += 1;
            shared.conditions.servers.skewNs = 0;
            shared.conditions.servers.states = {};
            return differenceIn(runEngine(withoutConditions(given)), runEngine(shared), given);
        });
    }

    /// Clients that never come again might as well not be there.
    void clientsOfOneAttemptAreNone()
    {
        check([](const Case& given) {
            Case with = given;
            Case without = given;
            with.conditions.clients = engine::clientPresets().front();
            without.conditions.clients.reset();
            return differenceIn(runEngine(without), runEngine(with), given);
        });
    }

    /// The draws follow from the seed: another one, other draws; that is why it is told.
    void theSeedMatters()
    {
        bool isOther = false;
        for (std::uint64_t seed = 1; seed <= 300 && !isOther; ++seed) {
            const Case given = tests::model::randomCase(seed, kOptions);
            Case other = given;
            other.conditions.seed += 1;
            isOther = !differenceIn(runEngine(given), runEngine(other), given).empty();
        }
        QVERIFY(isOther);
    }
};

QTEST_APPLESS_MAIN(TestConditions)
#include "tst_conditions.moc"
