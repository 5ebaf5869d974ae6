#include "storage/logs/columns.h"

#include "storage/logs/column_names.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Rows below a header that makes no requests of them.
class RefusedRows final : public LineParser {
public:
    explicit RefusedRows(LineOutcome outcome)
        : m_outcome(outcome)
    {
    }

    LineOutcome parse(std::string_view /*line*/, bool /*isCut*/, LineScratch& /*scratch*/,
                      ParsedLine& /*out*/) const override
    {
        return m_outcome;
    }

    [[nodiscard]] int likeness(std::string_view /*line*/, LineScratch& /*scratch*/) const override
    {
        return 0; // any header that is not of this format leads here
    }

private:
    LineOutcome m_outcome;
};

/// What stands behind the last colon of a mapped field, taken from it.
std::string takeSuffix(std::string& field)
{
    const std::size_t colon = field.rfind(':');
    if (colon == std::string::npos || colon == 0) {
        return {};
    }
    std::string suffix = field.substr(colon);
    field.erase(colon);
    return suffix;
}

/// Puts the columns' own names into the mappings; names that no column has go to `unknown`.
void resolve(const ColumnNames& naming, FormatOptions& options, DateOrder& order,
             std::vector<std::string>& unknown)
{
    for (FieldMapping& mapping : options.mappings) {
        std::string suffix;
        const bool isTime = mapping.name == "time" || mapping.name == "start";
        auto column = naming.find(mapping.field);
        if (!column && (isTime || mapping.name == "duration")) {
            suffix = takeSuffix(mapping.field);
            column = naming.find(mapping.field);
        }
        if (isTime) {
            order = suffix == ":dmy" ? DateOrder::DayFirst : order;
            suffix.clear();
        }
        if (column) {
            mapping.field = naming.columns()[*column];
        } else {
            unknown.push_back(mapping.field);
        }
        mapping.field += suffix;
    }
}

/// Columns that no row has are required by none.
void settleRequired(ColumnLayout& made)
{
    RecordLayout& layout = made.layout;
    layout.lastRequired = layout.stamps.front().field;
    for (const auto& field :
         {layout.client, layout.request, layout.target, layout.status, made.date}) {
        if (field && *field < made.columns) {
            layout.lastRequired = std::max(layout.lastRequired, *field);
        }
    }
}

} // namespace

bool ColumnLayout::saysRequests() const
{
    return layout.request || layout.target || layout.status || layout.sourceOf("method");
}

std::optional<ColumnLayout> columnLayout(const ColumnRules& rules, std::vector<std::string> columns,
                                         FormatOptions options)
{
    if (columns.size() > kMostColumns) {
        return std::nullopt;
    }
    auto naming = std::make_shared<const ColumnNames>(std::move(columns), rules);
    ColumnLayout made;
    std::vector<std::string> names = naming->columns();
    made.columns = names.size();
    std::vector<std::string> unknown;
    resolve(*naming, options, made.order, unknown);
    names.insert(names.end(), unknown.begin(), unknown.end());
    auto layout = RecordLayout::make(naming->rules(), std::move(names), options);
    if (!layout || layout->stamps.empty() || layout->stamps.front().field >= made.columns) {
        return std::nullopt;
    }
    made.layout = std::move(*layout);
    made.clock = naming->find("time");
    made.date = naming->find("date");
    if (!made.clock || !made.date || *made.clock == *made.date) {
        made.date.reset();
    }
    made.isUtc = rules.isUtc;
    made.names = std::move(naming);
    settleRequired(made);
    return made;
}

std::shared_ptr<const LineParser> refusedRows(std::size_t columns)
{
    return std::make_shared<RefusedRows>(columns > kMostColumns ? LineOutcome::WideHeader
                                                                : LineOutcome::NotHttp);
}

RowParser::RowParser(const ColumnLayout& layout, const std::vector<std::string>& wanted)
    : RecordParser(layout.layout, wanted)
    , m_columns(layout.columns)
    , m_clock(layout.clock)
    , m_date(layout.date)
    , m_order(layout.order)
    , m_isUtc(layout.isUtc)
{
}

bool RowParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                          Stamp& stamp) const
{
    std::string_view text = cut.values[field];
    text.remove_prefix(text.starts_with('[') ? 1 : 0); // an export of "[%t]" cut at its blank
    text.remove_suffix(text.ends_with(']') ? 1 : 0);
    bool isRead = false;
    if (m_date && field == m_clock && cut.has(*m_date)) {
        isRead = readDateAndClock(cut.values[*m_date], text, m_order, scratch.stamps, stamp);
    }
    if (!isRead && m_order == DateOrder::DayFirst) {
        isRead = readWrittenTime(text, m_order, stamp);
    }
    isRead = isRead || (!text.empty() && readAnyTime(text, scratch.stamps, stamp));
    stamp.isLocal = stamp.isLocal && !m_isUtc;
    return isRead;
}

LineOutcome RowParser::end(std::size_t count, bool isCut, Cut& cut) const
{
    cut.exact = count == m_columns;
    cut.whole = std::min(count, m_columns);
    if (isCut && count < m_columns && cut.whole > 0) {
        --cut.whole;
    }
    return count > m_columns ? LineOutcome::NoMatch : LineOutcome::Request;
}

std::size_t RowParser::cutPlain(std::string_view line, char delimiter, Cut& cut) const
{
    cut.reach(layout().fields.size());
    std::size_t count = 0;
    const char* at = line.data();
    const char* const stop = at + line.size();
    for (;; ++at) {
        const char* const from = at;
        at = findByte(at, stop, delimiter);
        if (count < m_columns) {
            cut.values[count] = {from, static_cast<std::size_t>(at - from)};
        }
        ++count;
        if (at >= stop) {
            return count;
        }
    }
}

LineOutcome RowParser::cutQuoted(std::string_view line, char delimiter, LineScratch& scratch,
                                 Cut& cut) const
{
    cut.reach(layout().fields.size());
    std::size_t count = 0;
    std::size_t filled = 0; // up to the last value that is not empty
    const char* at = line.data();
    const char* const stop = at + line.size();
    for (;; ++at) {
        std::string_view value;
        if (at < stop && *at == '"') {
            const char* const from = ++at;
            bool hasDoubled = false;
            for (at = findByte(at, stop, '"'); at + 1 < stop && at[1] == '"';
                 at = findByte(at + 2, stop, '"')) {
                hasDoubled = true;
            }
            if (at >= stop) {
                return LineOutcome::Truncated;
            }
            value = {from, static_cast<std::size_t>(at - from)};
            if (hasDoubled && count < m_columns) {
                char* const room = scratch.arena->room(value.size());
                std::size_t size = 0;
                for (std::size_t i = 0; i < value.size(); ++i) {
                    room[size++] = value[i];
                    i += value[i] == '"' ? 1U : 0U;
                }
                value = scratch.arena->keep(room, size);
            }
            const char* const close = at + 1;
            at = findByte(close, stop, delimiter);
            if (!trimmed({close, static_cast<std::size_t>(at - close)}).empty()) {
                return LineOutcome::NoMatch;
            }
        } else {
            const char* const from = at;
            at = findByte(at, stop, delimiter);
            value = {from, static_cast<std::size_t>(at - from)};
        }
        if (count < m_columns) {
            cut.values[count] = value;
        }
        ++count;
        filled = value.empty() ? filled : count;
        if (at >= stop) {
            return end(std::max(std::min(count, m_columns), filled), false, cut);
        }
    }
}

} // namespace storage::logs
