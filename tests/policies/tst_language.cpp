#include "policies/compile.h"
#include "policies/language/numbers.h"
#include "policies/language/words.h"
#include "policies/read.h"

#include <QTest>

#include <array>
#include <random>
#include <string>

using namespace policies;

namespace {

std::string rateOr(const std::string& text)
{
    const auto rate = language::parseRate(text);
    return rate ? language::rateText(*rate) : rate.error().code + ": " + rate.error().help;
}

std::string durationOr(const std::string& text)
{
    const auto ns = language::parseDuration(text);
    return ns ? std::to_string(*ns) : ns.error().help;
}

engine::Result<std::string> noFile(const std::string& /*file*/)
{
    return engine::fail("file.missing", "there is none");
}

/// The one rule of a policy with these fields, compiled.
engine::PlanRule ruleOf(const std::string& fields)
{
    const Checked checked = read(
        "p.yaml", "weir: 1\nname: p\ntiers: { edge: [{ name: a, key: [], " + fields + " }] }\n");
    if (!checked.policy) {
        qFatal("%s", render(checked.diagnostics.at(0)).c_str());
    }
    return compile(*checked.policy, noFile).plan.value().rules.at(0);
}

std::string testsOf(const std::string& match)
{
    static constexpr std::array<const char*, 6> kKinds {"absent", "equals",  "glob",
                                                        "path",   "network", "range"};
    const engine::PlanRule rule = ruleOf("algorithm: fixed_window, rate: 1/s, match: " + match);
    std::string text;
    for (const engine::Matcher& matcher : rule.match) {
        text += (text.empty() ? "" : " ") + matcher.attribute + (matcher.negated ? "!" : "") + "=";
        for (const engine::Test& test : matcher.anyOf) {
            text += std::string(kKinds[static_cast<std::size_t>(test.kind)]) + "(";
            text += test.kind == engine::TestKind::Range
                ? std::to_string(test.low) + "," + std::to_string(test.high)
                : test.text;
            text += ")";
        }
    }
    return text;
}

} // namespace

class TestLanguage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsRates();
    void everyRateSurvivesItsText();
    void readsDurations();
    void suggestsWords();
    void resolvesBursts();
    void takesQuotedNumbers();
    void knowsWhatMatchesMean();
    void refusesComparisonsThatCannotBeRead();
    void keepsPlacesOfEverything();
    void reportsEveryMistakeAtOnce();
    void takesUnknownAdviceCodes();
};

void TestLanguage::readsRates()
{
    QCOMPARE(rateOr("60/min"), std::string("60/min"));
    QCOMPARE(rateOr("7/3s"), std::string("7/3s"));
    QCOMPARE(rateOr("1000/10min"), std::string("1000/10min"));
    QCOMPARE(rateOr("120/120s"), std::string("120/2min"));
    QCOMPARE(rateOr("5/60min"), std::string("5/h"));
    QCOMPARE(rateOr("5/24h"), std::string("5/day"));
    QCOMPARE(rateOr("5/7day"), std::string("5/week"));
    QCOMPARE(rateOr("5/90s"), std::string("5/90s"));
    QCOMPARE(rateOr("0/min"), std::string("0/min"));
    QCOMPARE(rateOr("3000000000/s"), std::string("3000000000/s"));
    QCOMPARE(rateOr("10 r/s"), std::string("policy.rate: write `10/s`"));
    QCOMPARE(rateOr("60 requests per minute"), std::string("policy.rate: write `60/min`"));
    QCOMPARE(rateOr("1_000/h"), std::string("policy.number: write `1000`"));
    QCOMPARE(rateOr("5/1month"),
             std::string("policy.month: write a fixed number of days, as `5/30day`"));
}

void TestLanguage::everyRateSurvivesItsText()
{
    std::mt19937_64 random(7);
    const std::array<const char*, 6> units {"ms", "s", "min", "h", "day", "week"};
    for (int i = 0; i < 5000; ++i) {
        const std::string text = std::to_string(random() % 100'000) + "/"
            + std::to_string(1 + random() % 500) + units[random() % 6];
        const auto rate = language::parseRate(text);
        QVERIFY2(rate.has_value(), text.c_str());
        const auto again = language::parseRate(language::rateText(*rate));
        QVERIFY2(again && again->count == rate->count && again->periodNs == rate->periodNs,
                 text.c_str());
    }
}

void TestLanguage::readsDurations()
{
    QCOMPARE(durationOr("250ms"), std::string("250000000"));
    QCOMPARE(durationOr("1week"), std::string("604800000000000"));
    QCOMPARE(durationOr("0s"), std::string("0"));
    QCOMPARE(durationOr("1h30min"), std::string("write `90min`"));
    QCOMPARE(durationOr("90 seconds"), std::string("write `90s`"));
    QCOMPARE(durationOr("60"), std::string("write the unit, as `60s`"));
    QCOMPARE(durationOr("15250week"), std::string("9223200000000000000"));
    QCOMPARE(durationOr("15251week"), std::string("write at most `15250week`"));
}

void TestLanguage::suggestsWords()
{
    const std::array<std::string_view, 4> words {"burst", "rate", "queue", "match"};
    QCOMPARE(language::nearest("brust", words), std::string_view("burst"));
    QCOMPARE(language::nearest("Burst", words), std::string_view("burst"));
    QCOMPARE(language::nearest("rat", words), std::string_view("rate"));
    QCOMPARE(language::nearest("window", words), std::string_view("rate"));
    QCOMPARE(language::nearest("colour", words), std::string_view());
    QCOMPARE(language::editDistance("ab", "ba", 4), std::size_t {1});
    QCOMPARE(language::editDistance("", "abc", 4), std::size_t {3});
    QCOMPARE(language::editDistance("abcdefgh", "", 4), std::size_t {4});
}

void TestLanguage::resolvesBursts()
{
    QCOMPARE(ruleOf("algorithm: token_bucket, rate: 1000/10min").limit.burst, std::int64_t {1000});
    QCOMPARE(ruleOf("algorithm: token_bucket, rate: 7/3s, burst: 5x").limit.burst,
             std::int64_t {12});
    QCOMPARE(ruleOf("algorithm: gcra, rate: 7/3s, burst: 5x").limit.burst, std::int64_t {12});
    QCOMPARE(ruleOf("algorithm: token_bucket, rate: 600/min, burst: 5x").limit.burst,
             std::int64_t {50});
    QCOMPARE(ruleOf("algorithm: token_bucket, rate: 1/day, burst: 5x").limit.burst,
             std::int64_t {1});
    QCOMPARE(ruleOf("algorithm: token_bucket, rate: 0/min").limit.burst, std::int64_t {1});
    QCOMPARE(ruleOf("algorithm: fixed_window, rate: 1/day, anchor: 39h").limit.anchorNs,
             15 * 3'600'000'000'000);
    QVERIFY(!ruleOf("algorithm: gcra, rate: 1/s, burst: 2").limit.toleranceNs);
    QCOMPARE(ruleOf("algorithm: gcra, rate: 1/s, tolerance: 2s").limit.toleranceNs.value(),
             std::int64_t {2'000'000'000});
}

void TestLanguage::takesQuotedNumbers()
{
    const engine::PlanRule rule = ruleOf(
        "algorithm: leaky_bucket, rate: '10/s', queue: \"20\", status: '503', cost: \"2\"");
    QCOMPARE(rule.limit.queue, std::int64_t {20});
    QCOMPARE(rule.status, 503);
    QCOMPARE(rule.cost.fixed, std::int64_t {2});
}

void TestLanguage::knowsWhatMatchesMean()
{
    QCOMPARE(testsOf("{ path: /login }"), std::string("path=equals(/login)"));
    QCOMPARE(testsOf("{ path: [\"/a/**\", \"/{x}/b\", \"/c?\"] }"),
             std::string("path=path(/a/**)path(/{x}/b)equals(/c?)"));
    QCOMPARE(testsOf("{ method: [get, \"p*\"] }"), std::string("method=equals(GET)glob(P*)"));
    QCOMPARE(testsOf("{ host: API.Example.com:8080 }"),
             std::string("host=equals(api.example.com)"));
    QCOMPARE(
        testsOf("{ client_ip: [192.0.2.0/28, \"2001:DB8::1\", \"::ffff:192.0.2.9\", 192.0.2.1, "
                "unknown] }"),
        std::string("client_ip=network(192.0.2.0/"
                    "28)equals(2001:db8::1)equals(192.0.2.9)equals(192.0.2.1)equals(unknown)"));
    QCOMPARE(testsOf("{ client_ip: ['192.0.2.1:80', '[2001:DB8::1]:443', 'fe80::1%eth0', "
                     "'[::ffff:192.0.2.9]', ' 192.0.2.7 ', 'fe80::*'] }"),
             std::string("client_ip=equals(192.0.2.1)equals(2001:db8::1)equals(fe80::1)equals("
                         "192.0.2.9)equals(192.0.2.7)glob(fe80::*)"));
    QCOMPARE(testsOf("{ status: [404, \">=500\", 200..299, 4*] }"),
             std::string("status=equals(404)range(500,9223372036854775807)range(200,299)glob(4*)"));
    QCOMPARE(testsOf("{ duration: [\"<2s\", 1s..1min, 250ms, 5] }"),
             std::string("duration=range(-9223372036854775808,1999999999)range(1000000000,"
                         "60000000000)range(250000000,250000000)equals(5)"));
    QCOMPARE(testsOf("{ user_agent: [\"<script>\", \">=abc\", a..b] }"),
             std::string("user_agent=equals(<script>)equals(>=abc)equals(a..b)"));
    QCOMPARE(testsOf("{ api_key: absent }"), std::string("api_key=absent()"));
    QCOMPARE(testsOf("{ api_key: \"absent\" }"), std::string("api_key=equals(absent)"));
    QCOMPARE(testsOf("{ api_key: { not: [absent, k1] } }"),
             std::string("api_key!=absent()equals(k1)"));
    QCOMPARE(testsOf("{ plan: Free, colour: \"b*\" }"),
             std::string("plan=equals(Free) colour=glob(b*)"));
}

void TestLanguage::refusesComparisonsThatCannotBeRead()
{
    const auto helpOf = [](const std::string& match, const std::string& attributes = "{}") {
        const Checked checked = read("p.yaml",
                                     "weir: 1\nname: p\nattributes: " + attributes
                                         + "\ntiers: { edge: [{ name: a, key: [], algorithm: "
                                           "fixed_window, rate: 1/s, match: "
                                         + match + " }] }\n");
        std::string text;
        for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
            text += diagnostic.code + " " + diagnostic.help + "\n";
        }
        return text;
    };
    const auto meant
        = [](const std::string& text) { return "policy.comparison write `" + text + "`\n"; };
    QCOMPARE(helpOf("{ status: '>5' }"), meant("\">=6\""));
    QCOMPARE(helpOf("{ status: '<=5' }"), meant("\"<6\""));
    QCOMPARE(helpOf("{ status: '>= 5' }"), meant("\">=5\""));
    QCOMPARE(helpOf("{ bytes: '>=060' }"), meant("\">=60\""));
    QCOMPARE(helpOf("{ bytes: 060 }"), meant("60"));
    QCOMPARE(helpOf("{ status: 5.. }"), meant("\">=5\""));
    QCOMPARE(helpOf("{ status: ..5 }"), meant("\"<6\""));
    QCOMPARE(helpOf("{ status: '==404' }"), meant("404"));
    QCOMPARE(helpOf("{ duration: '>= 0s' }"), meant("\">=0s\""));
    QCOMPARE(helpOf("{ duration: { not: 1s .. 02s } }"), meant("1s..2s"));
    for (const char* text :
         {"'>=x'", "'>=-5'", "'>=99999999999999999999'", "abc", "'>9223372036854775807'",
          "99999999999999999999", "-1", "'>5*'", "'>'", "'='", "..", "' '", "'>2s'"}) {
        for (const char* attribute : {"status", "bytes", "duration"}) {
            const std::string help = helpOf(std::string("{ ") + attribute + ": [" + text + "] }");
            QVERIFY2(help.find("policy.comparison write `\">=") == 0
                         && help.find("digits") != std::string::npos,
                     (std::string(attribute) + " " + text + " " + help).c_str());
        }
    }
    QCOMPARE(helpOf("{ user_agent: ['>5', 5..], plan: '<=5', path: '>5' }"), std::string());
    QCOMPARE(helpOf("{ status: [5*, '*', '4?4', absent, '404'], bytes: { not: absent } }"),
             std::string());
    QCOMPARE(helpOf("{ status: '>5' }", "{ status: { from: user } }"), std::string());
}

void TestLanguage::keepsPlacesOfEverything()
{
    const std::string text
        = "weir: 1\nname: p\ntiers:\n  edge:\n    - name: 'it''s'\n      key: [ \"a\\n\", b ] # "
          "c\n      algorithm: fixed_window\n      rate: \"1/s\"\n      note: >-\n        folded\n "
          "       text\n      status: 503\n";
    const Checked checked = read("p.yaml", text);
    QVERIFY(checked.policy.has_value());
    const Rule& rule = checked.policy->tiers[0][0];
    const auto at
        = [&](const Span& span) { return text.substr(span.begin, span.end - span.begin); };
    QCOMPARE(at(rule.name.at), std::string("'it''s'"));
    QCOMPARE(rule.name.value, std::string("it's"));
    QCOMPARE(at(rule.key.at), std::string("[ \"a\\n\", b ]"));
    QCOMPARE(at(rule.key.value[0].at), std::string("\"a\\n\""));
    QVERIFY(rule.key.value[0].quoted && !rule.key.value[1].quoted);
    QCOMPARE(at(rule.values.rate->at), std::string("\"1/s\""));
    QCOMPARE(at(rule.values.rate->key), std::string("rate"));
    QCOMPARE(at(rule.note->at), std::string(">-\n        folded\n        text"));
    QCOMPARE(at(rule.at).substr(0, 7), std::string("- name:"));
    QCOMPARE(at(rule.at).substr(at(rule.at).size() - 11), std::string("status: 503"));
    QCOMPARE(rule.status->at.line, std::int64_t {12});
    QCOMPARE(rule.status->at.column, std::int64_t {15});
}

void TestLanguage::reportsEveryMistakeAtOnce()
{
    const Checked checked
        = read("p.yaml",
               "weir: 3\nname: p q\ntiers:\n  egde: []\n  edge:\n    - name: a\n      key: [x, "
               "x]\n      algorithm: fixed_window\n      rate: 1/mon\n      stauts: 5\n");
    std::string places;
    for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
        places += std::to_string(diagnostic.place.line) + " ";
        QVERIFY(!diagnostic.help.empty());
    }
    QCOMPARE(places, std::string("1 2 4 7 9 10 "));
}

void TestLanguage::takesUnknownAdviceCodes()
{
    const Checked checked
        = read("p.yaml",
               "weir: 1\nname: p\ntiers: { edge: [{ name: a, key: [], algorithm: fixed_window, "
               "rate: 1/s, allow: [window.edge, not.yet-known] }] }\n");
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.policy->rule("a")->allow->value.size(), std::size_t {2});
}

QTEST_APPLESS_MAIN(TestLanguage)
#include "tst_language.moc"
