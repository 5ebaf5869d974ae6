#include "app/cli/check_formats.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>

#include <map>
#include <string>
#include <vector>

using namespace app;

/// The forms for other programs, read by readers that know nothing of how they were written.
namespace {

engine::Diagnostic found(engine::Severity severity, std::string code, std::string message,
                         engine::Place place)
{
    engine::Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.place = std::move(place);
    diagnostic.reason = "why";
    diagnostic.help = "do";
    return diagnostic;
}

const std::string kHostile = "dir, 1:2/50%\n]]>&<\"\x1b[2J.yaml";

/// An error and an advice in a file with a hostile name, something of a --set, and a good policy.
std::vector<LoadedPolicy> examples()
{
    LoadedPolicy bad;
    bad.file = kHostile;
    bad.text = "# größe\nkey: \xe2\x82\xac x\n";
    bad.diagnostics.push_back(found(engine::Severity::Error, "policy.rate",
                                    "::error::x\r\n<b>&amp;\" ]]> \x1b[31m %0A \xff",
                                    {kHostile, 2, 10}));
    bad.diagnostics.push_back(
        found(engine::Severity::Advice, "window.edge", "up to 2,000", {kHostile, 2, 1}));
    bad.diagnostics.push_back(
        found(engine::Severity::Error, "policy.month", "no month", {"--set a.rate=1/mon", 0, 0}));
    bad.diagnostics.push_back(
        found(engine::Severity::Error, "policy.unreadable", "gone", {kHostile, 0, 0}));
    LoadedPolicy good;
    good.file = "/etc/weir/good.yaml";
    return {bad, good};
}

QString str(const std::string& text)
{
    return QString::fromStdString(text);
}

/// Undoes what GitHub's runner undoes.
QString decoded(QString text)
{
    return text.replace(QStringLiteral("%2C"), QStringLiteral(","))
        .replace(QStringLiteral("%3A"), QStringLiteral(":"))
        .replace(QStringLiteral("%0A"), QStringLiteral("\n"))
        .replace(QStringLiteral("%0D"), QStringLiteral("\r"))
        .replace(QStringLiteral("%25"), QStringLiteral("%"));
}

struct Command {
    QString name;
    std::map<QString, QString> properties;
    QString message;
};

Command commandOf(const QString& line)
{
    Command command;
    const qsizetype begin = 2;
    const qsizetype end = line.indexOf(QStringLiteral("::"), begin);
    const QString head = line.mid(begin, end - begin);
    command.name = head.section(QLatin1Char(' '), 0, 0);
    for (const QString& one :
         head.mid(command.name.size() + 1).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        command.properties[one.section(QLatin1Char('='), 0, 0)]
            = decoded(one.section(QLatin1Char('='), 1));
    }
    command.message = decoded(line.mid(end + 2));
    return command;
}

} // namespace

class TestCheckFormats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void githubIsOneCommandALine();
    void sarifHasWhatReadersNeed();
    void junitIsWellFormedAndCountsRight();
    void nothingFoundIsWellFormedToo();
};

void TestCheckFormats::githubIsOneCommandALine()
{
    const QStringList lines
        = str(cli::githubAnnotations(examples())).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    for (const QString& line : lines) {
        QVERIFY2(line.startsWith(QStringLiteral("::error "))
                     || line.startsWith(QStringLiteral("::warning ")),
                 qPrintable(line));
        QVERIFY(!line.contains(QLatin1Char('\x1b')) && !line.contains(QLatin1Char('\r')));
    }
    const Command first = commandOf(lines[0]);
    QCOMPARE(first.name, QStringLiteral("error"));
    QCOMPARE(first.properties.at(QStringLiteral("file")),
             QStringLiteral("dir, 1:2/50%\\x0a]]>&<\"\\x1b[2J.yaml"));
    QCOMPARE(first.properties.at(QStringLiteral("line")), QStringLiteral("2"));
    QCOMPARE(first.properties.at(QStringLiteral("col")), QStringLiteral("8")); // the euro is one
    QCOMPARE(first.properties.at(QStringLiteral("title")), QStringLiteral("policy.rate"));
    QVERIFY(first.message.startsWith(QStringLiteral("::error::x\\x0d\\x0a<b>")));
    QVERIFY(first.message.endsWith(QStringLiteral("\nreason: why\nhelp: do")));
    const Command third = commandOf(lines[2]);
    QCOMPARE(third.properties.count(QStringLiteral("line")), std::size_t {0});
    QCOMPARE(commandOf(lines[1]).name, QStringLiteral("warning"));
}

void TestCheckFormats::sarifHasWhatReadersNeed()
{
    QJsonParseError error;
    const QJsonObject log
        = QJsonDocument::fromJson(QByteArray::fromStdString(cli::sarifLog(examples())), &error)
              .object();
    QCOMPARE(error.errorString(), QStringLiteral("no error occurred"));
    QCOMPARE(log[QStringLiteral("version")].toString(), QStringLiteral("2.1.0"));
    const QJsonArray runs = log[QStringLiteral("runs")].toArray();
    QCOMPARE(runs.size(), 1);
    const QJsonObject run = runs[0].toObject();
    QCOMPARE(run[QStringLiteral("columnKind")].toString(), QStringLiteral("unicodeCodePoints"));
    const QJsonObject driver
        = run[QStringLiteral("tool")].toObject()[QStringLiteral("driver")].toObject();
    QCOMPARE(driver[QStringLiteral("name")].toString(), QStringLiteral("weir"));
    const QJsonArray rules = driver[QStringLiteral("rules")].toArray();
    const QJsonArray results = run[QStringLiteral("results")].toArray();
    QCOMPARE(rules.size(), 4);
    QCOMPARE(results.size(), 4);
    for (const QJsonValue& value : results) {
        const QJsonObject result = value.toObject();
        const int index = result[QStringLiteral("ruleIndex")].toInt(-1);
        QVERIFY(index >= 0 && index < rules.size());
        QCOMPARE(rules[index].toObject()[QStringLiteral("id")], result[QStringLiteral("ruleId")]);
        QVERIFY(!result[QStringLiteral("message")]
                     .toObject()[QStringLiteral("text")]
                     .toString()
                     .isEmpty());
        const QString level = result[QStringLiteral("level")].toString();
        QVERIFY(level == QStringLiteral("error") || level == QStringLiteral("warning"));
    }
    const auto locationOf = [&](int index) {
        return results[index].toObject()[QStringLiteral("locations")].toArray();
    };
    const QJsonObject place
        = locationOf(0)[0].toObject()[QStringLiteral("physicalLocation")].toObject();
    const QString uri
        = place[QStringLiteral("artifactLocation")].toObject()[QStringLiteral("uri")].toString();
    QCOMPARE(QByteArray::fromPercentEncoding(uri.toUtf8()), QByteArray::fromStdString(kHostile));
    const QJsonObject region = place[QStringLiteral("region")].toObject();
    QCOMPARE(region[QStringLiteral("startLine")].toInt(), 2);
    QCOMPARE(region[QStringLiteral("startColumn")].toInt(), 8);
    QVERIFY(locationOf(2).isEmpty()); // a --set lies in no file
    QVERIFY(!locationOf(3).isEmpty());
}

void TestCheckFormats::junitIsWellFormedAndCountsRight()
{
    const std::string text = cli::junitReport(examples());
    QXmlStreamReader xml(QByteArray::fromStdString(text));
    int cases = 0;
    int failures = 0;
    QStringList suites;
    std::map<QString, QString> totals;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QStringLiteral("testsuites")) {
            totals[QStringLiteral("tests")]
                = xml.attributes().value(QStringLiteral("tests")).toString();
            totals[QStringLiteral("failures")]
                = xml.attributes().value(QStringLiteral("failures")).toString();
        } else if (xml.name() == QStringLiteral("testsuite")) {
            suites += xml.attributes().value(QStringLiteral("name")).toString();
        } else if (xml.name() == QStringLiteral("testcase")) {
            ++cases;
            QVERIFY(!xml.attributes().value(QStringLiteral("name")).isEmpty());
        } else if (xml.name() == QStringLiteral("failure")) {
            ++failures;
        }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(cases, 5); // three errors, one advice, one good policy
    QCOMPARE(failures, 3);
    QCOMPARE(totals[QStringLiteral("tests")], QStringLiteral("5"));
    QCOMPARE(totals[QStringLiteral("failures")], QStringLiteral("3"));
    QCOMPARE(suites,
             QStringList({QStringLiteral("dir, 1:2/50%\\x0a]]>&<\"\\x1b[2J.yaml"),
                          QStringLiteral("/etc/weir/good.yaml")}));
}

void TestCheckFormats::nothingFoundIsWellFormedToo()
{
    const std::vector<LoadedPolicy> good {examples().back()};
    QCOMPARE(cli::githubAnnotations(good), std::string());
    const QJsonObject log
        = QJsonDocument::fromJson(QByteArray::fromStdString(cli::sarifLog(good))).object();
    const QJsonValue results
        = log[QStringLiteral("runs")].toArray()[0].toObject()[QStringLiteral("results")];
    QVERIFY(results.isArray() && results.toArray().isEmpty()); // an empty list, not a missing one
    QVERIFY(cli::junitReport(good).find("name=\"valid\"/>") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestCheckFormats)
#include "tst_check_formats.moc"
