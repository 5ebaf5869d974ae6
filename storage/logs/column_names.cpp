#include "storage/logs/column_names.h"

#include "storage/logs/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_set>

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

constexpr std::array<std::string_view, 18> kDurationNames {
    "duration",        "latency",      "elapsed",       "elapsed_time",   "time_elapsed",
    "response_time",   "request_time", "time_taken",    "took",           "taken",
    "request_latency", "total_time",   "total_latency", "total_duration", "request_duration",
    "processing_time", "reqtime",      "runtime"};

/// "Latency (ms)" is a duration in ms, "latency" one that says its unit (0); nothing for others.
std::optional<std::int64_t> durationUnit(std::string_view plain)
{
    const auto named = unitAtEnd(plain, '_');
    const std::string_view base = named ? named->name : plain;
    const bool isOne
        = std::find(kDurationNames.begin(), kDurationNames.end(), base) != kDurationNames.end();
    return isOne ? std::optional(named ? named->unitNs : kNamedUnit) : std::nullopt;
}

} // namespace

template <class Guesses, class Field, class Add>
void ColumnNames::match(const Guesses& guesses, Field field, Add add) const
{
    std::vector<std::string> wanted;
    for (const auto& guess : guesses) {
        wanted.push_back(plainName(field(guess)));
    }
    for (const auto* const names : {&m_plain, &m_last}) {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            for (std::size_t column = 0; column < m_columns.size(); ++column) {
                if ((*names)[column] == wanted[i]) {
                    add(guesses[i], std::string_view(m_columns[column]));
                }
            }
        }
    }
}

ColumnNames::ColumnNames(std::vector<std::string> columns, const ColumnRules& rules)
    : m_columns(std::move(columns))
    , m_escape(rules.escape)
    , m_nil(rules.nil)
{
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (!names.insert(m_columns[i]).second) {
            m_columns[i] += "_" + std::to_string(i + 1); // two of one name
            names.insert(m_columns[i]);
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

void ColumnNames::addDurations(const ColumnRules& rules)
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

void ColumnNames::addHeaders()
{
    for (const std::string& column : m_columns) {
        const std::string attribute = headerOfColumn(column);
        if (!attribute.empty()) {
            m_sources.push_back({m_made.emplace_back(attribute), column});
        }
    }
}

std::optional<std::size_t> ColumnNames::find(std::string_view name) const
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
        if (headerOfColumn(m_columns[i]) == name) {
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

RecordRules ColumnNames::rules() const
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

std::string headerOfColumn(std::string_view column)
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

} // namespace storage::logs
