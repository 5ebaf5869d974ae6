#include "engine/replay.h"
#include "tests/engine/intake_run.h"

#include <QTest>

#include <algorithm>

using namespace engine;
using intake_run::Input;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;

struct Traffic {
    std::vector<Input> inputs;
    std::vector<std::int64_t> timesNs;

    void add(std::int64_t timeNs, std::map<std::string, std::string> attributes)
    {
        timesNs.push_back(timeNs);
        inputs.push_back({std::move(attributes)});
    }
};

/// What a replay came to.
struct Came : private SettledSink, private SeriesSink {
    std::uint64_t admitted = 0; ///< first attempts
    std::optional<ClientTally> clients;
    std::vector<AttemptSecond> seconds;
    MostAdmitted mostInWindow; ///< of the first rule, on all servers together
    std::size_t stateBytes = 0; ///< of all rules

    static Came of(const Plan& plan, const Traffic& traffic, const Conditions& conditions)
    {
        Came result;
        Conditions own = conditions;
        IntakeOptions intakeOptions;
        intakeOptions.who = {"api_key"};
        intakeOptions.facets = {own.servers.attribute.empty() ? "api_key" : own.servers.attribute};
        const auto intake = intake_run::make({&plan}, intakeOptions);
        intake->chooseWho({});
        std::vector<intake_run::Output> outputs = intake_run::play(*intake, traffic.inputs);
        ReplayOptions options;
        options.conditions = &own;
        options.series = &result;
        Replay replay(*intake, result, options);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            outputs[i].arrival().timeNs = traffic.timesNs[i];
            replay.arrive(outputs[i].arrival());
        }
        replay.finish();
        if (const ClientTally* clients = replay.clients(0)) {
            result.clients = *clients;
        }
        for (std::uint32_t rule = 0; rule < plan.rules.size(); ++rule) {
            result.stateBytes += replay.memoryOf(0, rule).bytes;
        }
        if (const auto servers = replay.servers(0, 0)) {
            result.mostInWindow = servers->tally.inWindow;
        }
        return result;
    }

    Came() = default;

    Came(Came&& other) noexcept
        : admitted(other.admitted)
        , clients(std::move(other.clients))
        , seconds(std::move(other.seconds))
        , mostInWindow(other.mostInWindow)
        , stateBytes(other.stateBytes)
    {
    }

private:
    void settle(const Settled& settled) override
    {
        admitted += settled.verdicts[0].outcome == Outcome::Admitted ? 1U : 0U;
    }

    void limits(std::size_t, const LimitSecond&) override { }

    void attempts(std::size_t, const AttemptSecond& second) override { seconds.push_back(second); }
};

PlanRule rule(std::string name, Algorithm algorithm, std::int64_t count, std::int64_t periodNs,
              std::vector<std::string> key)
{
    PlanRule made = intake_run::rule(std::move(name), std::move(key));
    made.limit.algorithm = algorithm;
    made.limit.rate = {count, periodNs};
    made.limit.burst = count;
    return made;
}

Plan planOf(std::vector<PlanRule> rules)
{
    Plan plan;
    plan.rules = std::move(rules);
    return plan;
}

Conditions tenServers(StateKind state, Balance balance = Balance::RoundRobin)
{
    Conditions conditions;
    conditions.servers.count = 10;
    conditions.servers.balance = balance;
    conditions.servers.attribute = balance == Balance::RoundRobin ? "" : "node";
    for (TierState& tier : conditions.servers.states) {
        tier.kind = state;
    }
    return conditions;
}

/// `count` requests of one key, spread over a minute; `node(i)` serves the i-th.
template <class Node> Traffic oneMinute(int count, Node node)
{
    Traffic traffic;
    for (int i = 0; i < count; ++i) {
        traffic.add(kMinute / count * i, {{"api_key", "k"}, {"node", std::to_string(node(i))}});
    }
    return traffic;
}

/// Ten thousand clients, one request each, within a tenth of a second.
Traffic stampede()
{
    Traffic traffic;
    for (int i = 0; i < 10000; ++i) {
        traffic.add(kSecond / 100000 * i, {{"api_key", "c" + std::to_string(i)}});
    }
    return traffic;
}

Conditions clients(const char* preset)
{
    Conditions conditions;
    conditions.seed = 1;
    for (const ClientProfile& profile : clientPresets()) {
        if (profile.name == preset) {
            conditions.clients = profile;
        }
    }
    return conditions;
}

/// The most attempts in one second from `second` on.
std::uint64_t peakFrom(const Came& result, std::int64_t second)
{
    std::uint64_t peak = 0;
    for (const AttemptSecond& one : result.seconds) {
        peak = one.second >= second ? std::max(peak, one.attempts) : peak;
    }
    return peak;
}

} // namespace

/// Figures that one can work out by hand, at the size at which they hurt.
class TestScenariosAtScale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneLimitOnTenServers_data();
    void oneLimitOnTenServers();
    void manyKeysOfOneTenant();
    void memoryFollowsKeysInUse();
    void comingAgainAtOnce();
    void obeyingExactly();
    void obeyingWithJitter();

private:
    const Plan m_perMinute = planOf({rule("r", Algorithm::FixedWindow, 100, kMinute, {"api_key"})});
    const Plan m_perSecond = planOf({rule("r", Algorithm::TokenBucket, 100, kSecond, {})});
};

/// Published figure (vi): 100/min on each of ten servers.
void TestScenariosAtScale::oneLimitOnTenServers_data()
{
    QTest::addColumn<int>("offered");
    QTest::addColumn<int>("onFirst"); ///< per cent of the requests that go to one server
    QTest::addColumn<StateKind>("state");
    QTest::addColumn<int>("admitted");
    QTest::newRow("round robin, 5,000") << 5000 << 10 << StateKind::Local << 1000;
    QTest::newRow("round robin, 1,000") << 1000 << 10 << StateKind::Local << 1000;
    QTest::newRow("all on one") << 5000 << 100 << StateKind::Local << 100;
    QTest::newRow("half on one") << 1000 << 50 << StateKind::Local << 600;
    QTest::newRow("one shared counter") << 5000 << 10 << StateKind::Shared << 100;
    QTest::newRow("split, round robin") << 5000 << 10 << StateKind::Split << 100;
    QTest::newRow("split, all on one") << 5000 << 100 << StateKind::Split << 10;
}

void TestScenariosAtScale::oneLimitOnTenServers()
{
    QFETCH(int, offered);
    QFETCH(int, onFirst);
    QFETCH(StateKind, state);
    QFETCH(int, admitted);
    if (onFirst == 10) {
        const Came result
            = Came::of(m_perMinute, oneMinute(offered, [](int) { return 0; }), tenServers(state));
        QCOMPARE(result.admitted, static_cast<std::uint64_t>(admitted));
        QCOMPARE(result.mostInWindow.cost, std::int64_t {admitted});
        return;
    }
    // The share of the first by turns of a hundred, the rest over the other nine.
    const Traffic traffic
        = oneMinute(offered, [&](int i) { return i * 37 % 100 < onFirst ? 0 : 1 + i / 2 % 9; });
    const Balance balance = onFirst == 100 ? Balance::ByAttribute : Balance::Logged;
    const Came result = Came::of(m_perMinute, traffic, tenServers(state, balance));
    QCOMPARE(result.admitted, static_cast<std::uint64_t>(admitted));
}

/// A limit by key is none for who has ten thousand keys; a limit by tenant is.
void TestScenariosAtScale::manyKeysOfOneTenant()
{
    Traffic traffic;
    for (int i = 0; i < 100000; ++i) {
        traffic.add(kMinute / 100000 * i,
                    {{"api_key", "k" + std::to_string(i % 10000)}, {"tenant", "t"}});
    }
    const PlanRule byKey = rule("by_key", Algorithm::FixedWindow, 10, kMinute, {"api_key"});
    PlanRule byTenant = rule("by_tenant", Algorithm::FixedWindow, 1000, kMinute, {"tenant"});
    byTenant.tier = Tier::Tenant;
    QCOMPARE(Came::of(planOf({byKey}), traffic, {}).admitted, std::uint64_t {100000});
    QCOMPARE(Came::of(planOf({byKey, byTenant}), traffic, {}).admitted, std::uint64_t {1000});
}

/// A hundred thousand keys, of which few are in use at a time, all of the last class of a shedder.
void TestScenariosAtScale::memoryFollowsKeysInUse()
{
    Traffic traffic;
    for (int i = 0; i < 100000; ++i) {
        traffic.add(kSecond / 1000 * i, {{"api_key", "k" + std::to_string(i)}});
        traffic.inputs.back().durationNs = kSecond;
    }
    PlanRule rest = rule("shedder", Algorithm::LoadShedder, 0, 1, {"api_key"});
    rest.limit.strategy = Strategy::Fleet;
    rest.limit.inFlight = 10;
    PlanRule first = rest;
    first.className = "critical";
    first.classMatch = {{"tenant", false, {intake_run::equals("t")}}};
    rest.stateBefore = 1;
    rest.unless = {first.classMatch};
    const std::size_t whole = Came::of(planOf({first, rest}), traffic, {}).stateBytes;
    traffic.inputs.resize(1);
    traffic.timesNs.resize(1);
    const std::size_t one = Came::of(planOf({first, rest}), traffic, {}).stateBytes;
    // A key at rest keeps its places in the table, of 64 bytes, and nothing else.
    QVERIFY2(one > 200, qPrintable(QString::number(one)));
    QVERIFY2(whole < 100000 * 64 + 10000 * one, qPrintable(QString::number(whole)));
}

/// Ten thousand clients against 100/s: who comes again at once gains nothing and triples the work.
void TestScenariosAtScale::comingAgainAtOnce()
{
    const Came came = Came::of(m_perSecond, stampede(), clients("immediate"));
    const BehaviourTally all = came.clients->all();
    QCOMPARE(all.first, std::uint64_t {10000});
    QCOMPARE(all.admittedAtOnce, std::uint64_t {109}); // a burst of 100, and 9 in the tenth
    QCOMPARE(all.admittedLater, std::uint64_t {0});
    QCOMPARE(all.retries, 2 * (all.first - all.admittedAtOnce));
    QCOMPARE(came.clients->peakAttempts, std::uint64_t {29782}); // 2.98 times what was asked for
}

/// All are told the same second and all keep to it: the herd comes back whole, less 100.
void TestScenariosAtScale::obeyingExactly()
{
    const Came came = Came::of(m_perSecond, stampede(), clients("obey_exactly"));
    QCOMPARE(came.seconds.size(), std::size_t {5});
    for (std::uint64_t second = 1; second < 5; ++second) {
        QCOMPARE(came.seconds[second].attempts, 9991 - 100 * second);
        QCOMPARE(came.seconds[second].admitted, std::uint64_t {100});
    }
    QCOMPARE(came.clients->herd, std::uint64_t {9891});
    QCOMPARE(came.clients->all().admittedLater, std::uint64_t {400});
}

/// With jitter over a minute the attempts come down to the rate, and all get through.
void TestScenariosAtScale::obeyingWithJitter()
{
    const Came came = Came::of(m_perSecond, stampede(), clients("obey_with_jitter"));
    const BehaviourTally all = came.clients->all();
    QCOMPARE(all.gaveUp, std::uint64_t {0});
    QCOMPARE(all.admittedAtOnce + all.admittedLater, std::uint64_t {10'000});
    // 9,891 come back within a minute, of whom those that drew less than 1 s wait for 1 s.
    QVERIFY(peakFrom(came, 1) < 350);
    QVERIFY(peakFrom(came, 2) < 250);
    QVERIFY(peakFrom(came, 62) < 100);
    QVERIFY(came.clients->herd < 200);
    QVERIFY(all.retries
            < 16'000); // against 38,964 of those that obey exactly, 400 of them for good
}

QTEST_APPLESS_MAIN(TestScenariosAtScale)
#include "tst_scenarios_at_scale.moc"
