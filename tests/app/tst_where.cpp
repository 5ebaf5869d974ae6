#include "app/workbench/where.h"

#include <QTest>

#include <cstdint>
#include <string>

namespace {

std::string textOf(const engine::Match& match)
{
    std::string text;
    for (const engine::Matcher& matcher : match) {
        text += (text.empty() ? "" : "; ") + std::string(matcher.negated ? "not " : "")
            + matcher.attribute;
        for (const engine::Test& test : matcher.anyOf) {
            switch (test.kind) {
            case engine::TestKind::Absent:
                text += " absent";
                break;
            case engine::TestKind::Equals:
                text += " equals " + test.text;
                break;
            case engine::TestKind::Glob:
                text += " glob " + test.text;
                break;
            case engine::TestKind::Path:
                text += " path " + test.text;
                break;
            case engine::TestKind::Network:
                text += " network " + test.text;
                break;
            case engine::TestKind::Range:
                text += " range " + std::to_string(test.low) + ".." + std::to_string(test.high);
                break;
            }
        }
    }
    return text;
}

std::string readText(std::string_view text)
{
    const auto match = app::parseMatch(text, "--where");
    return match ? textOf(*match)
                 : match.error().code + "@" + match.error().place.file + ":"
            + std::to_string(match.error().place.column);
}

QString read(std::string_view text)
{
    return QString::fromStdString(readText(text)); // QCOMPARE shows it
}

QString is(const std::string& text)
{
    return QString::fromStdString(text);
}

} // namespace

class TestWhere : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void valuesMeanWhatTheyMeanInAPolicy();
    void entriesAreJoined();
    void quotesHoldAnything();
    void thePolicysOwnFormIsRead();
    void mistakesNameTheColumn();
};

void TestWhere::valuesMeanWhatTheyMeanInAPolicy()
{
    const std::string most = std::to_string(INT64_MAX);
    QCOMPARE(read("path=/search/**"), is("path path /search/**"));
    QCOMPARE(read("status>=500"), is("status range 500.." + most));
    QCOMPARE(read("status = 400..499"), is("status range 400..499"));
    QCOMPARE(read("client_ip=192.0.2.0/24"), is("client_ip network 192.0.2.0/24"));
    QCOMPARE(read("method=get"), is("method equals GET"));
    QCOMPARE(read("user_agent=kube-probe/*"), is("user_agent glob kube-probe/*"));
    QCOMPARE(read("api_key=absent"), is("api_key absent"));
    QCOMPARE(read("status=429"), is("status equals 429"));
}

void TestWhere::entriesAreJoined()
{
    QCOMPARE(read("path=/a and not method=[GET, HEAD]  and status>=400 and status<500"),
             is("path equals /a; not method equals GET equals HEAD; status range 400.."
                + std::to_string(INT64_MAX) + "; status range " + std::to_string(INT64_MIN)
                + "..499"));
}

void TestWhere::quotesHoldAnything()
{
    QCOMPARE(read("user_agent=\"a and \\\"b\\\"\""), is("user_agent equals a and \"b\""));
    QCOMPARE(read("api_key=\"absent\""), is("api_key equals absent"));
    QCOMPARE(read("api_key=[absent, \"x, y]\"]"), is("api_key absent equals x, y]"));
    QCOMPARE(read("api_key=a: {b} #c"), is("match.syntax@--where:12"));
    QCOMPARE(read("api_key=\"a: {b} #c\""), is("api_key equals a: {b} #c"));
}

void TestWhere::thePolicysOwnFormIsRead()
{
    QCOMPARE(read("{ path: \"/a\", api_key: { not: absent } }"),
             is("path equals /a; not api_key absent"));
    QVERIFY(read("{ path: \"/a\" } }] }").contains(is("@--where:1")));
}

void TestWhere::mistakesNameTheColumn()
{
    QCOMPARE(read("path=/a or path=/b"), is("match.syntax@--where:9"));
    QCOMPARE(read("path=/a and status>400"), is("match.syntax@--where:13"));
    QCOMPARE(read("path"), is("match.syntax@--where:1"));
    QCOMPARE(read(""), is("match.syntax@--where:1"));
    QCOMPARE(read("path="), is("match.syntax@--where:1"));
    QCOMPARE(read("method=[GET"), is("match.syntax@--where:1"));
    QCOMPARE(read("path=/a\n"), is("match.syntax@--where:8"));
    QCOMPARE(read("path=/a and client_ip=192.0.2.1/24"), is("match.network@--where:13"));
}

QTEST_APPLESS_MAIN(TestWhere)
#include "tst_where.moc"
