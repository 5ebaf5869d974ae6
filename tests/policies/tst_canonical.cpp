#include "policies/adjust.h"
#include "policies/canonical.h"
#include "policies/compile.h"
#include "policies/diff.h"
#include "policies/fingerprint.h"
#include "policies/read.h"
#include "policies/writing/scalar.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace policies;

namespace {

const std::string kHead = "weir: 1\nname: p\n";

Policy policyOf(const std::string& text)
{
    Checked checked = read("p.yaml", text);
    if (!checked.policy) {
        qFatal("%s in\n%s", render(checked.diagnostics.at(0)).c_str(), text.c_str());
    }
    return std::move(*checked.policy);
}

std::string exported(const std::string& text)
{
    const auto canon = canonical(policyOf(text), "f00", "1.2.3");
    if (!canon) {
        qFatal("%s in\n%s", render(canon.error()).c_str(), text.c_str());
    }
    return canon.value();
}

std::string printOf(const Policy& policy)
{
    const auto anything = [](const std::string&) -> engine::Result<std::string> {
        return std::string("a0,a1,a2,a3\n1,2,3,4\n");
    };
    const Compiled compiled = compile(policy, anything);
    return compiled.plan ? fingerprint(*compiled.plan) : compiled.diagnostics.at(0).message;
}

std::string differences(const std::string& before, const std::string& after)
{
    std::string text;
    for (const Difference& difference : diff(policyOf(before), policyOf(after))) {
        text += difference.text + "\n";
    }
    return text;
}

/// Policies at random, all of them good, in many notations, with comments everywhere.
class Maker {
public:
    explicit Maker(unsigned seed)
        : m_random(seed)
    {
    }

    std::string policy()
    {
        m_text.clear();
        m_comments.clear();
        if (one(3)) {
            line(0, ""); // a comment alone
        }
        std::vector<int> parts {0, 1, 2, 3, 4};
        std::shuffle(parts.begin(), parts.end(), m_random);
        for (const int part : parts) {
            top(part);
        }
        alone(0);
        return m_text;
    }

    [[nodiscard]] const std::multiset<std::string>& comments() const { return m_comments; }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(m_random() % n); }

    bool one(unsigned n) { return below(n) == 0; }

    template <class T> T of(std::initializer_list<T> values)
    {
        return values.begin()[below(static_cast<unsigned>(values.size()))];
    }

    std::string comment()
    {
        const std::string text = "# c" + std::to_string(m_count++)
            + of<const char*>({"", " 'quote", " \"x: y\"", " [a, {", " # twice", " \xc3\xa9"});
        m_comments.insert(text);
        return text;
    }

    void alone(int indent)
    {
        while (one(4)) {
            m_text += std::string(static_cast<std::size_t>(
                                      std::max(0, indent + static_cast<int>(below(7)) - 2)),
                                  ' ')
                + comment() + "\n";
        }
        if (one(8)) {
            m_text += "\n";
        }
    }

    void line(int indent, const std::string& text)
    {
        alone(indent);
        m_text += std::string(static_cast<std::size_t>(indent), ' ') + text
            + (one(4) ? " " + comment() : "") + "\n";
    }

    void top(int part)
    {
        switch (part) {
        case 0:
            line(0, "weir: " + of<std::string>({"1", "'1'"}));
            return;
        case 1:
            line(0, "name: p");
            if (one(2)) {
                line(0, "counting: " + of<std::string>({"per_tier", "all_or_nothing"}));
            }
            if (one(2)) {
                m_text += "description: "
                    + of<std::string>({"a text\n", "|\n  one\n  two\n",
                                       ">- # folded\n  one\n  two\n", "'it''s: so'\n",
                                       "\"a\\nb\\u00e9 \"\n", "|-\n  # no comment\n  x\n"});
                // An indented comment here would be a line of the text above.
                m_text += comment() + "\n";
                if (m_text.find("# folded") != std::string::npos) {
                    m_comments.insert("# folded");
                }
            }
            return;
        case 2:
            exempt();
            return;
        case 3:
            line(0, one(4) ? "attributes: {}" : "attributes:");
            if (m_text.find("attributes: {}") == std::string::npos) {
                for (unsigned i = 0; i < 4; ++i) {
                    attribute(i);
                }
            }
            return;
        default:
            tiers();
        }
    }

    void exempt()
    {
        if (one(2)) {
            line(0, "exempt: []");
            return;
        }
        line(0, "exempt:");
        for (unsigned i = 0; i <= below(3); ++i) {
            line(2, "- name: e" + std::to_string(i));
            match(4);
        }
    }

    void attribute(unsigned i)
    {
        const std::string name = "a" + std::to_string(i);
        const std::string body = of<std::string>(
            {"{ from: host, pattern: '{x}.example.com' }",
             "{ pattern: \"/r/{" + name + "}/{b}/**\", from: path, take: " + name + " }",
             "{ from: client_ip, prefix: { ipv4: 24 } }", "{ from: query, param: k }",
             "{ from: user }"});
        line(2, name + ": " + body);
    }

    std::string value()
    {
        return of<std::string>({"x", "'absent'", "absent", "\"no\"", "404", "200..299", "\">=5s\"",
                                "'<1000'", "get*", "\"a b\"", "é", "'1e3'", "null_", "\"\\t\"",
                                "192.0.2.1"});
    }

    std::string attributeName()
    {
        return of<std::string>({"method", "host", "plan", "api_key", "user_agent"});
    }

    /// Of a number, which takes no other text.
    std::string numeric()
    {
        return of<std::string>({"status", "duration"}) + ": "
            + of<std::string>({"404", "'404'", "absent", "200..299", "\">=5s\"", "'<1000'", "4*"});
    }

    void match(int indent)
    {
        if (one(2)) {
            std::string entries = one(2) ? "path: [/a, '/b/**', \"/{x}/c\"]"
                                         : "client_ip: [192.0.2.0/24, '2001:DB8::/32']";
            entries += ", " + attributeName() + ": "
                + (one(2) ? value() : "{ not: [" + value() + ", " + value() + "] }");
            entries += one(2) ? ", " + numeric() : "";
            line(indent, "match: { " + entries + " }");
            return;
        }
        line(indent, "match:");
        line(indent + 2, attributeName() + ": " + value());
        line(indent + 2, "path:");
        line(indent + 4, "- /a");
        if (one(2)) {
            line(indent + 4, "- \"/b/**\"");
        }
    }

    std::string rate()
    {
        return std::to_string(below(2000)) + "/"
            + of<std::string>({"", "1", "7", "60", "120", "3600"})
            + of<std::string>({"ms", "s", "min", "h"});
    }

    void tiers()
    {
        line(0, "tiers:");
        std::vector<std::string> names {"tenant", "edge", "endpoint", "gateway"};
        std::shuffle(names.begin(), names.end(), m_random);
        for (const std::string& tier : names) {
            if (one(4) && tier != "edge") {
                line(2, tier + ": []");
                continue;
            }
            line(2, tier + ":");
            if (tier == "edge") {
                line(4, "- { name: total, key: [], algorithm: concurrency, in_flight: 9 }");
            }
            for (unsigned i = 0; i <= below(3); ++i) {
                rule(tier + std::to_string(i));
            }
        }
    }

    void rule(const std::string& name)
    {
        alone(4);
        line(4, (one(4) ? "-   name: " : "- name: ") + name);
        // The dash may be followed by more blanks: then all fields stand so much deeper.
        const int indent = m_text.rfind("-   name: " + name) != std::string::npos ? 8 : 6;
        if (one(2)) {
            match(indent);
        }
        line(indent, "key: " + of<std::string>({"[]", "[api_key]", "[ user, 'path' ]"}));
        const bool countsCosts = numbers(indent);
        if (one(3)) {
            line(indent, "mode: " + of<std::string>({"enforce", "shadow", "off"}));
        }
        if (one(3)) {
            line(indent, "status: " + of<std::string>({"429", "'503'"}));
        }
        if (countsCosts && one(4)) {
            line(indent,
                 "tighten: "
                     + of<std::string>({"{ rule: total, above: 80%, factor: 2 }",
                                        "{ factor: '3', above: '5%', rule: 'total' }"}));
        }
        if (countsCosts && one(3)) {
            line(indent,
                 "cost: "
                     + of<std::string>(
                         {"1", "3", "{ attribute: bytes, per: 1024 }", "{ attribute: bytes }"}));
        }
        if (one(4)) {
            line(indent, "allow: [a.b, c.d]");
        }
        if (one(4)) {
            line(indent, "on_store_failure: " + of<std::string>({"open", "local"}));
        }
        if (one(4)) {
            line(indent, "note: " + of<std::string>({"why, and so on", "'no'", "\"a: b\""}));
        }
        alone(indent);
    }

    void overrides(int indent, const std::string& field)
    {
        if (!one(3)) {
            return;
        }
        line(indent, "overrides:");
        line(indent + 2, "- { name: o1, match: { plan: x }, " + field + " }");
        line(indent + 2, "- name: o2");
        line(indent + 4, "match: { plan: y }");
        line(indent + 4, "mode: " + of<std::string>({"off", "enforce"}));
    }

    void learnt(int indent)
    {
        line(indent, "algorithm: adaptive_concurrency");
        line(indent, "strategy: " + of<std::string>({"vegas", "gradient2", "'aimd'"}));
        if (one(2)) {
            line(indent, of<std::string>({"initial: 20", "initial: '30'", "max: 200", "min: 20"}));
        }
        overrides(indent, "cost: 3");
    }

    void classes(int indent)
    {
        line(indent, "algorithm: load_shedder");
        line(indent, "capacity: 100");
        if (one(2)) {
            line(indent, "strategy: " + of<std::string>({"fleet", "utilisation"}));
        }
        line(indent, "classes:");
        line(indent + 2, "- { up_to: 100%, match: { path: '/c/**' }, name: c1 }");
        line(indent + 2, "- name: c2");
        line(indent + 4, "up_to: " + of<std::string>({"50%", "'0%'"}));
        match(indent + 4);
        overrides(indent, "capacity: 7");
    }

    /// Of an algorithm at random; false: it counts no costs.
    bool numbers(int indent)
    {
        const auto rated = [&](const char* algorithm) {
            line(indent, std::string("algorithm: ") + algorithm);
            line(indent, "rate: " + rate());
        };
        switch (below(9)) {
        case 0:
            rated("fixed_window");
            line(indent,
                 of<std::string>({"align: first_request", "align: epoch", "anchor: 90s",
                                  "count_rejected: true", "count_rejected: false"}));
            overrides(indent, "rate: " + rate());
            break;
        case 1:
            rated("sliding_window_log");
            break;
        case 2:
            rated("sliding_window_counter");
            if (one(2)) {
                line(indent, "rounding: floor");
            }
            break;
        case 3:
            rated("token_bucket");
            if (one(2)) {
                line(indent, "burst: " + of<std::string>({"5", "5x", "'60'"}));
            }
            overrides(indent, "rate: " + rate());
            break;
        case 4:
            rated("gcra");
            line(indent, of<std::string>({"burst: 7", "tolerance: 1500ms", "burst: 2x"}));
            break;
        case 5:
            rated("leaky_bucket");
            line(indent, "queue: 20");
            if (one(2)) {
                line(indent, "delay_after: " + of<std::string>({"0", "5"}));
            }
            overrides(indent, "queue: 3");
            break;
        case 6:
            learnt(indent);
            break;
        case 7:
            classes(indent);
            return false;
        default:
            line(indent, "algorithm: concurrency");
            line(indent, "in_flight: 50");
            if (one(2)) {
                line(indent, "assume_duration: 60s");
            }
            overrides(indent, "in_flight: 3");
        }
        return true;
    }

    std::mt19937 m_random;
    std::string m_text;
    std::multiset<std::string> m_comments;
    int m_count = 0;
};

} // namespace

class TestCanonical : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesGoodPolicies_data();
    void writesGoodPolicies();
    void normalisesAndLeavesOutDefaults();
    void keepsABurstThatAnOverrideInherits();
    void keepsComments();
    void replacesAnOlderHeader();
    void quotesWhenInDoubt();
    void randomPoliciesSurvive();
    void adjustedPoliciesAreWritten();
    void tellsDifferences();
    void tellsOrderAndMoves();
    void notationIsNoDifference();
    void equalRatesOfBucketsAreNoDifference();
};

void TestCanonical::writesGoodPolicies_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("the specification's") << QStringLiteral("spec");
    QTest::newRow("what holds slots") << QStringLiteral("slots");
}

void TestCanonical::writesGoodPolicies()
{
    QFETCH(QString, name);
    const QString good = QStringLiteral(WEIR_SOURCE_DIR "/tests/data/policies/good/") + name;
    QFile source(good + QStringLiteral(".yaml"));
    QFile expected(good + QStringLiteral(".canonical"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const std::string canon = exported(source.readAll().toStdString());
    if (qEnvironmentVariableIsSet("APPROVE")) {
        QVERIFY(expected.open(QIODevice::WriteOnly));
        expected.write(QByteArray::fromStdString(canon));
        return;
    }
    QVERIFY(expected.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromStdString(canon), QString::fromUtf8(expected.readAll()));
    QCOMPARE(exported(canon), canon);
}

void TestCanonical::normalisesAndLeavesOutDefaults()
{
    QCOMPARE(
        exported("tiers:\r\n  edge: [{ rate: 120/120s, name: a, status: '429', mode: enforce, key: "
                 "[x], algorithm: fixed_window, anchor: 130s,\r\n"
                 "    match: { method: [get], host: 'A.example.com', duration: '<120s' }, cost: 1, "
                 "overrides: [], allow: [] }]\r\n  tenant: []\r\nname: 'p'\r\nexempt: "
                 "[]\r\ncounting: per_tier\r\nweir: \"1\"\r\n"),
        std::string("# Canonical form by weir 1.2.3, fingerprint f00\nweir: 1\nname: p\n\ntiers:\n "
                    " edge:\n    - name: a\n"
                    "      match: { method: GET, host: a.example.com, duration: \"<2min\" }\n      "
                    "key: [x]\n"
                    "      algorithm: fixed_window\n      rate: 120/2min\n      anchor: 10s\n"));
}

void TestCanonical::keepsABurstThatAnOverrideInherits()
{
    const std::string rule = kHead
        + "tiers: { edge: [{ name: a, key: [], algorithm: token_bucket, rate: 60/min, burst: 60";
    QVERIFY(exported(rule + " }] }\n").find("burst") == std::string::npos);
    QVERIFY(exported(rule + ", overrides: [{ name: o, match: { a: b }, rate: 90/min }] }] }\n")
                .find("burst: 60")
            != std::string::npos);
}

void TestCanonical::keepsComments()
{
    const std::string text
        = "# head\n\n# more head\nname: p # the name\nweir: 1\n# before tiers\ntiers: # beside "
          "tiers\n  # before edge\n  edge:\n"
          "    - # behind the dash\n      name: a\n      mode: enforce # a default\n      # before "
          "key\n      key:\n        - x # the x\n        # between\n        - z\n"
          "      algorithm: fixed_window\n      rate: 1/s\n      # tail of a\n    # tail of edge\n "
          " gateway: [] # nothing\n# foot\n";
    QCOMPARE(
        exported(text),
        std::string(
            "# Canonical form by weir 1.2.3, fingerprint f00\n# head\n# more head\nweir: 1\nname: "
            "p # the name\n\n# before tiers\ntiers: # beside tiers\n"
            "  # before edge\n  edge:\n    # behind the dash\n    - name: a\n      # a default\n   "
            "   # before key\n      key:\n        - x # the x\n        # between\n        - z\n"
            "      algorithm: fixed_window\n      rate: 1/s\n      # tail of a\n    # tail of "
            "edge\n  # nothing\n# foot\n"));
}

void TestCanonical::replacesAnOlderHeader()
{
    const Policy policy = policyOf(kHead + "tiers: {}\n");
    const std::string older = canonical(policy, "old", "0.9").value();
    const std::string newer = canonical(policyOf(older), "new", "1.0").value();
    QCOMPARE(newer,
             std::string(
                 "# Canonical form by weir 1.0, fingerprint new\nweir: 1\nname: p\n\ntiers: {}\n"));
    QCOMPARE(canonical(policyOf(newer), "new", "1.0").value(), newer);
}

void TestCanonical::quotesWhenInDoubt()
{
    using writing::scalar;
    for (const char* text : {"free", "kube-probe", "/login", "404", "0", "192.0.2.0/28",
                             "192.0.2.1", "a.b_c", "contract 2026-04", "10s", "x@y"}) {
        QCOMPARE(scalar(text), std::string(text));
    }
    for (const char* text :
         {"",    "no",         "Off",  "TRUE",     "null", "~",    "060", "1e3",
          "1.5", "2026-04-01", "1_0",  "0x10",     "a: b", "a #b", "*x",  "&x",
          "!x",  "%x",         "@x",   "a,b",      "[a",   "{x}",  "- a", "?x",
          " a",  "a ",         "a\nb", "\xc3\xa9", ">=5",  "<5",   "=",   "12:30"}) {
        QCOMPARE(scalar(text), writing::quoted(text));
    }
    QCOMPARE(scalar("a\"b\\c\t\x01\xc2\x85\xe2\x80\xa8"),
             std::string("\"a\\\"b\\\\c\\t\\x01\\u0085\\u2028\""));
}

void TestCanonical::randomPoliciesSurvive()
{
    for (unsigned seed = 0; seed < 1000; ++seed) {
        Maker maker(seed);
        const std::string text = maker.policy();
        const std::string where = "seed " + std::to_string(seed) + "\n" + text;
        const Checked checked = read("p.yaml", text);
        QVERIFY2(checked.policy.has_value(),
                 ((checked.policy ? "" : render(checked.diagnostics.at(0))) + where).c_str());
        const auto canon = canonical(*checked.policy, "f", "1");
        QVERIFY2(canon.has_value(), ((canon ? "" : render(canon.error())) + where).c_str());
        const Policy again = policyOf(*canon);
        QVERIFY2(diff(*checked.policy, again).empty(), where.c_str());
        QVERIFY2(printOf(*checked.policy) == printOf(again), where.c_str());
        const auto twice = canonical(again, "f", "1");
        QVERIFY2(twice && *twice == *canon,
                 (where + "\n== once ==\n" + *canon + "\n== twice ==\n" + (twice ? *twice : ""))
                     .c_str());
        for (const std::string& comment : maker.comments()) {
            QVERIFY2(canon->find(comment) != std::string::npos,
                     (comment + " in " + where + "\n== canonical ==\n" + *canon).c_str());
        }
    }
}

void TestCanonical::adjustedPoliciesAreWritten()
{
    const Policy policy = policyOf(kHead
                                   + "tiers:\n  edge:\n    - name: a # first\n      key: [x]\n     "
                                     " algorithm: fixed_window\n      rate: 1/s # slow\n");
    const auto adjusted = adjust(policy, {{"a.rate=20/min", "a.note=why"}, {"all=shadow"}});
    QCOMPARE(canonical(*adjusted->policy, "f", "1").value(),
             std::string("# Canonical form by weir 1, fingerprint f\nweir: 1\nname: p\n\ntiers:\n  "
                         "edge:\n    - name: a # first\n      mode: shadow\n      key: [x]\n      "
                         "algorithm: fixed_window\n      rate: 20/min # slow\n      note: why\n"));
}

void TestCanonical::tellsDifferences()
{
    const std::string before = kHead + R"(exempt: [{ name: m, match: { path: /health } }]
attributes: { plan: { from: api_key, lookup: plans.csv, default: free } }
tiers:
  gateway:
    - { name: plan, match: { plan: pro }, key: [api_key], algorithm: token_bucket, rate: 60/min, overrides: [{ name: acme, match: { tenant: acme }, rate: 90/min }] }
  endpoint:
    - { name: search, key: [api_key], algorithm: fixed_window, rate: 10/min }
)";
    const std::string after = kHead + R"(counting: all_or_nothing
attributes: { plan: { from: api_key, lookup: plans.csv, default: trial } }
tiers:
  gateway:
    - { name: plan, match: { plan: [pro, max] }, key: [api_key], algorithm: token_bucket, rate: 120/min, mode: shadow, overrides: [{ name: acme, match: { tenant: acme }, rate: 90/min }] }
  endpoint:
    - { name: login, match: { path: /login }, key: [client_ip], algorithm: sliding_window_log, rate: 5/h, on_store_failure: closed }
)";
    QCOMPARE(
        differences(before, after),
        std::string("exemption m removed: match { path: /health }\n"
                    "rule search removed from tier endpoint: key [api_key], algorithm "
                    "fixed_window, rate 10/min\n"
                    "policy: counting per_tier -> all_or_nothing\n"
                    "attribute plan: default free -> trial\n"
                    "rule plan: match { plan: pro } -> { plan: [max, pro] }\n"
                    "rule plan: rate 60/min -> 120/min\n"
                    "rule plan: burst 60 -> 120\n"
                    "rule plan: mode enforce -> shadow\n"
                    "override acme of rule plan: mode enforce -> shadow\n"
                    "rule login added to tier endpoint: match { path: /login }, key [client_ip], "
                    "algorithm sliding_window_log, rate 5/h, on_store_failure closed\n"));
}

void TestCanonical::tellsOrderAndMoves()
{
    const auto rule = [](const char* name) {
        return std::string("{ name: ") + name + ", key: [], algorithm: fixed_window, rate: 1/s }";
    };
    QCOMPARE(differences(kHead + "tiers: { edge: [" + rule("a") + ", " + rule("b") + ", "
                             + rule("c") + "] }\n",
                         kHead + "tiers: { edge: [" + rule("b") + ", " + rule("a") + "], tenant: ["
                             + rule("c") + "] }\n"),
             std::string("rule c moved from tier edge to tenant\npolicy: order of rules of edge a, "
                         "b -> b, a\n"));
}

void TestCanonical::notationIsNoDifference()
{
    QCOMPARE(differences(kHead
                             + "tiers: { edge: [{ name: a, key: [x], algorithm: token_bucket, "
                               "rate: 600/min, match: { method: [GET, HEAD] } }] }\n",
                         "# other\n" + kHead
                             + "counting: per_tier\ntiers: { edge: [{ name: a, key: [ 'x' ], "
                               "algorithm: token_bucket, rate: 600/60s, burst: 60x, mode: enforce, "
                               "match: { method: [head, get] } }] }\n"),
             std::string());
}

void TestCanonical::equalRatesOfBucketsAreNoDifference()
{
    const auto between = [](const std::string& before, const std::string& after) {
        const auto text = [](const std::string& fields) {
            return kHead + "tiers: { edge: [{ name: a, key: [x], algorithm: " + fields + " }] }\n";
        };
        return differences(text(before), text(after));
    };
    for (const char* algorithm : {"token_bucket, burst: 60", "gcra, burst: 60",
                                  "gcra, tolerance: 1s", "leaky_bucket, queue: 20"}) {
        const std::string start = std::string(algorithm) + ", rate: ";
        QCOMPARE(between(start + "60/min", start + "1/s"), std::string());
        QCOMPARE(between(start + "60/min", start + "61/min"),
                 std::string("rule a: rate 60/min -> 61/min\n"));
    }
    const std::string acme = ", burst: 60, overrides: [{ name: acme, match: { b: c }, rate: ";
    QCOMPARE(between("token_bucket, rate: 60/min" + acme + "120/min }]",
                     "token_bucket, rate: 1/s" + acme + "2/s }]"),
             std::string());
    QCOMPARE(between("token_bucket, rate: 60/min", "token_bucket, rate: 1/s"),
             std::string("rule a: burst 60 -> 1\n"));
    for (const char* algorithm : {"fixed_window", "sliding_window_log", "sliding_window_counter"}) {
        const std::string start = std::string(algorithm) + ", rate: ";
        QCOMPARE(between(start + "60/min", start + "1/s"),
                 std::string("rule a: rate 60/min -> 1/s\n"));
    }
    QCOMPARE(
        between("token_bucket, burst: 60, rate: 60/min", "fixed_window, rate: 60/min"),
        std::string("rule a: algorithm token_bucket -> fixed_window\nrule a: burst 60 removed\n"));
}

QTEST_APPLESS_MAIN(TestCanonical)
#include "tst_canonical.moc"
