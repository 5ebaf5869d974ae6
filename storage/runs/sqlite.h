#pragma once
#include "engine/result.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

struct sqlite3;
struct sqlite3_stmt;

/// SQLite's C interface with owners: nothing leaks, no transaction stays open, every failure is a
/// diagnostic with the path in it.
namespace storage::runs {

/// Bytes for a BLOB column, where a string_view would be TEXT.
struct Blob {
    std::string_view bytes;
};

/// The same with bytes of its own.
struct OwnBlob {
    std::string bytes;
};

class Database;

/// A prepared statement. Borrows its database. Parameters are bound by place, from 1.
class Statement {
public:
    Statement() = default;
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;

    /// Binds all parameters in order. Views must live until the statement is reset.
    template <class... Values> Statement& bind(const Values&... values)
    {
        int place = 0;
        (bindAt(++place, values), ...);
        return *this;
    }

    /// True while there is a row.
    [[nodiscard]] engine::Result<bool> step();

    /// Binds, runs to the end, resets.
    template <class... Values> engine::Status run(const Values&... values)
    {
        bind(values...);
        return finish();
    }

    /// The same for the parameters of several rows, one row after the other.
    template <class... Values> engine::Status runRows(std::span<const std::tuple<Values...>> rows)
    {
        int place = 0;
        for (const std::tuple<Values...>& row : rows) {
            std::apply([&](const Values&... values) { (bindAt(++place, values), ...); }, row);
        }
        return finish();
    }

    void reset();

    // The row at hand; views until the next step. Columns from 0.
    [[nodiscard]] std::int64_t integer(int column) const;

    [[nodiscard]] std::uint64_t count(int column) const
    {
        return static_cast<std::uint64_t>(integer(column));
    }

    [[nodiscard]] std::uint32_t id(int column) const
    {
        return static_cast<std::uint32_t>(integer(column));
    }

    [[nodiscard]] std::string_view bytes(int column) const; ///< TEXT or BLOB

    [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::optional<std::int64_t> maybe(int column) const;

private:
    friend class Database;

    Statement(Database& database, sqlite3_stmt* statement)
        : m_database(&database)
        , m_statement(statement)
    {
    }

    engine::Status finish();

    template <std::integral Value> void bindAt(int place, Value value)
    {
        bindInteger(place, static_cast<std::int64_t>(value));
    }

    void bindAt(int place, std::string_view text);
    void bindAt(int place, Blob blob);

    void bindAt(int place, const OwnBlob& blob) { bindAt(place, Blob {blob.bytes}); }

    template <class Value> void bindAt(int place, const std::optional<Value>& value)
    {
        value ? bindAt(place, *value) : bindNull(place);
    }

    void bindInteger(int place, std::int64_t value);
    void bindNull(int place);

    Database* m_database = nullptr;
    sqlite3_stmt* m_statement = nullptr;
};

/// One connection, with the safe settings on. One thread.
class Database {
public:
    enum class Kind : std::uint8_t {
        Existing, ///< never made
        Create,
        Immutable
    }; ///< read without a lock or journal
    static engine::Result<Database> open(const std::string& path, Kind kind);
    ~Database();
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;

    /// Runs statements without parameters; ours only, never text from elsewhere.
    engine::Status execute(const char* sql);
    [[nodiscard]] engine::Result<Statement> prepare(std::string_view sql);
    /// The first column of the first row; 0 without one.
    [[nodiscard]] engine::Result<std::int64_t> number(std::string_view sql);

    [[nodiscard]] bool isReadOnly() const;
    [[nodiscard]] bool inTransaction() const;
    /// The file was moved or deleted since it was opened.
    [[nodiscard]] bool hasMoved() const;
    [[nodiscard]] std::int64_t lastRowId() const;
    [[nodiscard]] std::int64_t changes() const;

    [[nodiscard]] const std::string& path() const { return m_path; }

    /// What a result code of this connection means to a person.
    [[nodiscard]] engine::Diagnostic describe(int code) const;

private:
    Database(sqlite3* handle, std::string path)
        : m_handle(handle)
        , m_path(std::move(path))
    {
    }

    sqlite3* m_handle = nullptr;
    std::string m_path;
};

/// BEGIN IMMEDIATE; whatever leaves without commit() is rolled back.
class Transaction {
public:
    static engine::Result<Transaction> begin(Database& database);
    ~Transaction();
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;

    engine::Status commit();

private:
    explicit Transaction(Database& database)
        : m_database(&database)
    {
    }

    Database* m_database;
};

} // namespace storage::runs
