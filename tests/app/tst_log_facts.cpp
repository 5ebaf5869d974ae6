#include "app/workbench/log_facts.h"
#include "app/workbench/policy_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace app;

/// What a pass over logs tells advice.
namespace {

constexpr const char* kLog
    = R"({"time_ns": 1000000000, "client_ip": "192.0.2.1", "path": "/a", "api_key": "k1"}
{"time_ns": 2000000000, "client_ip": "192.0.2.1", "path": "/a", "duration_ns": 5, "host": "x.example"}
{"time_ns": 5000000000, "client_ip": "192.0.2.2", "path": "/b", "duration_ns": 5, "api_key": "k1"}
{"time_ns": 4000000000, "client_ip": "192.0.2.2", "path": "/a", "duration_ns": 5, "api_key": "k2"}
)";

constexpr const char* kPolicy = R"(weir: 1
name: p
attributes:
  tenant: { from: host, pattern: "{tenant}.example" }
tiers:
  edge:
    - { name: a, match: { path: /a }, key: [api_key], algorithm: sliding_window_log, rate: 5/min }
    - { name: b, match: { region: { not: eu } }, key: [tenant], algorithm: fixed_window, rate: 5/min }
    - { name: c, key: [client_ip], algorithm: sliding_window_log, rate: 5/min, overrides: [{ name: x, match: { path: /b } }] }
)";

void write(const QString& file, const char* text)
{
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text);
}

} // namespace

class TestLogFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsWhatAdviceAsksFor();
    void saysWhyALogCannotBeRead();
};

void TestLogFacts::countsWhatAdviceAsksFor()
{
    const QTemporaryDir folder;
    const QString policy = folder.filePath(QStringLiteral("p.yaml"));
    const QString log = folder.filePath(QStringLiteral("log.jsonl"));
    write(policy, kPolicy);
    write(log, kLog);
    const auto loaded = loadPolicy(policy.toStdString(), {});
    QVERIFY(loaded && loaded->isValid());
    PassOptions options;
    options.logs.emplace_back();
    options.logs.back().path = log.toStdString();
    options.warmupNs = 3'000'000'000;
    const std::vector<const engine::Plan*> plans {&*loaded->plan, &*loaded->plan};
    const auto outcome = factsOf(plans, options);
    QVERIFY(outcome);
    QCOMPARE(outcome->facts.size(), std::size_t {2});
    for (const policies::LogFacts& facts : outcome->facts) {
        QCOMPARE(facts.requests, std::uint64_t {4}); // the warm-up counts, too
        QCOMPARE(facts.spanNs, std::int64_t {4'000'000'000});
        QCOMPARE(facts.warmupNs, std::int64_t {3'000'000'000});
        QCOMPARE(facts.withDuration, std::uint64_t {3});
        QCOMPARE(facts.having.at("api_key"), std::uint64_t {3});
        QCOMPARE(facts.having.at("tenant"), std::uint64_t {1});
        QCOMPARE(facts.having.at("region"), std::uint64_t {0});
        QCOMPARE(facts.having.count("path"), std::size_t {0}); // nobody asks
        QCOMPARE(facts.keys.at("a"), std::uint64_t {2});
        QCOMPARE(facts.keys.at("c"), std::uint64_t {2}); // an override's keys are the rule's
        QCOMPARE(facts.keys.count("b"), std::size_t {0}); // remembers no single requests
    }
}

void TestLogFacts::saysWhyALogCannotBeRead()
{
    PassOptions options;
    options.logs.emplace_back();
    options.logs.back().path = "/nowhere/log.jsonl";
    engine::Plan plan;
    const auto outcome = factsOf({&plan}, options);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().code, std::string("log.missing"));
}

QTEST_APPLESS_MAIN(TestLogFacts)
#include "tst_log_facts.moc"
