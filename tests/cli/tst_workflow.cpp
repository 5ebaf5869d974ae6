#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// app/demo/workflow.yaml, step by step, on a fixture that is made as README.md says.
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WEIR_SOURCE_DIR;
const fs::path kFiles = kRoot / "tests" / "cli" / "files";

std::string contents(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

struct Step {
    std::string name;
    std::string run;
};

/// The steps that run something, as the file has them.
std::vector<Step> stepsOf(const fs::path& workflow)
{
    std::vector<Step> steps;
    std::ifstream in(workflow);
    std::string line;
    std::string name;
    bool isBlock = false;
    while (std::getline(in, line)) {
        const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
        if (isBlock && line.starts_with("          ")) {
            steps.back().run += text + '\n';
            continue;
        }
        isBlock = text == "run: |";
        if (text.starts_with("- name: ")) {
            name = text.substr(8);
        } else if (text.starts_with("run: ")) {
            steps.push_back({name, isBlock ? std::string() : text.substr(5)});
        }
    }
    return steps;
}

} // namespace

class TestWorkflow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void everyStepDoesWhatItSays();

private:
    struct Ran {
        int code = -1;
        std::string out;
        std::string err;
    };

    Ran run(const std::string& command) const;

    QTemporaryDir m_folder;
    fs::path m_path;
};

TestWorkflow::Ran TestWorkflow::run(const std::string& command) const
{
    QProcessEnvironment bare;
    const std::string path = fs::path(WEIR_BINARY).parent_path().string() + ":/usr/bin:/bin";
    bare.insert(QStringLiteral("PATH"), QString::fromStdString(path));
    bare.insert(QStringLiteral("HOME"), m_folder.path());
    bare.insert(QStringLiteral("GITHUB_STEP_SUMMARY"),
                QString::fromStdString((m_path / "summary.md").string()));
    QProcess shell;
    shell.setWorkingDirectory(m_folder.path());
    shell.setProcessEnvironment(bare);
    shell.setStandardInputFile(QProcess::nullDevice());
    shell.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-e"), QStringLiteral("-c"), QString::fromStdString(command)});
    Ran ran;
    if (shell.waitForFinished(60'000)) {
        ran = {shell.exitCode(), shell.readAllStandardOutput().toStdString(),
               shell.readAllStandardError().toStdString()};
    }
    return ran;
}

void TestWorkflow::init()
{
    m_path = m_folder.path().toStdString();
    for (const auto& [side, policy] :
         {std::pair("base", "now.yaml"), std::pair("change", "next.yaml")}) {
        const fs::path limits = m_path / side / "limits";
        fs::create_directories(limits);
        fs::copy_file(kFiles / policy, limits / "api.yaml");
        fs::copy_file(kFiles / "keys.csv", limits / "keys.csv");
    }
    std::ofstream(m_path / "change/limits/api.cases.yaml")
        << "cases: 1\npolicy: api.yaml\ntests:\n  - name: two searches at once\n    steps:\n"
           "      - { path: /search/a, api_key: k-new, times: 3, expect: [2 admitted, 1 rejected "
           "by search] }\n";
    fs::copy_file(kFiles / "day.jsonl", m_path / "access.log");
    const Ran made
        = run("head -c 32 /dev/urandom > mask.key\n"
              "weir convert access.log --for base/limits/api.yaml,change/limits/api.yaml "
              "--mask client_ip,api_key --mask-key mask.key -o change/limits/fixture.jsonl.zst");
    QVERIFY2(made.code == 0, made.err.c_str());
}

void TestWorkflow::everyStepDoesWhatItSays()
{
    const std::vector<Step> steps = stepsOf(kRoot / "app" / "demo" / "workflow.yaml");
    QCOMPARE(steps.size(), std::size_t {7});
    QCOMPARE(steps[1].name, std::string("Build weir"));
    const Ran check = run(steps[2].run);
    QVERIFY2(check.code == 0, (check.out + check.err).c_str());
    const Ran cases = run(steps[3].run);
    QVERIFY2(cases.code == 0, (cases.out + cases.err).c_str());
    const Ran diff = run(steps[4].run);
    QVERIFY2(diff.code == 0, diff.err.c_str());
    const Ran compare = run(steps[5].run);
    QVERIFY2(compare.code == 1, compare.err.c_str()); // paying keys are hit: the gate says no
    QVERIFY2(compare.out.starts_with("::error title=weir compare::"), compare.out.c_str());
    QVERIFY2(compare.out.find("\n::warning file=change/limits/api.yaml,line=") != std::string::npos,
             compare.out.c_str());
    QVERIFY(compare.out.find("k-pro") == std::string::npos); // masked in the fixture
    const Ran report = run(steps[6].run);
    QVERIFY2(report.code == 0, report.err.c_str());
    const std::string summary = contents(m_path / "summary.md");
    QVERIFY2(summary.find("rule search") != std::string::npos, summary.c_str());
    QVERIFY2(summary.find("| `search` |") != std::string::npos, summary.c_str());
    QVERIFY(summary.find("k-pro") == std::string::npos);
    QXmlStreamReader page(QString::fromStdString(contents(m_path / "report.html")));
    while (!page.atEnd()) {
        page.readNext();
    }
    QVERIFY2(!page.hasError(), qPrintable(page.errorString()));
}

QTEST_APPLESS_MAIN(TestWorkflow)
#include "tst_workflow.moc"
