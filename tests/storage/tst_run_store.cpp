#include "storage/runs/schema.h"
#include "storage/runs/steps.h"
#include "tests/storage/run_fixture.h"

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace storage;
using namespace tests;

class TestRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void writingMakesFileAndFolderForTheOwner();
    void readingNeverCreates();
    void readingLeavesNothingBeside();
    void settingsAreOn();
    void everyTableIsStrict();
    void textFileIsForeign();
    void otherDatabaseIsForeignAndUntouched();
    void emptyFileIsANewStore();
    void newerSchemaIsRefused();
    void olderSchemaMovesForward();
    void versionOneIsRead();
    void brokenStepLeavesTheOldSchema();
    void damagedFileIsToldApart();
    void lockedStoreIsToldAfterFiveSeconds();
    void aFolderAndADeviceAreNoStores();
    void readOnlyFileIsReadNotWritten();
    void readOnlyFolderIsRead();
    void storeThatWasMovedIsNoticed();
    void deadRunIsInterruptedByTheNextWriter();
    void renamingIsKept();
    void removingGivesSpaceBack();
    void removingIsAllOrNothing();
    void keepingLeavesTheNewest();
    void comparisonNamesWhatDiffers();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

namespace {

RunId writeRun(RunStore& store, const RunClosing& closing = FakeRun::closing(),
               std::size_t requests = 10)
{
    FakeRun run;
    const auto writer
        = need(RunWriter::begin(store, FakeRun::header(), run.plan, FakeRun::shape()));
    for (std::size_t i = 0; i < requests; ++i) {
        FakeRequest request;
        request.n = i + 1;
        request.timeNs = static_cast<std::int64_t>(i * i);
        request.who = static_cast<std::uint32_t>(i % 5'000);
        request.verdict = i % 3 == 0 ? rejected() : admitted();
        run.settle(writer.get(), request);
    }
    need(writer->finish(run, closing));
    return writer->id();
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeFile(const std::string& path, const std::string& content)
{
    std::ofstream(path, std::ios::binary) << content;
}

bool exists(const std::string& path)
{
    struct stat found { };

    return stat(path.c_str(), &found) == 0;
}

/// Runs `body` in a child that is nobody, and gives its exit code: rights mean nothing to root.
template <class Body> int asNobody(const Body& body)
{
    const pid_t child = fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65'534;
        if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) {
            _exit(99);
        }
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

void TestRunStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
}

void TestRunStore::cleanup()
{
    m_folder.reset();
}

void TestRunStore::writingMakesFileAndFolderForTheOwner()
{
    const std::string path = m_folder->filePath(QStringLiteral("a/b/run s?#%.db")).toStdString();
    QVERIFY(openStore(path)->isWritable());

    struct stat file { };

    struct stat folder { };

    QCOMPARE(stat(path.c_str(), &file), 0);
    QCOMPARE(stat(path.substr(0, path.rfind('/')).c_str(), &folder), 0);
    QCOMPARE(file.st_mode & 0777U, 0600U);
    QCOMPARE(folder.st_mode & 0777U, 0700U);
}

void TestRunStore::readingNeverCreates()
{
    const auto missing = RunStore::open(m_path, Access::Read);
    QCOMPARE(codeOf(missing), std::string("store.missing"));
    QVERIFY(missing.error().message.find(m_path) != std::string::npos);
    QVERIFY(!missing.error().help.empty());
    QVERIFY(!exists(m_path));
    QCOMPARE(codeOf(RunStore::open(m_path + "/x/y.db", Access::Read)),
             std::string("store.missing"));
}

void TestRunStore::readingLeavesNothingBeside()
{
    writeRun(*openStore(m_path));
    const std::string before = contentOf(m_path);
    {
        const auto store = openStore(m_path, Access::Read);
        QVERIFY(!store->isWritable());
        QCOMPARE(need(RunReader(*store).list()).size(), 1U);
        QCOMPARE(codeOf(store->remove({1})), std::string("store.read-only"));
    }
    QVERIFY(!exists(m_path + "-wal"));
    QVERIFY(!exists(m_path + "-shm"));
    QVERIFY(contentOf(m_path) == before);
}

void TestRunStore::settingsAreOn()
{
    const auto store = openStore(m_path);
    runs::Database& database = store->database();
    QCOMPARE(need(database.number("PRAGMA foreign_keys")), 1);
    QCOMPARE(need(database.number("PRAGMA auto_vacuum")), 2);
    QCOMPARE(need(database.number("PRAGMA trusted_schema")), 0);
    QCOMPARE(need(database.number("PRAGMA cell_size_check")), 1);
    QCOMPARE(need(database.number("PRAGMA busy_timeout")), 5'000);
    QCOMPARE(need(database.number("PRAGMA application_id")), runs::kApplicationId);
    QCOMPARE(need(database.number("PRAGMA user_version")), std::int64_t(runs::migrations().size()));
    runs::Steps steps(database);
    auto mode = steps.prepare("PRAGMA journal_mode");
    QVERIFY(steps.next(mode));
    QCOMPARE(mode->text(0), std::string("wal"));
    mode.reset();
    QVERIFY(!database.execute(
        "INSERT INTO notes(run, place, code, text) VALUES(77, 0, '', '')")); // no such run
    QVERIFY(!database.execute(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ''")); // defensive
}

void TestRunStore::everyTableIsStrict()
{
    const auto store = openStore(m_path);
    QCOMPARE(need(store->database().number("SELECT count(*) FROM pragma_table_list WHERE schema = "
                                           "'main' AND strict = 0 AND name NOT LIKE 'sqlite%'")),
             0);
    QVERIFY(
        need(store->database().number("SELECT count(*) FROM pragma_table_list WHERE strict = 1"))
        > 15);
}

void TestRunStore::textFileIsForeign()
{
    const std::string text
        = "weir: 1\nname: this is a policy, not a store\n" + std::string(2'000, '#');
    writeFile(m_path, text);
    for (const Access access : {Access::Read, Access::Write}) {
        QCOMPARE(codeOf(RunStore::open(m_path, access)), std::string("store.foreign"));
    }
    QVERIFY(contentOf(m_path) == text);
    writeFile(m_path, "short");
    QCOMPARE(codeOf(RunStore::open(m_path, Access::Write)), std::string("store.foreign"));
    QVERIFY(contentOf(m_path) == "short");
}

void TestRunStore::otherDatabaseIsForeignAndUntouched()
{
    {
        auto other = need(runs::Database::open(m_path, runs::Database::Kind::Create));
        need(other.execute("CREATE TABLE bookmarks(url TEXT); PRAGMA user_version = 75"));
    }
    const std::string before = contentOf(m_path);
    for (const Access access : {Access::Read, Access::Write}) {
        const auto store = RunStore::open(m_path, access);
        QCOMPARE(codeOf(store), std::string("store.foreign"));
        QVERIFY(store.error().reason.find("application_id 0") != std::string::npos);
    }
    QVERIFY(contentOf(m_path) == before);
}

void TestRunStore::emptyFileIsANewStore()
{
    writeFile(m_path, "");
    QCOMPARE(codeOf(RunStore::open(m_path, Access::Read)), std::string("store.missing"));
    QCOMPARE(writeRun(*openStore(m_path)), 1);
    // Killed between the first page and the schema: a valid file without tables.
    const std::string half = m_path + "2";
    {
        auto database = need(runs::Database::open(half, runs::Database::Kind::Create));
        need(database.execute("PRAGMA journal_mode = WAL; CREATE TABLE x(y); DROP TABLE x"));
    }
    QCOMPARE(writeRun(*openStore(half)), 1);
}

void TestRunStore::newerSchemaIsRefused()
{
    writeRun(*openStore(m_path));
    need(need(runs::Database::open(m_path, runs::Database::Kind::Existing))
             .execute("PRAGMA user_version = 999"));
    for (const Access access : {Access::Read, Access::Write}) {
        const auto store = RunStore::open(m_path, access);
        QCOMPARE(codeOf(store), std::string("store.newer"));
        QVERIFY(store.error().message.find("999") != std::string::npos);
    }
}

void TestRunStore::olderSchemaMovesForward()
{
    writeRun(*openStore(m_path));
    auto database = need(runs::Database::open(m_path, runs::Database::Kind::Existing));
    std::vector<const char*> steps(runs::migrations().begin(), runs::migrations().end());
    steps.push_back("ALTER TABLE runs ADD COLUMN stars INTEGER NOT NULL DEFAULT 3");
    need(runs::migrate(database, steps));
    QCOMPARE(need(database.number("PRAGMA user_version")), std::int64_t(steps.size()));
    QCOMPARE(need(database.number("SELECT stars FROM runs")),
             3); // what was there is there, and new
    need(runs::migrate(database, steps)); // once more changes nothing
    QCOMPARE(codeOf(RunStore::open(m_path, Access::Write)), std::string("store.newer"));
}

/// What a store of version 1 holds is read as it stands, and written to once it has moved forward.
void TestRunStore::versionOneIsRead()
{
    {
        auto database = need(runs::Database::open(m_path, runs::Database::Kind::Create));
        need(runs::migrate(database, runs::migrations().first(1)));
        need(database.execute(
            "INSERT INTO policies(id, name, path, fingerprint, text) VALUES(1, 'p', '', 'f', '');"
            "INSERT INTO runs(id, name, state, policy, source, options, seed, version, process, "
            "started_ns) VALUES(1, 'old', 'failed', 1, 'a.log', '{}', 0, '0', '', 5);"
            "INSERT INTO rules(run, rule, name, tier, mode, algorithm, key, judged) "
            "VALUES(1, 0, 'search', 'edge', 'enforce', 'gcra', '[]', 7)"));
    }
    const auto judgedOf = [](RunStore& store) {
        const RunDetail detail = need(RunReader(store).detail(1));
        return detail.rules.at(0).className ? 0U : detail.rules.at(0).judged;
    };
    const auto reading = need(RunStore::open(m_path, Access::Read));
    QCOMPARE(judgedOf(*reading), std::uint64_t {7});
    QCOMPARE(need(need(runs::Database::open(m_path, runs::Database::Kind::Existing))
                      .number("PRAGMA user_version")),
             1);
    const auto store = openStore(m_path);
    QCOMPARE(judgedOf(*store), std::uint64_t {7});
    QCOMPARE(writeRun(*store), 2);
}

void TestRunStore::brokenStepLeavesTheOldSchema()
{
    auto database = need(runs::Database::open(m_path, runs::Database::Kind::Create));
    std::vector<const char*> steps(runs::migrations().begin(), runs::migrations().end());
    steps.push_back("ALTER TABLE nowhere ADD COLUMN x INTEGER");
    QVERIFY(!runs::migrate(database, steps));
    QCOMPARE(need(database.number("SELECT count(*) FROM sqlite_schema")), 0);
    QCOMPARE(need(database.number("PRAGMA application_id")), 0);
    need(runs::migrate(database, runs::migrations()));
    QCOMPARE(need(database.number("PRAGMA user_version")), std::int64_t(runs::migrations().size()));
}

void TestRunStore::damagedFileIsToldApart()
{
    writeRun(*openStore(m_path), FakeRun::closing(), 20'000);
    const std::string sound = contentOf(m_path);
    writeFile(m_path, sound.substr(0, sound.size() / 2)); // cut off
    const auto cut = RunStore::open(m_path, Access::Read);
    std::string code = cut ? codeOf(RunReader(**cut).detail(1)) : codeOf(cut);
    if (cut && code == "fine") {
        code = codeOf(RunReader(**cut).names(1));
    }
    QCOMPARE(code, std::string("store.damaged"));

    std::string flipped = sound;
    for (std::size_t at = 3 * 4'096; at + 100 < flipped.size(); at += 4'096) {
        flipped[at] = '\x7f'; // no page type is 7f
    }
    writeFile(m_path, flipped);
    const auto store = RunStore::open(m_path, Access::Read);
    QCOMPARE(store ? codeOf(RunReader(**store).detail(1)) : codeOf(store),
             std::string("store.damaged"));
}

void TestRunStore::lockedStoreIsToldAfterFiveSeconds()
{
    const auto store = openStore(m_path);
    writeRun(*store);
    auto other = need(runs::Database::open(m_path, runs::Database::Kind::Existing));
    need(other.execute("BEGIN IMMEDIATE"));
    FakeRun run;
    const auto start = std::chrono::steady_clock::now();
    const auto writer = RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape());
    const auto waited = std::chrono::steady_clock::now() - start;
    QCOMPARE(codeOf(writer), std::string("store.locked"));
    QVERIFY(waited >= std::chrono::milliseconds(4'900) && waited < std::chrono::seconds(20));
    QCOMPARE(need(RunReader(*store).list()).size(), 1U); // reading goes on
    need(other.execute("COMMIT"));
    QCOMPARE(writeRun(*store), 2);
}

void TestRunStore::aFolderAndADeviceAreNoStores()
{
    const std::string folder = m_folder->path().toStdString();
    for (const std::string& path : {folder, std::string("/dev/null")}) {
        QCOMPARE(codeOf(RunStore::open(path, Access::Write)), std::string("store.foreign"));
        QCOMPARE(codeOf(RunStore::open(path, Access::Read)), std::string("store.foreign"));
    }
    writeFile(m_path, "");
    QVERIFY(!RunStore::open(m_path + "/below.db", Access::Write));
}

void TestRunStore::readOnlyFileIsReadNotWritten()
{
    writeRun(*openStore(m_path));
    chmod(m_path.c_str(), 0444);
    chmod(m_folder->path().toStdString().c_str(), 0777);
    QCOMPARE(asNobody([&] {
                 const auto writable = RunStore::open(m_path, Access::Write);
                 if (codeOf(writable) != "store.read-only") {
                     return 1;
                 }
                 const auto store = RunStore::open(m_path, Access::Read);
                 return store && need(RunReader(**store).list()).size() == 1 ? 0 : 2;
             }),
             0);
}

void TestRunStore::readOnlyFolderIsRead()
{
    writeRun(*openStore(m_path));
    chmod(m_path.c_str(), 0444);
    chmod(m_folder->path().toStdString().c_str(), 0555);
    const auto readable = [&] {
        const auto store = RunStore::open(m_path, Access::Read);
        return store ? (need(RunReader(**store).list()).size() == 1 ? 0 : 2) : 3;
    };
    QCOMPARE(asNobody(readable), 0);
    QCOMPARE(asNobody([&] {
                 const auto store = RunStore::open(
                     m_folder->filePath(QStringLiteral("new.db")).toStdString(), Access::Write);
                 return codeOf(store) == "store.read-only" ? 0 : 1;
             }),
             0);
    chmod(m_folder->path().toStdString().c_str(), 0755);
}

void TestRunStore::storeThatWasMovedIsNoticed()
{
    const auto store = openStore(m_path);
    writeRun(*store);
    QCOMPARE(unlink(m_path.c_str()), 0);
    FakeRun run;
    const auto writer = RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape());
    QCOMPARE(codeOf(writer), std::string("store.moved"));
}

void TestRunStore::deadRunIsInterruptedByTheNextWriter()
{
    const pid_t child = fork();
    if (child == 0) {
        const auto store = RunStore::open(m_path, Access::Write);
        FakeRun run;
        const auto writer
            = RunWriter::begin(**store, FakeRun::header(), run.plan, FakeRun::shape());
        _exit(writer ? 0 : 1); // no destructor: as a crash would
    }
    int status = 0;
    waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    const auto stateInFile = [&] {
        auto database = need(runs::Database::open(m_path, runs::Database::Kind::Existing));
        return need(database.number("SELECT state = 'running' FROM runs"));
    };
    QCOMPARE(stateInFile(), 1);
    QCOMPARE(need(RunReader(*openStore(m_path, Access::Read)).list()).at(0).state,
             RunState::Interrupted);
    QCOMPARE(stateInFile(), 1); // a reader only says so
    openStore(m_path);
    QCOMPARE(stateInFile(), 0);
    QCOMPARE(need(RunReader(*openStore(m_path, Access::Read)).list()).at(0).state,
             RunState::Interrupted);
}

void TestRunStore::renamingIsKept()
{
    const auto store = openStore(m_path);
    writeRun(*store);
    const RunId second = writeRun(*store);
    need(store->rename(second, "pro 600, 'search' 10"));
    const auto runs = need(RunReader(*openStore(m_path, Access::Read)).list());
    QCOMPARE(runs[0].name, std::string("first"));
    QCOMPARE(runs[1].name, std::string("pro 600, 'search' 10"));
    QCOMPARE(codeOf(store->rename(second + 1, "x")), std::string("store.unknown-run"));
    QCOMPARE(codeOf(openStore(m_path, Access::Read)->rename(second, "x")),
             std::string("store.read-only"));
}

void TestRunStore::removingGivesSpaceBack()
{
    const auto store = openStore(m_path);
    const RunId small = writeRun(*store);
    need(store->database().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    const std::size_t before = contentOf(m_path).size();
    RunClosing closing = FakeRun::closing();
    closing.recording.fingerprint = "other";
    const RunId large = writeRun(*store, closing, 200'000);
    need(store->database().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    QVERIFY(contentOf(m_path).size() > 3 * before);
    need(store->remove({large}));
    QVERIFY(contentOf(m_path).size() <= before + 8 * 4'096);
    QCOMPARE(need(RunReader(*store).list()).size(), 1U);
    for (const char* table :
         {"whos", "keys", "rules", "tiers", "verdict_blocks", "rejection_blocks", "path_groups"}) {
        const std::string left = "SELECT count(*) FROM " + std::string(table)
            + " WHERE run = " + std::to_string(large);
        QCOMPARE(need(store->database().number(left)), 0);
    }
    QCOMPARE(need(store->database().number("SELECT count(*) FROM recordings")), 1);
    need(store->remove({small}));
    QCOMPARE(need(store->database().number(
                 "SELECT (SELECT count(*) FROM policies) + (SELECT count(*) FROM lookups) + "
                 "(SELECT count(*) FROM recordings) + (SELECT count(*) FROM recording_files)")),
             0);
    QCOMPARE(writeRun(*store), 3); // a number is never given twice
}

void TestRunStore::removingIsAllOrNothing()
{
    const auto store = openStore(m_path);
    writeRun(*store);
    writeRun(*store);
    const engine::Status unknown = store->remove({1, 7});
    QCOMPARE(codeOf(unknown), std::string("store.unknown-run"));
    QVERIFY(unknown.error().message.find("run 7") != std::string::npos);
    QCOMPARE(need(RunReader(*store).list()).size(), 2U);
    FakeRun run;
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    QCOMPARE(codeOf(store->remove({1, writer->id()})), std::string("store.run-in-use"));
    QCOMPARE(need(RunReader(*store).list()).size(), 3U);
}

void TestRunStore::keepingLeavesTheNewest()
{
    const auto store = openStore(m_path);
    for (int i = 0; i < 5; ++i) {
        writeRun(*store);
    }
    FakeRun run;
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    QCOMPARE(need(store->keep(2)), (std::vector<RunId> {1, 2, 3}));
    QCOMPARE(need(RunReader(*store).list()).size(), 3U);
    QCOMPARE(need(store->keep(2)), std::vector<RunId> {});
}

void TestRunStore::comparisonNamesWhatDiffers()
{
    const auto store = openStore(m_path);
    writeRun(*store);
    writeRun(*store);
    const RunReader reader(*store);
    QCOMPARE(codeOf(reader.comparable(1, 2)), std::string("fine"));
    for (const std::string_view option : kReadingOptions) {
        RunClosing closing = FakeRun::closing();
        std::erase_if(closing.recording.reading,
                      [&](const Option& given) { return given.name == option; });
        closing.recording.reading.push_back({std::string(option), "another"});
        const engine::Status status = reader.comparable(1, writeRun(*store, closing));
        QCOMPARE(codeOf(status), std::string("compare.differs"));
        QVERIFY(status.error().message.find("`" + std::string(option) + "`") != std::string::npos);
        QVERIFY(status.error().message.find("`another`") != std::string::npos);
    }
    RunClosing other = FakeRun::closing();
    other.recording.fingerprint = "beef";
    const engine::Status status = reader.comparable(1, writeRun(*store, other));
    QVERIFY(status.error().message.find("`recording`") != std::string::npos);
    FakeRun run;
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    QCOMPARE(codeOf(reader.comparable(1, writer->id())), std::string("compare.incomplete"));
    QCOMPARE(codeOf(reader.comparable(1, 999)), std::string("store.unknown-run"));
}

QTEST_APPLESS_MAIN(TestRunStore)
#include "tst_run_store.moc"
