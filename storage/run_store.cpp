#include "storage/run_store.h"

#include "storage/runs/schema.h"
#include "storage/runs/steps.h"
#include "storage/runs/writer_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace storage {
namespace {

using runs::Database;
using runs::Steps;

constexpr std::string_view kInMemory = ":memory:";

engine::Failure failure(const std::string& path, std::string code, const std::string& what,
                        std::string help, int systemError = 0)
{
    engine::Failure failed
        = engine::fail(std::move(code), "`" + path + "` " + what, std::move(help));
    failed.diagnostic.place.file = path;
    if (systemError != 0) {
        failed.diagnostic.reason = std::generic_category().message(systemError);
    }
    return failed;
}

engine::Failure missing(const std::string& path, const std::string& what)
{
    return failure(path, "store.missing", what,
                   "run `weir replay` first, or name the store with --db FILE");
}

/// Nothing that is not there, no folder, no device.
engine::Status checkFile(const std::string& path)
{
    struct stat found { };

    if (stat(path.c_str(), &found) != 0) {
        return errno == ENOENT || errno == ENOTDIR
            ? missing(path, "does not exist")
            : failure(path, "store.io", "cannot be used",
                      "check the rights on the file and its folder", errno);
    }
    if (!S_ISREG(found.st_mode)) {
        return failure(path, "store.foreign", "is not a file", "choose a file with --db FILE");
    }
    return engine::Done {};
}

/// The file and its folder, for their owner only: logs hold personal data.
engine::Status createFile(const std::string& path)
{
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    if (!parent.empty() && !std::filesystem::exists(parent, error)) {
        const mode_t before = umask(077);
        std::filesystem::create_directories(parent, error);
        umask(before);
        if (error) {
            return failure(path, "store.io", "cannot be made: its folder cannot",
                           "choose another place with --db FILE", error.value());
        }
    }
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) {
        const bool isRefused = errno == EACCES || errno == EPERM || errno == EROFS;
        return failure(path,
                       isRefused             ? "store.read-only"
                           : errno == ENOSPC ? "store.full"
                                             : "store.io",
                       isRefused ? "cannot be written" : "cannot be made",
                       "choose another place with --db FILE", errno);
    }
    ::close(file);
    return engine::Done {};
}

/// Changing to WAL needs the file for itself and does not always wait for it: several first users
/// may meet here.
engine::Status useWal(Database& database)
{
    constexpr int kAttempts = 50;
    constexpr std::chrono::milliseconds kPause {100};
    for (int attempt = 1;; ++attempt) {
        engine::Status set = database.execute("PRAGMA journal_mode = WAL");
        if (set || set.error().code != "store.locked" || attempt == kAttempts) {
            return set;
        }
        std::this_thread::sleep_for(kPause);
    }
}

engine::Status quickCheck(Database& database)
{
    Steps steps(database);
    std::optional<runs::Statement> check = steps.prepare("PRAGMA quick_check(1)");
    if (steps.next(check) && check->bytes(0) != "ok") {
        engine::Failure damaged = failure(
            database.path(), "store.damaged", "is damaged",
            "copy the file, then try `sqlite3 FILE .recover`, or start a new store with --db FILE");
        damaged.diagnostic.reason = check->text(0);
        return damaged;
    }
    return steps.status();
}

/// Runs that a dead process left behind are interrupted; after such an end the file is checked.
engine::Status tidyUp(Database& database)
{
    Steps steps(database);
    std::vector<RunId> left;
    std::optional<runs::Statement> running
        = steps.prepare("SELECT id, process FROM runs WHERE state = 'running'");
    while (steps.next(running)) {
        if (!runs::isAlive(running->bytes(1))) {
            left.push_back(running->integer(0));
        }
    }
    running.reset();
    if (!steps.isFine() || left.empty()) {
        return steps.status();
    }
    engine::Status sound = quickCheck(database);
    if (!sound) {
        return sound;
    }
    engine::Result<runs::Transaction> transaction = runs::Transaction::begin(database);
    if (!transaction) {
        return engine::fail(transaction.error());
    }
    for (const RunId run : left) {
        steps.run("UPDATE runs SET state = 'interrupted' WHERE id = ?1 AND state = 'running'", run);
    }
    return steps.isFine() ? transaction->commit() : steps.status();
}

engine::Status prepareForWriting(Database& database)
{
    if (database.isReadOnly()) {
        return failure(
            database.path(), "store.read-only", "cannot be written",
            "make the file and its folder writable, or choose another store with --db FILE");
    }
    const engine::Result<runs::Identity> identity
        = runs::identify(database, runs::migrations().size());
    if (!identity) {
        return engine::fail(identity.error());
    }
    Steps steps(database);
    if (identity->isEmpty) {
        steps.take(database.execute("PRAGMA auto_vacuum = INCREMENTAL"));
    }
    if (steps.isFine()) {
        steps.take(useWal(database));
    }
    if (steps.isFine()) {
        steps.take(database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; "
                                    "PRAGMA wal_autocheckpoint = 4000"));
    }
    if (steps.isFine()
        && identity->version < static_cast<std::int64_t>(runs::migrations().size())) {
        steps.take(runs::migrate(database, runs::migrations()));
    }
    return steps.isFine() ? tidyUp(database) : steps.status();
}

engine::Status prepareForReading(Database& database)
{
    const engine::Result<runs::Identity> identity
        = runs::identify(database, runs::migrations().size());
    if (!identity) {
        return engine::fail(identity.error());
    }
    if (identity->isEmpty) {
        return missing(database.path(), "is empty: no results were ever written to it");
    }
    return database.execute("PRAGMA query_only = ON");
}

bool isAboutRights(const engine::Diagnostic& diagnostic)
{
    return diagnostic.code == "store.read-only" || diagnostic.code == "store.io";
}

/// In a folder that cannot be written there is no place for the index of a journal. Without a
/// journal the file is all there is, and can be read as it stands.
engine::Result<Database> openUnwritable(const std::string& path)
{
    struct stat journal { };

    if (stat((path + "-wal").c_str(), &journal) == 0 && journal.st_size > 0) {
        return failure(path, "store.read-only",
                       "has a journal beside it that cannot be read in this folder",
                       "copy the file together with its -wal file to a folder that you can write");
    }
    engine::Result<Database> opened = Database::open(path, Database::Kind::Immutable);
    if (!opened) {
        return opened;
    }
    const engine::Status prepared = prepareForReading(*opened);
    if (!prepared) {
        return engine::fail(prepared.error());
    }
    return opened;
}

engine::Result<Database> openForReading(const std::string& path)
{
    const engine::Status there = checkFile(path);
    if (!there) {
        return engine::fail(there.error());
    }
    if (access(path.c_str(), R_OK) != 0) {
        return failure(path, "store.io", "cannot be read",
                       "check the rights on the file and its folder", errno);
    }
    engine::Result<Database> opened = Database::open(path, Database::Kind::Existing);
    const engine::Status prepared
        = opened ? prepareForReading(*opened) : engine::Status(engine::fail(opened.error()));
    if (prepared) {
        return opened;
    }
    if (isAboutRights(prepared.error())) {
        return openUnwritable(path);
    }
    return engine::fail(prepared.error());
}

engine::Result<Database> openForWriting(const std::string& path)
{
    const bool isInMemory = path == kInMemory;
    if (!isInMemory) {
        const engine::Status there = checkFile(path);
        const bool isMissing = !there && there.error().code == "store.missing";
        const engine::Status usable = isMissing ? createFile(path) : there;
        if (!usable) {
            return engine::fail(usable.error());
        }
    }
    engine::Result<Database> opened
        = Database::open(path, isInMemory ? Database::Kind::Create : Database::Kind::Existing);
    if (!opened) {
        return opened;
    }
    const engine::Status prepared = prepareForWriting(*opened);
    if (!prepared) {
        return engine::fail(prepared.error());
    }
    return opened;
}

} // namespace

class RunStore::Parts {
public:
    Database database;
    bool isWritable = false;
};

engine::Result<std::unique_ptr<RunStore>> RunStore::open(const std::string& path, Access access)
{
    const bool isWritable = access == Access::Write || path == kInMemory;
    engine::Result<Database> database = isWritable ? openForWriting(path) : openForReading(path);
    if (!database) {
        return engine::fail(database.error());
    }
    auto parts = std::make_unique<Parts>(Parts {std::move(*database), isWritable});
    return std::unique_ptr<RunStore>(new RunStore(std::move(parts)));
}

RunStore::RunStore(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

RunStore::~RunStore() = default;

const std::string& RunStore::path() const
{
    return m_parts->database.path();
}

bool RunStore::isWritable() const
{
    return m_parts->isWritable;
}

Database& RunStore::database() const
{
    return m_parts->database;
}

engine::Status RunStore::remove(const std::vector<RunId>& doomed)
{
    Database& store = m_parts->database;
    engine::Result<runs::Transaction> transaction = runs::Transaction::begin(store);
    if (!transaction) {
        return engine::fail(transaction.error());
    }
    Steps steps(store);
    for (const RunId run : doomed) {
        std::optional<runs::Statement> found
            = steps.prepare("SELECT state, process FROM runs WHERE id = ?1");
        if (found) {
            found->bind(run);
        }
        if (!steps.next(found)) {
            return steps.isFine()
                ? failure(path(), "store.unknown-run", "has no run " + std::to_string(run),
                          "`weir runs` lists them")
                : steps.status();
        }
        if (found->bytes(0) == "running" && runs::isAlive(found->bytes(1))) {
            return failure(path(), "store.run-in-use",
                           "run " + std::to_string(run) + " is still being written",
                           "wait for its end, or stop that program");
        }
        found.reset();
        steps.run("DELETE FROM runs WHERE id = ?1", run);
    }
    steps.run("DELETE FROM policies WHERE id NOT IN (SELECT policy FROM runs)");
    steps.run("DELETE FROM recordings WHERE id NOT IN (SELECT recording FROM runs WHERE recording "
              "IS NOT NULL)");
    if (steps.isFine()) {
        steps.take(transaction->commit());
    }
    if (steps.isFine()) {
        // Both only give space back; a reader that is at work may keep it until the next time.
        (void)store.execute("PRAGMA incremental_vacuum");
        (void)store.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    return steps.status();
}

engine::Status RunStore::rename(RunId run, const std::string& name)
{
    Steps steps(m_parts->database);
    std::optional<runs::Statement> renamed
        = steps.prepare("UPDATE runs SET name = ?2 WHERE id = ?1 RETURNING id");
    if (renamed) {
        renamed->bind(run, std::string_view(name));
    }
    const bool isKnown = steps.next(renamed);
    while (steps.next(renamed)) { } // the change is made when the statement has ended
    if (steps.isFine() && !isKnown) {
        return failure(path(), "store.unknown-run", "has no run " + std::to_string(run),
                       "`weir runs` lists them");
    }
    return steps.status();
}

engine::Result<std::vector<RunId>> RunStore::keep(std::size_t count)
{
    Steps steps(m_parts->database);
    std::vector<RunId> doomed;
    std::size_t kept = 0;
    std::optional<runs::Statement> all
        = steps.prepare("SELECT id, state, process FROM runs ORDER BY id DESC");
    while (steps.next(all)) {
        const bool isInUse = all->bytes(1) == "running" && runs::isAlive(all->bytes(2));
        if (!isInUse && kept++ >= count) {
            doomed.push_back(all->integer(0));
        }
    }
    all.reset();
    if (steps.isFine() && !doomed.empty()) {
        steps.take(remove(doomed));
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    std::reverse(doomed.begin(), doomed.end());
    return doomed;
}

} // namespace storage
