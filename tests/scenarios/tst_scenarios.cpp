#include "app/workbench/files.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/scenario.h"

#include <QTest>

#include <algorithm>
#include <filesystem>

/// Every *.scn of this folder, played against the policy that it names.
class TestScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void table_data();
    void table();
    void aWrongExpectationIsFound();
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

QTEST_APPLESS_MAIN(TestScenarios)
#include "tst_scenarios.moc"
