#pragma once
#include "storage/runs/steps.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace storage::runs {

/// Many rows of one table, some dozens in a statement: most of what a short row costs is its
/// statement's. `Values` are its columns in order; views must live until finish().
///
/// Example: `RowInsert<RunId, std::uint32_t> rows(steps, "t(run, id)"); rows.add(7, 1);
/// rows.add(7, 2); rows.finish();` runs `INSERT INTO t(run, id) VALUES(?,?),(?,?)`.
template <class... Values> class RowInsert {
public:
    RowInsert(Steps& steps, std::string_view into)
        : m_steps(steps)
        , m_into(into)
    {
        m_rows.reserve(kRowsOfStatement);
    }

    void add(Values... values)
    {
        m_rows.emplace_back(std::move(values)...);
        if (m_rows.size() == kRowsOfStatement) {
            if (!m_insert) {
                m_insert = m_steps.prepare(sql(kRowsOfStatement));
            }
            write(m_insert);
        }
    }

    /// Writes what waits.
    void finish()
    {
        if (!m_rows.empty()) {
            std::optional<Statement> insert = m_steps.prepare(sql(m_rows.size()));
            write(insert);
        }
    }

private:
    /// More hardly help, and a statement takes 999 parameters in old versions of SQLite.
    static constexpr std::size_t kRowsOfStatement = 50;
    static_assert(kRowsOfStatement * sizeof...(Values) <= 999);

    [[nodiscard]] std::string sql(std::size_t rows) const
    {
        std::string row = "(?";
        for (std::size_t i = 1; i < sizeof...(Values); ++i) {
            row += ",?";
        }
        row += ')';
        std::string text = "INSERT INTO " + m_into + " VALUES" + row;
        for (std::size_t i = 1; i < rows; ++i) {
            text += ',';
            text += row;
        }
        return text;
    }

    void write(std::optional<Statement>& insert)
    {
        if (insert && m_steps.isFine()) {
            m_steps.take(insert->runRows(std::span<const std::tuple<Values...>>(m_rows)));
        }
        m_rows.clear();
    }

    Steps& m_steps;
    std::string m_into;
    std::vector<std::tuple<Values...>> m_rows;
    std::optional<Statement> m_insert;
};

} // namespace storage::runs
