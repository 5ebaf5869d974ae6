#include "tests/architecture/house.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <set>

using namespace tests::architecture;

namespace {

const std::filesystem::path kRoot = WEIR_SOURCE_DIR;

// What git tracks, and what it would track if asked; everything, where there is no git.
std::vector<std::string> filesOfProject()
{
    std::vector<std::string> files;
    QProcess git;
    git.start(QStringLiteral("git"),
              {QStringLiteral("-C"), QStringLiteral(WEIR_SOURCE_DIR), QStringLiteral("ls-files"),
               QStringLiteral("--cached"), QStringLiteral("--others"),
               QStringLiteral("--exclude-standard")});
    if (git.waitForFinished() && git.exitCode() == 0) {
        for (const QByteArray& line : git.readAllStandardOutput().split('\n')) {
            if (!line.isEmpty() && std::filesystem::exists(kRoot / line.toStdString())) {
                files.push_back(line.toStdString());
            }
        }
        return files;
    }
    qInfo("no git here: every file outside of build/ is looked at");
    for (auto entry = std::filesystem::recursive_directory_iterator(kRoot);
         entry != std::filesystem::recursive_directory_iterator(); ++entry) {
        const std::string path = std::filesystem::relative(entry->path(), kRoot).string();
        if (path == "build" || path == ".git") {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file()) {
            files.push_back(path);
        }
    }
    return files;
}

void report(const Findings& findings)
{
    for (const std::string& finding : findings) {
        qWarning("%s", finding.c_str());
    }
    QVERIFY2(findings.empty(), "see the lines above");
}

// A small house: path and text of each file. Texts are lines joined by `|`.
House houseOf(const QTemporaryDir& folder, const std::map<std::string, std::string>& texts)
{
    const std::filesystem::path root = folder.path().toStdString();
    std::vector<std::string> files;
    for (const auto& [path, text] : texts) {
        std::filesystem::create_directories((root / path).parent_path());
        std::string lines = text;
        std::replace(lines.begin(), lines.end(), '|', '\n');
        std::ofstream(root / path) << lines << "\n";
        files.push_back(path);
    }
    return readHouse(root, files);
}

QByteArray joined(const Findings& findings)
{
    QByteArray all;
    for (const std::string& finding : findings) {
        all += finding.c_str();
        all += "\n";
    }
    return all;
}

using Check = Findings (*)(const House&);

} // namespace

Q_DECLARE_METATYPE(Check)

class TestHouse : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void initTestCase()
    {
        m_house = readHouse(kRoot, filesOfProject());
        m_house.targets = readTargets(std::filesystem::path(WEIR_BUILD_DIR) / "targets.txt");
        QVERIFY(m_house.sources.size() > 20);
        QVERIFY(m_house.sources.contains("engine/plan.h"));
    }

    void dependenciesPointDown() { report(checkDirections(m_house)); }

    void foldersAreEnteredByTheirDoors() { report(checkDoors(m_house)); }

    void noFilesIncludeEachOther() { report(checkCycles(m_house)); }

    void librariesStayInTheirFolder() { report(checkLibraries(m_house)); }

    void targetsLinkWhatTheirFolderMayUse()
    {
        std::set<std::string> names;
        for (const Target& target : m_house.targets) {
            names.insert(target.name);
        }
        for (const char* name : {"engine", "policies", "storage", "workbench", "cli", "weir"}) {
            QVERIFY2(names.contains(name), name);
        }
        report(checkTargets(m_house));
    }

    void filesAreWhereTheyBelong() { report(checkFiles(m_house)); }

    void tablesOfFilesAreWhole()
    {
        QVERIFY(m_house.pages.contains("storage/logs/README.md"));
        report(checkRooms(m_house));
    }

    void codeKeepsTheHouseRules() { report(checkCode(m_house)); }

    void graphIsWritten()
    {
        const std::string graph = folderGraph(m_house);
        QVERIFY(graph.find("\"app/cli\" -> \"app/workbench\"") != std::string::npos
                || graph.find("\"engine\" -> \"engine/algorithms\"") != std::string::npos);
        const std::filesystem::path file = std::filesystem::path(WEIR_BUILD_DIR) / "house.dot";
        std::ofstream(file) << graph;
        qInfo("the graph of folders: %s", file.c_str());
    }

    // Tells, never fails: a large file is a question to its owner.
    void sizesAreTold()
    {
        for (const std::string& line : largeFiles(m_house)) {
            qInfo("%s", line.c_str());
        }
    }

    void badHouseIsSeen_data()
    {
        QTest::addColumn<Check>("check");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("finding");

        const auto row = [](const char* name, Check check, const char* path, const char* text,
                            const char* finding) {
            QTest::newRow(name) << check << QByteArray(path) << QByteArray(text)
                                << QByteArray(finding);
        };
        row("engine uses storage", checkDirections, "engine/bad.h", "|#include \"storage/door.h\"",
            "engine/bad.h:2: engine may not use storage");
        row("policies use storage", checkDirections, "policies/bad.cpp",
            "#include \"storage/door.h\"", "policies/bad.cpp:1: policies may not use storage");
        row("storage uses policies", checkDirections, "storage/bad.cpp",
            "#include \"policies/door.h\"", "storage may not use policies");
        row("storage uses app", checkDirections, "storage/bad.cpp",
            "#include \"app/workbench/use.h\"", "storage may not use app");
        row("product uses tests", checkDirections, "app/cli/bad.cpp",
            "#include \"tests/support/help.h\"", "app may not use tests");
        row("workbench uses a face", checkDirections, "app/workbench/bad.cpp",
            "#include \"app/cli/cli.h\"", "app/workbench may not use app/cli");
        row("page uses a page", checkDirections, "app/console/runs/bad.cpp",
            "#include \"app/console/explain/page.h\"",
            "app/console/runs may not use app/console/explain");
        row("frame uses what stands on it", checkDirections, "app/console/frame/bad.cpp",
            "#include \"app/console/session/session.h\"",
            "app/console/frame may not use app/console/session");
        row("relative path", checkDirections, "engine/bad.cpp", "#include \"door.h\"",
            "full paths from the root");
        row("private room", checkDoors, "app/cli/bad.cpp", "#include \"engine/rooms/inner.h\"",
            "engine/rooms/inner.h is private to engine");
        row("cycle of two", checkCycles, "engine/rooms/inner.h", "#include \"engine/door.h\"",
            "cycle: engine/door.h -> engine/rooms/inner.h -> engine/door.h");
        row("itself", checkCycles, "engine/self.h", "#include \"engine/self.h\"",
            "cycle: engine/self.h");
        row("Qt in cli", checkLibraries, "app/cli/bad.cpp", "#include <QString>",
            "Qt may not enter app");
        row("yaml in storage", checkLibraries, "storage/bad.cpp", "#include <yaml-cpp/yaml.h>",
            "yaml-cpp may not enter storage");
        row("yaml twice", checkLibraries, "policies/bad.cpp", "#include <yaml-cpp/mark.h>",
            "in one file, not in policies/bad.cpp policies/yaml.cpp");
        row("SQLite in app", checkLibraries, "app/workbench/bad.cpp", "#include <sqlite3.h>",
            "SQLite may not enter app");
        row("fmt in engine", checkLibraries, "engine/bad.cpp", "#include <fmt/format.h>",
            "fmt may not enter engine");
        row("clock in engine", checkLibraries, "engine/bad.cpp", "#include <chrono>",
            "engine may not use <chrono>");
        row("unknown library", checkLibraries, "storage/bad.cpp", "#include <boost/any.hpp>",
            "nobody agreed to <boost/any.hpp>");
        row("network", checkLibraries, "storage/bad.cpp", "#include <sys/socket.h>",
            "no network code");
        row("Qt network", checkLibraries, "app/console/bad.cpp", "#include <QTcpSocket>",
            "no network code");
        row("stray folder", checkFiles, "docs/page.md", "",
            "docs/page.md: nothing but the agreed names");
        row("generated", checkFiles, "app/moc_view.cpp", "", "app/moc_view.cpp: a generated file");
        row("build folder", checkFiles, "engine/CMakeFiles/x.txt", "", "a generated file");
        row("name", checkFiles, "engine/TokenBucket.h", "", "named in snake_case");
        row("exception", checkCode, "engine/bad.cpp", "int f() { throw 1; }",
            "no exceptions of ours");
        row("floating point", checkCode, "engine/bad.cpp", "double f();",
            "engine/bad.cpp:1: no floating point");
        row("sleeping", checkCode, "engine/bad.cpp", "void f() { std::this_thread::sleep_for(n); }",
            "never sleeps");
        row("printing", checkCode, "storage/bad.cpp", "void f() { std::puts(\"\"); }",
            "libraries never print");
        row("exit", checkCode, "policies/bad.cpp", "void f() { std::exit(1); }",
            "libraries never exit");
    }

    void badHouseIsSeen()
    {
        QFETCH(Check, check);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, finding);
        QTemporaryDir folder;
        auto files = goodHouse();
        QCOMPARE(joined(check(houseOf(folder, files))), QByteArray());
        files[path.toStdString()] = text.toStdString();
        const QByteArray found = joined(check(houseOf(folder, files)));
        QVERIFY2(found.contains(finding), found.constData());
        QCOMPARE(found.count('\n'), 1);
    }

    void missingReadmeIsSeen()
    {
        QTemporaryDir folder;
        auto files = goodHouse();
        files.erase("storage/README.md");
        QCOMPARE(joined(checkFiles(houseOf(folder, files))), QByteArray("storage: no README.md\n"));
    }

    void tableOfFilesIsCompared()
    {
        House house;
        house.sources = {{"storage/door.h", {}},
                         {"storage/logs/a.h", {}},
                         {"storage/logs/a.cpp", {}},
                         {"storage/logs/b.cpp", {}}};
        auto& page = house.pages["storage/logs/README.md"];
        page = {"| files | what |", "|---|---|", "| a, b | rooms |"};
        QCOMPARE(joined(checkRooms(house)), QByteArray());
        page = {"| files | what |", "|---|---|", "| a, c | b |", "", "| b | another table |"};
        QCOMPARE(joined(checkRooms(house)),
                 QByteArray("storage/logs/README.md: its table of files does not name b\n"
                            "storage/logs/README.md: no file for c in its table\n"));
        page = {"| door | what |"};
        QCOMPARE(joined(checkRooms(house)), QByteArray());
    }

    void badTargetsAreSeen()
    {
        House house;
        house.targets = {
            {"engine", "engine", {"weir_flags"}},
            {"storage", "storage", {"engine", "PkgConfig::sqlite"}},
            {"policies", "policies", {"engine", "yaml-cpp"}},
            {"tst_storage_runs", "tests/storage", {"storage", "Qt6::Test", "PkgConfig::sqlite"}}};
        QCOMPARE(joined(checkTargets(house)), QByteArray());
        house.targets[0].links = {"storage", "fmt::fmt"};
        house.targets[2].links = {"storage", "Boost::json"};
        QCOMPARE(joined(checkTargets(house)),
                 QByteArray("target engine: engine may not use storage\n"
                            "target engine: fmt may not enter engine\n"
                            "target policies: policies may not use storage\n"
                            "target policies: nobody agreed to Boost::json\n"));
    }

private:
    static std::map<std::string, std::string> goodHouse()
    {
        return {
            {"CMakeLists.txt", ""},
            {".ci/run", ""},
            {"app/README.md", ""},
            {"engine/README.md", ""},
            {"policies/README.md", ""},
            {"storage/README.md", ""},
            {"tests/README.md", ""},
            {"engine/rooms/inner.h", "#include <cstdint>"},
            {"engine/door.h", "#include \"engine/rooms/inner.h\"|// a double in a comment"},
            {"policies/door.h", "#include \"engine/door.h\""},
            {"policies/yaml.cpp", "#include \"policies/door.h\"|#include <yaml-cpp/yaml.h>"},
            {"storage/door.h", "#include \"engine/door.h\"|#include <sqlite3.h>"},
            {"app/workbench/use.h", "#include \"policies/door.h\"|#include \"storage/door.h\""},
            {"app/console/explain/page.h", ""},
            {"app/console/session/session.h", ""},
            {"app/cli/cli.h", "#include \"app/workbench/use.h\"|#include <CLI/CLI.hpp>"},
            {"tests/support/help.h", "#include \"engine/rooms/inner.h\"|#include <QtTest>"},
        };
    }

    House m_house;
};

QTEST_APPLESS_MAIN(TestHouse)
#include "tst_house.moc"
