#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

/// Recorded command lines: tests/cli/<name>.cmd is run by the shell in a scratch folder that holds
/// a copy of tests/cli/files, and must give <name>.out, .err (none: empty) and .code (none: 0), to
/// the byte. APPROVE=1 in the environment writes down what was seen instead.
class TestCli : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRecordingHasItsCommand();
    void command_data();
    void command();
};

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WEIR_SOURCE_DIR) / "tests" / "cli";

std::string contents(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

bool isApproving()
{
    return qEnvironmentVariableIsSet("APPROVE");
}

void record(const fs::path& file, const std::string& text, const std::string& unsaid)
{
    if (text == unsaid) {
        fs::remove(file);
    } else {
        std::ofstream(file, std::ios::binary) << text;
    }
}

void compare(const fs::path& file, const std::string& seen, const std::string& unsaid)
{
    const std::string expected = fs::exists(file) ? contents(file) : unsaid;
    if (seen != expected) {
        qWarning("%s expected:\n%s\nseen:\n%s", file.filename().c_str(), expected.c_str(),
                 seen.c_str());
    }
    QVERIFY2(seen == expected, file.filename().c_str());
}

QProcessEnvironment environment(const QString& home)
{
    QProcessEnvironment bare;
    const fs::path program = WEIR_BINARY;
    bare.insert(QStringLiteral("PATH"),
                QString::fromStdString(program.parent_path().string() + ":/usr/bin:/bin"));
    bare.insert(QStringLiteral("HOME"), home);
    bare.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    bare.insert(QStringLiteral("TZ"), QStringLiteral("Asia/Tokyo")); // must not show anywhere
    for (const char* kept : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
        if (qEnvironmentVariableIsSet(kept)) {
            bare.insert(QString::fromLatin1(kept), qEnvironmentVariable(kept));
        }
    }
    return bare;
}

} // namespace

void TestCli::everyRecordingHasItsCommand()
{
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        const fs::path extension = entry.path().extension();
        if (extension == ".out" || extension == ".err" || extension == ".code") {
            QVERIFY2(fs::exists(fs::path(entry.path()).replace_extension(".cmd")),
                     entry.path().c_str());
        }
    }
}

void TestCli::command_data()
{
    QTest::addColumn<QString>("file");
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        if (entry.path().extension() == ".cmd") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    QVERIFY(files.size() > 20);
    for (const fs::path& file : files) {
        QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
    }
}

void TestCli::command()
{
    QFETCH(QString, file);
    fs::path path = file.toStdString();
    QTemporaryDir scratch;
    scratch.setAutoRemove(false); // Qt cannot remove names that are no UTF-8
    fs::copy(kFolder / "files", scratch.path().toStdString(), fs::copy_options::recursive);
    QProcess shell;
    shell.setWorkingDirectory(scratch.path());
    shell.setProcessEnvironment(environment(scratch.path()));
    shell.setStandardInputFile(QProcess::nullDevice());
    shell.start(QStringLiteral("/bin/sh"), {file});
    QVERIFY(shell.waitForFinished(60'000));
    fs::remove_all(scratch.path().toStdString());
    QCOMPARE(shell.exitStatus(), QProcess::NormalExit);
    const std::string out = shell.readAllStandardOutput().toStdString();
    const std::string err = shell.readAllStandardError().toStdString();
    const std::string code = std::to_string(shell.exitCode()) + "\n";
    if (isApproving()) {
        record(path.replace_extension(".out"), out, "");
        record(path.replace_extension(".err"), err, "");
        record(path.replace_extension(".code"), code, "0\n");
        return;
    }
    compare(path.replace_extension(".out"), out, "");
    compare(path.replace_extension(".err"), err, "");
    compare(path.replace_extension(".code"), code, "0\n");
}

QTEST_APPLESS_MAIN(TestCli)
#include "tst_cli.moc"
