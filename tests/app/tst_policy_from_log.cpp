#include "app/workbench/policy_files.h"
#include "app/workbench/policy_from_log.h"
#include "app/workbench/replay.h"
#include "tests/app/demo_log.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace app;

namespace {

/// What each rule of a plan judged and denied.
engine::RunTally replayed(const engine::Plan& plan, const LogChoice& log)
{
    ReplayRequest request;
    request.policies.emplace_back().plan = &plan;
    request.clock = [] { return std::int64_t {0}; };
    request.pass.logs = {log};
    const auto outcome = replay(request);
    if (!outcome) {
        qFatal("%s", outcome.error().message.c_str());
    }
    return outcome->tally->run(0);
}

} // namespace

class TestPolicyFromLog : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// At the largest peaks a rule denies nothing, and one less denies something.
    void itsRulesStandAtTheLargestPeaks()
    {
        PolicyFromLogRequest request;
        request.logs = {tests::demoLog()};
        const auto draft = policyFromLog(request);
        QVERIFY(draft);
        const auto loaded = loadPolicyText("from-log.yaml", draft->text, {});
        QVERIFY(loaded && loaded->isValid());
        engine::Plan plan = *loaded->plan;
        QCOMPARE(plan.rules.size(), std::size_t {4}); // the log has addresses, API keys and users
        const engine::RunTally at = replayed(plan, tests::demoLog());
        QVERIFY(at.requests > 20'000);
        for (std::size_t rule = 0; rule < plan.rules.size(); ++rule) {
            QCOMPARE(plan.rules[rule].mode, engine::Mode::Shadow);
            QVERIFY(at.rules[rule].judged > 0);
            QCOMPARE(at.rules[rule].denied, std::uint64_t {0});
            --plan.rules[rule].limit.rate.count;
        }
        const engine::RunTally below = replayed(plan, tests::demoLog());
        for (std::size_t rule = 0; rule < plan.rules.size(); ++rule) {
            QVERIFY(below.rules[rule].denied > 0);
        }
    }

    /// What no request has gets no rule, and names from a log cannot end a comment.
    void saysOnlyWhatTheLogHas()
    {
        const QTemporaryDir folder;
        LogChoice log;
        log.path = folder.filePath(QStringLiteral("a\nb.jsonl")).toStdString();
        QFile file(QString::fromStdString(log.path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"time_ns": 1000000000, "path": "/a"}
{"time_ns": 1200000000, "path": "/a"}
)");
        file.close();
        PolicyFromLogRequest request;
        request.logs = {log};
        const auto draft = policyFromLog(request);
        QVERIFY(draft);
        const auto loaded = loadPolicyText("from-log.yaml", draft->text, {});
        QVERIFY(loaded && loaded->isValid());
        QCOMPARE(loaded->plan->rules.size(), std::size_t {1});
        QCOMPARE(loaded->plan->rules[0].rule, std::string("everybody"));
        QCOMPARE(loaded->plan->rules[0].limit.rate.count, std::int64_t {2});
        // No rule counts by networks, so none are derived.
        QVERIFY(loaded->plan->attributes.empty());
    }

    void refusesWhatCannotBeReadTwiceOrHasNothing()
    {
        PolicyFromLogRequest request;
        request.logs.emplace_back().path = "-";
        QCOMPARE(policyFromLog(request).error().code, std::string("new.stream"));
        const QTemporaryDir folder;
        request.logs[0].path = folder.filePath(QStringLiteral("empty.log")).toStdString();
        QFile file(QString::fromStdString(request.logs[0].path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QCOMPARE(policyFromLog(request).error().code, std::string("log.nothing-read"));
    }
};

QTEST_APPLESS_MAIN(TestPolicyFromLog)
#include "tst_policy_from_log.moc"
