#include "storage/runs/steps.h"
#include "tests/storage/run_fixture.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace storage;
using namespace tests;

/// What is left after the worst: a kill, a full disk, a locked file, at any moment. WEIR_KILLS sets
/// how many kills, if more than 20.
class TestRunCrash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedWritersLeaveASoundStore();
    void aFullStoreFailsTheRunAndNothingElse();
    void aFileThatMayNotGrowFailsTheRun();
    void aLockOnTheWayFailsTheRun();
};

namespace {

/// With figures of everything.
class ServedRun : public FakeRun {
public:
    ServedRun()
    {
        given.servers = {{"0", {2, 1, 0}}, {"1", {2, 1, 0}}};
        given.rules = {{0, {1, {"w0"}, 0}, {}, {}}};
    }
};

constexpr std::uint64_t kAttemptsEach = 64; ///< requests

/// Traffic with enough rejections that a batch has some size.
void settleSome(FakeRun& run, RunWriter& writer, std::uint64_t first, std::uint64_t count)
{
    for (std::uint64_t n = first; n < first + count; ++n) {
        FakeRequest request;
        request.n = n;
        request.timeNs = static_cast<std::int64_t>(n * 1'234'567 + n * n % 1'000'003);
        request.who = static_cast<std::uint32_t>(n * 7'919 % 20'000);
        request.verdict = n % 4 == 0 ? rejected() : admitted();
        run.settle(&writer, request);
        if (n % kAttemptsEach == 0) {
            writer.attempts(0, {static_cast<std::int64_t>(n), n, 1, 1});
        }
        run.requests.clear();
        run.ordinals.clear();
    }
}

/// Runs after runs until it is killed.
[[noreturn]] void writeForEver(const std::string& path)
{
    const auto store = RunStore::open(path, Access::Write);
    for (;;) {
        ServedRun run;
        const auto writer = store
            ? RunWriter::begin(**store, FakeRun::header(), run.plan, FakeRun::shape())
            : engine::fail(store.error());
        if (!writer) {
            _exit(3);
        }
        settleSome(run, **writer, 1, 1'200'000);
        if (!(*writer)->finish(run, FakeRun::closing())) {
            _exit(4);
        }
    }
}

bool isSound(RunStore& store)
{
    runs::Steps steps(store.database());
    auto check = steps.prepare("PRAGMA integrity_check");
    const bool isFine = steps.next(check) && check->bytes(0) == "ok";
    auto references = steps.prepare("PRAGMA foreign_key_check");
    return isFine && !steps.next(references) && steps.isFine();
}

/// Every stored run can be read to its end; a complete one has every request.
void readAll(RunStore& store)
{
    const RunReader reader(store);
    for (const RunSummary& run : need(reader.list())) {
        VerdictCursor cursor = need(reader.verdicts(run.id, true));
        VerdictBlock block;
        std::uint64_t requests = 0;
        std::uint64_t rejections = 0;
        while (need(cursor.next(block))) {
            requests += block.outcomes.size();
            rejections += block.rows.size();
        }
        const std::size_t attempts = need(reader.attempts(run.id, 0, INT64_MAX)).size();
        const RunConditions conditions = need(reader.detail(run.id)).conditions;
        if (run.state == RunState::Complete) {
            QCOMPARE(attempts, run.totals.requests / kAttemptsEach);
            QCOMPARE(conditions.servers.size(), std::size_t {2});
            QCOMPARE(conditions.rules.size(), std::size_t {1});
            QCOMPARE(requests, run.totals.requests);
            QCOMPARE(rejections, run.totals.rejected);
        }
    }
}

} // namespace

void TestRunCrash::killedWritersLeaveASoundStore()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    std::mt19937 random(20);
    int unfinished = 0;
    const int kills = qEnvironmentVariableIntValue("WEIR_KILLS");
    for (int kill = 0; kill < std::max(kills, 20); ++kill) {
        const pid_t child = fork();
        if (child == 0) {
            writeForEver(path);
        }
        // From before the schema is there up to several runs.
        std::this_thread::sleep_for(
            std::chrono::microseconds(kill < 4 ? random() % 20'000 : random() % 400'000));
        QCOMPARE(::kill(child, SIGKILL), 0);
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status)); // it had no failure of its own
        const auto store = openStore(path);
        QVERIFY(isSound(*store));
        for (const RunSummary& run : need(RunReader(*store).list())) {
            QVERIFY(run.state == RunState::Complete || run.state == RunState::Interrupted);
        }
        QCOMPARE(
            need(store->database().number("SELECT count(*) FROM runs WHERE state = 'running'")), 0);
        unfinished += static_cast<int>(need(
            store->database().number("SELECT count(*) FROM runs WHERE state = 'interrupted'")));
        readAll(*store);
        need(store->keep(3));
    }
    QVERIFY(unfinished > 5);
}

void TestRunCrash::aFullStoreFailsTheRunAndNothingElse()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const auto store = openStore(path);
    ServedRun before;
    const auto first
        = need(RunWriter::begin(*store, FakeRun::header(), before.plan, FakeRun::shape()));
    settleSome(before, *first, 1, 100'000);
    need(first->finish(before, FakeRun::closing()));
    const std::int64_t pages = need(store->database().number("PRAGMA page_count"));
    ServedRun run;
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    const std::string limit = "PRAGMA max_page_count = " + std::to_string(pages + 300);
    need(store->database().execute(limit.c_str()));
    std::uint64_t settled = 0;
    while (!writer->failure() && settled < 20'000'000) {
        settleSome(run, *writer, settled + 1, 100'000);
        settled += 100'000;
    }
    QCOMPARE(writer->failure()->code, std::string("store.full"));
    QVERIFY(writer->failure()->message.find(path) != std::string::npos);
    QCOMPARE(codeOf(writer->finish(run, FakeRun::closing())), std::string("store.full"));
    const std::vector<RunSummary> runs = need(RunReader(*store).list());
    QCOMPARE(runs[0].state, RunState::Complete);
    QCOMPARE(runs[1].state, RunState::Failed);
    QCOMPARE(runs[1].failureCode, std::string("store.full"));
    QVERIFY(isSound(*store));
    readAll(*store);
    need(store->remove({2}));
    need(store->database().execute("PRAGMA max_page_count = 1000000"));
    ServedRun after;
    const auto third
        = need(RunWriter::begin(*store, FakeRun::header(), after.plan, FakeRun::shape()));
    settleSome(after, *third, 1, 10);
    need(third->finish(after, FakeRun::closing()));
}

void TestRunCrash::aFileThatMayNotGrowFailsTheRun()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const auto store = RunStore::open(path, Access::Write);
        ServedRun run;
        const auto writer
            = RunWriter::begin(**store, FakeRun::header(), run.plan, FakeRun::shape());
        const rlimit most {1U << 20, 1U << 20};
        setrlimit(RLIMIT_FSIZE, &most);
        for (std::uint64_t n = 1; !(*writer)->failure() && n < 20'000'000; n += 100'000) {
            settleSome(run, **writer, n, 100'000);
        }
        _exit((*writer)->failure() && (*writer)->failure()->code == "store.full" ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    const auto store = openStore(path);
    QVERIFY(isSound(*store));
    const std::vector<RunSummary> runs = need(RunReader(*store).list());
    QCOMPARE(runs.size(), 1U);
    QVERIFY(runs[0].state == RunState::Failed || runs[0].state == RunState::Interrupted);
    readAll(*store);
}

void TestRunCrash::aLockOnTheWayFailsTheRun()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const auto store = openStore(path);
    ServedRun run;
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    need(store->database().execute("PRAGMA busy_timeout = 50"));
    auto other = need(runs::Database::open(path, runs::Database::Kind::Existing));
    need(other.execute("BEGIN IMMEDIATE"));
    settleSome(run, *writer, 1, 700'000);
    QCOMPARE(writer->failure()->code, std::string("store.locked"));
    need(other.execute("COMMIT"));
    const engine::Status finished = writer->finish(run, FakeRun::closing());
    QCOMPARE(codeOf(finished), std::string("store.locked")); // never complete with a hole in it
    QCOMPARE(need(RunReader(*store).list())[0].state, RunState::Failed);
    QVERIFY(isSound(*store));
}

QTEST_APPLESS_MAIN(TestRunCrash)
#include "tst_run_crash.moc"
