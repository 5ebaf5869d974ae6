#include "tests/support/model/engine_run.h"

#include <QTest>

#include <algorithm>
#include <set>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::describe;
using tests::model::EngineOptions;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::Request;
using tests::model::runEngine;
using tests::model::sameVerdicts;

namespace {

constexpr std::uint64_t kDecisions = 60000;

std::string differenceIn(const std::vector<Decision>& a, const std::vector<Decision>& b,
                         const engine::Plan& plan)
{
    if (a.size() != b.size()) {
        return "another number of decisions";
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] == b[i])) {
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

/// Takes away what ties rules to each other, to other keys, and to the number of a request.
void untie(engine::Plan& plan)
{
    for (engine::PlanRule& rule : plan.rules) {
        rule.tighten.reset();
        rule.stateBefore = 0;
        if (rule.limit.strategy == engine::Strategy::Utilisation) {
            rule.limit.strategy = engine::Strategy::Fleet;
        }
    }
}

/// The decisions of some of a case's requests, numbered as if there were no others.
std::vector<Decision> renumbered(const std::vector<Decision>& decisions,
                                 const std::vector<std::size_t>& requests)
{
    std::vector<Decision> chosen;
    for (Decision decision : decisions) {
        const auto found = std::find(requests.begin(), requests.end(), decision.n - 1);
        if (found != requests.end()) {
            decision.n = static_cast<std::uint64_t>(found - requests.begin()) + 1;
            chosen.push_back(decision);
        }
    }
    return chosen;
}

} // namespace

/// What must not matter to a replay does not.
class TestReplays : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void twiceIsTheSame()
    {
        check({}, [](const Case& given) {
            return differenceIn(runEngine(given), runEngine(given), given);
        });
    }

    void cutsAndOrderOfPreparingChangeNothing()
    {
        check({}, [](const Case& given) {
            const EngineRun whole = runEngine(given, {.cuts = 0});
            for (std::uint64_t cuts = 1; cuts <= 3; ++cuts) {
                const EngineOptions options {.cuts = cuts, .prepareBackwards = cuts != 2};
                const std::string difference
                    = differenceIn(whole, runEngine(given, options), given);
                if (!difference.empty()) {
                    return difference;
                }
            }
            return std::string();
        });
    }

    /// Figures are computed only where somebody asks; asking changes no verdict.
    void askingChangesNothing()
    {
        check({}, [](const Case& given) {
            const EngineRun silent = runEngine(given, {.decisions = false});
            return sameVerdicts(silent.settled, runEngine(given).settled)
                ? std::string()
                : std::string("the verdicts differ where no decision is asked for");
        });
    }

    void policiesDoNotSeeEachOther()
    {
        check({.maxPlans = 4}, [](const Case& given) {
            const EngineRun together = runEngine(given);
            for (std::size_t p = 0; p < given.plans.size(); ++p) {
                const Case alone {{given.plans[p]}, given.requests};
                const std::string difference = differenceIn(
                    together.decisions[p], runEngine(alone).decisions[0], given.plans[p]);
                if (!difference.empty()) {
                    return difference;
                }
            }
            return std::string();
        });
    }

    /// Where every rule has the same key, a key's requests are decided as if there were no others.
    void keysDoNotSeeEachOther()
    {
        check({.maxPlans = 1}, [](Case given) {
            untie(given.plans[0]);
            for (engine::PlanRule& rule : given.plans[0].rules) {
                rule.key = {"api_key"};
            }
            std::map<std::string, std::vector<std::size_t>> byKey;
            for (std::size_t i = 0; i < given.requests.size(); ++i) {
                const auto found = given.requests[i].attributes.find("api_key");
                byKey[found == given.requests[i].attributes.end() ? "" : found->second].push_back(
                    i);
            }
            const EngineRun together = runEngine(given);
            for (const auto& [key, requests] : byKey) {
                Case alone {given.plans, {}};
                for (const std::size_t request : requests) {
                    alone.requests.push_back(given.requests[request]);
                }
                const std::string difference
                    = differenceIn(renumbered(together.decisions[0], requests),
                                   runEngine(alone).decisions[0], given.plans[0]);
                if (!difference.empty()) {
                    return "key \"" + key + "\": " + difference;
                }
            }
            return std::string();
        });
    }

    /// Where nothing rejects, a shadow rule says what it would say if it were enforced, alone.
    void shadowRulesAnswerAsIfEnforced()
    {
        check({.maxPlans = 1}, [](Case given) {
            untie(given.plans[0]);
            for (engine::PlanRule& rule : given.plans[0].rules) {
                rule.mode = engine::Mode::Shadow;
            }
            const EngineRun together = runEngine(given);
            if (together.tallies[0].rejected != 0) {
                return std::string("shadow rules reject");
            }
            for (std::size_t i = 0; i < given.plans[0].rules.size(); ++i) {
                Case alone = given;
                alone.plans[0].rules = {given.plans[0].rules[i]};
                alone.plans[0].rules[0].mode = engine::Mode::Enforce;
                const std::string difference
                    = differenceIn(partsOf(together, i, given), partsOf(runEngine(alone), 0, given),
                                   given.plans[0]);
                if (!difference.empty()) {
                    return "rule " + std::to_string(i) + ": " + difference;
                }
            }
            return std::string();
        });
    }

private:
    static void check(const CaseOptions& options, const tests::model::Complaint& complaint)
    {
        const std::string found = firstComplaint(kDecisions, options, complaint);
        QVERIFY2(found.empty(), found.c_str());
    }

    /// One rule's part in each decision that it was judged in, by request, and nothing else.
    static std::vector<Decision> partsOf(const EngineRun& run, std::size_t rule, const Case& given)
    {
        std::vector<Decision> parts(given.requests.size());
        for (const Decision& decision : run.decisions[0]) {
            Decision& own = parts[decision.n - 1];
            own.n = decision.n;
            for (tests::model::RulePart part : decision.rules) {
                if (part.rule == rule) {
                    part.rule = 0;
                    own.rules.push_back(part);
                }
            }
        }
        return parts;
    }
};

QTEST_APPLESS_MAIN(TestReplays)
#include "tst_replays.moc"
