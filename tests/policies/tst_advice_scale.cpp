#include "policies/advice.h"
#include "policies/compile.h"
#include "policies/read.h"

#include <QTest>

#include <ctime>
#include <fmt/format.h>
#include <string>

using namespace policies;

/// Advice on very large policies: time in proportion to their rules, whatever these have in common.
namespace {

/// Of one shape: all alike, all with other paths, all with other keys, wide ones above narrow ones.
std::string policyOf(const std::string& shape, int rules)
{
    std::string text = "weir: 1\nname: p\ntiers:\n  edge:\n";
    for (int i = 0; i < rules; ++i) {
        if (i == rules / 2) {
            text += "  gateway:\n";
        }
        const std::string match = shape == "alike" ? ""
            : shape == "nested"  ? fmt::format(", match: {{ path: \"/{}/**\" }}", i % (rules / 2))
            : shape == "methods" ? fmt::format(", match: {{ method: GET, host: h{} }}", i)
                                 : fmt::format(", match: {{ path: /p{} }}", i);
        const std::string key = shape == "keys" ? fmt::format("[a{}, api_key]", i) : "[api_key]";
        text += fmt::format("    - {{ name: r{}{}, key: {}, algorithm: {}, rate: {}/min }}\n", i,
                            match, key, i % 2 == 0 ? "token_bucket" : "fixed_window", 10 + i % 7);
    }
    return text;
}

/// Attributes that are derived from each other, one long chain, and rules that live with it.
std::string chainOf(int links)
{
    std::string text = "weir: 1\nname: p\nattributes:\n  a0: { from: nowhere }\n";
    for (int i = 1; i < links; ++i) {
        text += fmt::format("  a{}: {{ from: a{} }}\n", i, i - 1);
    }
    text += "tiers:\n  edge:\n";
    for (int i = 0; i < links; ++i) {
        text += fmt::format(
            "    - {{ name: r{}, key: [a{}], algorithm: fixed_window, rate: 5/s, allow: "
            "[attribute.unknown, key.missing] }}\n",
            i, i);
    }
    return text;
}

double secondsOfAdvice(const Policy& policy, const engine::Plan& plan, std::size_t& told)
{
    const std::clock_t begin = std::clock();
    told = advise(policy, &plan, nullptr).size();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double measure(const std::string& shape, int rules)
{
    const Checked checked
        = read("p.yaml", shape == "chain" ? chainOf(rules) : policyOf(shape, rules));
    if (!checked.policy) {
        QTest::qFail(render(checked.diagnostics.front()).c_str(), __FILE__, __LINE__);
        return 0;
    }
    const Compiled compiled = compile(*checked.policy, [](const std::string&) {
        return engine::Result<std::string>(std::string());
    });
    std::size_t told = 0;
    const double seconds = secondsOfAdvice(*checked.policy, *compiled.plan, told);
    if (told < static_cast<std::size_t>(rules)) { // each of them deserves some
        QTest::qFail("too little advice", __FILE__, __LINE__);
    }
    return seconds;
}

} // namespace

class TestAdviceScale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void growsWithTheRules_data();
    void growsWithTheRules();
};

void TestAdviceScale::growsWithTheRules_data()
{
    QTest::addColumn<QString>("shape");
    for (const char* shape : {"alike", "paths", "nested", "methods", "keys", "chain"}) {
        QTest::newRow(shape) << QString::fromLatin1(shape);
    }
}

/// Processor time, not the clock's; comparing all rules with all would be 64 times the work for 8
/// times the rules. 30 leaves room for a machine that others use, too.
void TestAdviceScale::growsWithTheRules()
{
    QFETCH(QString, shape);
    const double few = measure(shape.toStdString(), 2000);
    const double many = measure(shape.toStdString(), 16000);
    qInfo("%s: 2,000 rules %.0f ms, 16,000 rules %.0f ms", qPrintable(shape), few * 1e3,
          many * 1e3);
    QVERIFY2(many < 30 * std::max(few, 0.005), qPrintable(QString::number(many / few)));
}

QTEST_APPLESS_MAIN(TestAdviceScale)
#include "tst_advice_scale.moc"
