#pragma once
#include "storage/runs/sqlite.h"

#include <optional>
#include <string_view>
#include <utility>

namespace storage::runs {

/// A row of statements of which the first failure ends the rest: the caller asks once, at the end.
class Steps {
public:
    explicit Steps(Database& database)
        : m_database(database)
    {
    }

    /// One statement, run to its end.
    template <class... Values> Steps& run(std::string_view sql, const Values&... values)
    {
        std::optional<Statement> statement = prepare(sql);
        if (statement) {
            take(statement->run(values...));
        }
        return *this;
    }

    /// Runs a prepared statement once more.
    template <class... Values>
    void again(std::optional<Statement>& statement, const Values&... values)
    {
        if (isFine() && statement) {
            take(statement->run(values...));
        }
    }

    /// Nothing after a failure.
    [[nodiscard]] std::optional<Statement> prepare(std::string_view sql)
    {
        if (!isFine()) {
            return std::nullopt;
        }
        engine::Result<Statement> statement = m_database.prepare(sql);
        if (!statement) {
            m_failure = statement.error();
            return std::nullopt;
        }
        return std::move(*statement);
    }

    /// True while the statement gives rows.
    [[nodiscard]] bool next(std::optional<Statement>& statement)
    {
        if (!isFine() || !statement) {
            return false;
        }
        const engine::Result<bool> row = statement->step();
        if (!row) {
            m_failure = row.error();
        }
        return row && *row;
    }

    void take(const engine::Status& status)
    {
        if (!status && isFine()) {
            m_failure = status.error();
        }
    }

    [[nodiscard]] bool isFine() const { return !m_failure.has_value(); }

    [[nodiscard]] const engine::Diagnostic& error() const { return *m_failure; }

    [[nodiscard]] engine::Status status() const
    {
        return isFine() ? engine::Status(engine::Done {})
                        : engine::Status(engine::fail(*m_failure));
    }

    [[nodiscard]] Database& database() const { return m_database; }

private:
    Database& m_database;
    std::optional<engine::Diagnostic> m_failure;
};

} // namespace storage::runs
