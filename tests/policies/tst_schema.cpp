#include "policies/language/field_table.h"
#include "policies/read.h"
#include "policies/schema.h"
#include "policies/yaml/parse.h"
#include "tests/policies/schema_validator.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

using namespace policies;
using tests::support::Json;

namespace {

const QString kRoot = QStringLiteral(WEIR_SOURCE_DIR);

std::string contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::optional<yaml::Document> documentOf(const std::string& text)
{
    const yaml::Source source("p", text, 0);
    if (!yaml::checkBytes(source).empty()) {
        return std::nullopt;
    }
    yaml::Parsed parsed = yaml::parse(source);
    return parsed.diagnostics.empty() ? std::move(parsed.document) : std::nullopt;
}

/// What the schema finds wrong, "" if nothing.
std::string wrongIn(const std::string& text)
{
    static const std::optional<Json> kSchema = Json::parse(jsonSchema());
    const std::optional<yaml::Document> document = documentOf(text);
    if (!kSchema || !document) {
        return "no YAML, or no schema";
    }
    return tests::policies::whatIsWrong(document->root, *kSchema, *kSchema).value_or("");
}

std::string rule(const std::string& fields)
{
    return "weir: 1\nname: p\ntiers: { edge: [{ name: r, key: [], " + fields + " }] }\n";
}

/// The names between backquotes in a help text.
std::set<std::string> namesIn(const std::string& help)
{
    std::set<std::string> names;
    for (std::size_t at = help.find('`'); at != std::string::npos; at = help.find('`', at + 1)) {
        const std::size_t end = help.find('`', at + 1);
        names.insert(help.substr(at + 1, end - at - 1));
        at = end;
    }
    return names;
}

} // namespace

class TestSchema : public QObject {
    Q_OBJECT
private Q_SLOTS:

    void takesEveryGoodPolicy()
    {
        int count = 0;
        for (const char* folder : {"/policies/examples", "/tests/data/policies/good",
                                   "/tests/scenarios", "/tests/cli/files", "/tests/bench"}) {
            const QDir dir(kRoot + QLatin1String(folder));
            for (const QString& name : dir.entryList({QStringLiteral("*.yaml")})) {
                const std::string text = contentOf(dir.filePath(name));
                if (read("p", text).policy) {
                    QVERIFY2(wrongIn(text).empty(), (name.toStdString() + wrongIn(text)).c_str());
                    ++count;
                }
            }
        }
        QVERIFY(count > 12);
    }

    void refusesBadOnesButThoseThatNeedMoreThanAForm()
    {
        static const std::set<std::string> kUnseen {
            "adjust-form",    "adjust-rule", "attribute-order", "bounds",     "comparison",
            "duplicate-name", "limit-range", "lookup-column",   "lookup-csv", "lookup-file",
            "network",        "pattern",     "range",           "size",       "take"};
        const QDir dir(kRoot + QLatin1String("/tests/data/policies/bad"));
        int refused = 0;
        for (const QString& name : dir.entryList({QStringLiteral("policy.*.yaml")})) {
            const std::string code = name.section(QLatin1Char('.'), 1, 1).toStdString();
            const std::string text = contentOf(dir.filePath(name));
            if (!documentOf(text) || kUnseen.contains(code)) {
                continue; // no YAML that an editor could read, or beyond a schema
            }
            QVERIFY2(!wrongIn(text).empty(), name.toStdString().c_str());
            ++refused;
        }
        QVERIFY2(refused >= 15, std::to_string(refused).c_str());
    }

    void saysWhere_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("wrong");
        const auto row = [](const char* name, const char* fields, const char* wrong) {
            QTest::newRow(name) << QString::fromLatin1(fields) << QString::fromLatin1(wrong);
        };
        row("good", "algorithm: gcra, rate: 60/min, burst: 5", "");
        row("times rate", "algorithm: token_bucket, rate: 60/min, burst: 5x", "");
        row("quoted number", "algorithm: concurrency, in_flight: \"5\"", "");
        row("rate", "algorithm: gcra, rate: 60/month, burst: 5", "/tiers/edge/0/rate: pattern");
        row("blank", "algorithm: gcra, rate: 60 / min, burst: 5", "/tiers/edge/0/rate: pattern");
        row("octal", "algorithm: concurrency, in_flight: -5", "/tiers/edge/0/in_flight: anyOf");
        row("mode", "algorithm: gcra, rate: 1/s, burst: 5, mode: shadwo",
            "/tiers/edge/0/mode: enum");
        row("unknown", "algorithm: gcra, rate: 1/s, brust: 5", "/tiers/edge/0/brust: not allowed");
        row("algorithm", "algorithm: gcr, rate: 1/s", "/tiers/edge/0/algorithm: enum");
        row("not its field", "algorithm: fixed_window, rate: 1/s, burst: 5",
            "/tiers/edge/0/burst: not allowed");
        row("missing", "algorithm: leaky_bucket, rate: 1/s", "/tiers/edge/0: required queue");
        row("both", "algorithm: gcra, rate: 1/s, burst: 5, tolerance: 1s", "/tiers/edge/0: not");
        row("shedder",
            "algorithm: load_shedder, capacity: 5, strategy: utilisation, classes: [{ name: x, "
            "match: { path: /x }, up_to: 50% }]",
            "");
        row("learnt", "algorithm: adaptive_concurrency, min: 2, max: \"30\", cost: 2", "");
        row("capacity", "algorithm: load_shedder, classes: []", "/tiers/edge/0: required capacity");
        row("class", "algorithm: load_shedder, capacity: 5, classes: [{ name: x, match: {} }]",
            "/tiers/edge/0/classes/0: required up_to");
        row("share",
            "algorithm: load_shedder, capacity: 5, classes: [{ name: x, match: {}, up_to: 101% }]",
            "/tiers/edge/0/classes/0/up_to: pattern");
        row("strategy", "algorithm: adaptive_concurrency, strategy: fleet",
            "/tiers/edge/0/strategy: enum");
        row("cost of a shedder", "algorithm: load_shedder, capacity: 5, cost: 2",
            "/tiers/edge/0/cost: not allowed");
        row("factor",
            "algorithm: gcra, rate: 1/s, burst: 5, tighten: { rule: r, above: 80%, "
            "factor: 1 }",
            "/tiers/edge/0/tighten/factor: anyOf");
        row("status", "algorithm: gcra, rate: 1/s, burst: 5, status: 200",
            "/tiers/edge/0/status: anyOf");
        row("match", "algorithm: gcra, rate: 1/s, burst: 5, match: { path: { nto: /a } }",
            "/tiers/edge/0/match/path: anyOf");
    }

    void saysWhere()
    {
        QFETCH(QString, fields);
        QFETCH(QString, wrong);
        const std::string text = rule(fields.toStdString());
        QCOMPARE(QString::fromStdString(wrongIn(text)), wrong);
        QCOMPARE(read("p", text).policy.has_value(), wrong.isEmpty());
    }

    void seesWhatBelongsTogether_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isGood");
        const auto row = [](const char* name, const std::string& text, bool isGood) {
            QTest::newRow(name) << QString::fromStdString(text) << isGood;
        };
        const auto attribute = [](const std::string& fields) {
            return "weir: 1\nname: p\nattributes: { a: { " + fields + " } }\ntiers: {}\n";
        };
        row("name true", "weir: 1\nname: true\ntiers: {}\n", true);
        row("name 1.5", "weir: 1\nname: 1.5\ntiers: {}\n", false);
        row("take alone", attribute("from: path, take: x"), false);
        row("default alone", attribute("from: path, default: x"), false);
        row("pattern and param", attribute("from: query, pattern: \"{a}\", param: x"), false);
        row("param of host", attribute("from: host, param: x"), false);
        row("param of query", attribute("from: query, param: x"), true);
        row("pattern with take", attribute("from: host, pattern: \"{b}.x\", take: b"), true);
        row("lookup", attribute("from: api_key, lookup: a.csv, default: x"), true);
        row("no prefix", attribute("from: client_ip, prefix: {}"), false);
        row("long prefix", attribute("from: client_ip, prefix: { ipv4: 33 }"), false);
        row("longer prefix", attribute("from: client_ip, prefix: { ipv6: \"129\" }"), false);
        row("prefix", attribute("from: client_ip, prefix: { ipv4: \"32\", ipv6: 128 }"), true);
        const std::string gcra = "algorithm: gcra, rate: 1/s, ";
        row("key twice",
            "weir: 1\nname: p\ntiers: { edge: [{ name: r, key: [a, a], " + gcra + "burst: 1 }] }\n",
            false);
        row("override queue",
            rule(gcra + "burst: 1, overrides: [{ name: o, match: { a: b }, queue: 1 }]"), false);
        row("override tolerance",
            rule(gcra + "burst: 1, overrides: [{ name: o, match: { a: b }, tolerance: 1s }]"),
            false);
        row("override burst",
            rule(gcra + "burst: 1, overrides: [{ name: o, match: { a: b }, burst: 2 }]"), true);
        row("match of nothing", rule(gcra + "burst: 1, match: { d: \"\" }"), false);
        row("match of numbers", rule(gcra + "burst: 1, match: { d: [1, x] }"), true);
    }

    void seesWhatBelongsTogether()
    {
        QFETCH(QString, text);
        QFETCH(bool, isGood);
        const std::string policy = text.toStdString();
        QCOMPARE(wrongIn(policy).empty(), isGood);
        QCOMPARE(read("p", policy).policy.has_value(), isGood);
    }

    void theTableHasTheFieldsThatReadingKnows()
    {
        const auto known = [](const std::string& text) {
            for (const engine::Diagnostic& diagnostic : read("p", text).diagnostics) {
                if (diagnostic.code == "policy.unknown-field") {
                    return namesIn(diagnostic.help);
                }
            }
            return std::set<std::string> {};
        };
        const auto listed = [](language::Owner owner) {
            std::set<std::string> names;
            for (const language::FieldInfo& field : language::fieldsOf(owner)) {
                names.insert(std::string(field.name));
            }
            return names;
        };
        using language::Owner;
        const std::string head = "weir: 1\nname: p\n";
        QVERIFY(known(head + "zzzzzz: 1\n") == listed(Owner::Policy));
        QVERIFY(known(rule("zzzzzz: 1")) == listed(Owner::Rule));
        QVERIFY(known(rule("overrides: [{ zzzzzz: 1 }]")) == listed(Owner::Override));
        QVERIFY(known(head + "exempt: [{ zzzzzz: 1 }]\n") == listed(Owner::Exemption));
        QVERIFY(known(head + "attributes: { a: { zzzzzz: 1 } }\n") == listed(Owner::Attribute));
    }

    void everyFieldHasADescription()
    {
        const std::string schema = jsonSchema();
        for (const auto owner :
             {language::Owner::Policy, language::Owner::Exemption, language::Owner::Attribute,
              language::Owner::Rule, language::Owner::Override}) {
            QVERIFY(!language::fieldsOf(owner).empty());
            for (const language::FieldInfo& field : language::fieldsOf(owner)) {
                QVERIFY(schema.find(field.description) != std::string::npos);
                QVERIFY(field.description.find_first_of("\"\\") == std::string_view::npos);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
