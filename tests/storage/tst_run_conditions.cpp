#include "storage/runs/schema.h"
#include "storage/runs/steps.h"
#include "tests/engine/intake_run.h"
#include "tests/storage/run_fixture.h"

#include <limits>
#include <random>

using namespace storage;
using namespace tests;

/// What servers, outages and clients did to a run, and the series beside the timeline.
class TestRunConditions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void conditionsComeBack();
    void aUsualRunHasNone();
    void anInterruptedRunKeepsThem();
    void serversOfTheEngineHaveTheirTexts();
    void loggedServersAreNamedByTheLog();
    void clientsOfTheEngineHaveTheirNames();
    void seriesComeBack();
    void seriesOfOtherPlansAreIgnored();
    void seriesOfARunningRunAreReadable();
    void restartForgetsSeries();
    void removingARunRemovesAllOfIt();
    void anOldStoreIsReadAsItStands();
    void anOldStoreMovesForward();
    void aReaderSeesWhatAWriterMigrated();
    void damagedSeriesAreToldApart();
    void noBytesOfASeriesCrash();
    void rowsThatFitNoRuleAreDamage();
};

namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinute = 60'000'000'000;

ClientTotals someClients()
{
    ClientTotals clients;
    clients.behaviours
        = {{"patient", {1, 2, 3, 4, 5, 6, 7}}, {"hammering", {8, 9, 10, 11, 12, 13}}};
    clients.nameless = 14;
    clients.peakAttempts = 15;
    clients.peakSecond = -16;
    clients.herd = 17;
    clients.herdNs = -18;
    clients.untilAdmitted = {19, 20, 21, 22, 23, 24, 25, 26};
    clients.lockouts = 27;
    clients.longest = {{std::string("k\0\xff", 3), 28, 29, -30}, {"", 31, 32, 33}};
    return clients;
}

RunConditions someConditions()
{
    RunConditions conditions;
    conditions.servers = {{"", {1, 2, -3}}, {std::string("a\0\xfe", 3), {4, 5, 6}}};
    conditions.outages = {{-10, 20}, {30, 40}};
    conditions.rules
        = {{0, {7, {std::string("w\0", 2)}, -8}, {0, {}, 0}, {{1, 2, 3, 4}, {5, 6, 7, 8}}},
           {1, {9, {"t", std::string("p\0\x01", 3)}, 10}, {11, {"", ""}, 12}, {{}, {}}}};
    conditions.clients = someClients();
    return conditions;
}

std::unique_ptr<RunWriter> begin(RunStore& store, const FakeRun& run, std::size_t plan = 0)
{
    RunShape shape = FakeRun::shape();
    shape.plan = plan;
    return need(RunWriter::begin(store, FakeRun::header(), run.plan, shape));
}

RunDetail writtenWith(RunStore& store, const RunConditions& conditions, bool isInterrupted = false)
{
    FakeRun run;
    run.given = conditions;
    const auto writer = begin(store, run);
    need(isInterrupted ? writer->interrupt(run, FakeRun::closing())
                       : writer->finish(run, FakeRun::closing()));
    return need(RunReader(store).detail(writer->id()));
}

void compare(const MostAdmittedTotal& is, const MostAdmittedTotal& should)
{
    QCOMPARE(is.cost, should.cost);
    QCOMPARE(is.key, should.key);
    QCOMPARE(is.fromNs, should.fromNs);
}

auto valuesOf(const engine::OutageTally& tally)
{
    return std::array {tally.letIn, tally.turnedAway, tally.judgedLocally, tally.deniedLocally};
}

auto valuesOf(const engine::BehaviourTally& tally)
{
    return std::array {tally.clients,       tally.first,  tally.retries,    tally.admittedAtOnce,
                       tally.admittedLater, tally.gaveUp, tally.outOfBudget};
}

auto valuesOf(const DelayTotals& delays)
{
    return std::array {static_cast<std::int64_t>(delays.count),
                       delays.meanNs,
                       delays.p50Ns,
                       delays.p90Ns,
                       delays.p95Ns,
                       delays.p99Ns,
                       delays.p999Ns,
                       delays.maximumNs};
}

auto valuesOf(const engine::AttemptSecond& point)
{
    return std::array {static_cast<std::uint64_t>(point.second), point.attempts, point.retries,
                       point.admitted};
}

auto valuesOf(const engine::LimitSecond& point)
{
    return std::array {std::int64_t {point.rule}, point.second, point.lowest, point.highest,
                       point.last};
}

template <class Point> void compare(const std::vector<Point>& are, const std::vector<Point>& should)
{
    QCOMPARE(are.size(), should.size());
    for (std::size_t i = 0; i < are.size(); ++i) {
        QCOMPARE(valuesOf(are[i]), valuesOf(should[i]));
    }
}

void compareClients(const ClientTotals& is, const ClientTotals& should)
{
    QCOMPARE(is.behaviours.size(), should.behaviours.size());
    for (std::size_t i = 0; i < is.behaviours.size(); ++i) {
        QCOMPARE(is.behaviours[i].name, should.behaviours[i].name);
        QCOMPARE(valuesOf(is.behaviours[i].tally), valuesOf(should.behaviours[i].tally));
    }
    QCOMPARE(is.nameless, should.nameless);
    QCOMPARE(is.peakAttempts, should.peakAttempts);
    QCOMPARE(is.peakSecond, should.peakSecond);
    QCOMPARE(is.herd, should.herd);
    QCOMPARE(is.herdNs, should.herdNs);
    QCOMPARE(valuesOf(is.untilAdmitted), valuesOf(should.untilAdmitted));
    QCOMPARE(is.lockouts, should.lockouts);
    QCOMPARE(is.longest.size(), should.longest.size());
    for (std::size_t i = 0; i < is.longest.size(); ++i) {
        QCOMPARE(is.longest[i].client, should.longest[i].client);
        QCOMPARE(is.longest[i].attempts, should.longest[i].attempts);
        QCOMPARE(is.longest[i].gaveUp, should.longest[i].gaveUp);
        QCOMPARE(is.longest[i].sinceNs, should.longest[i].sinceNs);
    }
}

void compareConditions(const RunConditions& are, const RunConditions& should)
{
    QCOMPARE(are.servers.size(), should.servers.size());
    for (std::size_t i = 0; i < are.servers.size(); ++i) {
        QCOMPARE(are.servers[i].name, should.servers[i].name);
        QCOMPARE(are.servers[i].load.requests, should.servers[i].load.requests);
        QCOMPARE(are.servers[i].load.admitted, should.servers[i].load.admitted);
        QCOMPARE(are.servers[i].load.clockNs, should.servers[i].load.clockNs);
    }
    QCOMPARE(are.outages.size(), should.outages.size());
    for (std::size_t i = 0; i < are.outages.size(); ++i) {
        QCOMPARE(are.outages[i].fromNs, should.outages[i].fromNs);
        QCOMPARE(are.outages[i].toNs, should.outages[i].toNs);
    }
    QCOMPARE(are.rules.size(), should.rules.size());
    for (std::size_t i = 0; i < are.rules.size(); ++i) {
        QCOMPARE(are.rules[i].rule, should.rules[i].rule);
        compare(are.rules[i].inWindow, should.rules[i].inWindow);
        compare(are.rules[i].inSecond, should.rules[i].inSecond);
        compare(are.rules[i].outages, should.rules[i].outages);
    }
    QCOMPARE(are.clients.has_value(), should.clients.has_value());
    if (should.clients) {
        compareClients(*are.clients, *should.clients);
    }
}

/// A replay of requests of one address, a thousandth of a millisecond apart, by a limit of two.
class Played {
public:
    Played(const std::vector<intake_run::Input>& inputs, const engine::Conditions& given,
           const std::vector<std::string>& facets)
        : m_conditions(given)
    {
        engine::PlanRule rule = intake_run::rule("two", {"client_ip", "path"});
        rule.limit.algorithm = engine::Algorithm::FixedWindow;
        rule.limit.rate = {2, kMinute};
        m_plan.rules = {rule};
        engine::IntakeOptions options;
        options.who = {"client_ip"};
        options.facets = facets;
        m_intake = intake_run::make({&m_plan}, options);
        m_intake->chooseWho({});
        engine::ReplayOptions replayOptions;
        replayOptions.conditions = &m_conditions;
        m_tally = std::make_unique<engine::Tally>(*m_intake, nullptr);
        m_replay = std::make_unique<engine::Replay>(*m_intake, m_sink, replayOptions);
        for (const intake_run::Output& output : intake_run::play(*m_intake, inputs)) {
            m_replay->arrive(output.arrival());
        }
        m_replay->finish();
        m_tally->finish();
    }

    [[nodiscard]] RunConditions conditions() const
    {
        return EngineFigures(*m_intake, *m_replay, *m_tally, 0, &m_conditions).conditions();
    }

    [[nodiscard]] engine::StateMemory memory() const
    {
        return EngineFigures(*m_intake, *m_replay, *m_tally, 0, &m_conditions).memoryOf(0);
    }

private:
    class Sink : public engine::SettledSink {
    public:
        void settle(const engine::Settled&) override { }
    };

    engine::Conditions m_conditions;
    engine::Plan m_plan;
    std::unique_ptr<engine::Intake> m_intake;
    Sink m_sink;
    std::unique_ptr<engine::Tally> m_tally;
    std::unique_ptr<engine::Replay> m_replay;
};

std::vector<intake_run::Input> requestsFrom(const std::vector<std::string>& servers)
{
    std::vector<intake_run::Input> inputs;
    for (const std::string& server : servers) {
        intake_run::Input input;
        input.attributes = {{"client_ip", "192.0.2.7"}, {"path", "/a"}};
        if (!server.empty()) {
            input.attributes["upstream"] = server;
        }
        inputs.push_back(input);
    }
    return inputs;
}

std::vector<engine::AttemptSecond> someAttempts(std::size_t count)
{
    std::mt19937_64 random(3);
    std::vector<engine::AttemptSecond> points;
    std::int64_t second = -1'000;
    for (std::size_t i = 0; i < count; ++i) {
        second += static_cast<std::int64_t>(1 + random() % 5);
        const std::uint64_t attempts = random() % 1'000;
        points.push_back({second, attempts, attempts / 3, attempts / 2});
    }
    return points;
}

std::vector<engine::LimitSecond> someLimits(std::uint32_t rule, std::size_t count)
{
    std::vector<engine::LimitSecond> points;
    for (const engine::AttemptSecond& at : someAttempts(count)) {
        const auto lowest = static_cast<std::int64_t>(at.attempts);
        points.push_back({rule, at.second, lowest, lowest + 7, lowest + at.second % 7 + 6});
    }
    points.back() = {rule, kEnd - 1, kFirst, kEnd, -1}; // whatever the numbers are
    return points;
}

/// A run with series alone: of more than one block, and of both kinds.
RunId writtenSeries(RunStore& store, bool isFinished = true)
{
    FakeRun run;
    const auto writer = begin(store, run);
    for (const engine::AttemptSecond& point : someAttempts(10'000)) {
        writer->attempts(0, point);
    }
    for (const engine::LimitSecond& point : someLimits(1, 4'097)) {
        writer->limits(0, point);
    }
    if (isFinished) {
        need(writer->finish(run, FakeRun::closing()));
    }
    return writer->id();
}

void execute(RunStore& store, const std::string& sql)
{
    need(store.database().execute(sql.c_str()));
}

/// A store as version 1 made it, with one run of two rules.
void writeOldStore(const std::string& path)
{
    auto database = need(runs::Database::open(path, runs::Database::Kind::Create));
    need(database.execute(runs::migrations().front()));
    need(database.execute(R"sql(
PRAGMA application_id = 0x77656972;
PRAGMA user_version = 1;
INSERT INTO policies(id, name, path, fingerprint, text) VALUES(1, 'api', 'api.yaml', 'f00d', 'x');
INSERT INTO runs(id, name, state, policy, source, options, seed, version, process, started_ns,
                 requests, admitted, rejected)
  VALUES(1, 'old', 'complete', 1, 'access.log', '{}', 7, '0.5.0', '', 1000, 30, 20, 10);
INSERT INTO rules(run, rule, name, tier, mode, algorithm, key, judged, admitted, denied, delays,
                  delay_max_ns)
  VALUES(1, 0, 'search', 'edge', 'enforce', 'leaky_bucket', '["client_ip"]', 30, 20, 10, 4, 99);
)sql"));
}

void checkOldRun(RunStore& store)
{
    const RunReader reader(store);
    const RunDetail detail = need(reader.detail(1));
    QCOMPARE(detail.summary.totals.rejected, std::uint64_t {10});
    QCOMPARE(detail.rules.size(), std::size_t {1});
    QCOMPARE(detail.rules[0].denied, std::uint64_t {10});
    QCOMPARE(detail.rules[0].delays.count, std::uint64_t {4});
    QCOMPARE(detail.rules[0].delays.maximumNs, 99);
    QCOMPARE(detail.rules[0].memory.keys, std::uint64_t {0});
    QCOMPARE(detail.rules[0].memory.bytes, std::uint64_t {0});
    compareConditions(detail.conditions, {});
    QVERIFY(need(reader.attempts(1, kFirst, kEnd)).empty());
    QVERIFY(need(reader.limits(1, 0, kFirst, kEnd)).empty());
}

} // namespace

void TestRunConditions::conditionsComeBack()
{
    const auto store = openStore(":memory:");
    const RunDetail detail = writtenWith(*store, someConditions());
    compareConditions(detail.conditions, someConditions());
    QCOMPARE(detail.rules[1].memory.keys, std::uint64_t {11});
    QCOMPARE(detail.rules[1].memory.bytes, std::uint64_t {1'001});
}

void TestRunConditions::aUsualRunHasNone()
{
    const auto store = openStore(":memory:");
    writtenWith(*store, someConditions()); // another's are not its own
    const RunDetail detail = writtenWith(*store, {});
    compareConditions(detail.conditions, {});
    QVERIFY(need(RunReader(*store).attempts(detail.summary.id, kFirst, kEnd)).empty());
}

void TestRunConditions::anInterruptedRunKeepsThem()
{
    const auto store = openStore(":memory:");
    compareConditions(writtenWith(*store, someConditions(), true).conditions, someConditions());
}

/// Two a minute on two servers that know nothing of each other: four.
void TestRunConditions::serversOfTheEngineHaveTheirTexts()
{
    engine::Conditions conditions;
    conditions.servers.count = 2;
    conditions.servers.states.fill({engine::StateKind::Local, 0});
    conditions.outages = {{1'000'000, 2'000'000}};
    const Played played(requestsFrom(std::vector<std::string>(9)), conditions, {});
    const RunConditions is = played.conditions();
    QCOMPARE(is.servers.size(), std::size_t {2});
    QCOMPARE(is.servers[0].name, std::string("0"));
    QCOMPARE(is.servers[1].name, std::string("1"));
    QCOMPARE(is.servers[0].load.requests + is.servers[1].load.requests, std::uint64_t {9});
    QCOMPARE(is.rules.size(), std::size_t {1});
    QCOMPARE(is.rules[0].inWindow.cost, 4);
    QCOMPARE(is.rules[0].inWindow.key, (std::vector<std::string> {"192.0.2.7", "/a"}));
    QCOMPARE(is.rules[0].outages.size(), std::size_t {1});
    QCOMPARE(is.outages[0].toNs, 2'000'000);
    QVERIFY(!is.clients);
    QVERIFY(played.memory().keys > 0 && played.memory().bytes > 0);
}

void TestRunConditions::loggedServersAreNamedByTheLog()
{
    engine::Conditions conditions;
    conditions.servers.balance = engine::Balance::Logged;
    conditions.servers.attribute = "upstream";
    conditions.servers.facet = 1;
    conditions.servers.states.fill({engine::StateKind::Local, 0});
    const Played played(requestsFrom({"web-2", "", "web-1", "web-2", "web-2"}), conditions,
                        {"path", "upstream"});
    const RunConditions is = played.conditions();
    QCOMPARE(is.servers.size(), std::size_t {3});
    QCOMPARE(is.servers[0].name, std::string());
    QCOMPARE(is.servers[1].name, std::string("web-2"));
    QCOMPARE(is.servers[2].name, std::string("web-1"));
    QCOMPARE(is.servers[0].load.requests, std::uint64_t {1});
    QCOMPARE(is.servers[1].load.requests, std::uint64_t {3});
    QCOMPARE(is.servers[1].load.admitted, std::uint64_t {2});
    QCOMPARE(is.servers[2].load.requests, std::uint64_t {1});
}

/// Ten requests of one client, of which two get through, and nobody comes again.
void TestRunConditions::clientsOfTheEngineHaveTheirNames()
{
    for (const bool isWho : {true, false}) {
        engine::Conditions conditions;
        conditions.clients = engine::clientPresets().front();
        conditions.clients->attribute = isWho ? "" : "upstream";
        const Played played(requestsFrom(std::vector<std::string>(10, "acme")), conditions,
                            {"upstream"});
        const RunConditions is = played.conditions();
        QVERIFY(is.clients);
        QCOMPARE(is.clients->behaviours.size(), conditions.clients->behaviours.size());
        QCOMPARE(is.clients->behaviours[0].name, conditions.clients->behaviours[0].name);
        QCOMPARE(is.clients->behaviours[0].tally.first, std::uint64_t {10});
        QCOMPARE(is.clients->behaviours[0].tally.gaveUp, std::uint64_t {8});
        QCOMPARE(is.clients->lockouts, std::uint64_t {1});
        QCOMPARE(is.clients->longest[0].client, std::string(isWho ? "192.0.2.7" : "acme"));
        QCOMPARE(is.clients->longest[0].gaveUp, std::uint64_t {8});
    }
}

void TestRunConditions::seriesComeBack()
{
    const auto store = openStore(":memory:");
    const RunId run = writtenSeries(*store);
    const RunReader reader(*store);
    const std::vector<engine::AttemptSecond> attempts = someAttempts(10'000);
    compare(need(reader.attempts(run, kFirst, kEnd)), attempts);
    compare(need(reader.limits(run, 1, kFirst, kEnd)), someLimits(1, 4'097));
    QVERIFY(need(reader.limits(run, 0, kFirst, kEnd)).empty());
    // From the last second of the first block up to the first of the second.
    compare(need(reader.attempts(run, attempts[4'095].second, attempts[4'096].second + 1)),
            {attempts[4'095], attempts[4'096]});
    QVERIFY(need(reader.attempts(run, attempts[7].second, attempts[7].second)).empty());
    QCOMPARE(need(store->database().number("SELECT count(*) FROM series")), 3 + 2);
    QCOMPARE(need(store->database().number("SELECT max(points) FROM series")), 4'096);
    QCOMPARE(codeOf(reader.attempts(run + 1, 0, 1)), std::string("store.unknown-run"));
    QCOMPARE(codeOf(reader.limits(run + 1, 0, 0, 1)), std::string("store.unknown-run"));
}

void TestRunConditions::seriesOfOtherPlansAreIgnored()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const auto writer = begin(*store, run, 1);
    writer->attempts(0, {1, 1, 1, 1});
    writer->attempts(1, {2, 3, 2, 1});
    writer->limits(0, {0, 1, 1, 1, 1});
    need(writer->finish(run, FakeRun::closing()));
    const RunReader reader(*store);
    compare(need(reader.attempts(writer->id(), kFirst, kEnd)), {{2, 3, 2, 1}});
    QVERIFY(need(reader.limits(writer->id(), 0, kFirst, kEnd)).empty());
}

void TestRunConditions::seriesOfARunningRunAreReadable()
{
    const auto store = openStore(":memory:");
    const RunId run = writtenSeries(*store, false); // the writer goes without an end
    compare(need(RunReader(*store).attempts(run, kFirst, kEnd)), someAttempts(10'000));
}

void TestRunConditions::restartForgetsSeries()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const auto writer = begin(*store, run);
    const auto settleBatch = [&] { // so many that what waits is written
        for (std::uint64_t n = 1; n <= 600'000; ++n) {
            FakeRequest request;
            request.n = n;
            run.settle(writer.get(), request);
            run.requests.clear();
        }
    };
    for (const engine::AttemptSecond& point : someAttempts(5'000)) {
        writer->attempts(0, point);
    }
    settleBatch();
    QCOMPARE(need(store->database().number("SELECT count(*) FROM series")), 1);
    need(writer->restart());
    QCOMPARE(need(store->database().number("SELECT count(*) FROM series")), 0);
    writer->attempts(0, {7, 3, 2, 1});
    need(writer->finish(run, FakeRun::closing()));
    compare(need(RunReader(*store).attempts(writer->id(), kFirst, kEnd)), {{7, 3, 2, 1}});
}

void TestRunConditions::removingARunRemovesAllOfIt()
{
    const auto store = openStore(":memory:");
    const RunId first = writtenWith(*store, someConditions()).summary.id;
    const RunId second = writtenSeries(*store);
    for (const char* const table : {"servers", "server_rules", "outages", "rule_outages", "clients",
                                    "behaviours", "lockouts", "series"}) {
        const std::string count = "SELECT count(*) FROM " + std::string(table);
        QVERIFY2(need(store->database().number(count)) > 0, table);
    }
    need(store->remove({first, second}));
    for (const char* const table : {"servers", "server_rules", "outages", "rule_outages", "clients",
                                    "behaviours", "lockouts", "series"}) {
        const std::string count = "SELECT count(*) FROM " + std::string(table);
        QCOMPARE(need(store->database().number(count)), 0);
    }
}

void TestRunConditions::anOldStoreIsReadAsItStands()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    writeOldStore(path);
    const auto store = openStore(path, Access::Read);
    checkOldRun(*store);
    QCOMPARE(need(RunReader(*store).list()).size(), std::size_t {1});
    QCOMPARE(need(store->database().number("PRAGMA user_version")), 1);
}

void TestRunConditions::anOldStoreMovesForward()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    writeOldStore(path);
    const auto store = openStore(path);
    QCOMPARE(need(store->database().number("PRAGMA user_version")),
             static_cast<std::int64_t>(runs::migrations().size()));
    checkOldRun(*store);
    compareConditions(writtenWith(*store, someConditions()).conditions, someConditions());
    need(store->remove({1}));
}

void TestRunConditions::aReaderSeesWhatAWriterMigrated()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    writeOldStore(path);
    need(need(runs::Database::open(path, runs::Database::Kind::Existing))
             .execute("PRAGMA journal_mode = WAL"));
    const auto reading = openStore(path, Access::Read);
    checkOldRun(*reading);
    const RunId run = writtenWith(*openStore(path), someConditions()).summary.id;
    const RunDetail detail = need(RunReader(*reading).detail(run));
    compareConditions(detail.conditions, someConditions());
    QCOMPARE(detail.rules[0].memory.keys, std::uint64_t {10});
    checkOldRun(*reading);
}

void TestRunConditions::damagedSeriesAreToldApart()
{
    for (const char* const damage : {
             "columns = x''",
             "columns = x'00'", // no point
             "columns = x'8120'", // 4,097 of them
             "columns = substr(columns, 1, length(columns) - 1)",
             "columns = CAST(columns || x'00' AS BLOB)",
             "columns = x'0100ffffffff0f'", // a column of 4 GB
             "points = points + 1",
             "first_second = first_second - 1",
             "last_second = last_second + 1",
             "columns = (SELECT columns FROM series WHERE kind = 'limit' AND points > 1)",
         }) {
        const auto store = openStore(":memory:");
        const RunId run = writtenSeries(*store);
        execute(*store,
                "UPDATE series SET " + std::string(damage)
                    + " WHERE kind = 'attempts' AND first_second = (SELECT max(first_second) FROM "
                      "series WHERE kind = 'attempts')");
        const auto attempts = RunReader(*store).attempts(run, kFirst, kEnd);
        QVERIFY2(codeOf(attempts) == "store.damaged", damage);
        QVERIFY(!attempts.error().reason.empty() && !attempts.error().help.empty());
        compare(need(RunReader(*store).limits(run, 1, kFirst, kEnd)), someLimits(1, 4'097));
        QCOMPARE(codeOf(RunReader(*store).detail(run)), std::string("fine"));
    }
}

void TestRunConditions::noBytesOfASeriesCrash()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const auto writer = begin(*store, run);
    for (const engine::LimitSecond& point : someLimits(0, 50)) {
        writer->limits(0, point);
    }
    need(writer->finish(run, FakeRun::closing()));
    runs::Steps steps(store->database());
    std::optional<runs::Statement> stored = steps.prepare("SELECT columns FROM series");
    QVERIFY(steps.next(stored));
    const std::string sound = stored->text(0);
    stored.reset();
    std::size_t told = 0;
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const int flip : {0x01, 0x80, 0xff}) {
            std::string damaged = sound;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            steps.run("UPDATE series SET columns = ?1", runs::Blob {damaged});
            const auto limits = RunReader(*store).limits(writer->id(), 0, kFirst, kEnd);
            QVERIFY(limits ? limits->size() == 50 : codeOf(limits) == "store.damaged");
            told += limits ? 0U : 1U;
        }
    }
    QVERIFY(steps.isFine());
    QVERIFY(told > sound.size()); // the values of a literal block have no sum
}

void TestRunConditions::rowsThatFitNoRuleAreDamage()
{
    for (const char* const damage :
         {"UPDATE server_rules SET rule = 77 WHERE rule = 1",
          "UPDATE rule_outages SET rule = 77 WHERE rule = 1",
          "UPDATE rule_outages SET outage = 77 WHERE outage = 1",
          "UPDATE rule_outages SET outage = -1 WHERE outage = 1", "DELETE FROM outages"}) {
        const auto store = openStore(":memory:");
        const RunId run = writtenWith(*store, someConditions()).summary.id;
        execute(*store, "PRAGMA foreign_keys = OFF; " + std::string(damage));
        const auto detail = RunReader(*store).detail(run);
        QVERIFY2(codeOf(detail) == "store.damaged", damage);
        QVERIFY(!detail.error().reason.empty());
    }
    // A key with too few values, or too many, is no reason to read beyond it.
    const auto store = openStore(":memory:");
    const RunId run = writtenWith(*store, someConditions()).summary.id;
    execute(*store, "UPDATE server_rules SET window_key = x'00010001', second_key = x'61'");
    const RunDetail detail = need(RunReader(*store).detail(run));
    QCOMPARE(detail.conditions.rules[0].inWindow.key.size(), std::size_t {1});
    QCOMPARE(detail.conditions.rules[1].inSecond.key, (std::vector<std::string> {"a", ""}));
}

QTEST_APPLESS_MAIN(TestRunConditions)
#include "tst_run_conditions.moc"
