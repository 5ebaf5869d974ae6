#include "app/workbench/explain.h"
#include "app/workbench/find_requests.h"
#include "app/workbench/key_states.h"
#include "app/workbench/verdict_text.h"
#include "tests/app/run_bench.h"

#include <QTest>

using namespace app;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'040; // a minute begins

/// One request each second: k1 to /a, and k2 to /b in the even ones.
std::string twoKeysLog()
{
    std::string log;
    int n = 0;
    const auto add = [&](int second, const char* key, const char* path) {
        log += R"({"time_ns": )" + std::to_string((kStart + second) * kNs) + R"(, "api_key": ")"
            + key + R"(", "method": "GET", "path": ")" + path + R"(", "request_id": "r)"
            + std::to_string(++n) + R"(", "status": 200})" + "\n";
    };
    for (int second = 0; second < 30; ++second) {
        add(second, "k1", "/a");
        if (second % 2 == 0) {
            add(second, "k2", "/b/c");
        }
    }
    return log;
}

const char* const kPolicy = R"(weir: 1
name: p
tiers:
  gateway:
    - { name: it, key: [api_key], algorithm: fixed_window, rate: 10/min }
  tenant:
    - { name: watch, key: [], algorithm: fixed_window, rate: 20/min, mode: shadow }
)";

} // namespace

class TestFindRequests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void rejectedComeFromTheStore();
    void listsEndAndSayHowManyMore();
    void whatShadowRulesWouldRejectIsFound();
    void admittedAndRequestIdsComeFromTheRecording();
    void recordingThatIsGoneIsSaid();
    void rejectedBesideOne();
    void visitsTellTheStateOfTheKey();
    void statesBetweenVisitsAreTheEngines();
    void verdictInWords();
    void customersAreToldNothingOfOthers();

private:
    [[nodiscard]] FoundRequests found(const RequestQuery& query,
                                      std::size_t most = kMostFound) const
    {
        const auto result = findRequests(*m_bench->store, m_run, query, {}, most);
        if (!result) {
            qFatal("%s", result.error().message.c_str());
        }
        return *result;
    }

    [[nodiscard]] Explanation explained(std::uint64_t n) const
    {
        ExplainTarget target;
        target.n = n;
        const auto result = explain(*m_bench->store, m_run, target, {}, ReadDepth::Visits);
        if (!result) {
            qFatal("%s", result.error().message.c_str());
        }
        return *result;
    }

    std::optional<tests::RunBench> m_bench;
    storage::RunId m_run = 0;
};

void TestFindRequests::init()
{
    m_bench.emplace(twoKeysLog());
    m_run = m_bench->replay(kPolicy);
}

void TestFindRequests::rejectedComeFromTheStore()
{
    // k1 has 30 requests and 10 a minute, k2 15: 20 and 5 are rejected.
    const FoundRequests all = found({});
    QCOMPARE(all.requests.size(), std::size_t {25});
    QCOMPARE(all.isReread, false);
    QCOMPARE(all.requests.front().n, std::uint64_t {16}); // the 11th of k1, second 10
    QCOMPARE(all.requests.front().timeNs, (kStart + 10) * kNs);
    QCOMPARE(all.requests.front().who, std::string("k1"));
    QCOMPARE(all.requests.front().rule, std::string("it"));
    QVERIFY(all.requests.front().outcome == FoundOutcome::Rejected);

    RequestQuery query;
    query.who = "k2";
    QCOMPARE(found(query).requests.size(), std::size_t {5});
    query.path = "/a";
    QCOMPARE(found(query).requests.size(), std::size_t {0});
    query = {};
    query.fromNs = (kStart + 12) * kNs;
    query.toNs = (kStart + 14) * kNs;
    QCOMPARE(found(query).requests.size(), std::size_t {2});
    query = {};
    query.rule = "watch";
    QCOMPARE(found(query).requests.size(), std::size_t {0});
}

void TestFindRequests::listsEndAndSayHowManyMore()
{
    const FoundRequests some = found({}, 3);
    QCOMPARE(some.requests.size(), std::size_t {3});
    QCOMPARE(some.more, std::uint64_t {22});
    QCOMPARE(some.requests.back().n, found({}).requests[2].n);
}

void TestFindRequests::whatShadowRulesWouldRejectIsFound()
{
    const storage::RunId shadow = m_bench->replay(kPolicy, {"it.mode=shadow"});
    RequestQuery query;
    query.outcome = FoundOutcome::WouldReject;
    const auto result = findRequests(*m_bench->store, shadow, query, {});
    QVERIFY(result);
    QCOMPARE(result->requests.front().rule, std::string("it"));
    QVERIFY(result->requests.front().outcome == FoundOutcome::WouldReject);
    QCOMPARE(result->isReread, false);
}

void TestFindRequests::admittedAndRequestIdsComeFromTheRecording()
{
    RequestQuery query;
    query.outcome = FoundOutcome::Admitted;
    const FoundRequests admitted = found(query);
    QCOMPARE(admitted.requests.size(), std::size_t {20});
    QVERIFY(admitted.isReread);
    QCOMPARE(admitted.requests.front().rule, std::string());

    query = {};
    query.outcome.reset();
    query.requestId = "r16";
    const FoundRequests one = found(query);
    QCOMPARE(one.requests.size(), std::size_t {1});
    QCOMPARE(one.requests.front().n, std::uint64_t {16});
    QVERIFY(one.requests.front().outcome == FoundOutcome::Rejected);

    // Both ways of looking agree.
    query.requestId.clear();
    query.who = "k2";
    const FoundRequests all = found(query);
    QCOMPARE(all.requests.size(), std::size_t {15});
    query.outcome = FoundOutcome::Rejected;
    std::vector<std::uint64_t> rejected;
    for (const FoundRequest& request : all.requests) {
        if (request.outcome == FoundOutcome::Rejected) {
            rejected.push_back(request.n);
        }
    }
    std::vector<std::uint64_t> stored;
    for (const FoundRequest& request : found(query).requests) {
        stored.push_back(request.n);
    }
    QCOMPARE(rejected, stored);
}

void TestFindRequests::recordingThatIsGoneIsSaid()
{
    QFile::remove(QString::fromStdString(m_bench->path("log.jsonl")));
    RequestQuery query;
    query.requestId = "r16";
    const auto result = findRequests(*m_bench->store, m_run, query, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("recording.missing"));
    QCOMPARE(found({}).requests.size(), std::size_t {25}); // the store still knows
}

void TestFindRequests::rejectedBesideOne()
{
    const storage::RunReader reader(*m_bench->store);
    const FoundRequests all = found({});
    const FoundRequest& middle = all.requests[10];
    const auto beside = rejectedBeside(reader, m_run, middle.timeNs, middle.n);
    QVERIFY(beside);
    QCOMPARE(beside->previous, std::optional(all.requests[9].n));
    QCOMPARE(beside->next, std::optional(all.requests[11].n));

    const FoundRequest& first = all.requests.front();
    QVERIFY(!rejectedBeside(reader, m_run, first.timeNs, first.n)->previous);
    QVERIFY(
        !rejectedBeside(reader, m_run, all.requests.back().timeNs, all.requests.back().n)->next);

    RequestQuery query;
    query.who = "k2";
    const FoundRequests k2 = found(query);
    const auto same = rejectedBeside(reader, m_run, k2.requests[2].timeNs, k2.requests[2].n,
                                     StoredKey {0, {"k2"}});
    QCOMPARE(same->previous, std::optional(k2.requests[1].n));
    QCOMPARE(same->next, std::optional(k2.requests[3].n));
    QVERIFY(!rejectedBeside(reader, m_run, 0, 0, StoredKey {0, {"nobody"}})->next);
}

void TestFindRequests::visitsTellTheStateOfTheKey()
{
    const Explanation rejected = explained(16);
    QCOMPARE(rejected.rules.size(), std::size_t {1});
    const ExplainedRule& rule = rejected.rules.front();
    QCOMPARE(rule.visits.size(), std::size_t {11});
    QVERIFY(!rule.hasEarlier);
    for (std::size_t i = 0; i < 10; ++i) {
        QCOMPARE(rule.visits[i].before, std::int64_t(i));
        QCOMPARE(rule.visits[i].after, std::int64_t(i + 1));
        QVERIFY(rule.visits[i].admits && rule.visits[i].counted && rule.visits[i].isAdmitted);
    }
    QCOMPARE(rule.visits.back().n, std::uint64_t {16});
    QCOMPARE(rule.visits.back().capacity, std::int64_t {10});
    QCOMPARE(rule.visits.back().before, std::int64_t {10});
    QVERIFY(!rule.visits.back().admits && !rule.visits.back().counted);

    ExplainTarget target;
    target.n = 16;
    const auto plain = explain(*m_bench->store, m_run, target, {});
    QVERIFY(plain->rules.front().visits.empty());
    QCOMPARE(plain->rules.front().filledByCount, rule.filledByCount);
}

void TestFindRequests::statesBetweenVisitsAreTheEngines()
{
    const ExplainedRule rule = explained(16).rules.front(); // a request each second from 0 s
    const std::vector<KeyState> states = keyStates(rule, rule.visits.front().atNs, 20);
    QVERIFY(!states.empty());
    QVERIFY((states.front() == KeyState {kStart * kNs, 0}));
    for (const KeyState& state : states) {
        const std::int64_t second = (state.atNs - kStart * kNs) / kNs;
        QVERIFY(state.used == second || state.used == second + 1);
    }
    QVERIFY((states.back() == KeyState {(kStart + 10) * kNs, 10}));

    ExplainedRule other = rule;
    other.visits[5].before += 1; // not what the engine says
    QVERIFY(keyStates(other, rule.visits.front().atNs, 20).empty());
    other = rule;
    other.hasEarlier = true;
    QVERIFY(keyStates(other, rule.visits.front().atNs, 20).empty());
}

void TestFindRequests::verdictInWords()
{
    const VerdictText rejected = verdictText(explained(16));
    QCOMPARE(rejected.sentence,
             std::string("it: an API key may send 10 in each clock minute; 0 of 10 were left, and "
                         "this costs 1."));
    const VerdictText admitted = verdictText(explained(1));
    QCOMPARE(admitted.sentence, std::string("All 2 rules that applied admitted it."));
    QVERIFY(admitted.sum.find("10 of 10 were left") != std::string::npos);
    QCOMPARE(foundText(explained(16).rules.front()), std::string("10 of 10 used"));
    QCOMPARE(rejected.sum, std::string()); // the sentence says it all
}

void TestFindRequests::customersAreToldNothingOfOthers()
{
    const auto zone = storage::Zone::named("+01:00");
    QVERIFY(zone);
    QCOMPARE(
        customerText(explained(16), **zone),
        std::string("Your request GET /a, id r16 of 2023-11-14 23:14:10 (+01:00) was "
                    "rejected.\n"
                    "Your limit: an API key may send 10 in each clock minute; 0 of 10 were left.\n"
                    "It would have passed 50 s later, at 2023-11-14 23:15:00.\n"));

    const storage::RunId shared = m_bench->replay(kPolicy, {"watch.mode=enforce", "it.mode=off"});
    ExplainTarget target; // the first rejected
    const auto explanation = explain(*m_bench->store, shared, target, {});
    QVERIFY(explanation);
    const std::string text = customerText(*explanation, **zone);
    QVERIFY2(text.find("20") == text.find("2023"), text.c_str()); // no figure of the shared bucket
    QVERIFY(text.find("not yours alone") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestFindRequests)
#include "tst_find_requests.moc"
