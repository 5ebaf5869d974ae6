#include "app/workbench/rule_edits.h"
#include "policies/read.h"
#include "policies/rule_fields.h"

#include <QtTest>

using namespace app;

namespace {

const std::string kText = R"(weir: 1
name: p
tiers:
  edge:
    # before everybody else
    - name: a
      mode: shadow # for a while
      key: [client_ip]
      algorithm: token_bucket
      rate: 10/s # agreed
      burst: 21
      overrides:
        - { name: acme, match: { tenant: acme }, burst: 40 }
    - name: b
      key: []
      algorithm: concurrency
      in_flight: 5
  gateway: []
)";

policies::Policy policyOf(const std::string& text)
{
    policies::Checked checked = policies::read("p.yaml", text);
    if (!checked.policy) {
        qFatal("%s", policies::render(checked.diagnostics[0]).c_str());
    }
    return std::move(*checked.policy);
}

std::string after(const engine::Result<policies::Edits>& edits)
{
    if (!edits) {
        qFatal("%s", edits.error().message.c_str());
    }
    return policies::applied(kText, *edits);
}

} // namespace

class RuleEditsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// Whichever algorithm a rule had, and gets: what comes out is a good policy with its comments.
    void everyAlgorithmGivesWayToEveryOther()
    {
        for (const engine::Algorithm from : policies::algorithms()) {
            for (const engine::Algorithm to : policies::algorithms()) {
                for (const char* name : {"a", "b"}) {
                    const policies::Policy policy = policyOf(kText);
                    const std::string first = after(setAlgorithm(kText, *policy.rule(name), from));
                    const policies::Policy between = policyOf(first);
                    const auto edits = setAlgorithm(first, *between.rule(name), to);
                    QVERIFY(edits);
                    const std::string second = policies::applied(first, *edits);
                    QCOMPARE(policyOf(second).rule(name)->algorithm.value, to);
                    QVERIFY(second.find("# before everybody else") != std::string::npos);
                    QVERIFY(second.find("# for a while") != std::string::npos);
                }
            }
        }
    }

    void numbersStayAsNearAsTheyCan()
    {
        const policies::Policy policy = policyOf(kText);
        const policies::Policy leaky = policyOf(
            after(setAlgorithm(kText, *policy.rule("a"), engine::Algorithm::LeakyBucket)));
        QCOMPARE(leaky.rule("a")->values.queue->value, 20);
        QCOMPARE(leaky.rule("a")->values.rate->value.count, 10);
        QVERIFY(!leaky.rule("a")->values.burst);
        QVERIFY(!leaky.rule("a")->overrides[0].values.burst);
        const policies::Policy gcra
            = policyOf(after(setAlgorithm(kText, *policy.rule("b"), engine::Algorithm::Gcra)));
        QCOMPARE(gcra.rule("b")->values.burst->value.number, 5);
    }

    /// What a load_shedder does not have goes: costs, tightening, another algorithm's strategy.
    void aShedderCountsRequests()
    {
        const std::string text = R"(weir: 1
name: p
tiers:
  edge:
    - { name: total, key: [], algorithm: concurrency, in_flight: 7 }
    - name: a
      key: []
      algorithm: adaptive_concurrency
      strategy: aimd
      max: 50
      cost: 2
      tighten: { rule: total, above: 80%, factor: 2 }
      overrides: [{ name: o, match: { user: u }, cost: 3 }]
)";
        const policies::Policy policy = policyOf(text);
        const auto edits = setAlgorithm(text, *policy.rule("a"), engine::Algorithm::LoadShedder);
        QVERIFY(edits);
        const policies::Policy shed = policyOf(policies::applied(text, *edits));
        const policies::Rule& rule = *shed.rule("a");
        QVERIFY(!rule.values.cost && !rule.tighten && !rule.strategy && !rule.maximum);
        QVERIFY(!rule.overrides.at(0).values.cost);
        QCOMPARE(rule.values.capacity.value().value, std::int64_t {20});
    }

    void theSameAlgorithmChangesNothing()
    {
        const policies::Policy policy = policyOf(kText);
        QCOMPARE(after(setAlgorithm(kText, *policy.rule("a"), engine::Algorithm::TokenBucket)),
                 kText);
    }

    void modes()
    {
        const policies::Policy policy = policyOf(kText);
        const policies::Policy off
            = policyOf(after(setMode(kText, *policy.rule("a"), engine::Mode::Off)));
        QCOMPARE(off.rule("a")->values.mode->value, engine::Mode::Off);
        const std::string enforced
            = after(setMode(kText, *policy.rule("a"), engine::Mode::Enforce));
        QVERIFY(!policyOf(enforced).rule("a")->values.mode);
        QCOMPARE(after(setMode(kText, *policy.rule("b"), engine::Mode::Enforce)), kText);
    }

    void newRules()
    {
        const policies::Policy policy = policyOf(kText);
        QCOMPARE(freeRuleName(policy, "a"), std::string("a-2"));
        QCOMPARE(freeRuleName(policy, "new-rule"), std::string("new-rule"));
        const policies::Policy more
            = policyOf(after(addRule(kText, engine::Tier::Endpoint, "new-rule")));
        QCOMPARE(more.tiers[2].size(), std::size_t {1});
        const policies::Policy first = policyOf(after(addRule(kText, engine::Tier::Edge, "x", 0)));
        QCOMPARE(first.tiers[0][0].name.value, std::string("x"));
    }

    void whereACardIsDropped()
    {
        using engine::Tier;
        const policies::Policy policy = policyOf(kText);
        QVERIFY(!dropPosition(policy, "a", Tier::Edge, 0));
        QVERIFY(!dropPosition(policy, "a", Tier::Edge, 1));
        QCOMPARE(dropPosition(policy, "a", Tier::Edge, 2), std::optional(std::size_t {1}));
        QCOMPARE(dropPosition(policy, "b", Tier::Edge, 0), std::optional(std::size_t {0}));
        QCOMPARE(dropPosition(policy, "a", Tier::Gateway, 7), std::optional(std::size_t {0}));
    }

    void aFieldThatIsNotThereIsGoneAlready()
    {
        QCOMPARE(after(setField(kText, policies::Part::ofRule("b"), {"note"}, "")), kText);
        QVERIFY(!setField(kText, policies::Part::ofRule("nobody"), {"note"}, ""));
    }

    void failuresEndTheSteps()
    {
        EditSteps steps(kText);
        steps.add(setField(kText, policies::Part::ofRule("nobody"), {"rate"}, "1/s"));
        steps.add(setField(kText, policies::Part::ofRule("b"), {"note"}, "x"));
        QCOMPARE(steps.text(), kText);
        QCOMPARE(steps.take().error().code, std::string("edit.no-part"));
    }

    void fieldsOfAlgorithms()
    {
        const auto leaky = policies::limitFields(engine::Algorithm::LeakyBucket);
        QCOMPARE(leaky.size(), std::size_t {3});
        QVERIFY(leaky[0].name == "rate" && leaky[0].isRequired);
        QVERIFY(leaky[1].name == "queue" && leaky[1].isRequired);
        QVERIFY(leaky[2].name == "delay_after" && !leaky[2].isRequired);
        QVERIFY(!leaky[2].description.empty());
        QVERIFY(policies::ruleFieldDescription("nothing").empty());
    }
};

QTEST_APPLESS_MAIN(RuleEditsTest)
#include "tst_rule_edits.moc"
