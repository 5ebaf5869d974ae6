#include "app/workbench/condition_sides.h"
#include "tests/app/run_bench.h"

#include <QTest>

using namespace app;

namespace {

constexpr const char* kShed
    = "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: shed, key: [], algorithm: load_shedder, "
      "capacity: 10, classes: [{ name: a, match: { path: /a }, up_to: 50% }, { name: b, match: { "
      "path: /b }, up_to: 100% }] }\n";
constexpr const char* kPlain
    = "weir: 1\nname: p\ntiers:\n  edge:\n    - { name: one, key: [api_key], rate: 5/s, algorithm: "
      "fixed_window }\n";

/// Twelve requests at once, by turns to /a, /b and /c, of a second each.
std::string burst()
{
    std::string log;
    for (int i = 0; i < 12; ++i) {
        log += "{\"time_ns\": " + std::to_string(1'700'000'000'000'000'000 + i)
            + ", \"duration_ns\": 1000000000, \"api_key\": \"k\", \"path\": \"/"
            + std::string(1, "abc"[i % 3]) + "\"}\n";
    }
    return log;
}

/// "subject|figure|side|side" of each row.
QStringList linesOf(const FigureTable& table)
{
    QStringList lines;
    for (const FigureTable::Row& row : table.rows) {
        QStringList cells;
        for (const Cell& cell : row.cells) {
            cells << QString::fromStdString(textOf(cell));
        }
        lines << cells.join(QLatin1Char('|'));
    }
    return lines;
}

} // namespace

class TestConditionSides : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunWithoutConditionsHasNothingToTell();
    void aSideWithoutAFigureHasAnEmptyCell();
    void whetherThereCanBeAnyIsKnownBefore();
};

void TestConditionSides::aRunWithoutConditionsHasNothingToTell()
{
    tests::RunBench bench(burst());
    const storage::RunReader reader(*bench.store);
    const auto run = reader.detail(bench.replay(kPlain));
    QVERIFY(run.has_value());
    const auto table = conditionSides(reader, {{"base", &*run}, {"candidate", &*run}});
    QVERIFY(table.has_value());
    QCOMPARE(table->rows.size(), 0U);
    QCOMPARE(table->columns.size(), 4U);
}

/// /a is denied from 5 in flight on: the first five are a, b, c, a, b, of the others /a has two
/// (places 6 and 9, from 0), and the last two find 10 in flight: /b of place 10 and /c of 11 are
/// the ninth and tenth.
void TestConditionSides::aSideWithoutAFigureHasAnEmptyCell()
{
    tests::RunBench bench(burst());
    const storage::RunReader reader(*bench.store);
    const auto plain = reader.detail(bench.replay(kPlain));
    const auto shed = reader.detail(bench.replay(kShed));
    QVERIFY(plain.has_value() && shed.has_value());
    const auto table = conditionSides(reader, {{"base", &*plain}, {"candidate", &*shed}});
    QVERIFY(table.has_value());
    QCOMPARE(linesOf(*table).join(QLatin1Char('\n')),
             QStringLiteral("shed[a]|judged||4\nshed[a]|denied||2\nshed[a]|share denied||50.0%\n"
                            "shed[a]|rejected||2\nshed[b]|judged||4\nshed|judged||4"));
}

void TestConditionSides::whetherThereCanBeAnyIsKnownBefore()
{
    engine::Plan plan;
    plan.rules.emplace_back();
    QVERIFY(!hasConditionSides(plan, {}));
    engine::Conditions two;
    two.servers.count = 2;
    QVERIFY(hasConditionSides(plan, two));
    engine::Conditions away;
    away.outages.push_back({0, 1});
    QVERIFY(hasConditionSides(plan, away));
    engine::Conditions again;
    again.clients.emplace().behaviours.emplace_back();
    QVERIFY(hasConditionSides(plan, again));
    engine::Plan classes = plan;
    classes.rules.front().className = "batch";
    QVERIFY(hasConditionSides(classes, {}));
    for (const engine::Algorithm algorithm :
         {engine::Algorithm::AdaptiveConcurrency, engine::Algorithm::LoadShedder}) {
        engine::Plan learning = plan;
        learning.rules.front().limit.algorithm = algorithm;
        QVERIFY(hasConditionSides(learning, {}));
    }
}

QTEST_APPLESS_MAIN(TestConditionSides)
#include "tst_condition_sides.moc"
