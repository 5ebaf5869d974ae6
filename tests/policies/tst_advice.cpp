#include "policies/advice.h"
#include "policies/client_profile.h"
#include "policies/compile.h"
#include "policies/read.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace policies;

/// tests/data/policies/advice: each NAME.yaml is valid and gives exactly the advice of
/// NAME.expected. The code that NAME begins with is among it; of CODE.not.yaml it is not. A
/// NAME.facts says what a log says: "requests N", "span Ns", "warmup Ns", "duration N",
/// "having ATTRIBUTE N", "keys RULE N". A NAME.clients is a profile of clients.
namespace {

const QString kFolder
    = QStringLiteral(WEIR_SOURCE_DIR) + QStringLiteral("/tests/data/policies/advice/");
const QString kExamples = QStringLiteral(WEIR_SOURCE_DIR) + QStringLiteral("/policies/examples/");

std::string contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::int64_t seconds(std::istream& line)
{
    std::int64_t number = 0;
    line >> number;
    return number * 1'000'000'000;
}

std::optional<LogFacts> factsOf(const std::string& text)
{
    if (text.empty()) {
        return std::nullopt;
    }
    LogFacts facts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string what;
        std::string name;
        words >> what;
        if (what == "requests") {
            words >> facts.requests;
        } else if (what == "span") {
            facts.spanNs = seconds(words);
        } else if (what == "warmup") {
            facts.warmupNs = seconds(words);
        } else if (what == "duration") {
            words >> facts.withDuration;
        } else if (what == "having") {
            words >> name;
            words >> facts.having[name];
        } else if (what == "keys") {
            words >> name;
            words >> facts.keys[name];
        }
    }
    return facts;
}

std::optional<engine::ClientProfile> clientsOf(const QString& name)
{
    const std::string text = contentOf(kFolder + name + QStringLiteral(".clients"));
    return text.empty() ? std::nullopt : readClientProfile("c.clients.yaml", text).profile;
}

std::vector<engine::Diagnostic> adviceOf(const QString& folder, const QString& name,
                                         const LogFacts* log, const engine::ClientProfile* clients)
{
    const Checked checked = read((name + QStringLiteral(".yaml")).toStdString(),
                                 contentOf(folder + name + QStringLiteral(".yaml")));
    if (!checked.policy) {
        return checked.diagnostics;
    }
    const Compiled compiled
        = compile(*checked.policy, [&](const std::string& file) -> engine::Result<std::string> {
              return contentOf(folder + QString::fromStdString(file));
          });
    if (!compiled.plan) {
        return compiled.diagnostics;
    }
    return advise(*checked.policy, &*compiled.plan, log, clients);
}

std::string codeOf(const QString& name)
{
    const QStringList parts = name.split(QLatin1Char('.'));
    return (parts.value(0) + QLatin1Char('.') + parts.value(1)).toStdString();
}

void addPolicies(const QString& folder)
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(folder).entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
        QTest::newRow(qPrintable(file.chopped(5))) << file.chopped(5);
    }
}

bool hasCode(const std::vector<engine::Diagnostic>& all, const std::string& code)
{
    return std::any_of(all.begin(), all.end(), [&](const engine::Diagnostic& diagnostic) {
        return diagnostic.code == code;
    });
}

} // namespace

class TestAdvice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatItSees_data();
    void saysWhatItSees();
    void saysWhereItGaveUp();
    void comparesSomeClasses();
    void everyCodeHasItsPolicies();
    void everyCodeHasItsPage();
    void codesAreSorted();
    void examplesLiveWithTheirAdvice_data();
    void examplesLiveWithTheirAdvice();
    void everyAdviceCanBeSilenced_data();
    void everyAdviceCanBeSilenced();
};

void TestAdvice::saysWhatItSees_data()
{
    addPolicies(kFolder);
}

// APPROVE=1 in the environment rewrites the expected texts; look at the difference.
void TestAdvice::saysWhatItSees()
{
    QFETCH(QString, name);
    const auto facts = factsOf(contentOf(kFolder + name + QStringLiteral(".facts")));
    const auto clients = clientsOf(name);
    QCOMPARE(clients.has_value(), name.startsWith(QStringLiteral("clients.")));
    const auto all
        = adviceOf(kFolder, name, facts ? &*facts : nullptr, clients ? &*clients : nullptr);
    std::string seen;
    for (const engine::Diagnostic& diagnostic : all) {
        seen += render(diagnostic) + "\n";
        QVERIFY2(diagnostic.severity == engine::Severity::Advice, seen.c_str());
        QVERIFY2(!diagnostic.reason.empty() && !diagnostic.help.empty(), seen.c_str());
        QVERIFY2(diagnostic.place.line > 0, seen.c_str());
    }
    const bool isAbout = hasCode(all, codeOf(name));
    QVERIFY2(isAbout != name.endsWith(QStringLiteral(".not")), seen.c_str());
    const QString expected = kFolder + name + QStringLiteral(".expected");
    if (qEnvironmentVariableIsSet("APPROVE")) {
        QFile file(expected);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(seen));
        return;
    }
    QCOMPARE(QString::fromStdString(seen), QString::fromStdString(contentOf(expected)));
}

/// 256 rules that may each take the same requests are looked at, the others are not.
void TestAdvice::saysWhereItGaveUp()
{
    const auto told = [](int joint) {
        std::string text
            = "weir: 1\nname: p\ntiers:\n  gateway:\n    - { name: a, match: { host: h }, "
              "key: [api_key], algorithm: token_bucket, rate: 9/s, burst: 1 }\n  tenant:\n";
        for (int i = 0; i < joint; ++i) {
            text += "    - { name: t" + std::to_string(i) + ", match: { host: h, path: /p"
                + std::to_string(i)
                + " }, key: [], algorithm: token_bucket, rate: 1/s, burst: 1 }\n";
        }
        const Checked checked = read("p.yaml", text);
        std::string partial;
        for (const engine::Diagnostic& one : advise(*checked.policy, nullptr, nullptr)) {
            partial += one.code == "advice.partial" ? one.message + "\n" : std::string();
        }
        return partial;
    };
    QCOMPARE(told(200), std::string());
    const std::string more = told(257);
    QVERIFY2(more.find("`tenant.per-key` was looked for in part only for `a`\n") != more.npos,
             more.c_str());
}

/// 64 classes are compared with each other; the last one may fill more than all above it.
void TestAdvice::comparesSomeClasses()
{
    const auto told = [](int classes) {
        std::string text = "weir: 1\nname: p\ntiers:\n  edge:\n    - name: s\n      key: []\n"
                           "      algorithm: load_shedder\n      capacity: 10\n"
                           "      assume_duration: 1s\n      classes:\n";
        for (int i = 1; i < classes; ++i) {
            text += "        - { name: c" + std::to_string(i) + ", match: { path: /p"
                + std::to_string(i) + " }, up_to: 50% }\n";
        }
        text += "        - { name: last, match: { method: GET }, up_to: 90% }\n";
        const Checked checked = read("p.yaml", text);
        std::vector<std::string> codes;
        for (const engine::Diagnostic& one : advise(*checked.policy, nullptr, nullptr)) {
            codes.push_back(one.code);
        }
        return codes;
    };
    QCOMPARE(told(64), std::vector<std::string> {"shedder.overlap"});
    // Those behind them are compared with the one that may fill least.
    QCOMPARE(told(65),
             (std::vector<std::string> {"advice.partial", "advice.partial", "shedder.order"}));
}

void TestAdvice::everyCodeHasItsPolicies()
{
    for (const AdviceCode& code : adviceCodes()) {
        const QString file = kFolder
            + QString::fromUtf8(code.code.data(), qsizetype(code.code.size()))
            + QStringLiteral(".yaml");
        QVERIFY2(QFile::exists(file), qPrintable(file));
    }
    for (const QString& file : QDir(kFolder).entryList({QStringLiteral("*.yaml")}, QDir::Files)) {
        QVERIFY2(adviceCode(codeOf(file.chopped(5))) != nullptr, qPrintable(file));
    }
}

void TestAdvice::everyCodeHasItsPage()
{
    const std::string page
        = contentOf(QStringLiteral(WEIR_SOURCE_DIR) + QStringLiteral("/policies/advice/README.md"));
    for (const AdviceCode& code : adviceCodes()) {
        const std::string head = "\n### " + std::string(code.code) + "\n";
        QVERIFY2(page.find(head) != std::string::npos, head.c_str());
        QVERIFY(!code.title.empty() && !code.reason.empty() && !code.fix.empty());
    }
}

void TestAdvice::codesAreSorted()
{
    const auto codes = adviceCodes();
    QVERIFY(std::is_sorted(codes.begin(), codes.end(),
                           [](const auto& a, const auto& b) { return a.code < b.code; }));
    QVERIFY(adviceCode("window.edge") != nullptr);
    QVERIFY(adviceCode("window.edg") == nullptr);
    QVERIFY(adviceCode("") == nullptr);
}

void TestAdvice::examplesLiveWithTheirAdvice_data()
{
    addPolicies(kExamples);
}

void TestAdvice::examplesLiveWithTheirAdvice()
{
    QFETCH(QString, name);
    std::string seen;
    for (const engine::Diagnostic& diagnostic : adviceOf(kExamples, name, nullptr, nullptr)) {
        seen += render(diagnostic) + "\n";
    }
    QCOMPARE(QString::fromStdString(seen), QString());
}

void TestAdvice::everyAdviceCanBeSilenced_data()
{
    addPolicies(kFolder);
}

/// With every code allowed on every rule and exemption nothing is left but what is said about
/// `allow` itself, and what no rule stands behind.
void TestAdvice::everyAdviceCanBeSilenced()
{
    QFETCH(QString, name);
    Checked checked = read("p.yaml", contentOf(kFolder + name + QStringLiteral(".yaml")));
    QVERIFY(checked.policy.has_value());
    Field<std::vector<Word>> everything;
    for (const AdviceCode& code : adviceCodes()) {
        everything.value.push_back({std::string(code.code), false, {}});
    }
    std::size_t rules = 0;
    for (std::vector<Rule>& tier : checked.policy->tiers) {
        for (Rule& rule : tier) {
            rule.allow = everything;
            ++rules;
        }
    }
    for (Exempt& exempt : checked.policy->exempt) {
        exempt.allow = everything;
    }
    const auto facts = factsOf(contentOf(kFolder + name + QStringLiteral(".facts")));
    const auto clients = clientsOf(name);
    for (const engine::Diagnostic& diagnostic : advise(
             *checked.policy, nullptr, facts ? &*facts : nullptr, clients ? &*clients : nullptr)) {
        const bool hasNoRule = diagnostic.message.find("has no rules") != std::string::npos;
        QVERIFY2(hasNoRule || diagnostic.code.rfind("allow.", 0) == 0, render(diagnostic).c_str());
    }
    QVERIFY(rules > 0 || name.contains(QStringLiteral("empty")));
}

QTEST_APPLESS_MAIN(TestAdvice)
#include "tst_advice.moc"
