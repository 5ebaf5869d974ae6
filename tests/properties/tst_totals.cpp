#include "tests/support/model/engine_run.h"
#include "tests/support/model/wide.h"

#include <QTest>

#include <algorithm>
#include <set>

using engine::RuleTally;
using engine::RunTally;
using tests::model::Case;
using tests::model::Decision;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::RulePart;
using tests::model::runEngine;
using tests::model::Wide;

namespace {

/// The totals that the decisions, one by one, amount to; those of the warm-up left out.
RunTally countedAgain(const engine::Plan& plan, const std::vector<Decision>& decisions,
                      std::int64_t warmupNs)
{
    RunTally tally;
    tally.exemptBy.resize(plan.exempt.size());
    tally.rules.resize(plan.rules.size());
    for (std::size_t i = 0; i < plan.rules.size(); ++i) {
        tally.rules[i].skipped.resize(plan.rules[i].key.size() + 1);
    }
    for (const Decision& decision : decisions) {
        tally.firstNs = std::min(tally.firstNs.value_or(INT64_MAX), decision.arrivalNs);
        tally.lastNs = std::max(tally.lastNs.value_or(INT64_MIN), decision.arrivalNs);
    }
    for (const Decision& decision : decisions) {
        if (Wide(decision.arrivalNs) < Wide(*tally.firstNs) + warmupNs) {
            ++tally.warmup;
            continue;
        }
        ++tally.requests;
        ++(decision.rejected ? tally.rejected : tally.admitted);
        if (decision.exempt) {
            ++tally.exempt;
            ++tally.exemptBy[*decision.exempt];
        }
        if (decision.rejectedBy) {
            ++tally.rules[*decision.rejectedBy].rejected;
            ++tally.tiers[static_cast<std::size_t>(plan.rules[*decision.rejectedBy].tier)].rejected;
        }
        std::set<std::size_t> tiers;
        bool shadowDenies = false;
        for (const RulePart& part : decision.rules) {
            RuleTally& rule = tally.rules[part.rule];
            ++rule.judged;
            ++(part.admits ? rule.admitted : rule.denied);
            tiers.insert(static_cast<std::size_t>(plan.rules[part.rule].tier));
            shadowDenies = shadowDenies
                || (!part.admits && plan.rules[part.rule].mode == engine::Mode::Shadow);
        }
        for (const std::size_t tier : tiers) {
            ++tally.tiers[tier].judged;
        }
        tally.wouldReject += shadowDenies && !decision.rejected ? 1 : 0;
        for (const auto& skip : decision.skips) {
            if (decision.rejectedBy
                && plan.rules[skip.rule].tier > plan.rules[*decision.rejectedBy].tier) {
                continue; // that tier never saw the request
            }
            ++tally.rules[skip.rule].skipped[skip.attribute];
        }
    }
    return tally;
}

std::string ruleDifference(const RuleTally& counted, const RuleTally& told)
{
    if (counted.judged != told.judged) {
        return "judged";
    }
    if (counted.admitted != told.admitted) {
        return "admitted";
    }
    if (counted.denied != told.denied) {
        return "denied";
    }
    if (counted.rejected != told.rejected) {
        return "rejected";
    }
    return counted.skipped == told.skipped ? "" : "skipped";
}

std::string difference(const RunTally& counted, const RunTally& told)
{
    const std::vector<std::pair<const char*, bool>> same {
        {"requests", counted.requests == told.requests},
        {"admitted", counted.admitted == told.admitted},
        {"rejected", counted.rejected == told.rejected},
        {"exempt", counted.exempt == told.exempt},
        {"exempt by entry", counted.exemptBy == told.exemptBy},
        {"would reject", counted.wouldReject == told.wouldReject},
        {"first arrival", counted.firstNs == told.firstNs},
        {"last arrival", counted.lastNs == told.lastNs},
        {"number of rules", counted.rules.size() == told.rules.size()},
        {"warmup", counted.warmup == told.warmup},
        {"late", told.late == 0},
    };
    for (const auto& [name, equal] : same) {
        if (!equal) {
            return name;
        }
    }
    for (std::size_t i = 0; i < counted.rules.size(); ++i) {
        const std::string rule = ruleDifference(counted.rules[i], told.rules[i]);
        if (!rule.empty()) {
            return "rule " + std::to_string(i) + ", " + rule;
        }
    }
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        if (counted.tiers[tier].judged != told.tiers[tier].judged
            || counted.tiers[tier].rejected != told.tiers[tier].rejected) {
            return "tier " + std::to_string(tier);
        }
    }
    return "";
}

std::string additionComplaint(const RunTally& told)
{
    if (told.admitted + told.rejected != told.requests) {
        return "admitted and rejected are not all requests";
    }
    std::uint64_t byRules = 0;
    for (const RuleTally& rule : told.rules) {
        byRules += rule.rejected;
        if (rule.admitted + rule.denied != rule.judged || rule.rejected > rule.denied) {
            return "a rule's own figures do not add up";
        }
    }
    std::uint64_t byTiers = 0;
    for (const engine::TierTally& tier : told.tiers) {
        byTiers += tier.rejected;
    }
    if (byRules != told.rejected || byTiers != told.rejected) {
        return "what rules and tiers reject is not what is rejected";
    }
    return "";
}

} // namespace

/// Totals are what the single decisions amount to.
class TestTotals : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void totalsAreTheSumsOfDecisions()
    {
        const std::string complaint = firstComplaint(100000, {}, [](const Case& given) {
            const EngineRun run = runEngine(given);
            for (std::size_t p = 0; p < given.plans.size(); ++p) {
                std::string found = additionComplaint(run.tallies[p]);
                if (found.empty()) {
                    found = difference(countedAgain(given.plans[p], run.decisions[p], 0),
                                       run.tallies[p]);
                }
                if (!found.empty()) {
                    return "plan " + std::to_string(p) + ": " + found;
                }
            }
            return std::string();
        });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// The warm-up fills the states and is in no total; what follows is decided as ever.
    void theWarmupIsDecidedAndNotCounted()
    {
        const std::string complaint = firstComplaint(50000, {}, [](const Case& given) {
            const EngineRun cold = runEngine(given);
            for (const std::int64_t share : {3, 1}) {
                const auto [first, last] = std::minmax_element(
                    given.requests.begin(), given.requests.end(),
                    [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; });
                const Wide span = Wide(last->timeNs) - first->timeNs;
                const std::int64_t warmupNs = min(floorDiv(span, share), INT64_MAX).toInt64();
                const EngineRun warm = runEngine(given, {.warmupNs = warmupNs});
                for (std::size_t p = 0; p < given.plans.size(); ++p) {
                    if (!(warm.decisions[p] == cold.decisions[p])) {
                        return std::string("a warm-up changes decisions");
                    }
                    const std::string found = difference(
                        countedAgain(given.plans[p], warm.decisions[p], warmupNs), warm.tallies[p]);
                    if (!found.empty()) {
                        return "plan " + std::to_string(p) + ": " + found;
                    }
                }
            }
            return std::string();
        });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }
};

QTEST_APPLESS_MAIN(TestTotals)
#include "tst_totals.moc"
