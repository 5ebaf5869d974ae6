#include "storage/logs/columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>

namespace storage::logs {
namespace {

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

/// What follows the last dot of "http.response.status_code", unless it is of the other side.
std::string lastPart(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) {
        return {};
    }
    constexpr std::array<std::string_view, 6> kOthers {"dest", "server",   "backend",
                                                       "host", "upstream", "target"};
    for (const std::string_view other : kOthers) {
        if (name.starts_with(other)) {
            return {};
        }
    }
    return plainName(name.substr(dot + 1));
}

/// "request_method" of "http_request_request_method", "time" of "time_utc".
std::string withoutAround(std::string name)
{
    constexpr std::string_view kRequest = "http_request_";
    if (name.starts_with(kRequest)) {
        name.erase(0, kRequest.size());
    }
    for (const std::string_view end : {"_utc", "_gmt"}) {
        if (name.ends_with(end)) {
            name.erase(name.size() - end.size());
        }
    }
    return name;
}

struct Unit {
    std::string_view name;
    std::int64_t ns;
};

constexpr std::array<Unit, 15> kUnits {{{"ms", 1'000'000},
                                        {"msec", 1'000'000},
                                        {"millis", 1'000'000},
                                        {"milliseconds", 1'000'000},
                                        {"us", 1'000},
                                        {"usec", 1'000},
                                        {"micros", 1'000},
                                        {"microseconds", 1'000},
                                        {"ns", 1},
                                        {"nanos", 1},
                                        {"nanoseconds", 1},
                                        {"s", kSecondNs},
                                        {"sec", kSecondNs},
                                        {"secs", kSecondNs},
                                        {"seconds", kSecondNs}}};

constexpr std::array<std::string_view, 18> kDurationNames {
    "duration",        "latency",      "elapsed",       "elapsed_time",   "time_elapsed",
    "response_time",   "request_time", "time_taken",    "took",           "taken",
    "request_latency", "total_time",   "total_latency", "total_duration", "request_duration",
    "processing_time", "reqtime",      "runtime"};

/// "Latency (ms)" is a duration in ms, "latency" one that says its unit (0); nothing for others.
std::optional<std::int64_t> durationUnit(std::string_view plain)
{
    std::int64_t ns = 0;
    for (const Unit& unit : kUnits) {
        const std::size_t base = plain.size() - std::min(plain.size(), unit.name.size() + 1);
        if (base > 0 && plain.ends_with(unit.name) && plain[base] == '_') {
            plain = plain.substr(0, base);
            ns = unit.ns;
            break;
        }
    }
    const bool isOne
        = std::find(kDurationNames.begin(), kDurationNames.end(), plain) != kDurationNames.end();
    return isOne ? std::optional(ns) : std::nullopt;
}

/// The columns of one header, and rules in their words. The rules look into this object.
class Naming {
public:
    Naming(std::vector<std::string> columns, const ColumnRules& rules);

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

template <class Guesses, class Field, class Add>
void Naming::match(const Guesses& guesses, Field field, Add add) const
{
    std::vector<std::string> wanted;
    for (const auto& guess : guesses) {
        wanted.push_back(plainName(field(guess)));
    }
    for (const auto& names : {m_plain, m_last}) {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            for (std::size_t column = 0; column < m_columns.size(); ++column) {
                if (names[column] == wanted[i]) {
                    add(guesses[i], std::string_view(m_columns[column]));
                }
            }
        }
    }
}

Naming::Naming(std::vector<std::string> columns, const ColumnRules& rules)
    : m_columns(std::move(columns))
    , m_escape(rules.escape)
    , m_nil(rules.nil)
{
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const auto before = m_columns.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(m_columns.begin(), before, m_columns[i]) != before) {
            m_columns[i] += "_" + std::to_string(i + 1); // two of one name
        }
        m_plain.push_back(withoutAround(plainName(m_columns[i])));
        m_last.push_back(lastPart(m_columns[i]));
    }
    const auto itself = [](std::string_view name) { return name; };
    match(
        rules.sources, [](const RecordSource& source) { return source.field; },
        [&](const RecordSource& source, std::string_view column) {
            if (source.attribute == "target") {
                m_targets.push_back(column);
            } else {
                m_sources.push_back({source.attribute, column});
            }
        });
    match(
        rules.stamps, [](const RecordStamp& stamp) { return stamp.field; },
        [&](const RecordStamp& stamp, std::string_view column) {
            m_stamps.push_back({column, stamp.isStart});
        });
    match(rules.targets, itself,
          [&](std::string_view /*name*/, std::string_view column) { m_targets.push_back(column); });
    match(rules.lists, itself,
          [&](std::string_view /*name*/, std::string_view column) { m_lists.push_back(column); });
    match(rules.requests, itself, [&](std::string_view /*name*/, std::string_view column) {
        m_request = m_request.empty() ? column : m_request;
    });
    addDurations(rules);
    addHeaders();
}

void Naming::addDurations(const ColumnRules& rules)
{
    match(
        rules.durations, [](const RecordDuration& duration) { return duration.field; },
        [&](const RecordDuration& duration, std::string_view column) {
            m_durations.push_back({column, duration.unitNs});
        });
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        for (const std::string& name : {m_plain[i], m_last[i]}) {
            if (const auto unit = durationUnit(name)) {
                m_durations.push_back({m_columns[i], *unit});
                break;
            }
        }
    }
}

void Naming::addHeaders()
{
    for (const std::string& column : m_columns) {
        const std::string attribute = headerAttribute(column);
        if (!attribute.empty()) {
            m_sources.push_back({m_made.emplace_back(attribute), column});
        }
    }
}

std::optional<std::size_t> Naming::find(std::string_view name) const
{
    const auto indexIn = [&](const std::vector<std::string>& names,
                             std::string_view wanted) -> std::optional<std::size_t> {
        const auto found = std::find(names.begin(), names.end(), wanted);
        return found == names.end()
            ? std::nullopt
            : std::optional(static_cast<std::size_t>(found - names.begin()));
    };
    if (const auto exact = indexIn(m_columns, name)) {
        return exact;
    }
    if (const auto plain = indexIn(m_plain, plainName(name))) {
        return plain;
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (headerAttribute(m_columns[i]) == name) {
            return i;
        }
    }
    if (isWhole(name) && name.size() <= 4) {
        const auto position = readInteger(name).value_or(0);
        if (position >= 1 && position <= static_cast<std::int64_t>(m_columns.size())) {
            return static_cast<std::size_t>(position - 1);
        }
    }
    return std::nullopt;
}

RecordRules Naming::rules() const
{
    RecordRules rules;
    rules.sources = m_sources;
    rules.stamps = m_stamps;
    rules.durations = m_durations;
    rules.request = m_request;
    rules.targets = m_targets;
    rules.lists = m_lists;
    rules.escape = m_escape;
    rules.nil = m_nil;
    return rules;
}

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
void resolve(const Naming& naming, FormatOptions& options, DateOrder& order,
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

std::string plainName(std::string_view name)
{
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const char before = i > 0 ? name[i - 1] : ' ';
        const char after = i + 1 < name.size() ? name[i + 1] : ' ';
        const bool begins = isUpper(c)
            && (isLower(before) || isDigit(before) || (isUpper(before) && isLower(after)));
        const bool isPart = isUpper(c) || isLower(c) || isDigit(c);
        if ((begins || !isPart) && !plain.empty() && plain.back() != '_') {
            plain += '_';
        }
        if (isPart) {
            plain += static_cast<char>(isUpper(c) ? c | 0x20 : c);
        }
    }
    while (!plain.empty() && plain.back() == '_') {
        plain.pop_back();
    }
    return plain;
}

std::string headerAttribute(std::string_view column)
{
    if (column.size() < 5 || !column.ends_with(')')
        || (!column.starts_with("cs(") && !column.starts_with("CS("))) {
        return {};
    }
    std::string name = "http_";
    for (const char c : column.substr(3, column.size() - 4)) {
        name += static_cast<char>(c == '-' ? '_' : std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

bool ColumnLayout::saysRequests() const
{
    return layout.request || layout.target || layout.status || layout.sourceOf("method");
}

std::optional<ColumnLayout> columnLayout(const ColumnRules& rules, std::vector<std::string> columns,
                                         FormatOptions options)
{
    auto naming = std::make_shared<const Naming>(std::move(columns), rules);
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

void RowParser::begin(Cut& cut) const
{
    const std::size_t size = layout().fields.size() + 1;
    if (cut.values.size() < size) {
        cut.values.resize(size);
    }
}

void RowParser::end(std::size_t count, bool isCut, Cut& cut) const
{
    cut.exact = count == m_columns;
    cut.whole = std::min(count, m_columns);
    if (isCut && count < m_columns && cut.whole > 0) {
        --cut.whole;
    }
}

std::size_t RowParser::cutPlain(std::string_view line, char delimiter, Cut& cut) const
{
    begin(cut);
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

bool RowParser::cutQuoted(std::string_view line, char delimiter, LineScratch& scratch,
                          Cut& cut) const
{
    begin(cut);
    std::size_t count = 0;
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
                return false;
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
            at = findByte(at, stop, delimiter);
        } else {
            const char* const from = at;
            at = findByte(at, stop, delimiter);
            value = {from, static_cast<std::size_t>(at - from)};
        }
        if (count < m_columns) {
            cut.values[count] = value;
        }
        ++count;
        if (at >= stop) {
            break;
        }
    }
    while (count > m_columns && line.ends_with(delimiter)) { // trailing empty columns
        line.remove_suffix(1);
        --count;
    }
    end(count, false, cut);
    return true;
}

} // namespace storage::logs
