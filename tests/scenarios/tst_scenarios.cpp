#include "app/workbench/files.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/scenario.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <filesystem>

/// Every *.scn of this folder, played against the policy that it names.
class TestScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void table_data();
    void table();
    void aWrongExpectationIsFound();
    void everyNumberOfAnExampleIsHeld_data();
    void everyNumberOfAnExampleIsHeld();
};

namespace {

const std::filesystem::path kFolder
    = std::filesystem::path(WEIR_SOURCE_DIR) / "tests" / "scenarios";

std::string textOf(const app::ScenarioReport& report)
{
    std::string text;
    for (const app::FailedCase& failed : report.failed) {
        text += "\nline " + std::to_string(failed.line) + ":";
        for (const app::Mismatch& mismatch : failed.mismatches) {
            text += " " + mismatch.column + " expected " + mismatch.expected + " was "
                + mismatch.seen + ";";
        }
        for (const std::string& line : failed.said) {
            text += "\n    " + line;
        }
    }
    return text;
}

std::string textOf(const std::vector<engine::Diagnostic>& diagnostics)
{
    std::string text;
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        text += diagnostic.place.file + ":" + std::to_string(diagnostic.place.line) + " "
            + diagnostic.code + " " + diagnostic.message + "\n";
    }
    return text;
}

app::Scenario scenarioOf(const std::filesystem::path& file)
{
    const engine::Result<std::string> text = app::readFile(file.string(), 1 << 20);
    app::ReadScenario read
        = app::readScenario(file.filename().string(), text ? *text : std::string());
    if (!read.scenario) {
        QTest::qFail(textOf(read.diagnostics).c_str(), __FILE__, __LINE__);
        return {};
    }
    return std::move(*read.scenario);
}

engine::Result<app::ScenarioReport> played(const app::Scenario& scenario)
{
    const auto loaded = app::loadPolicy((kFolder / scenario.policy.value_or("none")).string(), {});
    if (!loaded || !loaded->isValid()) {
        return engine::fail("test.policy",
                            loaded ? textOf(loaded->diagnostics) : loaded.error().message);
    }
    return app::runScenario(scenario, *loaded->plan);
}

/// A number of a limit, where the algorithm has it.
struct Number {
    const char* name;
    std::int64_t* (*of)(engine::Limit& limit);
    bool (*isUsed)(const engine::Limit& limit);
};

bool isBucket(const engine::Limit& limit)
{
    using engine::Algorithm;
    return limit.algorithm == Algorithm::TokenBucket
        || (limit.algorithm == Algorithm::Gcra && !limit.toleranceNs);
}

constexpr std::array<Number, 5> kNumbers {{
    {"rate", [](engine::Limit& limit) { return &limit.rate.count; },
     [](const engine::Limit& limit) {
         return !engine::holdsSlots(limit.algorithm) && limit.rate.count > 1;
     }},
    {"burst", [](engine::Limit& limit) { return &limit.burst; },
     [](const engine::Limit& limit) {
         return isBucket(limit) && limit.burst > 1 && limit.rate.count > 0; // never without a rate
     }},
    {"queue", [](engine::Limit& limit) { return &limit.queue; },
     [](const engine::Limit& limit) {
         return limit.algorithm == engine::Algorithm::LeakyBucket && limit.queue > 0;
     }},
    {"in_flight", [](engine::Limit& limit) { return &limit.inFlight; },
     [](const engine::Limit& limit) {
         return limit.inFlight > 1; // of concurrency and load_shedder
     }},
    {"initial", [](engine::Limit& limit) { return &limit.initial; },
     [](const engine::Limit& limit) {
         return limit.algorithm == engine::Algorithm::AdaptiveConcurrency;
     }},
}};

} // namespace

void TestScenarios::table_data()
{
    QTest::addColumn<QString>("file");
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() == ".scn") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    QVERIFY(files.size() >= 10);
    for (const std::filesystem::path& file : files) {
        QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
    }
}

void TestScenarios::table()
{
    QFETCH(QString, file);
    const app::Scenario scenario = scenarioOf(file.toStdString());
    const engine::Result<app::ScenarioReport> report = played(scenario);
    QVERIFY2(bool(report), report ? "" : report.error().message.c_str());
    QVERIFY2(report->failed.empty(), textOf(*report).c_str());
    QVERIFY(report->cases > 0);
}

void TestScenarios::aWrongExpectationIsFound()
{
    // The tables above prove something only if each cell can fail.
    app::Scenario scenario = scenarioOf(kFolder / "tiers.scn");
    std::size_t cells = 0;
    for (app::ScenarioCase& step : scenario.cases) {
        for (app::Expectation& expectation : step.expected) {
            const bool isName
                = expectation.asked == app::Asked::Rule || expectation.asked == app::Asked::Shadow;
            expectation.value = isName ? (expectation.value == "total" ? "plan" : "total")
                                       : expectation.value + "1";
            ++cells;
        }
    }
    const engine::Result<app::ScenarioReport> report = played(scenario);
    QVERIFY(bool(report));
    std::size_t found = 0;
    for (const app::FailedCase& failed : report->failed) {
        found += failed.mismatches.size();
        QVERIFY(!failed.said.empty());
    }
    QCOMPARE(found, cells);
    QCOMPARE(report->failed.size(), scenario.cases.size());
}

void TestScenarios::everyNumberOfAnExampleIsHeld_data()
{
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("example_") && name.ends_with(".scn")) {
            QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
        }
    }
}

/// A policy's table is worth something only if it fails when a number of the policy is wrong: each
/// that limits is halved and doubled.
void TestScenarios::everyNumberOfAnExampleIsHeld()
{
    QFETCH(const QString, file);
    const app::Scenario scenario = scenarioOf(file.toStdString());
    const auto loaded = app::loadPolicy((kFolder / scenario.policy.value_or("none")).string(), {});
    QVERIFY(loaded && loaded->isValid());
    std::string unheld;
    std::size_t tried = 0;
    for (std::size_t rule = 0; rule < loaded->plan->rules.size(); ++rule) {
        engine::Limit limit = loaded->plan->rules[rule].limit;
        for (const Number& number : kNumbers) {
            if (!number.isUsed(limit)) {
                continue;
            }
            const std::int64_t right = *number.of(limit);
            for (const std::int64_t wrong : {right / 2, right * 2}) {
                engine::Plan plan = *loaded->plan;
                *number.of(plan.rules[rule].limit) = wrong;
                const auto report = app::runScenario(scenario, plan);
                ++tried;
                if (report && report->failed.empty()) {
                    unheld += "\n" + plan.rules[rule].rule + "/"
                        + plan.rules[rule].overrideName.value_or("") + " " + number.name
                        + std::string(" ") + std::to_string(wrong);
                }
            }
        }
    }
    QVERIFY(tried > 4);
    QVERIFY2(unheld.empty(), ("the table holds as well with" + unheld).c_str());
}

QTEST_APPLESS_MAIN(TestScenarios)
#include "tst_scenarios.moc"
