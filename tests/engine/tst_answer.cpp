#include "engine/algorithms.h"
#include "engine/answer.h"
#include "engine/answer/structured_fields.h"
#include "tests/support/json.h"
#include "tests/support/one_key.h"
#include "tests/support/structured_fields.h"

#include <QTest>

#include <random>

using namespace engine;
using tests::support::FieldItem;
using tests::support::Json;
using tests::support::OneKey;
using tests::support::parseDictionary;
using tests::support::parseItem;
using tests::support::parseList;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;

Limit limitOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    limit.burst = std::max<std::int64_t>(1, count);
    return limit;
}

/// A plan and a decision, rule by rule.
struct Case {
    Plan plan;
    Decision decision;

    Case() { decision.verdict.tiersJudged = kTierCount; }

    PlanRule& add(std::string name, const Limit& limit, const Figures& figures = {},
                  bool admits = true, Tier tier = Tier::Edge)
    {
        PlanRule rule;
        rule.rule = std::move(name);
        rule.limit = limit;
        rule.tier = tier;
        plan.rules.push_back(rule);
        RuleDecision judged;
        judged.rule = static_cast<std::uint32_t>(plan.rules.size() - 1);
        judged.admits = admits;
        judged.figures = figures;
        decision.rules.push_back(judged);
        return plan.rules.back();
    }

    /// The last rule rejects.
    void reject(std::optional<std::int64_t> retryAfterNs)
    {
        decision.verdict.outcome = Outcome::Rejected;
        decision.verdict.rule = static_cast<std::uint32_t>(plan.rules.size() - 1);
        decision.retryAfterNs = retryAfterNs;
    }

    [[nodiscard]] std::string fields(HeaderStyle style = HeaderStyle::Draft10) const
    {
        std::string text;
        for (const HeaderField& field : answerTo(plan, decision, style).headers) {
            text += field.name + ": " + field.value + "\n";
        }
        return text;
    }

    [[nodiscard]] std::string field(std::string_view name,
                                    HeaderStyle style = HeaderStyle::Draft10) const
    {
        for (const HeaderField& field : answerTo(plan, decision, style).headers) {
            if (field.name == name) {
                return field.value;
            }
        }
        return "(none)";
    }
};

std::string policyOf(const Limit& limit)
{
    Case one;
    one.add("r", limit);
    return one.field("RateLimit-Policy");
}

Case searchRejects()
{
    Limit limit = limitOf(Algorithm::TokenBucket, 12, kMinute);
    limit.burst = 2;
    Case one;
    one.add("per-address", limitOf(Algorithm::FixedWindow, 20, 10 * kSecond),
            {15, 0, 6'210'000'000, 6'210'000'000});
    one.add("search", limit, {0, 1'410'000'000, 1'410'000'000, 6'410'000'000}, false,
            Tier::Endpoint);
    one.reject(1'410'000'000);
    return one;
}

std::vector<std::string> codes(const std::vector<Diagnostic>& found)
{
    std::vector<std::string> list;
    for (const Diagnostic& diagnostic : found) {
        list.push_back(diagnostic.code);
    }
    return list;
}

} // namespace

/// What clients are told of a decision.
class TestAnswer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void draftsExample();
    void rejectionInFull();
    void policyByAlgorithm_data();
    void policyByAlgorithm();
    void retryAfterRoundsUp();
    void nothingIsToldOfShadowNorOfWhatWasNotJudged();
    void exemptRequestIsToldNothing();
    void zeroRateHasNoWait();
    void fullQuotaHasNoWait();
    void slotOfNoDurationHasOne();
    void overrideHasAName();
    void tooLargeNumbersAreCapped();
    void hostileNames();
    void temporaryReducedCapacity();
    void whatIsDrawnHasNoQuota();
    void severalDenials();
    void costAboveCapacity();
    void draft07();
    void draft07WithoutReset();
    void github();
    void githubBefore1970AndAtTheEndOfTime();
    void draft03();
    void kong();
    void noStyle();
    void nearestIsTold();
    void stylesHaveNames();
    void structuredTextsComeBack();
    void structuredNumbers();
    void readerRefuses_data();
    void readerRefuses();
    void readerTakes();
    void everyAnswerCanBeRead();
};

/// The example of the draft: a burst of 100 a minute, of which 50 are left for 30 s.
void TestAnswer::draftsExample()
{
    Case one;
    one.add("burst", limitOf(Algorithm::FixedWindow, 100, kMinute), {50, 0, 30 * kSecond, {}});
    one.add("daily", limitOf(Algorithm::FixedWindow, 1000, 1440 * kMinute),
            {999, 0, 36000 * kSecond, {}}, true, Tier::Tenant);
    QCOMPARE(one.fields(),
             std::string("RateLimit-Policy: \"burst\";q=100;w=60, \"daily\";q=1000;w=86400\n"
                         "RateLimit: \"burst\";r=50;t=30, \"daily\";r=999;t=36000\n"));
    QVERIFY(!answerTo(one.plan, one.decision).problem);
}

void TestAnswer::rejectionInFull()
{
    const Case one = searchRejects();
    QCOMPARE(one.fields(),
             std::string("Retry-After: 2\n"
                         "RateLimit-Policy: \"per-address\";q=20;w=10, \"search\";q=2;w=10\n"
                         "RateLimit: \"per-address\";r=15;t=7, \"search\";r=0;t=2\n"
                         "Content-Type: application/problem+json\n"));
    QCOMPARE(problemJson(*answerTo(one.plan, one.decision).problem),
             std::string("{\n"
                         "  \"type\": \"https://iana.org/assignments/http-problem-types"
                         "#quota-exceeded\",\n"
                         "  \"title\": \"Quota Exceeded\",\n"
                         "  \"status\": 429,\n"
                         "  \"detail\": \"Rule search of tier endpoint admits 12 per 1 min, 2 at "
                         "once; it resets in 7 s. Try again in 2 s.\",\n"
                         "  \"violated-policies\": [\"search\"]\n"
                         "}\n"));
}

void TestAnswer::policyByAlgorithm_data()
{
    QTest::addColumn<std::string>("policy");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, const Limit& limit, const char* expected) {
        QTest::newRow(name) << policyOf(limit) << std::string("\"r\"") + expected;
    };
    row("fixed_window", limitOf(Algorithm::FixedWindow, 100, kMinute), ";q=100;w=60");
    row("sliding_window_log", limitOf(Algorithm::SlidingWindowLog, 7, 3 * kSecond), ";q=7;w=3");
    row("sliding_window_counter", limitOf(Algorithm::SlidingWindowCounter, 5, 60 * kMinute),
        ";q=5;w=3600");
    row("below a second", limitOf(Algorithm::FixedWindow, 100, 250'000'000), ";q=100;w=1");
    row("a second and a half", limitOf(Algorithm::FixedWindow, 100, 1'500'000'000), ";q=100;w=2");
    Limit bucket = limitOf(Algorithm::TokenBucket, 60, kMinute);
    bucket.burst = 600;
    row("token_bucket", bucket, ";q=600;w=600");
    bucket.rate = {7, 3 * kSecond};
    bucket.burst = 10; // 30/7 s = 4.29 s
    row("token_bucket, a fraction", bucket, ";q=10;w=5");
    Limit gcra = limitOf(Algorithm::Gcra, 10, kSecond);
    gcra.burst = 25;
    row("gcra with burst", gcra, ";q=25;w=3");
    gcra.rate = {1, kMinute};
    gcra.toleranceNs = 90 * kSecond; // floor(150 s / 60 s) at once, 2 minutes to refill these
    row("gcra with tolerance", gcra, ";q=2;w=120");
    Limit leaky = limitOf(Algorithm::LeakyBucket, 10, kSecond);
    leaky.queue = 20;
    row("leaky_bucket", leaky, ";q=21;w=3");
    Limit slots;
    slots.algorithm = Algorithm::Concurrency;
    slots.inFlight = 20;
    row("concurrency", slots, ";q=20;qu=\"concurrent-requests\"");
    row("zero rate, a window", limitOf(Algorithm::FixedWindow, 0, kMinute), ";q=0;w=60");
    row("zero rate, a bucket", limitOf(Algorithm::TokenBucket, 0, kMinute), ";q=0");
    row("the longest period", limitOf(Algorithm::FixedWindow, 1, std::int64_t {1} << 62),
        ";q=1;w=4611686019");
}

void TestAnswer::policyByAlgorithm()
{
    QFETCH(std::string, policy);
    QTEST(policy, "expected");
}

void TestAnswer::retryAfterRoundsUp()
{
    QCOMPARE(headerSeconds(0), 1);
    QCOMPARE(headerSeconds(1), 1);
    QCOMPARE(headerSeconds(kSecond), 1);
    QCOMPARE(headerSeconds(kSecond + 1), 2);
    QCOMPARE(headerSeconds(std::numeric_limits<std::int64_t>::max()), 9'223'372'037);
    Case one = searchRejects();
    one.reject(kSecond);
    QCOMPARE(one.field("Retry-After"), std::string("1"));
    one.reject(0); // a peek that is denied at an edge
    QCOMPARE(one.field("Retry-After"), std::string("1"));
    one.reject(std::nullopt);
    QCOMPARE(one.field("Retry-After"), std::string("(none)"));
}

void TestAnswer::nothingIsToldOfShadowNorOfWhatWasNotJudged()
{
    Case one = searchRejects();
    one.plan.rules[0].mode = Mode::Shadow;
    PlanRule later;
    later.rule = "tenant-total";
    later.tier = Tier::Tenant;
    one.plan.rules.push_back(later);
    QCOMPARE(one.field("RateLimit"), std::string("\"search\";r=0;t=2"));
    QCOMPARE(one.field("RateLimit-Policy"), std::string("\"search\";q=2;w=10"));
    one.decision.rules[0].admits = false;
    const Answer answer = answerTo(one.plan, one.decision);
    QCOMPARE(answer.problem->violatedPolicies, std::vector<std::string> {"search"});
    QVERIFY(answer.problem->detail.find("per-address") == std::string::npos);

    Case shadow;
    shadow.add("s", limitOf(Algorithm::FixedWindow, 1, kMinute), {}, false).mode = Mode::Shadow;
    QCOMPARE(shadow.fields(), std::string());
}

void TestAnswer::exemptRequestIsToldNothing()
{
    Case one;
    one.decision.verdict.exemption = 0;
    QCOMPARE(one.fields(), std::string());
    QVERIFY(!answerTo(one.plan, one.decision).problem);
}

void TestAnswer::zeroRateHasNoWait()
{
    Case one;
    one.add("closed", limitOf(Algorithm::TokenBucket, 0, kMinute), zeroRateFigures(false), false);
    one.reject(std::nullopt);
    QCOMPARE(one.fields(),
             std::string("RateLimit-Policy: \"closed\";q=0\n"
                         "RateLimit: \"closed\";r=0\n"
                         "Content-Type: application/problem+json\n"));
    QCOMPARE(answerTo(one.plan, one.decision).problem->detail,
             std::string("Rule closed of tier edge admits nothing. No wait helps."));
}

void TestAnswer::fullQuotaHasNoWait()
{
    Case one; // a request of cost 0
    one.add("r", limitOf(Algorithm::FixedWindow, 10, kMinute), {10, 0, 0, 0});
    QCOMPARE(one.field("RateLimit"), std::string("\"r\";r=10"));
}

void TestAnswer::slotOfNoDurationHasOne()
{
    Limit slots;
    slots.algorithm = Algorithm::Concurrency;
    slots.inFlight = 2;
    Case one;
    one.add("r", slots, {1, 0, 0, 0}); // small print A12
    QCOMPARE(one.field("RateLimit"), std::string("\"r\";r=1;t=1"));
}

void TestAnswer::overrideHasAName()
{
    Case one = searchRejects();
    one.plan.rules[1].overrideName = "acme";
    QCOMPARE(one.field("RateLimit"),
             std::string("\"per-address\";r=15;t=7, \"search/acme\";r=0;t=2"));
    QCOMPARE(answerTo(one.plan, one.decision).problem->violatedPolicies,
             std::vector<std::string> {"search/acme"});
}

void TestAnswer::tooLargeNumbersAreCapped()
{
    constexpr std::int64_t kMost = 999'999'999'999'999;
    Case one;
    one.add("r", limitOf(Algorithm::FixedWindow, kMost, kSecond), {kMost, 0, 0, 0});
    QCOMPARE(one.field("RateLimit-Policy"), std::string("\"r\";q=999999999999999;w=1"));
    QVERIFY(unsayable(one.plan, HeaderStyle::Draft10).empty());
    one.plan.rules[0].limit.rate.count = kMost + 1;
    one.decision.rules[0].figures = {kMost, 0, kSecond, kSecond};
    QCOMPARE(one.field("RateLimit-Policy"), std::string("\"r\";q=999999999999999;w=1"));
    QCOMPARE(one.field("RateLimit"), std::string("\"r\";r=999999999999999;t=1"));
    QCOMPARE(one.field("RateLimit-Policy", HeaderStyle::Draft07),
             std::string("999999999999999;w=1"));
    QCOMPARE(one.field("X-RateLimit-Limit", HeaderStyle::Github), std::string("1000000000000000"));
    const std::vector<Diagnostic> found = unsayable(one.plan, HeaderStyle::Draft10);
    QCOMPARE(codes(found), std::vector<std::string> {"answer.quota"});
    QVERIFY(found[0].message.find("1000000000000000") != std::string::npos);
    QCOMPARE(codes(unsayable(one.plan, HeaderStyle::Draft07)),
             std::vector<std::string> {"answer.quota"});
    QVERIFY(unsayable(one.plan, HeaderStyle::Kong).empty());
}

void TestAnswer::hostileNames()
{
    Case one = searchRejects();
    one.plan.rules[0].rule = "a\"b\\c, \"d\";r=9";
    QCOMPARE(one.field("RateLimit"),
             std::string(R"("a\"b\\c, \"d\";r=9";r=15;t=7, "search";r=0;t=2)"));
    const auto list = parseList(one.field("RateLimit"));
    QCOMPARE(list->size(), 2U);
    QCOMPARE(std::get<std::string>((*list)[0].value), one.plan.rules[0].rule);

    // A line end, or what is not ASCII, never gets into a header; a body says it all.
    one.plan.rules[1].rule = "caf\xc3\xa9\r\nX-Evil: 1\xff\xf0\x9f\x98\x80";
    QCOMPARE(one.field("RateLimit"), std::string(R"("a\"b\\c, \"d\";r=9";r=15;t=7)"));
    for (const HeaderStyle style : {HeaderStyle::Draft10, HeaderStyle::Github, HeaderStyle::Kong}) {
        for (const HeaderField& field : answerTo(one.plan, one.decision, style).headers) {
            for (const char c : field.value) {
                QVERIFY(c >= 0x20 && c < 0x7f);
            }
        }
    }
    QCOMPARE(codes(unsayable(one.plan, HeaderStyle::Draft10)),
             std::vector<std::string> {"answer.name"});
    QCOMPARE(codes(unsayable(one.plan, HeaderStyle::Github)),
             std::vector<std::string> {"answer.name"});
    QVERIFY(unsayable(one.plan, HeaderStyle::Draft07).empty());
    const std::string body = problemJson(*answerTo(one.plan, one.decision).problem);
    QVERIFY(body.find("[\"caf\\u00e9\\u000d\\u000aX-Evil: 1\\ufffd\\ud83d\\ude00\"]")
            != std::string::npos);
    for (const char c : body) {
        QVERIFY(c == '\n' || (c >= 0x20 && c < 0x7f));
    }
    // Alone, it leaves nothing to say.
    one.plan.rules[0].mode = Mode::Shadow;
    QCOMPARE(one.fields(), std::string("Retry-After: 2\nContent-Type: application/problem+json\n"));
}

void TestAnswer::temporaryReducedCapacity()
{
    Limit slots;
    slots.algorithm = Algorithm::Concurrency;
    slots.inFlight = 20;
    Case one;
    one.add("workers", slots, {0, 2 * kSecond, kSecond, 3 * kSecond}, false, Tier::Gateway).status
        = 503;
    one.reject(2 * kSecond);
    const Answer answer = answerTo(one.plan, one.decision);
    QCOMPARE(answer.problem->status, 503);
    QCOMPARE(std::string(answer.problem->type),
             std::string("https://iana.org/assignments/http-problem-types"
                         "#temporary-reduced-capacity"));
    QCOMPARE(std::string(answer.problem->title), std::string("Temporary Reduced Capacity"));
    QCOMPARE(answer.problem->detail,
             std::string("Rule workers of tier gateway admits 20 in flight; it resets in 3 s. "
                         "Try again in 2 s."));
    QCOMPARE(one.field("RateLimit"), std::string("\"workers\";r=0;t=1"));
    one.plan.rules[0].status = 403;
    QCOMPARE(answerTo(one.plan, one.decision).problem->status, 403);
    QCOMPARE(std::string(answerTo(one.plan, one.decision).problem->title),
             std::string("Quota Exceeded"));
}

/// What it admits beyond its capacity is no quota of 0, and what it sheds is drawn: no header tells
/// a client how much it may send. The body names it all the same.
void TestAnswer::whatIsDrawnHasNoQuota()
{
    Limit limit;
    limit.algorithm = Algorithm::LoadShedder;
    limit.strategy = Strategy::Utilisation;
    limit.inFlight = 4;
    limit.shedAfter = 0;
    Case one;
    one.add("search", limitOf(Algorithm::FixedWindow, 10, kMinute), {9, 0, kSecond, kSecond});
    const std::string alone = one.fields();
    one.add("shed", limit, {0, 0, kSecond, kSecond}).status = 503;
    for (const std::string& name : headerStyleNames()) {
        const HeaderStyle style = *headerStyleNamed(name);
        Case other = one;
        other.plan.rules.pop_back();
        other.decision.rules.pop_back();
        QCOMPARE(one.fields(style), other.fields(style));
        const auto unsaid = unsayable(one.plan, style);
        const bool isSaid = std::any_of(unsaid.begin(), unsaid.end(), [](const Diagnostic& advice) {
            return advice.code == "answer.drawn";
        });
        QCOMPARE(isSaid, style != HeaderStyle::None);
    }
    QVERIFY(alone.find("search") != std::string::npos);
    one.decision.rules.back().admits = false;
    one.reject(std::nullopt);
    QCOMPARE(one.field("RateLimit").find("shed"), std::string::npos);
    const Answer answer = answerTo(one.plan, one.decision);
    QCOMPARE(answer.problem->violatedPolicies, std::vector<std::string> {"shed"});
}

void TestAnswer::severalDenials()
{
    Limit leaky = limitOf(Algorithm::LeakyBucket, 4, 90 * kSecond);
    leaky.queue = 3;
    Case one;
    one.add("second", limitOf(Algorithm::FixedWindow, 1, 250'000'000),
            {0, 100'000'000, 100'000'000, 100'000'000}, false);
    one.add("queue", leaky, {0, 5 * kSecond, 5 * kSecond, 90 * kSecond}, false);
    one.decision.verdict.outcome = Outcome::Rejected;
    one.decision.verdict.rule = 0;
    one.plan.rules[0].status = 503;
    one.decision.retryAfterNs = 5 * kSecond;
    const Answer answer = answerTo(one.plan, one.decision);
    QCOMPARE(answer.problem->status, 503); // of the first that denied
    QCOMPARE(answer.problem->violatedPolicies, (std::vector<std::string> {"second", "queue"}));
    QCOMPARE(answer.problem->detail,
             std::string("Rule second of tier edge admits 1 per 250 ms; it resets in 1 s. "
                         "Rule queue of tier edge admits 4 per 90 s, and lets 3 wait; it resets "
                         "in 90 s. Try again in 5 s."));
    QCOMPARE(one.field("Retry-After"), std::string("5"));
}

void TestAnswer::costAboveCapacity()
{
    Case one;
    one.add("small", limitOf(Algorithm::Gcra, 5, kMinute), {5, std::nullopt, 0, 0}, false);
    one.decision.rules[0].cost = 6;
    one.reject(std::nullopt);
    QCOMPARE(one.field("RateLimit"), std::string("\"small\";r=5"));
    QCOMPARE(answerTo(one.plan, one.decision).problem->detail,
             std::string("Rule small of tier edge admits 5 per 1 min, 5 at once. No wait helps: "
                         "this request costs 6, and small never has more than 5."));
}

void TestAnswer::draft07()
{
    Case one; // the example of -07
    one.add("minute", limitOf(Algorithm::FixedWindow, 100, kMinute), {50, 0, 5 * kSecond, {}});
    QCOMPARE(one.fields(HeaderStyle::Draft07),
             std::string("RateLimit-Policy: 100;w=60\n"
                         "RateLimit: limit=100, remaining=50, reset=5\n"));
    const Case rejected = searchRejects();
    QCOMPARE(rejected.fields(HeaderStyle::Draft07),
             std::string("Retry-After: 2\n"
                         "RateLimit-Policy: 20;w=10, 2;w=10\n"
                         "RateLimit: limit=2, remaining=0, reset=2\n"
                         "Content-Type: application/problem+json\n"));
}

void TestAnswer::draft07WithoutReset()
{
    Case one;
    one.add("closed", limitOf(Algorithm::TokenBucket, 0, kMinute), zeroRateFigures(false), false);
    one.reject(std::nullopt);
    QCOMPARE(one.fields(HeaderStyle::Draft07),
             std::string("Content-Type: application/problem+json\n"));
    QCOMPARE(codes(unsayable(one.plan, HeaderStyle::Draft07)),
             std::vector<std::string> {"answer.window"});
    QCOMPARE(codes(unsayable(one.plan, HeaderStyle::Draft03)),
             std::vector<std::string> {"answer.window"});
    QVERIFY(unsayable(one.plan, HeaderStyle::Draft10).empty());
    one.plan.rules[0].mode = Mode::Shadow;
    QVERIFY(unsayable(one.plan, HeaderStyle::Draft07).empty());
}

void TestAnswer::github()
{
    Case one = searchRejects();
    one.decision.rules[1].judgedNs = 1'763'978'453'790'000'000; // .790 and 1.410 s are .200
    QCOMPARE(one.fields(HeaderStyle::Github),
             std::string("Retry-After: 2\n"
                         "X-RateLimit-Limit: 2\n"
                         "X-RateLimit-Remaining: 0\n"
                         "X-RateLimit-Used: 2\n"
                         "X-RateLimit-Reset: 1763978456\n"
                         "X-RateLimit-Resource: search\n"
                         "Content-Type: application/problem+json\n"));
}

void TestAnswer::githubBefore1970AndAtTheEndOfTime()
{
    Case one = searchRejects();
    one.decision.rules[1].judgedNs = -kMinute;
    QCOMPARE(one.field("X-RateLimit-Reset", HeaderStyle::Github), std::string("-58"));
    one.decision.rules[1].judgedNs = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(one.field("X-RateLimit-Reset", HeaderStyle::Github), std::string("9223372039"));
}

void TestAnswer::draft03()
{
    Case one; // as Envoy has it: 10 a minute, one of them used
    one.add("minute", limitOf(Algorithm::FixedWindow, 10, kMinute),
            {9, 0, 59 * kSecond, 59 * kSecond});
    QCOMPARE(one.fields(HeaderStyle::Draft03),
             std::string("X-RateLimit-Limit: 10, 10;w=60\n"
                         "X-RateLimit-Remaining: 9\n"
                         "X-RateLimit-Reset: 59\n"));
    Limit slots;
    slots.algorithm = Algorithm::Concurrency;
    slots.inFlight = 3;
    Case inFlight;
    inFlight.add("slots", slots, {2, 0, kSecond, kSecond});
    QCOMPARE(inFlight.field("X-RateLimit-Limit", HeaderStyle::Draft03), std::string("3"));
}

void TestAnswer::kong()
{
    Case one;
    one.add("m", limitOf(Algorithm::FixedWindow, 10, kMinute), {4, 0, 59 * kSecond, {}});
    one.add("h", limitOf(Algorithm::FixedWindow, 100, 60 * kMinute), {90, 0, 100 * kSecond, {}});
    one.add("m2", limitOf(Algorithm::FixedWindow, 12, kMinute), {3, 0, 58 * kSecond, {}});
    one.add("odd", limitOf(Algorithm::FixedWindow, 7, 3 * kSecond), {6, 0, kSecond, {}});
    QCOMPARE(one.fields(HeaderStyle::Kong),
             std::string("X-RateLimit-Limit-Minute: 12\n"
                         "X-RateLimit-Remaining-Minute: 3\n"
                         "X-RateLimit-Limit-Hour: 100\n"
                         "X-RateLimit-Remaining-Hour: 90\n"
                         "RateLimit-Limit: 12\n"
                         "RateLimit-Remaining: 3\n"
                         "RateLimit-Reset: 58\n"));
}

void TestAnswer::noStyle()
{
    QCOMPARE(searchRejects().fields(HeaderStyle::None),
             std::string("Retry-After: 2\nContent-Type: application/problem+json\n"));
}

void TestAnswer::nearestIsTold()
{
    const Limit minute = limitOf(Algorithm::FixedWindow, 10, kMinute);
    const auto toldOf
        = [](const Case& one) { return one.field("X-RateLimit-Resource", HeaderStyle::Github); };
    Case one;
    one.add("a", minute, {5, 0, 9 * kSecond, {}});
    one.add("b", minute, {5, 0, 9 * kSecond, {}});
    QCOMPARE(toldOf(one), std::string("a")); // equal: the first
    one.add("longer", minute, {5, 0, 10 * kSecond, {}});
    QCOMPARE(toldOf(one), std::string("longer"));
    one.add("less", minute, {4, 0, kSecond, {}});
    QCOMPARE(toldOf(one), std::string("less"));
    one.add("denies", minute, {6, 8 * kSecond, kSecond, {}}, false);
    QCOMPARE(toldOf(one), std::string("denies"));
    QCOMPARE(one.field("RateLimit-Reset", HeaderStyle::Kong), std::string("8")); // as Retry-After
    one.add("denies longer", minute, {0, 9 * kSecond, 9 * kSecond, {}}, false);
    QCOMPARE(toldOf(one), std::string("denies longer"));
    one.add("denies for good", minute, {2, std::nullopt, 7 * kSecond, {}}, false);
    QCOMPARE(toldOf(one), std::string("denies for good"));
    QCOMPARE(one.field("RateLimit-Reset", HeaderStyle::Kong), std::string("7"));
}

void TestAnswer::stylesHaveNames()
{
    for (const std::string& name : headerStyleNames()) {
        QCOMPARE(std::string(nameOf(*headerStyleNamed(name))), name);
    }
    QCOMPARE(headerStyleNames().size(), 6U);
    QVERIFY(headerStyleNamed("10") == HeaderStyle::Draft10);
    QVERIFY(!headerStyleNamed("11"));
}

void TestAnswer::structuredTextsComeBack()
{
    std::mt19937 random(42); // NOLINT(cert-msc32-c, cert-msc51-cpp): the same each time
    for (int i = 0; i < 2000; ++i) {
        std::string any;
        for (std::size_t left = random() % 12; left > 0; --left) {
            any += static_cast<char>(i % 2 == 0 ? 0x20 + random() % 95 : random() % 256);
        }
        const bool isSayable
            = std::all_of(any.begin(), any.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
        const std::optional<std::string> said = structured::text(any);
        QCOMPARE(said.has_value(), isSayable);
        if (said) {
            QCOMPARE(std::get<std::string>(parseItem(*said)->value), any);
        }
        const auto item = structured::policyItem({"x", i, "content-bytes", i + 1, any});
        const std::optional<FieldItem> read = parseItem(item.value_or(""));
        QVERIFY(read);
        QCOMPARE(read->parameter<tests::support::Bytes>("pk")->bytes, any);
        QCOMPARE(*read->parameter<std::int64_t>("q"), i);
        QCOMPARE(*read->parameter<std::string>("qu"), std::string("content-bytes"));
    }
}

void TestAnswer::structuredNumbers()
{
    QCOMPARE(*structured::integer(-999'999'999'999'999), std::string("-999999999999999"));
    QVERIFY(!structured::integer(1'000'000'000'000'000));
    QVERIFY(!structured::integer(-1'000'000'000'000'000));
    QVERIFY(!structured::integer(std::numeric_limits<std::int64_t>::min()));
    QVERIFY(!structured::limitItem({"r", -1, std::nullopt}));
    QVERIFY(!structured::limitItem({"r", 1, -1}));
    QVERIFY(!structured::limitItem({"\x7f", 1, 1}));
    QCOMPARE(*structured::limitItem({"r", 0, 0}), std::string("\"r\";r=0;t=0"));
}

void TestAnswer::readerRefuses_data()
{
    QTest::addColumn<QByteArray>("field");
    for (const char* field :
         {"\"a\",", "\"a\" \"b\"", "\"a", "\"a\\b\"", "\"\x01\"", "\"\xc3\xa9\"", "1.0",
          "1000000000000000", "\"a\";Q=1", "\"a\";q=", "\"a\";", ",\"a\"", "-", "?2",
          ":a b:", ":YQ==", "@1", "\"a\",,\"b\""}) {
        QTest::newRow(field) << QByteArray(field);
    }
}

void TestAnswer::readerRefuses()
{
    QFETCH(QByteArray, field);
    QVERIFY(!parseList(field.toStdString()));
}

void TestAnswer::readerTakes()
{
    QCOMPARE(parseList("")->size(), 0U);
    QCOMPARE(parseList("  \"a\";q=1; w=2\t,\t burst;q=007  ")->size(), 2U);
    QCOMPARE(*parseList("a;q=1;q=2")->front().parameter<std::int64_t>("q"), 2);
    QCOMPARE(*parseItem("a;b")->parameter<bool>("b"), true);
    QCOMPARE(parseDictionary("limit=100, remaining=50, reset=5")->size(), 3U);
    QCOMPARE(parseDictionary("a=1, a=2")->size(), 1U);
    QVERIFY(!parseDictionary("a=1,"));
    QVERIFY(!parseDictionary("1=a"));
    QVERIFY(parseDictionary("a;x=1, b=?0"));
    // Padding may be missing.
    QCOMPARE(std::get<tests::support::Bytes>(parseItem(":dXNlci00Mg:")->value).bytes,
             std::string("user-42"));
}

/// Random limits at work: what is sent can be read, is within bounds, and Retry-After is never
/// earlier than t (draft -10), and long enough.
void TestAnswer::everyAnswerCanBeRead()
{
    std::mt19937_64 random(7); // NOLINT(cert-msc32-c, cert-msc51-cpp): the same each time
    constexpr std::array kAlgorithms {Algorithm::FixedWindow,          Algorithm::SlidingWindowLog,
                                      Algorithm::SlidingWindowCounter, Algorithm::TokenBucket,
                                      Algorithm::LeakyBucket,          Algorithm::Gcra};
    int rejections = 0;
    for (int round = 0; round < 600; ++round) {
        Limit limit = limitOf(kAlgorithms[static_cast<std::size_t>(round) % kAlgorithms.size()],
                              static_cast<std::int64_t>(random() % 8),
                              static_cast<std::int64_t>(1 + random() % (20 * kSecond)));
        limit.burst = static_cast<std::int64_t>(1 + random() % 9);
        limit.queue = static_cast<std::int64_t>(random() % 5);
        OneKey key(limit);
        std::int64_t nowNs = 0;
        for (int step = 0; step < 20; ++step) {
            nowNs += static_cast<std::int64_t>(random() % (4 * kSecond));
            const auto cost = static_cast<std::int64_t>(1 + random() % 3);
            const tests::support::Answer decided = key.decide(nowNs, cost);
            Case one;
            one.add("r", limit, decided.figures, decided.admitted);
            one.decision.rules[0].cost = cost;
            if (!decided.admitted) {
                ++rejections;
                one.reject(decided.figures.retryAfterNs);
                const std::string body = problemJson(*answerTo(one.plan, one.decision).problem);
                QVERIFY2(Json::parse(body), body.c_str());
            }
            const auto policy = parseList(one.field("RateLimit-Policy"));
            const auto told = parseList(one.field("RateLimit"));
            QVERIFY(policy && told);
            const std::int64_t quota = *policy->front().parameter<std::int64_t>("q");
            const std::int64_t remaining = *told->front().parameter<std::int64_t>("r");
            const auto next = told->front().parameter<std::int64_t>("t");
            QVERIFY(remaining >= 0 && remaining <= quota);
            QCOMPARE(next.has_value(), remaining < quota);
            if (!decided.admitted && decided.figures.retryAfterNs) {
                const std::int64_t seconds = std::stoll(one.field("Retry-After"));
                QVERIFY(seconds >= *next);
                OneKey later(key);
                QVERIFY(later.decide(nowNs + seconds * kSecond, cost).admitted);
            }
        }
    }
    QVERIFY(rejections > 1000);
}

QTEST_APPLESS_MAIN(TestAnswer)
#include "tst_answer.moc"
