#include "app/workbench/gate.h"

#include <QTest>

#include <limits>
#include <map>

using app::Gate;
using app::GateContext;
using app::Ratio;

namespace {

const app::GateNames kCompare {GateContext::Compare, {"search", "login"}, {"plan", "api_key"}};
const app::GateNames kReplay {GateContext::Replay, {"search"}, {"plan"}};
const app::GateNames kShedding {GateContext::Replay,
                                {"search", "shed", "queue"},
                                {"plan"},
                                {{"shed", "batch"}, {"shed", "live"}, {"queue", "batch"}}};

bool holds(std::string_view text, const std::map<std::string, Ratio>& values)
{
    const auto gate = Gate::parse(text, kCompare);
    if (!gate) {
        QTest::qFail((gate.error().message + " in " + std::string(text)).c_str(), __FILE__,
                     __LINE__);
        return false;
    }
    return gate->holds([&](const app::GateFigure& figure) {
        const auto found = values.find(figure.text());
        if (found == values.end()) {
            QTest::qFail(("asked for " + figure.text()).c_str(), __FILE__, __LINE__);
            return Ratio {};
        }
        return found->second;
    });
}

std::string errorOf(std::string_view text, const app::GateNames& names = kCompare)
{
    const auto gate = Gate::parse(text, names);
    return gate ? "none"
                : gate.error().code + "@" + std::to_string(gate.error().place.column) + " "
            + gate.error().help;
}

} // namespace

class TestGate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsAreCompared();
    void sharesAreExactFractions();
    void wordsBindAsUsual();
    void figuresAreNarrowed();
    void textsOfFiguresReadBackTheSame();
    void classesAreNamed();
    void unknownNamesAreRefused();
    void typesAndFormsAreChecked();
};

void TestGate::countsAreCompared()
{
    const std::map<std::string, Ratio> values {{"rejected", {5}}, {"requests", {5}}};
    QVERIFY(holds("rejected > 4", values));
    QVERIFY(!holds("rejected > 5", values));
    QVERIFY(holds("rejected>=5", values));
    QVERIFY(holds("5 == rejected", values));
    QVERIFY(holds("rejected = requests", values));
    QVERIFY(holds("rejected != 6", values));
    QVERIFY(holds("rejected <= 5", values));
    QVERIFY(!holds("rejected < 5", values));
    QVERIFY(holds("rejected < 9223372036854775807",
                  {{"rejected", {std::numeric_limits<std::int64_t>::max() - 1}}}));
}

void TestGate::sharesAreExactFractions()
{
    QVERIFY(!holds("rejected_share > 10%", {{"rejected_share", {1, 10}}}));
    QVERIFY(holds("rejected_share >= 10%", {{"rejected_share", {1, 10}}}));
    QVERIFY(holds("rejected_share > 33.333333%", {{"rejected_share", {1, 3}}}));
    QVERIFY(!holds("rejected_share >= 33.333334%", {{"rejected_share", {1, 3}}}));
    QVERIFY(holds("newly_rejected_share == 0%",
                  {{"newly_rejected_share", {0, 0}}})); // no requests at all
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    QVERIFY(!holds("rejected_share >= 100%", {{"rejected_share", {most - 1, most}}}));
    QVERIFY(holds("rejected_share < newly_rejected_share",
                  {{"rejected_share", {most - 1, most}}, {"newly_rejected_share", {1, 1}}}));
}

void TestGate::wordsBindAsUsual()
{
    const std::map<std::string, Ratio> values {
        {"rejected", {1}}, {"admitted", {0}}, {"requests", {1}}};
    QVERIFY(holds("rejected == 1 or admitted == 1 and requests == 0", values));
    QVERIFY(!holds("(rejected == 1 or admitted == 1) and requests == 0", values));
    QVERIFY(holds("not admitted == 1 and requests == 1", values));
    QVERIFY(!holds("not (admitted == 1 or requests == 1)", values));
    QVERIFY(holds("not not rejected == 1", values));
}

void TestGate::figuresAreNarrowed()
{
    const auto gate = Gate::parse("newly_rejected_keys[plan=pro] > 0 or "
                                  "rule(\"search\").newly_rejected[ api_key = \"a ]\\\"b\" ] > 2 "
                                  "or newly_admitted[plan=free]>1",
                                  kCompare);
    QVERIFY(bool(gate));
    QCOMPARE(gate->figures().size(), std::size_t {3});
    QCOMPARE(gate->figures()[0].text(), std::string("newly_rejected_keys[plan=pro]"));
    QCOMPARE(gate->figures()[1].text(),
             std::string("rule(\"search\").newly_rejected[api_key=\"a ]\\\"b\"]"));
    QCOMPARE(gate->figures()[1].column, std::size_t {38});
    QCOMPARE(gate->narrowedAttributes(), (std::vector<std::string> {"plan", "api_key"}));
}

void TestGate::textsOfFiguresReadBackTheSame()
{
    const std::string name = "ba|t\"ch\\q`]";
    const app::GateNames names {GateContext::Replay, {name}, {"plan"}, {{name, name}}};
    for (const std::string& value :
         {std::string("pro"), std::string("a\\b"), std::string("\"a\\\""), std::string("a b"),
          std::string("a]"), std::string("a,b"), std::string("")}) {
        app::GateFigure figure;
        figure.name = "rejected";
        figure.rule = figure.className = name;
        figure.attribute = "plan";
        figure.value = value;
        const auto gate = Gate::parse(figure.text() + " > 1", names);
        QVERIFY2(bool(gate), figure.text().c_str());
        const app::GateFigure& read = gate->figures().front();
        QCOMPARE(*read.rule, name);
        QCOMPARE(*read.className, name);
        QCOMPARE(read.value, value);
    }
}

void TestGate::classesAreNamed()
{
    const auto gate = Gate::parse("rule(\"shed\").class(\"live\").rejected_share > 1% or "
                                  "class(\"batch\").rejected[plan=pro] > 0",
                                  kShedding);
    QVERIFY(bool(gate));
    QCOMPARE(gate->figures()[0].text(),
             std::string(R"(rule("shed").class("live").rejected_share)"));
    QVERIFY(gate->figures()[0].isShare);
    QCOMPARE(gate->figures()[1].text(), std::string(R"(class("batch").rejected[plan=pro])"));
    QVERIFY(!gate->figures()[1].rule.has_value());
    QCOMPARE(errorOf("class(\"bath\").rejected > 0", kShedding),
             std::string("gate.class@6 did you mean `batch`?"));
    QCOMPARE(errorOf("rule(\"queue\").class(\"live\").rejected > 0", kShedding),
             std::string("gate.class@20 the classes are `batch`"));
    QCOMPARE(errorOf("class(\"batch\").rejected > 0", kReplay),
             std::string("gate.class@6 classes are those of a load_shedder"));
    QCOMPARE(errorOf("class(batch).rejected > 0", kShedding),
             std::string("gate.syntax@6 write class(\"NAME\").FIGURE"));
    QVERIFY(errorOf("class(\"batch\").rule(\"shed\").rejected > 0", kShedding)
                .starts_with("gate.name@16 ")); // the rule comes first
    app::GateNames comparing = kShedding;
    comparing.context = GateContext::Compare;
    QCOMPARE(errorOf("class(\"batch\").rejected_share > 1%", comparing),
             std::string("gate.context@16 use it with `weir replay`, or ask for `rejected` or a "
                         "newly_ figure"));
}

void TestGate::unknownNamesAreRefused()
{
    QCOMPARE(errorOf("newly_rejectd > 0"),
             std::string("gate.name@1 did you mean `newly_rejected`?"));
    QCOMPARE(errorOf("rule(\"serach\").rejected > 0"),
             std::string("gate.rule@5 did you mean `search`?"));
    QCOMPARE(errorOf("rejected[plam=pro] > 0"),
             std::string("gate.attribute@10 did you mean `plan`?"));
    QCOMPARE(errorOf("newly_rejected > 0", kReplay),
             std::string("gate.context@1 use it with `weir compare`, or write `rejected`"));
    QCOMPARE(errorOf("rule(\"login\").rejected > 0", kReplay),
             std::string("gate.rule@5 the rules are `search`"));
}

void TestGate::typesAndFormsAreChecked()
{
    QCOMPARE(errorOf("rejected > 5%"),
             std::string("gate.type@1 a share is compared with N%, a count with N"));
    QCOMPARE(errorOf("1 < rejected_share"),
             std::string("gate.type@1 a share is compared with N%, a count with N"));
    QCOMPARE(errorOf("rejected"), std::string("gate.syntax@9 write a comparison: rejected > 0"));
    QCOMPARE(errorOf("1 < rejected < 5"),
             std::string("gate.syntax@14 compare two at a time: a > 1 and a < 5"));
    QCOMPARE(errorOf("(rejected > 1"), std::string("gate.syntax@14 close what `(` opened"));
    for (const std::string_view wrong :
         {"", "rejected >", "rejected > 1.5", "rejected > 1_000", "rejected > -1",
          "rejected_share > 1.%", "rejected_share > 0.1234567%", "rejected > 9223372036854775808",
          "rejected > 0 rejected > 1", "rejected > 0 and", "rejected[plan] > 0",
          "rejected[plan=] > 0", "rejected[plan=\"a] > 0", "rejected[plan=a,api_key=b] > 0",
          "rule(search).rejected > 0", "rejected > 0x1", "and"}) {
        QVERIFY2(errorOf(wrong).starts_with("gate."), wrong.data());
    }
    QCOMPARE(errorOf(std::string(10'000, '(')), std::string("gate.syntax@102 write it flatter"));
}

QTEST_APPLESS_MAIN(TestGate)
#include "tst_gate.moc"
