#include "app/workbench/replay.h"
#include "app/workbench/rule_curve.h"
#include "app/workbench/where.h"
#include "tests/app/demo_log.h"

#include <QtTest>

using namespace app;

namespace {

constexpr std::int64_t kGreatest
    = 1000000000; // moc reads three separators of digits as a character

constexpr const char* kPolicy = R"(weir: 1
name: curve
tiers:
  gateway:
    - { name: key, key: [api_key], algorithm: token_bucket, rate: 30/min, burst: 40 }
    - { name: search, match: { method: GET }, key: [api_key], algorithm: sliding_window_log, rate: 20/min }
    - { name: tightened, key: [api_key], algorithm: fixed_window, rate: 40/min, tighten: { rule: busy, above: 50%, factor: 3 } }
    - { name: loose, key: [api_key], algorithm: fixed_window, rate: 40/min, tighten: { rule: idle, above: 50%, factor: 3 } }
    - { name: steep, key: [api_key], algorithm: fixed_window, rate: 40/min, tighten: { rule: busy, above: 50%, factor: 100000 } }
  tenant:
    - { name: everybody, key: [], algorithm: concurrency, in_flight: 3 }
    - { name: busy, key: [], algorithm: concurrency, in_flight: 2 }
    - { name: idle, mode: off, key: [], algorithm: concurrency, in_flight: 2 }
)";

RuleCurveRequest requestFor(const std::string& rule)
{
    RuleCurveRequest request {PolicySource("p.yaml", kPolicy, std::nullopt), rule, {}, {}, {}, {}};
    request.pass.logs = {tests::demoLog()};
    return request;
}

/// What a replay with the rule alone, at that value, rejects.
std::uint64_t rejectedAt(const std::string& rule, const std::string& set)
{
    PolicyOptions options;
    options.adjustments = {{set}, {"all=off", rule + "=enforce"}};
    if (rule == "tightened") {
        options.adjustments.modes.emplace_back("busy=shadow");
    }
    auto loaded = loadPolicyText("p.yaml", kPolicy, options);
    if (!loaded || !loaded->isValid()) {
        qFatal("%s does not load", set.c_str());
    }
    ReplayRequest request;
    request.policies.push_back({&*loaded->plan, {}, "", {}});
    request.pass.logs = {tests::demoLog()};
    request.clock = [] { return std::int64_t {0}; };
    auto outcome = replay(request);
    if (!outcome) {
        qFatal("%s", outcome.error().message.c_str());
    }
    return outcome->tally->run(0).rejected;
}

} // namespace

class TestRuleCurve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPointIsWhatAReplaySays_data();
    void everyPointIsWhatAReplaySays();
    void tighteningIsDrawn();
    void steepTighteningIsDrawnToItsEnd();
    void stopsAndProtects();
    void saysWhatItCannot();
    void stepsArePlain();
};

void TestRuleCurve::everyPointIsWhatAReplaySays_data()
{
    QTest::addColumn<QString>("rule");
    QTest::newRow("token_bucket") << QStringLiteral("key");
    QTest::newRow("sliding_window_log") << QStringLiteral("search");
    QTest::newRow("concurrency") << QStringLiteral("everybody");
    QTest::newRow("tightened") << QStringLiteral("tightened");
    QTest::newRow("by a rule that is off") << QStringLiteral("loose");
}

void TestRuleCurve::everyPointIsWhatAReplaySays()
{
    QFETCH(const QString, rule);
    const std::string name = rule.toStdString();
    const auto curve = ruleCurve(requestFor(name));
    QVERIFY2(curve.has_value(), curve ? "" : curve.error().message.c_str());
    QVERIFY(curve->points.size() >= 5);
    QVERIFY(curve->points.size() <= kMostPoints);
    QCOMPARE(std::count_if(curve->points.begin(), curve->points.end(),
                           [](const CurvePoint& point) { return point.isNow; }),
             1);
    for (std::size_t i = 0; i < curve->points.size(); i += 4) {
        const CurvePoint& point = curve->points[i];
        QCOMPARE(point.requests, rejectedAt(name, name + "." + curve->field + "=" + point.value));
        QVERIFY(point.requests <= curve->requests);
    }
    QVERIFY(curve->points.front().requests > curve->points.back().requests);
    QVERIFY(curve->points.front().keys >= curve->points.back().keys);
    // How many there are is told only of the rule's own keys.
    QCOMPARE(curve->keys.has_value(), rule != QLatin1String("everybody"));
    for (const CurvePoint& point : curve->points) {
        QVERIFY(!curve->keys || point.keys <= *curve->keys);
    }
    const bool isRate = curve->field == "rate";
    QVERIFY(!isRate
            || std::any_of(curve->peaks.begin(), curve->peaks.end(),
                           [&](const KeyPeaks& one) { return one.windowNs == curve->periodNs; }));
}

/// The same numbers, but for the rule that tightens: more is rejected at each limit up to where
/// nothing is, and the slots that tighten take no part in the figures.
void TestRuleCurve::tighteningIsDrawn()
{
    RuleCurveRequest request = requestFor("tightened");
    request.limits = {40, 55};
    RuleCurveRequest other = requestFor("loose");
    other.limits = request.limits;
    const auto tightened = ruleCurve(request);
    const auto loose = ruleCurve(other);
    QVERIFY(tightened.has_value() && loose.has_value());
    QCOMPARE(tightened->requests, loose->requests);
    QVERIFY(!tightened->isSuggestedKnown && loose->isSuggestedKnown);
    QCOMPARE(tightened->tightenedBy, std::string("busy"));
    QCOMPARE(loose->tightenedBy, std::string());
    const auto at = [](const RuleCurve& curve, std::int64_t limit) {
        return std::find_if(curve.points.begin(), curve.points.end(),
                            [limit](const CurvePoint& one) { return one.limit == limit; })
            ->requests;
    };
    QVERIFY(at(*tightened, 40) > at(*loose, 40));
    QVERIFY(at(*tightened, 55) > at(*loose, 55));
}

/// However much a request may count, the curve goes to where nothing is rejected.
void TestRuleCurve::steepTighteningIsDrawnToItsEnd()
{
    const auto steep = ruleCurve(requestFor("steep"));
    QVERIFY(steep.has_value());
    QVERIFY(steep->points.front().requests > 0);
    QVERIFY(steep->points.back().limit >= 100000);
    QCOMPARE(steep->points.back().requests, std::uint64_t {0});
    QVERIFY(steep->points.size() <= kMostPoints);
}

void TestRuleCurve::stopsAndProtects()
{
    RuleCurveRequest request = requestFor("search");
    request.stop = parseMatch("api_key=key-finch-3", "stop").value();
    const auto curve = ruleCurve(request);
    QVERIFY(curve.has_value());
    QVERIFY(curve->isSuggestedKnown);
    QVERIFY(curve->toStop > 0);
    if (curve->suggested) {
        const auto point
            = std::find_if(curve->points.begin(), curve->points.end(), [&](const CurvePoint& one) {
                  return one.limit == curve->suggested->limit;
              });
        QVERIFY(point != curve->points.end());
        QCOMPARE(point->requests, curve->suggested->requests);
    }
}

void TestRuleCurve::saysWhatItCannot()
{
    const auto curve = ruleCurve(requestFor("nobody"));
    QVERIFY(!curve.has_value());
    QVERIFY(!curve.error().message.empty());
}

void TestRuleCurve::stepsArePlain()
{
    QCOMPARE(niceLimits(8, 15, 60), (std::vector<std::int64_t> {8, 9, 10, 11, 12, 13, 15}));
    QCOMPARE(niceLimits(1, 3, 60), (std::vector<std::int64_t> {1, 2, 3}));
    QVERIFY(niceLimits(1, kGreatest, 28).size() <= 28);
    QCOMPARE(niceLimits(1, kGreatest, 28).back(), std::int64_t {kGreatest});
}

QTEST_GUILESS_MAIN(TestRuleCurve)
#include "tst_rule_curve.moc"
