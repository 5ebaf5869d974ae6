#include "tests/support/model/engine_run.h"

#include <QTest>

using engine::Algorithm;
using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::firstDifference;
using tests::model::kUsualDecisions;
using tests::model::randomCase;
using tests::model::runEngine;

/// Every field of every decision of the engine is what the exact model says, over random policies
/// and traffic. WEIR_PROPERTY_DECISIONS sets how many decisions, WEIR_PROPERTY_SEED where to begin.
class TestEngineEqualsModel : public QObject {
    Q_OBJECT

public:
    /// Qt Test would end a night's run after five minutes.
    static void initMain()
    {
        if (qEnvironmentVariableIsSet("WEIR_PROPERTY_DECISIONS")) {
            qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
        }
    }

private Q_SLOTS:

    void everyFieldOfEveryDecision()
    {
        const std::string complaint = firstComplaint(kUsualDecisions, {}, [](const Case& given) {
            return firstDifference(given, runEngine(given));
        });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// The short way of requests that nobody asks details of says the same.
    void verdictsWithoutDetails()
    {
        const std::string complaint
            = firstComplaint(kUsualDecisions / 10, {}, [](const Case& given) -> std::string {
                  const EngineRun full = runEngine(given);
                  const EngineRun plain = runEngine(given, {.decisions = false});
                  return sameVerdicts(full.settled, plain.settled) ? "" : "verdicts differ";
              });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// Few rules and many requests fill windows, logs and queues further than many rules do.
    void oneRuleForLong()
    {
        const CaseOptions options {.maxPlans = 1, .maxRules = 1, .maxRequests = 600};
        const std::string complaint
            = firstComplaint(kUsualDecisions / 20, options, [](const Case& given) {
                  return firstDifference(given, runEngine(given));
              });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// The random cases come to all that could differ; else their agreement would prove little.
    void theCasesMeetWhatMatters()
    {
        std::map<std::string, int> met;
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            const Case given = randomCase(seed);
            for (const engine::Plan& plan : given.plans) {
                for (const Decision& decision : decide(plan, given.requests)) {
                    note(plan, decision, met);
                }
            }
        }
        static const std::vector<std::string> kMustMeet {"fixed_window admits",
                                                         "fixed_window denies",
                                                         "sliding_window_log admits",
                                                         "sliding_window_log denies",
                                                         "sliding_window_counter admits",
                                                         "sliding_window_counter denies",
                                                         "token_bucket admits",
                                                         "token_bucket denies",
                                                         "leaky_bucket admits",
                                                         "leaky_bucket denies",
                                                         "gcra admits",
                                                         "gcra denies",
                                                         "concurrency admits",
                                                         "concurrency denies",
                                                         "adaptive_concurrency admits",
                                                         "adaptive_concurrency denies",
                                                         "adaptive_concurrency learned more",
                                                         "adaptive_concurrency learned less",
                                                         "load_shedder admits",
                                                         "load_shedder denies",
                                                         "utilisation denies",
                                                         "class judged",
                                                         "tightened",
                                                         "exempt",
                                                         "never",
                                                         "counted though denied",
                                                         "admits in a tier that rejects",
                                                         "shadow denies",
                                                         "override judged",
                                                         "delayed and admitted",
                                                         "delayed, then rejected",
                                                         "moved to the end of time",
                                                         "slot given back",
                                                         "peek",
                                                         "cost above capacity",
                                                         "skip for a key",
                                                         "skip for a duration",
                                                         "full never",
                                                         "decided before 1970",
                                                         "all_or_nothing rejects late"};
        for (const std::string& what : kMustMeet) {
            QVERIFY2(met[what] >= 10, (what + ": " + std::to_string(met[what])).c_str());
        }
    }

private:
    static void note(const engine::Plan& plan, const Decision& decision,
                     std::map<std::string, int>& met)
    {
        met["exempt"] += decision.exempt ? 1 : 0;
        met["never"] += decision.retryAfterNs ? 0 : 1;
        met["delayed and admitted"] += !decision.rejected && decision.delayNs > 0 ? 1 : 0;
        met["delayed, then rejected"] += decision.rejected && decision.delayNs > 0 ? 1 : 0;
        met["decided before 1970"] += decision.decidedNs < 0 ? 1 : 0;
        met["moved to the end of time"]
            += decision.decidedNs == INT64_MAX && decision.arrivalNs < INT64_MAX ? 1 : 0;
        for (const auto& skip : decision.skips) {
            const bool forKey = skip.attribute < plan.rules[skip.rule].key.size();
            ++met[forKey ? "skip for a key" : "skip for a duration"];
        }
        for (const auto& part : decision.rules) {
            note(plan, decision, part, met);
        }
    }

    static void note(const engine::Plan& plan, const Decision& decision,
                     const tests::model::RulePart& part, std::map<std::string, int>& met)
    {
        const engine::PlanRule& rule = plan.rules[part.rule];
        const bool perTier = plan.counting == engine::Counting::PerTier;
        const bool lastTier
            = decision.rejected && rule.tier == plan.rules[*decision.rejectedBy].tier;
        ++met[std::string(nameOf(rule.limit.algorithm)) + (part.admits ? " admits" : " denies")];
        const auto& limit = rule.limit;
        const bool learns = limit.algorithm == Algorithm::AdaptiveConcurrency;
        met["adaptive_concurrency learned more"] += learns && part.capacity > limit.initial ? 1 : 0;
        met["adaptive_concurrency learned less"] += learns && part.capacity < limit.initial ? 1 : 0;
        met["utilisation denies"]
            += !part.admits && limit.strategy == engine::Strategy::Utilisation ? 1 : 0;
        met["class judged"] += rule.className ? 1 : 0;
        met["tightened"]
            += rule.tighten && rule.cost.attribute.empty() && part.cost > rule.cost.fixed ? 1 : 0;
        met["counted though denied"] += part.counted && !part.admits ? 1 : 0;
        met["admits in a tier that rejects"] += part.admits && lastTier ? 1 : 0;
        met["shadow denies"] += !part.admits && rule.mode == engine::Mode::Shadow ? 1 : 0;
        met["override judged"] += rule.overrideName ? 1 : 0;
        met["slot given back"]
            += rule.limit.algorithm == Algorithm::Concurrency && part.counted && decision.rejected
            ? 1
            : 0;
        met["peek"] += part.cost == 0 ? 1 : 0;
        met["cost above capacity"] += part.cost > engine::capacityOf(rule.limit) ? 1 : 0;
        met["full never"] += part.figures.fullAfterNs ? 0 : 1;
        met["all_or_nothing rejects late"] += !perTier && decision.rejected && !lastTier ? 1 : 0;
    }
};

QTEST_APPLESS_MAIN(TestEngineEqualsModel)
#include "tst_engine_equals_model.moc"
