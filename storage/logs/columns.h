#pragma once
#include "storage/logs/record.h"
#include "storage/logs/written_times.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rows whose columns have names of their own, from a header or from the user: what these names
/// mean, and the parser that the formats of this kind build upon.
namespace storage::logs {

/// A header with more is not read: nobody has so many, and what reads one costs as much as it has.
inline constexpr std::size_t kMostColumns = 1'024;

/// What columns may be called, best first. Names are compared as plainName().
struct ColumnRules {
    std::span<const RecordSource> sources;
    std::span<const RecordStamp> stamps;
    std::span<const RecordDuration> durations; ///< unit 0: only values that say their unit
    std::span<const std::string_view> requests; ///< with a whole request line
    std::span<const std::string_view> targets;
    std::span<const std::string_view> lists;
    Escape escape = Escape::None;
    std::string_view nil = "-";
    bool isUtc = false; ///< a time without a zone is of no other
};

/// "Client IP", "client-ip" and "ClientIP" are "client_ip", "cs(User-Agent)" is "cs_user_agent".
std::string plainName(std::string_view name);

/// "cs(X-Api-Key)" is the attribute "http_x_api_key"; empty for any other name.
std::string headerOfColumn(std::string_view column);

/// A layout for one list of columns.
struct ColumnLayout {
    RecordLayout layout;
    std::size_t columns = 0; ///< that rows have; the layout may name more, which none has
    std::optional<std::size_t> clock; ///< the column with the clock of a date in `date`
    std::optional<std::size_t> date;
    DateOrder order = DateOrder::MonthFirst;
    bool isUtc = false;
    std::shared_ptr<const void> names; ///< what the layout's rules look into

    /// Some column says what was asked or what the answer was: rows are requests.
    [[nodiscard]] bool saysRequests() const;
};

/// Nothing if no column can be the time, or there are more than kMostColumns. A mapping names a
/// column, or its position from 1; `time=FIELD:dmy` says that its dates begin with the day. A
/// mapping of a column that is not there gives nothing.
std::optional<ColumnLayout> columnLayout(const ColumnRules& rules, std::vector<std::string> columns,
                                         FormatOptions options);

/// Says of rows that cannot be read why: WideHeader or NotHttp, by how many columns there are.
std::shared_ptr<const LineParser> refusedRows(std::size_t columns);

/// Reads rows that a subclass cuts into the columns of a layout.
class RowParser : public RecordParser {
public:
    RowParser(const ColumnLayout& layout, const std::vector<std::string>& wanted);

protected:
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;

    [[nodiscard]] std::size_t columns() const { return m_columns; }

    [[nodiscard]] std::optional<std::size_t> clockColumn() const { return m_clock; }

    [[nodiscard]] DateOrder order() const { return m_order; }

    /// Cuts at every delimiter; how many values there are.
    std::size_t cutPlain(std::string_view line, char delimiter, Cut& cut) const;

    /// Cuts at one delimiter; a value that begins with a quote ends at the next single one, and two
    /// stand for one. Truncated: a quote has no end; NoMatch: something other than blanks stands
    /// behind a closing one, or end() says so.
    LineOutcome cutQuoted(std::string_view line, char delimiter, LineScratch& scratch,
                          Cut& cut) const;

    /// Ends a cut of `count` values; the last of a line without newline may be half. NoMatch: there
    /// are more than columns, so that which value is which cannot be told.
    LineOutcome end(std::size_t count, bool isCut, Cut& cut) const;

private:
    std::size_t m_columns;
    std::optional<std::size_t> m_clock;
    std::optional<std::size_t> m_date;
    DateOrder m_order;
    bool m_isUtc;
};

} // namespace storage::logs
