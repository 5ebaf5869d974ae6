#include "tests/properties/sums.h"
#include "tests/support/model/engine_run.h"
#include "tests/support/model/wide.h"

#include <QTest>

#include <algorithm>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::differenceBetween;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::runEngine;
using tests::model::sameVerdicts;
using tests::properties::complaintAboutLimits;
using tests::properties::complaintAboutSums;

namespace {

constexpr std::uint64_t kDecisions = 60000;
const CaseOptions kOptions {.maxRules = 4, .maxRequests = 80, .conditions = true};

void check(const tests::model::Complaint& complaint, const CaseOptions& options = kOptions)
{
    const std::string found = firstComplaint(kDecisions, options, complaint);
    QVERIFY2(found.empty(), found.c_str());
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
                std::string found = complaintAboutSums(given, run, plan);
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
                const std::string found = complaintAboutLimits(given, run, plan);
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
                const std::string found = differenceBetween(
                    cold.decisions[plan], warm.decisions[plan], given.plans[plan]);
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
            return differenceBetween(one, other, given);
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
                    const std::string found = differenceBetween(together.decisions[p],
                                                                run.decisions[0], given.plans[p]);
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
            return differenceBetween(runEngine(usual), runEngine(usual, {.conditions = false}),
                                     given);
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
            return differenceBetween(runEngine(withoutConditions(given)), runEngine(single), given,
                                     false);
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
            return differenceBetween(runEngine(withoutConditions(given)), runEngine(shared), given,
                                     false);
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
            return differenceBetween(runEngine(without), runEngine(with), given);
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
            isOther = !differenceBetween(runEngine(given), runEngine(other), given).empty();
        }
        QVERIFY(isOther);
    }
};

QTEST_APPLESS_MAIN(TestConditions)
#include "tst_conditions.moc"
