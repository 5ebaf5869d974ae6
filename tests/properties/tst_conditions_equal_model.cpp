#include "tests/support/model/engine_run.h"

#include <QTest>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::firstComplaint;
using tests::model::firstDifference;
using tests::model::kUsualDecisions;
using tests::model::runEngine;

/// The same as engine_equals_model where several servers share the traffic, clocks are off, the
/// store is away for a while, and clients come again.
class TestConditionsEqualModel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void everyFieldOfEveryDecision()
    {
        const CaseOptions options {.maxRules = 4, .maxRequests = 60, .conditions = true};
        const std::string complaint
            = firstComplaint(kUsualDecisions / 8, options, [](const Case& given) {
                  return firstDifference(given, runEngine(given));
              });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// A slot of an early tier, a queue, and a rejection after it, by clocks that are off: what is
    /// given back is what the state's own time still holds.
    void slotsGivenBackByClocksThatAreOff()
    {
        int givenBack = 0;
        for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
            const Case given = queuedCase(seed);
            const tests::model::EngineRun run = runEngine(given);
            const std::string found = firstDifference(given, run);
            QVERIFY2(
                found.empty(),
                qPrintable(
                    QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(found))));
            for (const Decision& decision : run.decisions[0]) {
                givenBack += decision.rejected && decision.rules.size() == 3 ? 1 : 0;
            }
        }
        QVERIFY(givenBack > 1000);
    }

    /// The random cases come to all that could differ; else their agreement would prove little.
    void theCasesMeetWhatMatters()
    {
        std::map<std::string, int> met;
        const CaseOptions options {.maxRules = 4, .maxRequests = 60, .conditions = true};
        for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
            const Case given = tests::model::randomCase(seed, options);
            for (const engine::Plan& plan : given.plans) {
                for (const Decision& decision :
                     decide(plan, given.requests, given.conditions).decisions) {
                    note(given, plan, decision, met);
                }
            }
        }
        for (const char* what : {"shared denies",
                                 "local denies",
                                 "split denies",
                                 "sync denies",
                                 "round_robin",
                                 "random",
                                 "by_attribute",
                                 "logged",
                                 "a clock is off",
                                 "a synced clock is off",
                                 "open lets in",
                                 "closed rejects",
                                 "local admits in an outage",
                                 "local denies in an outage",
                                 "comes again and is admitted",
                                 "comes again and is rejected",
                                 "a retry is delayed",
                                 "a fifth attempt",
                                 "tight on another server's clock",
                                 "a slot of a fallback"}) {
            QVERIFY2(
                met[what] >= 10,
                qPrintable(QStringLiteral("%1: %2").arg(QString::fromLatin1(what)).arg(met[what])));
        }
    }

private:
    static Case queuedCase(std::uint64_t seed)
    {
        constexpr std::int64_t kSecond = 1000000000;
        tests::model::Random random(seed);
        Case made;
        std::vector<engine::PlanRule>& rules = made.plans.emplace_back().rules;
        rules.resize(3);
        rules[0].limit.algorithm = random.percent(50) ? engine::Algorithm::Concurrency
                                                      : engine::Algorithm::AdaptiveConcurrency;
        rules[0].limit.inFlight = 4;
        rules[0].limit.initial = 4;
        rules[0].limit.strategy = engine::Strategy::Aimd;
        rules[1].tier = engine::Tier::Gateway;
        rules[1].limit.algorithm = engine::Algorithm::LeakyBucket;
        rules[1].limit.rate = {1, kSecond};
        rules[1].limit.queue = 5;
        rules[2].tier = engine::Tier::Tenant;
        rules[2].limit.rate = {2, 10 * kSecond};
        std::int64_t t = 0;
        for (int i = 0; i < 40; ++i) {
            t += random.between(0, kSecond);
            made.requests.push_back({t, random.between(0, 6 * kSecond), {}});
        }
        made.conditions.seed = seed;
        made.conditions.servers.count = 3;
        made.conditions.servers.balance = engine::Balance::Random;
        made.conditions.servers.skewNs = 2 * kSecond;
        return made;
    }

    static void note(const Case& given, const engine::Plan& plan, const Decision& decision,
                     std::map<std::string, int>& met)
    {
        const engine::Servers& servers = given.conditions.servers;
        if (servers.count > 1) {
            ++met[std::string(nameOf(servers.balance))];
        }
        const bool isRetry = decision.attempt > 1;
        met["comes again and is admitted"] += isRetry && !decision.rejected ? 1 : 0;
        met["comes again and is rejected"] += isRetry && decision.rejected ? 1 : 0;
        met["a retry is delayed"] += isRetry && decision.delayNs > 0 ? 1 : 0;
        met["a fifth attempt"] += decision.attempt == 5 ? 1 : 0;
        for (const tests::model::RulePart& part : decision.rules) {
            note(given, plan.rules[part.rule], part, met);
        }
    }

    static void note(const Case& given, const engine::PlanRule& rule,
                     const tests::model::RulePart& part, std::map<std::string, int>& met)
    {
        const engine::Servers& servers = given.conditions.servers;
        const auto kind = servers.states.at(static_cast<std::size_t>(rule.tier)).kind;
        const bool isSynced = kind == engine::StateKind::Sync;
        const bool hasStore = isSynced || kind == engine::StateKind::Shared;
        const bool isOff = servers.skewNs > 0 && servers.count > 1;
        met[std::string(nameOf(kind)) + " denies"] += part.admits || servers.count == 1 ? 0 : 1;
        met["a clock is off"] += isOff ? 1 : 0;
        met["a synced clock is off"] += isOff && isSynced ? 1 : 0;
        met["tight on another server's clock"] += isOff && rule.tighten && part.cost > 1 ? 1 : 0;
        met["open lets in"] += part.isStoreAway && part.admits ? 1 : 0;
        met["closed rejects"] += part.isStoreAway && !part.admits ? 1 : 0;
        for (const engine::Outage& outage : given.conditions.outages) {
            const bool isLocal = hasStore && !part.isStoreAway && part.judgedNs >= outage.fromNs
                && part.judgedNs < outage.toNs;
            met[part.admits ? "local admits in an outage" : "local denies in an outage"]
                += isLocal ? 1 : 0;
            met["a slot of a fallback"]
                += isLocal && part.counted && engine::holdsSlots(rule.limit.algorithm) ? 1 : 0;
        }
    }
};

QTEST_APPLESS_MAIN(TestConditionsEqualModel)
#include "tst_conditions_equal_model.moc"
