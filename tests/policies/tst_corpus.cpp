#include "policies/adjust.h"
#include "policies/compile.h"
#include "policies/read.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <set>
#include <string>
#include <vector>

using namespace policies;

namespace {

const QString kRoot = QStringLiteral(WEIR_SOURCE_DIR);
const QString kBad = kRoot + QStringLiteral("/tests/data/policies/bad/");
const QString kGood = kRoot + QStringLiteral("/tests/data/policies/good/");

std::string contentOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return file.readAll().toStdString();
}

engine::Result<std::string> load(const std::string& file)
{
    const QString path = kBad + QString::fromStdString(file);
    if (!QFile::exists(path)) {
        return engine::fail("file.missing", "there is no such file");
    }
    return contentOf(path);
}

/// The policy's bytes; a .repeat file beside it says what is added so many times ("N\nTEXT").
std::string bytesOf(const QString& name)
{
    std::string bytes = contentOf(kBad + name + QStringLiteral(".yaml"));
    const std::string repeat = contentOf(kBad + name + QStringLiteral(".repeat"));
    const std::size_t line = repeat.find('\n');
    if (line != std::string::npos) {
        const long times = std::stol(repeat.substr(0, line));
        const std::string text = repeat.substr(line + 1);
        for (long i = 0; i < times; ++i) {
            bytes += text;
        }
    }
    return bytes;
}

/// An .adjust file holds one "--set ..." or "--mode ..." a line.
Adjustments adjustmentsOf(const QString& name)
{
    Adjustments adjustments;
    const QString text = QString::fromStdString(contentOf(kBad + name + QStringLiteral(".adjust")));
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const bool isSet = line.startsWith(QStringLiteral("--set "));
        (isSet ? adjustments.sets : adjustments.modes)
            .push_back(line.mid(isSet ? 6 : 7).toStdString());
    }
    return adjustments;
}

std::vector<engine::Diagnostic> everythingAbout(const QString& name)
{
    Checked checked = read((name + QStringLiteral(".yaml")).toStdString(), bytesOf(name));
    if (!checked.policy) {
        return checked.diagnostics;
    }
    const Adjustments adjustments = adjustmentsOf(name);
    engine::Result<Checked> adjusted = adjust(*checked.policy, adjustments);
    if (!adjusted) {
        return {adjusted.error()};
    }
    return compile(*checked.policy, load).diagnostics;
}

std::set<std::string> codesInSource()
{
    std::set<std::string> codes;
    const QRegularExpression code(QStringLiteral("\"(policy\\.[a-z-]+)\""));
    QDirIterator files(kRoot + QStringLiteral("/policies"), {QStringLiteral("*.cpp")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString text = QString::fromStdString(contentOf(files.next()));
        for (auto match = code.globalMatch(text); match.hasNext();) {
            codes.insert(match.next().captured(1).toStdString());
        }
    }
    return codes;
}

} // namespace

class TestCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void everyCodeHasItsFileAndItsLine();
    void noFileWithoutItsCode();
    void takesGoodPolicies_data();
    void takesGoodPolicies();
};

void TestCorpus::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(kBad).entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
        const QString name = file.chopped(5);
        QTest::newRow(qPrintable(name)) << name;
    }
}

// APPROVE=1 in the environment rewrites the expected texts; look at the difference before keeping
// it.
void TestCorpus::saysWhatIsWrong()
{
    QFETCH(QString, name);
    std::string seen;
    bool hasCode = false;
    for (const engine::Diagnostic& diagnostic : everythingAbout(name)) {
        seen += render(diagnostic) + "\n";
        hasCode = hasCode || diagnostic.code == name.toStdString();
        QVERIFY2(!diagnostic.help.empty(), seen.c_str());
        QVERIFY2(!diagnostic.message.empty(), seen.c_str());
    }
    QVERIFY2(hasCode, seen.c_str());
    const QString expectedPath = kBad + name + QStringLiteral(".expected");
    if (qEnvironmentVariableIsSet("APPROVE")) {
        QFile file(expectedPath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(seen));
        return;
    }
    QCOMPARE(QString::fromStdString(seen), QString::fromStdString(contentOf(expectedPath)));
}

void TestCorpus::everyCodeHasItsFileAndItsLine()
{
    const std::string readme = contentOf(kRoot + QStringLiteral("/policies/README.md"));
    const std::set<std::string> codes = codesInSource();
    QVERIFY(codes.size() > 40);
    for (const std::string& code : codes) {
        QVERIFY2(readme.find("| " + code + " |") != std::string::npos, code.c_str());
        // Told only if the exporter itself is wrong: no text can bring it about.
        if (code != "policy.canonical") {
            QVERIFY2(QFile::exists(kBad + QString::fromStdString(code) + QStringLiteral(".yaml")),
                     code.c_str());
        }
    }
}

void TestCorpus::noFileWithoutItsCode()
{
    const std::set<std::string> codes = codesInSource();
    for (const QString& file : QDir(kBad).entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
        QVERIFY2(codes.count(file.chopped(5).toStdString()) == 1, qPrintable(file));
    }
}

void TestCorpus::takesGoodPolicies_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& folder : {kGood, kRoot + QStringLiteral("/policies/examples/")}) {
        for (const QString& file :
             QDir(folder).entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
            QTest::newRow(qPrintable(file)) << folder + file;
        }
    }
}

void TestCorpus::takesGoodPolicies()
{
    QFETCH(QString, path);
    const Checked checked = read("p.yaml", contentOf(path));
    std::string seen;
    for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
        seen += render(diagnostic) + "\n";
    }
    QCOMPARE(QString::fromStdString(seen), QString());
    QVERIFY(checked.policy.has_value());
}

QTEST_APPLESS_MAIN(TestCorpus)
#include "tst_corpus.moc"
