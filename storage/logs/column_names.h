#pragma once
#include "storage/logs/columns.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// The columns of one header, and rules in their words. The rules look into this object.
class ColumnNames {
public:
    ColumnNames(std::vector<std::string> columns, const ColumnRules& rules);

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

    [[nodiscard]] const std::vector<std::string>& columns() const { return m_columns; }

    [[nodiscard]] RecordRules rules() const;

private:
    /// Calls `add` with the columns of each of `guesses`: those with just that name first.
    template <class Guesses, class Field, class Add>
    void match(const Guesses& guesses, Field field, Add add) const;
    void addHeaders();
    void addDurations(const ColumnRules& rules);

    std::vector<std::string> m_columns;
    std::vector<std::string> m_plain;
    std::vector<std::string> m_last; ///< behind the last dot
    std::deque<std::string> m_made;
    std::vector<RecordSource> m_sources;
    std::vector<RecordStamp> m_stamps;
    std::vector<RecordDuration> m_durations;
    std::vector<std::string_view> m_targets;
    std::vector<std::string_view> m_lists;
    std::string_view m_request;
    Escape m_escape;
    std::string_view m_nil;
};

} // namespace storage::logs
