#include "storage/logs/column_guesses.h"
#include "storage/logs/formats.h"

#include <algorithm>
#include <array>

/// CSV and TSV: exports of databases, spreadsheets and consoles.
namespace storage::logs {
namespace {

constexpr std::string_view kTabName = "tsv";

/// What stands for no value, beside nothing and "-".
constexpr std::array<std::string_view, 5> kNils {"null", "NULL", "\\N", "(null)", "nil"};

/// The delimiter that a header has most of, outside of quotes.
char delimiterOf(std::string_view header, bool isTabbed)
{
    constexpr std::string_view kDelimiters = ",;|\t";
    if (isTabbed) {
        return '\t';
    }
    std::array<std::size_t, kDelimiters.size()> counts {};
    bool isQuoted = false;
    for (const char c : header) {
        isQuoted = isQuoted != (c == '"');
        const std::size_t at = kDelimiters.find(c);
        if (!isQuoted && at != std::string_view::npos) {
            ++counts[at];
        }
    }
    const auto* const most = std::max_element(counts.begin(), counts.end());
    return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

/// The names in a header line, quotes and blanks around them dropped.
std::vector<std::string> namesIn(std::string_view header, char delimiter)
{
    std::vector<std::string> names;
    std::string name;
    bool isQuoted = false;
    const auto add = [&] {
        names.emplace_back(trimmed(name));
        name.clear();
    };
    for (std::size_t i = 0; i < header.size(); ++i) {
        const char c = header[i];
        if (c == '"' && isQuoted && i + 1 < header.size() && header[i + 1] == '"') {
            name += c;
            ++i;
        } else if (c == '"') {
            isQuoted = !isQuoted;
        } else if (c == delimiter && !isQuoted) {
            add();
        } else {
            name += c;
        }
    }
    add();
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = names[i].empty() ? "column_" + std::to_string(i + 1) : names[i];
    }
    return names;
}

/// The position of the time, from 1, if its mapping says one: then the columns go by positions.
std::optional<std::size_t> timePosition(const FormatOptions& options)
{
    constexpr std::size_t kMostDigits = 4;
    for (const FieldMapping& mapping : options.mappings) {
        const std::string_view field = mapping.field;
        const std::string_view digits = field.substr(0, field.find(':'));
        if ((mapping.name == "time" || mapping.name == "start") && isWhole(digits)
            && digits.size() <= kMostDigits) {
            return static_cast<std::size_t>(readInteger(digits).value_or(0));
        }
    }
    return std::nullopt;
}

/// Names for columns whose first line is a row already, which says none: a time stands in it.
void forgetRow(std::vector<std::string>& names, std::optional<std::size_t> position)
{
    if (!position || *position < 1 || *position > names.size()) {
        return;
    }
    std::string_view time = names[*position - 1];
    time.remove_prefix(time.starts_with('[') ? 1 : 0);
    time.remove_suffix(time.ends_with(']') ? 1 : 0);
    StampCache cache;
    Stamp stamp;
    if (readAnyTime(time, cache, stamp)) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            names[i] = "column_" + std::to_string(i + 1);
        }
    }
}

struct Table {
    char delimiter = ',';
    std::vector<std::string> names;
    std::optional<ColumnLayout> layout;
};

Table tableOf(std::string_view header, bool isTabbed, const FormatOptions& options)
{
    Table table;
    header.remove_prefix(header.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    table.delimiter = delimiterOf(header, isTabbed);
    table.names = namesIn(header, table.delimiter);
    if (table.names.size() < 2 || table.names.size() > kMostColumns) {
        return table;
    }
    forgetRow(table.names, timePosition(options));
    table.layout = columnLayout(guessedColumns(), table.names, options);
    if (table.layout && !table.layout->saysRequests()) {
        table.layout.reset();
    }
    return table;
}

/// Rows below one header.
class TableParser final : public RowParser {
public:
    TableParser(const ColumnLayout& made, char delimiter, const std::vector<std::string>& wanted)
        : RowParser(made, wanted)
        , m_delimiter(delimiter)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t /*last*/, LineScratch& scratch,
                    Cut& cut) const override
    {
        LineOutcome outcome = cutQuoted(line, m_delimiter, scratch, cut);
        if (outcome != LineOutcome::Request && m_delimiter == '\t') {
            std::size_t count = cutPlain(line, m_delimiter, cut); // quotes as they came
            for (; count > columns() && line.ends_with(m_delimiter); --count) {
                line.remove_suffix(1);
            }
            outcome = end(count, isCut, cut);
        }
        if (outcome != LineOutcome::Request) {
            return outcome; // Truncated: a value goes on in the next line
        }
        if (isCut && cut.whole < columns()) {
            return LineOutcome::Truncated;
        }
        for (std::size_t i = 0; i < cut.whole; ++i) {
            std::string_view& value = cut.values[i];
            const bool mayBeNil = value.size() >= 2 && value.size() <= 6
                && std::string_view("nN\\(").find(value.front()) != std::string_view::npos;
            if (mayBeNil && std::find(kNils.begin(), kNils.end(), value) != kNils.end()) {
                value = {};
            }
        }
        return cut.whole < 2 && columns() > 1 ? LineOutcome::NoMatch : LineOutcome::Request;
    }

private:
    char m_delimiter;
};

class DelimitedParser final : public LineParser {
public:
    DelimitedParser(bool isTabbed, FormatOptions options, std::vector<std::string> wanted)
        : m_isTabbed(isTabbed)
        , m_isByPosition(timePosition(options).has_value())
        , m_options(std::move(options))
        , m_wanted(std::move(wanted))
    {
    }

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override
    {
        const LineParser* const rows = rowsOf(scratch);
        if (rows == nullptr) {
            return LineOutcome::NoMatch;
        }
        if (line == scratch.header.text()) {
            const bool isRow
                = m_isByPosition && rows->parse(line, isCut, scratch, out) == LineOutcome::Request;
            return isRow ? LineOutcome::Request : LineOutcome::Directive;
        }
        return rows->parse(line, isCut, scratch, out);
    }

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override
    {
        const LineParser* const rows = rowsOf(scratch);
        const bool isOther
            = !m_isTabbed && delimiterOf(scratch.header.text(), false) == '\t'; // that is tsv
        if (rows == nullptr || isOther) {
            return 0;
        }
        const int likeness = rows->likeness(line, scratch);
        return line == scratch.header.text() && likeness == 0 ? 2 : likeness;
    }

private:
    const LineParser* rowsOf(LineScratch& scratch) const
    {
        const auto make = [this](std::string_view header) -> std::shared_ptr<const LineParser> {
            const Table table = tableOf(header, m_isTabbed, m_options);
            if (table.names.size() > kMostColumns) {
                return refusedRows(table.names.size());
            }
            return table.layout
                ? std::make_shared<TableParser>(*table.layout, table.delimiter, m_wanted)
                : nullptr;
        };
        return scratch.made.find(m_id, scratch.header, make);
    }

    bool m_isTabbed;
    bool m_isByPosition;
    FormatOptions m_options;
    std::vector<std::string> m_wanted;
    std::uint64_t m_id = newNumber();
};

class DelimitedFormat final : public LogFormat {
public:
    DelimitedFormat(std::string_view name, FormatOptions options)
        : m_name(name)
        , m_options(std::move(options))
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    [[nodiscard]] std::vector<std::string> fields() const override { return {}; }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    [[nodiscard]] bool hasHeaderLine() const override { return true; }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {"a stamp is of a request's end unless its column is called start",
                "dates like 11/28/2026 begin with the month; --map time=COLUMN:dmy reads them with "
                "the day first",
                "a row whose quoted value goes on in the next line is not read"};
    }

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        const Table table = tableOf(line, m_name == kTabName, m_options);
        if (!table.layout) {
            return;
        }
        for (const std::string& field : table.layout->layout.attributes()) {
            names.add(field);
        }
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        return std::make_unique<DelimitedParser>(m_name == kTabName, m_options, wanted);
    }

private:
    std::string m_name;
    FormatOptions m_options;
};

} // namespace

MadeFormat makeDelimitedFormat(std::string_view name, const FormatOptions& options)
{
    return std::shared_ptr<const LogFormat>(std::make_shared<DelimitedFormat>(name, options));
}

} // namespace storage::logs
