#include "policies/log_description.h"
#include "policies/read.h"

#include <QtTest>

using namespace policies;

class TestLogDescription : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryField();
    void readsClocks_data();
    void readsClocks();
    void tellsEveryMistakeWithItsPlace_data();
    void tellsEveryMistakeWithItsPlace();
    void survivesAnyCut();
};

namespace {

const std::string kWhole = R"(# Two tiers and the office
logs: 1
groups:
  - name: edge
    note: rotated at midnight
    files: ["edge/*.log.gz", edge/access.log]
    log_format: haproxy
    map: { api_key: http_x_key, client_ip: [real_ip, remote] }
    tz: Europe/Berlin
    trusted_proxies: [10.0.0.0/8, 2001:db8::/32]
    clock: +1.2s
  - files: office.csv
)";

std::string allOf(const std::vector<engine::Diagnostic>& diagnostics)
{
    std::string all;
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        all += render(diagnostic) + "\n";
    }
    return all;
}

} // namespace

void TestLogDescription::readsEveryField()
{
    const CheckedLogs checked = readLogDescription("a.logs.yaml", kWhole);
    QVERIFY2(checked.diagnostics.empty(), allOf(checked.diagnostics).c_str());
    QVERIFY(checked.description);
    QCOMPARE(checked.description->groups.size(), std::size_t {2});
    const LogGroup& edge = checked.description->groups[0];
    QCOMPARE(edge.name, std::string("edge"));
    QCOMPARE(edge.files.size(), std::size_t {2});
    QCOMPARE(edge.files[1].text, std::string("edge/access.log"));
    QCOMPARE(edge.files[1].place.line, std::int64_t {6});
    QCOMPARE(edge.files[1].place.column, std::int64_t {30});
    QCOMPARE(edge.logFormat->text, std::string("haproxy"));
    QCOMPARE(edge.map.size(), std::size_t {3});
    QCOMPARE(edge.map[0].text, std::string("api_key=http_x_key"));
    QCOMPARE(edge.map[2].text, std::string("client_ip=remote"));
    QCOMPARE(edge.tz->text, std::string("Europe/Berlin"));
    QCOMPARE(edge.trustedProxies.size(), std::size_t {2});
    QCOMPARE(*edge.clockNs, std::int64_t {1'200'000'000});
    const LogGroup& office = checked.description->groups[1];
    QCOMPARE(office.name, std::string("group 2"));
    QCOMPARE(office.files.at(0).text, std::string("office.csv"));
    QVERIFY(!office.logFormat && office.map.empty() && !office.tz && !office.clockNs);
}

void TestLogDescription::readsClocks_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ns"); // INT64_MIN: refused
    const auto row
        = [](const char* text, qint64 ns) { QTest::newRow(text) << QByteArray(text) << ns; };
    row("+1.2s", 1'200'000'000);
    row("-350ms", -350'000'000);
    row("+0s", 0);
    row("+1ns", 1);
    row("-0.000000001s", -1);
    row("+2.5min", 150'000'000'000);
    row("-1h", -3'600'000'000'000);
    row("+0.1h", 360'000'000'000);
    row("+366.0000h", 366LL * 3'600'000'000'000);
    const auto refused = std::numeric_limits<qint64>::min();
    for (const char* text :
         {"1.2s", "+s", "+1", "+1.s", "+.5s", "+1.2.3s", "+1 s", "+-1s", "+1d", "+0.5ns",
          "+0.0000000001s", "+99999999h", "+999999999999999999999s", "+1S", "fast"}) {
        row(text, refused);
    }
}

void TestLogDescription::readsClocks()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, ns);
    const CheckedLogs checked = readLogDescription(
        "a.logs.yaml", "logs: 1\ngroups: [{files: a, clock: \"" + text.toStdString() + "\"}]\n");
    if (ns == std::numeric_limits<qint64>::min()) {
        QVERIFY(!checked.description);
        QCOMPARE(checked.diagnostics.size(), std::size_t {1});
        QCOMPARE(checked.diagnostics[0].code, std::string("logs.clock"));
        QCOMPARE(checked.diagnostics[0].place.line, std::int64_t {2});
    } else {
        QVERIFY2(checked.description, allOf(checked.diagnostics).c_str());
        QCOMPARE(qint64(*checked.description->groups[0].clockNs), ns);
    }
}

void TestLogDescription::tellsEveryMistakeWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("nothing", "",
        "a:1:1: error[logs.empty]: the document is empty | begin with `logs: 1` and "
        "`groups:`\n");
    row("a misspelt field", "logs: 1\ngroups:\n  - files: a\n    log_fromat: alb\n",
        "a:4:5: error[logs.unknown-field]: `log_fromat` is not a field of group 1 | did you mean "
        "`log_format`?\n");
    row("no files", "logs: 1\ngroups:\n  - name: x\n",
        "a:3:5: error[logs.missing-field]: group `x` has no `files` | write `files: "
        "[\"*.log\"]`\n");
    row("no groups", "logs: 1\n",
        "a:1:1: error[logs.missing-field]: the log description has no "
        "`groups` | write `groups:` and below it `- files: [\"*.log\"]`\n");
    row("empty groups", "logs: 1\ngroups: []\n",
        "a:2:9: error[logs.empty-list]: `groups` is empty | write `- files: [\"*.log\"]`\n");
    row("another version", "logs: 2\ngroups: [{files: a}]\n",
        "a:1:7: error[logs.version]: `logs: 2` is a version of the log description that is not "
        "known here | write `logs: 1`\n");
    row("two mistakes", "logs: 1\ngroups:\n  - files: [a, '']\n    map: x\n",
        "a:3:16: error[logs.empty-value]: an item of `files` of group 1 is empty | remove it\n"
        "a:4:10: error[logs.type]: `map` of group 1 is a text (`x`), and a map of fields is needed "
        "| write `map: { api_key: http_x_key }`\n");
    row("a field twice", "logs: 1\nlogs: 1\ngroups: [{files: a}]\n",
        "a:2:1: error[logs.duplicate-field]: `logs` is given twice | keep one of the two\n");
    row("a policy", "weir: 1\nname: p\ngroups: [{files: a}]\n",
        "a:1:1: error[logs.unknown-field]: `weir` is not a field of the log description | leave it "
        "out; the fields here are `logs` or `groups`\n"
        "a:1:1: error[logs.missing-field]: the log description has no `logs` | write `logs: 1`\n"
        "a:2:1: error[logs.unknown-field]: `name` is not a field of the log description | leave it "
        "out; the fields here are `logs` or `groups`\n");
    row("no YAML", "logs: [", "");
}

void TestLogDescription::tellsEveryMistakeWithItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const CheckedLogs checked = readLogDescription("a", text.toStdString());
    QVERIFY(!checked.description);
    QVERIFY(!checked.diagnostics.empty());
    for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
        QVERIFY(diagnostic.code.starts_with("logs."));
    }
    if (!expected.isEmpty()) {
        QCOMPARE(QByteArray::fromStdString(allOf(checked.diagnostics)), expected);
    }
}

void TestLogDescription::survivesAnyCut()
{
    for (std::size_t size = 0; size < kWhole.size(); ++size) {
        const CheckedLogs checked = readLogDescription("a", kWhole.substr(0, size));
        QVERIFY(checked.description || !checked.diagnostics.empty());
    }
}

QTEST_APPLESS_MAIN(TestLogDescription)
#include "tst_log_description.moc"
