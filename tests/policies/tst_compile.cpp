#include "policies/adjust.h"
#include "policies/compile.h"
#include "policies/fingerprint.h"

#include <QTest>

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
        qFatal("%s", render(checked.diagnostics.at(0)).c_str());
    }
    return std::move(*checked.policy);
}

LookupLoader fileWith(const std::string& bytes)
{
    return [bytes](const std::string&) -> engine::Result<std::string> { return bytes; };
}

engine::Plan planOf(const std::string& text, const std::string& csv = "api_key,plan\nk1,pro\n")
{
    const Compiled compiled = compile(policyOf(text), fileWith(csv));
    if (!compiled.plan) {
        qFatal("%s", render(compiled.diagnostics.at(0)).c_str());
    }
    return *compiled.plan;
}

const std::string kOverrides = kHead + R"(tiers:
  gateway:
    - name: plan
      match: { plan: pro }
      key: [api_key]
      algorithm: token_bucket
      rate: 600/min
      burst: 50
      overrides:
        - { name: acme, match: { tenant: acme }, rate: 1500/min }
        - { name: gone, match: { tenant: gone }, mode: off }
        - { name: big, match: { tenant: big }, burst: 5x, mode: shadow, cost: 2 }
  edge:
    - { name: first, key: [], algorithm: fixed_window, rate: 1/s }
    - { name: never, key: [], algorithm: fixed_window, rate: 1/s, mode: off, overrides: [{ name: still, match: { a: b }, mode: enforce }] }
)";

std::string lookedUp(const std::string& csv, const std::string& key)
{
    const engine::Plan plan = planOf(
        kHead + "attributes: { plan: { from: api_key, lookup: plans.csv } }\ntiers: {}\n", csv);
    const auto found = plan.attributes[0].table->find(key);
    return found == plan.attributes[0].table->end() ? "-" : found->second;
}

std::string lookupErrors(const std::string& csv)
{
    const Policy policy = policyOf(
        kHead + "attributes: { plan: { from: api_key, lookup: plans.csv } }\ntiers: {}\n");
    std::string text;
    for (const engine::Diagnostic& diagnostic : compile(policy, fileWith(csv)).diagnostics) {
        text += render(diagnostic) + "\n";
    }
    return text;
}

std::string printOf(const std::string& rules, const std::string& csv = "api_key,plan\nk1,pro\n")
{
    return fingerprint(planOf(kHead + rules, csv));
}

std::string edge(const std::string& fields)
{
    return "tiers: { edge: [{ name: a, key: [x], " + fields + " }] }\n";
}

} // namespace

class TestCompile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void expandsOverridesThenTheRest();
    void makesARuleOfEachClass();
    void tightensByTheFirstOfARule();
    void adjustsClassesAndTighten();
    void derivesAttributes();
    void readsLookups();
    void placesLookupMistakes();
    void namesLookupFilesOnce();
    void fingerprintOverlooksNotation();
    void fingerprintSeesMeaning();
    void fingerprintIsStable();
    void setsAndModes();
    void adjustingIsAsIfTheTextSaidSo();
    void refusesWhatCannotBeAdjusted();
};

void TestCompile::expandsOverridesThenTheRest()
{
    const engine::Plan plan = planOf(kOverrides);
    std::string text;
    for (const engine::PlanRule& rule : plan.rules) {
        text += std::string(engine::nameOf(rule.tier)) + "/" + rule.rule + "/"
            + rule.overrideName.value_or("-") + "/" + std::string(engine::nameOf(rule.mode))
            + " rate " + std::to_string(rule.limit.rate.count) + " burst "
            + std::to_string(rule.limit.burst) + " cost " + std::to_string(rule.cost.fixed)
            + " unless " + std::to_string(rule.unless.size()) + "\n";
    }
    QCOMPARE(text,
             std::string("edge/first/-/enforce rate 1 burst 1 cost 1 unless 0\n"
                         "edge/never/still/enforce rate 1 burst 1 cost 1 unless 0\n"
                         "gateway/plan/acme/enforce rate 1500 burst 50 cost 1 unless 0\n"
                         "gateway/plan/big/shadow rate 600 burst 50 cost 2 unless 2\n"
                         "gateway/plan/-/enforce rate 600 burst 50 cost 1 unless 3\n"));
    QCOMPARE(plan.rules[3].overrideMatch[0].anyOf[0].text, std::string("big"));
    QCOMPARE(plan.rules[3].unless[1][0].anyOf[0].text, std::string("gone"));
    QCOMPARE(plan.rules[3].match[0].attribute, std::string("plan"));
}

void TestCompile::makesARuleOfEachClass()
{
    const auto told = [](const std::string& fields) {
        const engine::Plan plan = planOf(kHead
                                         + edge("algorithm: load_shedder, capacity: 10, classes: ["
                                                "{ name: a, match: { path: /a }, up_to: 80% }, "
                                                "{ name: b, match: { path: /b }, up_to: 50% }]"
                                                + fields));
        std::string text;
        for (const engine::PlanRule& rule : plan.rules) {
            text += rule.overrideName.value_or("-") + "[" + rule.className.value_or("-") + "] back "
                + std::to_string(rule.stateBefore) + " unless " + std::to_string(rule.unless.size())
                + " up to " + std::to_string(rule.limit.upTo) + " of "
                + std::to_string(rule.limit.inFlight) + " after "
                + (rule.limit.shedAfter ? std::to_string(*rule.limit.shedAfter) : "-") + " status "
                + std::to_string(rule.status) + "\n";
        }
        return text;
    };
    QCOMPARE(told(""),
             std::string("-[a] back 0 unless 0 up to 80 of 10 after - status 503\n"
                         "-[b] back 1 unless 1 up to 50 of 10 after - status 503\n"
                         "-[-] back 2 unless 2 up to 100 of 10 after - status 503\n"));
    QCOMPARE(told(", strategy: utilisation, status: 429"),
             std::string("-[a] back 0 unless 0 up to 100 of 10 after 1 status 429\n"
                         "-[b] back 1 unless 1 up to 100 of 10 after 0 status 429\n"
                         "-[-] back 2 unless 2 up to 100 of 10 after - status 429\n"));
    QCOMPARE(told(", overrides: [{ name: off, match: { user: o }, mode: off }, "
                  "{ name: vip, match: { user: v }, capacity: 3 }]"),
             std::string("vip[a] back 0 unless 1 up to 80 of 3 after - status 503\n"
                         "vip[b] back 1 unless 2 up to 50 of 3 after - status 503\n"
                         "vip[-] back 2 unless 3 up to 100 of 3 after - status 503\n"
                         "-[a] back 0 unless 2 up to 80 of 10 after - status 503\n"
                         "-[b] back 1 unless 3 up to 50 of 10 after - status 503\n"
                         "-[-] back 2 unless 4 up to 100 of 10 after - status 503\n"));
    QCOMPARE(told(", mode: off"), std::string());
    const engine::Plan plan = planOf(kHead + R"(tiers:
  edge:
    - name: a
      match: { host: h }
      key: []
      algorithm: load_shedder
      capacity: 5
      classes: [{ name: c, match: { method: [post] }, up_to: 50% }]
)");
    QCOMPARE(plan.rules[0].classMatch[0].anyOf[0].text, std::string("POST"));
    QCOMPARE(plan.rules[1].unless[0][0].attribute, std::string("method"));
    QVERIFY(plan.rules[1].classMatch.empty());
    QCOMPARE(plan.rules[1].match[0].attribute, std::string("host"));
}

const std::string kTightened = kHead + R"(tiers:
  edge:
    - { name: off, mode: off, key: [], algorithm: concurrency, in_flight: 9 }
    - { name: first, key: [], algorithm: fixed_window, rate: 1/s }
    - name: shed
      key: []
      algorithm: load_shedder
      capacity: 100
      classes:
        - { name: batch, match: { path: /b }, up_to: 50% }
        - { name: browse, match: { path: /c }, up_to: 80% }
  endpoint:
    - name: search
      key: []
      algorithm: fixed_window
      rate: 9/s
      tighten: { rule: shed, above: 80%, factor: 2 }
      overrides: [{ name: o, match: { user: u }, rate: 5/s }]
    - { name: none, key: [], algorithm: fixed_window, rate: 9/s, tighten: { rule: off, above: 80%, factor: 2 } }
)";

void TestCompile::tightensByTheFirstOfARule()
{
    const engine::Plan plan = planOf(kTightened);
    QCOMPARE(plan.rules.size(), std::size_t {7});
    for (const std::size_t part : {4U, 5U}) { // an override and the rest
        QCOMPARE(plan.rules[part].rule, std::string("search"));
        QCOMPARE(plan.rules[part].tighten.value().rule, 1U);
        QCOMPARE(plan.rules[part].tighten->above, 80);
        QCOMPARE(plan.rules[part].tighten->factor, std::int64_t {2});
    }
    QVERIFY(!plan.rules[6].tighten); // by a rule that is off: never
    QVERIFY(!plan.rules[0].tighten);
}

void TestCompile::adjustsClassesAndTighten()
{
    const Policy policy = policyOf(kTightened);
    const auto planWith = [&](std::vector<std::string> sets, std::vector<std::string> modes) {
        const auto adjusted = adjust(policy, {std::move(sets), std::move(modes)});
        if (!adjusted || !adjusted->policy) {
            qFatal("%s",
                   adjusted ? render(adjusted->diagnostics.at(0)).c_str()
                            : render(adjusted.error()).c_str());
        }
        return compile(*adjusted->policy, fileWith("")).plan.value();
    };
    const engine::Plan plan = planWith({"search.tighten.factor=3", "shed.batch.up_to=40%",
                                        "shed.capacity=20", "shed.strategy=fleet"},
                                       {});
    QCOMPARE(plan.rules[5].tighten->factor, std::int64_t {3});
    QCOMPARE(plan.rules[1].limit.upTo, 40);
    QCOMPARE(plan.rules[2].limit.upTo, 80);
    QCOMPARE(plan.rules[3].limit.inFlight, std::int64_t {20});
    // A rule that is woken stands before the others, and is found all the same.
    const engine::Plan woken = planWith({}, {"all=enforce"});
    QCOMPARE(woken.rules[6].tighten.value().rule, 2U);
    QCOMPARE(woken.rules[7].tighten.value().rule, 0U);
    // With the rule off nothing is tightened.
    QVERIFY(!planWith({}, {"shed=off"}).rules[2].tighten);
    const auto bad = adjust(policy, {{"shed.batch.up_to=40"}, {}});
    QCOMPARE(render(bad->diagnostics.at(0)),
             std::string("--set shed.batch.up_to=40: error[policy.percentage]: `up_to` of class "
                         "`batch` of rule `shed`: `40` is no percentage in whole numbers | write "
                         "`40%`"));
}

void TestCompile::derivesAttributes()
{
    const engine::Plan plan = planOf(kHead + R"(attributes:
  tenant: { from: host, pattern: "{tenant}.api.example.com" }
  repo: { from: path, pattern: "/repos/{owner}/{repo}/**", take: owner }
  bearer: { from: authorization, pattern: "Bearer {key}" }
  net: { from: client_ip, prefix: { ipv6: 64 } }
  q: { from: query, param: api_key }
  copy: { from: user }
tiers: {}
)");
    QCOMPARE(plan.attributes[0].take, std::string("tenant"));
    QCOMPARE(plan.attributes[1].take, std::string("owner"));
    QCOMPARE(plan.attributes[2].take, std::string("key"));
    QCOMPARE(plan.attributes[3].ipv4Bits, 32);
    QCOMPARE(plan.attributes[3].ipv6Bits, 64);
    QCOMPARE(plan.attributes[4].param, std::string("api_key"));
    QVERIFY(plan.attributes[5].kind == engine::DerivationKind::Copy);
}

void TestCompile::readsLookups()
{
    QCOMPARE(lookedUp("api_key,plan\nk1,pro\nk1,free\n", "k1"), std::string("pro"));
    QCOMPARE(lookedUp("owner,plan,api_key\r\nx,pro,k1\r\n", "k1"), std::string("pro"));
    QCOMPARE(lookedUp("\xef\xbb\xbf"
                      "api_key,plan\nk1,pro",
                      "k1"),
             std::string("pro"));
    QCOMPARE(lookedUp("api_key,plan\n\"k\"\"1,\n\",\"pro, and more\"\n", "k\"1,\n"),
             std::string("pro, and more"));
    QCOMPARE(lookedUp("api_key,plan\n\nk1,pro\n\n", "k1"), std::string("pro"));
    QCOMPARE(lookedUp("api_key,plan\nk1,\n,pro\n", "k1"), std::string("-"));
    QCOMPARE(lookedUp("api_key,plan\n", "k1"), std::string("-"));
    const engine::Plan plan = planOf(
        kHead + "attributes: { site: { from: host, lookup: s.csv, default: x } }\ntiers: {}\n",
        "host,site\nWWW.Example.com:443,main\n");
    QCOMPARE(plan.attributes[0].table->at("www.example.com"), std::string("main"));
    QCOMPARE(plan.attributes[0].fallback.value(), std::string("x"));
}

void TestCompile::placesLookupMistakes()
{
    QCOMPARE(lookupErrors("api_key,plan\nk1,\"pro\nk2,free\n"),
             std::string("plans.csv:2:4: error[policy.lookup-csv]: the quote is never closed | "
                         "close it with \"\n"));
    QVERIFY(
        lookupErrors("api_key,plan\nk1,\"pro\"x\n").find("plans.csv:2:9: error[policy.lookup-csv]")
        == 0);
    QVERIFY(lookupErrors("api_key,plan\nk1,a\"b\n").find("plans.csv:2:5: error[policy.lookup-csv]")
            == 0);
    QVERIFY(lookupErrors("key,plan\nk1,pro\n")
                .find("plans.csv:1:1: error[policy.lookup-column]: the lookup file has no column "
                      "`api_key`, only `key`, `plan`")
            == 0);
    QCOMPARE(lookupErrors("api_key,plan,x,x,plan\nk1,pro,,,free\n"),
             std::string("plans.csv:1:18: error[policy.lookup-column]: the lookup file has 2 "
                         "columns named `plan`: `api_key`, `plan`, `x`, `x`, `plan` | keep the "
                         "name `plan` for one of them\n"));
    QVERIFY(lookupErrors("api_key,plan,api_key\nk1,pro,k2\n")
                .find("plans.csv:1:14: error[policy.lookup-column]")
            == 0);
    QCOMPARE(lookupErrors("api_key,x,plan,x\nk1,,pro,\n"), std::string());
    QVERIFY(lookupErrors("").find("plans.csv:1:1: error[policy.lookup-column]") == 0);
    QVERIFY(
        lookupErrors("api_key,plan\nk1\nk2,pro,x\nk3,pro\n")
            .find("plans.csv:2:1: error[policy.lookup-column]: the row has 1 fields, the header 2")
        == 0);
    QVERIFY(lookupErrors("api_key,plan\nk1\nk2,pro,x\n").find("plans.csv:3:1: ")
            != std::string::npos);
}

void TestCompile::namesLookupFilesOnce()
{
    const Policy policy
        = policyOf(kHead
                   + "attributes: { plan: { from: api_key, lookup: b.csv }, x: { from: a, lookup: "
                     "a.csv }, owner: { from: api_key, lookup: b.csv } }\ntiers: {}\n");
    QCOMPARE(lookupFiles(policy), (std::vector<std::string> {"b.csv", "a.csv"}));
    int calls = 0;
    (void)compile(policy, [&](const std::string&) -> engine::Result<std::string> {
        ++calls;
        return std::string("api_key,plan,owner,a,x\n");
    });
    QCOMPARE(calls, 2);
}

void TestCompile::fingerprintOverlooksNotation()
{
    const std::string print = printOf(
        edge("algorithm: token_bucket, rate: 60/min, match: { method: [GET, HEAD], path: /a }"));
    QCOMPARE(print.size(), std::size_t {32});
    QCOMPARE(
        printOf("# a comment\n"
                + edge("rate: 60/60s, algorithm: token_bucket, burst: '60', mode: enforce, match: "
                       "{ path: /a, method: [head, get, GET] }, status: 429, note: x, cost: 1")),
        print);
    QCOMPARE(printOf("description: x\ncounting: per_tier\n"
                     + edge("algorithm: token_bucket, rate: 1/s, burst: 60, match: { method: [GET, "
                            "HEAD], path: /a }, allow: [x], on_store_failure: open")),
             print);
    // What is left out is what holds anyway; shares say nothing under utilisation.
    const std::string shed = "algorithm: load_shedder, capacity: 9, strategy: utilisation, "
                             "classes: [{ name: x, match: { a: b }, up_to: ";
    QCOMPARE(printOf(edge(shed + "50% }]")), printOf(edge(shed + "60% }], status: 503")));
    QCOMPARE(printOf(edge("algorithm: adaptive_concurrency")),
             printOf(edge("algorithm: adaptive_concurrency, strategy: vegas, initial: 20, min: 1, "
                          "max: 1000, status: 429")));
    QCOMPARE(printOf("tiers: { gateway: [{ name: z, key: [], algorithm: fixed_window, rate: 1/s, "
                     "mode: off }], edge: [{ name: a, key: [x], algorithm: token_bucket, rate: "
                     "60/min, match: { method: [GET, HEAD], path: /a } }] }\n"),
             print);
}

void TestCompile::fingerprintSeesMeaning()
{
    std::set<std::string> prints;
    const std::vector<std::string> texts {
        edge("algorithm: token_bucket, rate: 60/min"),
        edge("algorithm: token_bucket, rate: 61/min"),
        edge("algorithm: token_bucket, rate: 1/s"),
        edge("algorithm: fixed_window, rate: 60/min"),
        edge("algorithm: fixed_window, rate: 1/s"),
        edge("algorithm: fixed_window, rate: 60/min, anchor: 1s"),
        edge("algorithm: fixed_window, rate: 60/min, align: first_request"),
        edge("algorithm: fixed_window, rate: 60/min, count_rejected: true"),
        edge("algorithm: fixed_window, rate: 60/min, mode: shadow"),
        edge("algorithm: fixed_window, rate: 60/min, status: 503"),
        edge("algorithm: fixed_window, rate: 60/min, cost: 2"),
        edge("algorithm: fixed_window, rate: 60/min, cost: { attribute: bytes }"),
        edge("algorithm: fixed_window, rate: 60/min, on_store_failure: closed"),
        edge("algorithm: fixed_window, rate: 60/min, match: { a: b }"),
        edge("algorithm: fixed_window, rate: 60/min, match: { a: { not: b } }"),
        edge("algorithm: fixed_window, rate: 60/min, match: { a: absent }"),
        edge("algorithm: fixed_window, rate: 60/min, match: { a: 'absent' }"),
        edge("algorithm: fixed_window, rate: 60/min, match: { ab: c }"),
        edge("algorithm: fixed_window, rate: 60/min, match: { a: bc }"),
        edge("algorithm: sliding_window_counter, rate: 60/min"),
        edge("algorithm: sliding_window_counter, rate: 60/min, rounding: floor"),
        edge("algorithm: fixed_window, rate: 60/min, overrides: [{ name: o, match: { a: b } }]"),
        edge("algorithm: fixed_window, rate: 60/min, overrides: [{ name: o, match: { a: b }, mode: "
             "off }]"),
        edge("algorithm: concurrency, in_flight: 20"),
        edge("algorithm: adaptive_concurrency"),
        edge("algorithm: adaptive_concurrency, strategy: gradient2"),
        edge("algorithm: adaptive_concurrency, strategy: aimd"),
        edge("algorithm: adaptive_concurrency, initial: 21"),
        edge("algorithm: adaptive_concurrency, min: 2"),
        edge("algorithm: adaptive_concurrency, max: 999"),
        edge("algorithm: load_shedder, capacity: 9"),
        edge("algorithm: load_shedder, capacity: 9, strategy: utilisation"),
        edge("algorithm: load_shedder, capacity: 9, classes: [{ name: x, match: { a: b }, up_to: "
             "50% }]"),
        edge("algorithm: load_shedder, capacity: 9, classes: [{ name: x, match: { a: c }, up_to: "
             "50% }]"),
        edge("algorithm: load_shedder, capacity: 9, classes: [{ name: y, match: { a: b }, up_to: "
             "50% }]"),
        edge("algorithm: load_shedder, capacity: 9, classes: [{ name: x, match: { a: b }, up_to: "
             "51% }]"),
        "tiers: { edge: [{ name: r, key: [], algorithm: concurrency, in_flight: 1 }, { name: a, "
        "key: [x], algorithm: fixed_window, rate: 1/s, tighten: { rule: r, above: 80%, factor: 2 } "
        "}] }\n",
        "tiers: { edge: [{ name: r, key: [], algorithm: concurrency, in_flight: 1 }, { name: a, "
        "key: [x], algorithm: fixed_window, rate: 1/s, tighten: { rule: r, above: 80%, factor: 3 } "
        "}] }\n",
        "tiers: { edge: [{ name: r, key: [], algorithm: concurrency, in_flight: 1 }, { name: a, "
        "key: [x], algorithm: fixed_window, rate: 1/s, tighten: { rule: r, above: 81%, factor: 2 } "
        "}] }\n",
        "tiers: { edge: [{ name: r, key: [], algorithm: concurrency, in_flight: 1 }, { name: a, "
        "key: [x], algorithm: fixed_window, rate: 1/s }] }\n",
        "counting: all_or_nothing\n" + edge("algorithm: fixed_window, rate: 60/min"),
        "exempt: [{ name: m, match: { a: b } }]\n" + edge("algorithm: fixed_window, rate: 60/min"),
        "tiers: { tenant: [{ name: a, key: [x], algorithm: fixed_window, rate: 60/min }] }\n",
        "tiers: { edge: [{ name: b, key: [x], algorithm: fixed_window, rate: 60/min }] }\n",
        "tiers: { edge: [{ name: a, key: [x, y], algorithm: fixed_window, rate: 60/min }] }\n",
        "tiers: { edge: [{ name: a, key: [], algorithm: fixed_window, rate: 60/min }] }\n",
    };
    for (const std::string& text : texts) {
        QVERIFY2(prints.insert(printOf(text)).second, text.c_str());
    }
    const std::string lookup
        = "attributes: { plan: { from: api_key, lookup: plans.csv } }\ntiers: {}\n";
    const std::string print = printOf(lookup, "api_key,plan\nk1,pro\nk2,free\n");
    QCOMPARE(printOf(lookup, "plan,x,api_key\nfree,1,k2\npro,2,k1\npro,3,k2\n"), print);
    QVERIFY(printOf(lookup, "api_key,plan\nk1,pro\nk2,pro\n") != print);
    QVERIFY(printOf(lookup, "api_key,plan\nk1,pro\n") != print);
}

void TestCompile::fingerprintIsStable()
{
    // Stored runs and exported files name it: another value here needs another kFingerprintForm.
    QCOMPARE(printOf(edge("algorithm: token_bucket, rate: 60/min")),
             std::string("76f9507f343d1750a0c7d4837a1eeee3"));
}

void TestCompile::setsAndModes()
{
    const Policy policy = policyOf(kOverrides);
    const auto run = [&](std::vector<std::string> sets, std::vector<std::string> modes) {
        const auto adjusted = adjust(policy, {std::move(sets), std::move(modes)});
        if (!adjusted) {
            return adjusted.error().code;
        }
        if (!adjusted->policy) {
            return render(adjusted->diagnostics.at(0));
        }
        std::string text;
        const Compiled compiled = compile(*adjusted->policy, fileWith(""));
        for (const engine::PlanRule& rule : compiled.plan.value().rules) {
            text += rule.rule.substr(0, 1) + "." + rule.overrideName.value_or("-").substr(0, 2)
                + ":" + std::string(engine::nameOf(rule.mode)).substr(0, 1)
                + std::to_string(rule.limit.rate.count) + "/" + std::to_string(rule.limit.burst)
                + " ";
        }
        return text;
    };
    QCOMPARE(run({}, {}),
             std::string("f.-:e1/1 n.st:e1/1 p.ac:e1500/50 p.bi:s600/50 p.-:e600/50 "));
    QCOMPARE(run({"plan.rate=300/min"}, {}),
             std::string("f.-:e1/1 n.st:e1/1 p.ac:e1500/50 p.bi:s300/25 p.-:e300/50 "));
    QCOMPARE(run({"plan.acme.burst=7", "first.rate=9/s", "first.rate=8/s"}, {}),
             std::string("f.-:e8/1 n.st:e1/1 p.ac:e1500/7 p.bi:s600/50 p.-:e600/50 "));
    QCOMPARE(
        run({}, {"all=enforce"}),
        std::string(
            "f.-:e1/1 n.st:e1/1 n.-:e1/1 p.ac:e1500/50 p.go:e600/50 p.bi:e600/50 p.-:e600/50 "));
    QCOMPARE(run({}, {"all=off", "plan=shadow"}),
             std::string("p.ac:s1500/50 p.go:s600/50 p.bi:s600/50 p.-:s600/50 "));
    // First every set, whatever the order on the command line; then the modes.
    QCOMPARE(run({"plan.mode=off", "plan.big.mode=off"}, {"plan=enforce"}),
             run({}, {"plan=enforce"}));
    QCOMPARE(run({"plan.match.plan=free", "plan.key=[user, path]",
                  "plan.cost={ attribute: bytes, per: 1024 }"},
                 {}),
             run({}, {}));
}

void TestCompile::adjustingIsAsIfTheTextSaidSo()
{
    const Policy policy = policyOf(kOverrides);
    const auto adjusted = adjust(policy,
                                 {{"plan.cost.attribute=bytes", "plan.cost.per=10", "plan.note=a b",
                                   "plan.match.path=/x/**"},
                                  {}});
    QVERIFY(adjusted.has_value());
    const Policy& after = adjusted->policy.value();
    QCOMPARE(after.rule("plan")->values.cost->value.per, std::int64_t {10});
    QCOMPARE(after.rule("plan")->note->value, std::string("a b"));
    QCOMPARE(after.rule("plan")->match->entries.size(), std::size_t {2});
    QCOMPARE(after.adjustments.size(), std::size_t {4});
    QCOMPARE(after.text, policy.text);
    QCOMPARE(policy.rule("plan")->match->entries.size(), std::size_t {1});
    const auto twice = adjust(after, {{"plan.rate=0x"}, {}});
    QCOMPARE(render(twice->diagnostics.at(0)).substr(0, 38),
             std::string("--set plan.rate=0x: error[policy.rate]"));
}

void TestCompile::refusesWhatCannotBeAdjusted()
{
    const Policy policy = policyOf(kOverrides);
    const auto codeOf = [&](const std::string& set, const std::string& mode) {
        Adjustments adjustments;
        (set.empty() ? adjustments.modes : adjustments.sets).push_back(set.empty() ? mode : set);
        const auto adjusted = adjust(policy, adjustments);
        return adjusted ? (adjusted->policy ? "fine" : "3 " + adjusted->diagnostics.at(0).code)
                        : "2 " + adjusted.error().code;
    };
    QCOMPARE(codeOf("plans.rate=1/s", ""), std::string("2 policy.adjust-rule"));
    QCOMPARE(codeOf("plan", ""), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("plan.rate", ""), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("plan=1/s", ""), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("plan.rate=", ""), std::string("2 policy.adjust-form"));
    std::string deep = "plan";
    for (int i = 0; i < 50'000; ++i) {
        deep += ".a";
    }
    QCOMPARE(codeOf(deep + "=1", ""), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("", "plan"), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("", "plan=on"), std::string("2 policy.adjust-form"));
    QCOMPARE(codeOf("", "acme=off"), std::string("2 policy.adjust-rule"));
    QCOMPARE(codeOf("plan.brust=1", ""), std::string("3 policy.unknown-field"));
    QCOMPARE(codeOf("plan.acme.status=503", ""), std::string("3 policy.override-field"));
    QCOMPARE(codeOf("plan.queue=5", ""), std::string("3 policy.algorithm-field"));
    QCOMPARE(codeOf("plan.name=first", ""), std::string("3 policy.duplicate-name"));
    QCOMPARE(codeOf("plan.rate=~", ""), std::string("3 policy.no-value"));
    QCOMPARE(codeOf("plan.tighten.factor=2", ""), std::string("3 policy.missing-field"));
    QCOMPARE(codeOf("plan.block_for=1h", ""), std::string("3 policy.later-version"));
    QCOMPARE(codeOf("plan.note='open", ""), std::string("3 policy.open-quote"));
    QCOMPARE(codeOf("plan.burst=5", ""), std::string("fine"));
}

QTEST_APPLESS_MAIN(TestCompile)
#include "tst_compile.moc"
