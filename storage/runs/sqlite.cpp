#include "storage/runs/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <sys/resource.h>
#include <system_error>
#include <utility>

namespace storage::runs {
namespace {

constexpr int kBusyTimeoutMs = 5'000;
/// A value that is larger than any column we write, far below what would exhaust memory.
constexpr int kLargestValue = 256 << 20;

/// A damaged or hostile file must not be able to make the connection do anything but fail.
void harden(sqlite3* handle)
{
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLargestValue);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

std::string asUri(const std::string& path, std::string_view parameters)
{
    std::string uri = path.starts_with('/') ? "file://" : "file:";
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#') {
            constexpr std::string_view kHex = "0123456789ABCDEF";
            uri += '%';
            uri += kHex[static_cast<unsigned char>(c) >> 4];
            uri += kHex[static_cast<unsigned char>(c) & 15];
        } else {
            uri += c;
        }
    }
    uri += parameters;
    return uri;
}

/// Set by `ulimit -f`: SQLite tells a write beyond it as any failed write, and the cause is lost.
bool hasFileSizeLimit()
{
    rlimit limit {};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool isOutOfSpace(int code, int systemError)
{
    return (code & 0xff) == SQLITE_FULL || (code == SQLITE_IOERR_WRITE && hasFileSizeLimit())
        || ((code & 0xff) == SQLITE_IOERR
            && (systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG));
}

struct Sentence {
    const char* code;
    const char* text;
    const char* help;
};

Sentence sentenceFor(int code, int systemError)
{
    if (isOutOfSpace(code, systemError)) {
        return {"store.full", "there is no space left to write to the store",
                "free some space or choose another place with --db FILE; what was written stays"};
    }
    if (code == SQLITE_READONLY_DBMOVED) {
        return {"store.moved", "was moved or deleted while it was in use",
                "start again; the results go to a new store"};
    }
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return {"store.locked", "is locked by another program (waited 5 s)",
                "close the program that holds it, or choose another store with --db FILE"};
    case SQLITE_NOTADB:
        return {"store.foreign", "is not a store of weir", "choose another file with --db FILE"};
    case SQLITE_CORRUPT:
        return {
            "store.damaged", "is damaged",
            "copy the file, then try `sqlite3 FILE .recover`, or start a new store with --db FILE"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {"store.read-only", "cannot be written",
                "make the file and its folder writable, or choose another store with --db FILE"};
    case SQLITE_NOMEM:
        return {"store.io", "needs more memory than there is", ""};
    default:
        return {"store.io", "cannot be used",
                "check the disk and the rights on the file and its folder"};
    }
}

} // namespace

Statement::~Statement()
{
    sqlite3_finalize(m_statement);
}

Statement::Statement(Statement&& other) noexcept
    : m_database(other.m_database)
    , m_statement(std::exchange(other.m_statement, nullptr))
{
}

Statement& Statement::operator=(Statement&& other) noexcept
{
    std::swap(m_database, other.m_database);
    std::swap(m_statement, other.m_statement);
    return *this;
}

engine::Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        return false;
    }
    const engine::Diagnostic diagnostic = m_database->describe(code);
    sqlite3_reset(m_statement);
    return engine::fail(diagnostic);
}

engine::Status Statement::finish()
{
    for (;;) {
        const engine::Result<bool> row = step();
        if (!row) {
            return engine::fail(row.error());
        }
        if (!*row) {
            reset();
            return engine::Done {};
        }
    }
}

void Statement::reset()
{
    sqlite3_reset(m_statement);
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::string_view Statement::bytes(int column) const
{
    const void* data = sqlite3_column_blob(m_statement, column);
    const int size = sqlite3_column_bytes(m_statement, column);
    return {static_cast<const char*>(data), data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

std::optional<std::int64_t> Statement::maybe(int column) const
{
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}

void Statement::bindAt(int place, std::string_view text)
{
    sqlite3_bind_text64(m_statement, place, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bindAt(int place, Blob blob)
{
    sqlite3_bind_blob64(m_statement, place, blob.bytes.empty() ? "" : blob.bytes.data(),
                        blob.bytes.size(), SQLITE_STATIC);
}

void Statement::bindInteger(int place, std::int64_t value)
{
    sqlite3_bind_int64(m_statement, place, value);
}

void Statement::bindNull(int place)
{
    sqlite3_bind_null(m_statement, place);
}

engine::Result<Database> Database::open(const std::string& path, Kind kind)
{
    // "" is SQLite's private database: in memory while it is small, then in a file without a name,
    // so that what ends with the process does not hold a long run in memory either.
    const std::string uri
        = path == ":memory:" ? "" : asUri(path, kind == Kind::Immutable ? "?immutable=1" : "");
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    flags |= kind == Kind::Immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    flags |= kind == Kind::Create ? SQLITE_OPEN_CREATE : 0;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle, flags, nullptr);
    Database database(handle, path);
    if (code != SQLITE_OK) {
        return engine::fail(database.describe(code));
    }
    harden(handle);
    return database;
}

Database::~Database()
{
    sqlite3_close_v2(m_handle);
}

Database::Database(Database&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr))
    , m_path(std::move(other.m_path))
{
}

Database& Database::operator=(Database&& other) noexcept
{
    std::swap(m_handle, other.m_handle);
    std::swap(m_path, other.m_path);
    return *this;
}

engine::Status Database::execute(const char* sql)
{
    const int code = sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        return engine::fail(describe(code));
    }
    return engine::Done {};
}

engine::Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(m_handle, sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
    if (code != SQLITE_OK) {
        return engine::fail(describe(code));
    }
    return Statement(*this, statement);
}

engine::Result<std::int64_t> Database::number(std::string_view sql)
{
    engine::Result<Statement> statement = prepare(sql);
    if (!statement) {
        return engine::fail(statement.error());
    }
    const engine::Result<bool> row = statement->step();
    if (!row) {
        return engine::fail(row.error());
    }
    return *row ? statement->integer(0) : 0;
}

bool Database::isReadOnly() const
{
    return sqlite3_db_readonly(m_handle, "main") == 1;
}

bool Database::inTransaction() const
{
    return sqlite3_get_autocommit(m_handle) == 0;
}

std::int64_t Database::lastRowId() const
{
    return sqlite3_last_insert_rowid(m_handle);
}

std::int64_t Database::changes() const
{
    return sqlite3_changes64(m_handle);
}

engine::Diagnostic Database::describe(int code) const
{
    const int systemError = m_handle == nullptr ? 0 : sqlite3_system_errno(m_handle);
    const Sentence sentence = sentenceFor(code, systemError);
    engine::Diagnostic diagnostic;
    diagnostic.code = sentence.code;
    diagnostic.message = "`" + m_path + "` " + sentence.text;
    if (diagnostic.code == "store.full") {
        diagnostic.message = std::string(sentence.text) + " `" + m_path + "`";
    }
    diagnostic.help = sentence.help;
    diagnostic.place.file = m_path;
    diagnostic.reason = m_handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(m_handle);
    if (systemError != 0 && diagnostic.code == "store.io") {
        diagnostic.reason += ": " + std::generic_category().message(systemError);
    }
    return diagnostic;
}

/// In WAL mode SQLite would go on writing to a file that has no name any more.
bool Database::hasMoved() const
{
    int moved = 0;
    return sqlite3_file_control(m_handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK
        && moved != 0;
}

engine::Result<Transaction> Transaction::begin(Database& database)
{
    if (database.hasMoved()) {
        return engine::fail(database.describe(SQLITE_READONLY_DBMOVED));
    }
    const engine::Status begun = database.execute("BEGIN IMMEDIATE");
    if (!begun) {
        return engine::fail(begun.error());
    }
    return Transaction(database);
}

Transaction::~Transaction()
{
    // A failed COMMIT may have rolled back by itself; only what is still open is ours to end.
    if (m_database != nullptr && m_database->inTransaction()) {
        (void)m_database->execute("ROLLBACK");
    }
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{
}

engine::Status Transaction::commit()
{
    return m_database->execute("COMMIT");
}

} // namespace storage::runs
