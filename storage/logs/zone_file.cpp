#include "storage/logs/zone_file.h"

#include "storage/logs/stamps.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <utility>

namespace storage::logs {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kHour = 3600;

engine::Failure damaged(std::string_view what)
{
    return engine::fail("log.zone", "a file of time zones is damaged: " + std::string(what),
                        "reinstall tzdata, or give an offset such as +01:00");
}

/// Big-endian numbers, one after the other. Beyond the end they are 0 and ok() is false.
class Bytes {
public:
    explicit Bytes(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] bool ok() const { return m_ok; }

    [[nodiscard]] std::string_view rest() const { return m_bytes; }

    std::string_view take(std::uint64_t count)
    {
        if (count > m_bytes.size()) {
            m_ok = false;
            m_bytes = {};
            return {};
        }
        const std::string_view taken = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return taken;
    }

    std::int64_t number(std::size_t size)
    {
        std::uint64_t value = 0;
        for (const char byte : take(size)) {
            value = value << 8 | static_cast<unsigned char>(byte);
        }
        return size == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value))
                         : static_cast<std::int64_t>(value);
    }

private:
    std::string_view m_bytes;
    bool m_ok = true;
};

struct Header {
    char version = 0;
    std::uint64_t utcMarks = 0;
    std::uint64_t standardMarks = 0;
    std::uint64_t leaps = 0;
    std::uint64_t times = 0;
    std::uint64_t types = 0;
    std::uint64_t names = 0;

    /// Bytes of what follows, with times of `size` bytes.
    [[nodiscard]] std::uint64_t dataBytes(std::uint64_t size) const
    {
        return times * (size + 1) + types * 6 + names + leaps * (size + 4) + standardMarks
            + utcMarks;
    }
};

std::optional<Header> readHeader(Bytes& bytes)
{
    if (bytes.take(4) != "TZif") {
        return std::nullopt;
    }
    Header header;
    const std::string_view version = bytes.take(16);
    header.version = version.empty() ? '\0' : version.front();
    for (auto* count : {&header.utcMarks, &header.standardMarks, &header.leaps, &header.times,
                        &header.types, &header.names}) {
        *count = static_cast<std::uint32_t>(bytes.number(4));
    }
    return bytes.ok() ? std::optional(header) : std::nullopt;
}

/// Adds a change of the offset; a change at the same instant takes the place of the one before.
void change(ZoneTable& table, std::int64_t at, std::int64_t offset)
{
    if (table.starts.back() == at && table.starts.size() > 1) {
        table.starts.pop_back();
        table.offsets.pop_back();
    }
    if (table.offsets.back() != offset) {
        table.starts.push_back(at);
        table.offsets.push_back(offset);
    }
}

engine::Result<ZoneTable> readTable(Bytes& bytes, const Header& header, std::size_t size)
{
    if (header.types == 0 || header.dataBytes(size) > bytes.rest().size()) {
        return damaged("it is cut");
    }
    Bytes times(bytes.take(header.times * size));
    const std::string_view kinds = bytes.take(header.times);
    Bytes types(bytes.take(header.types * 6));
    bytes.take(header.dataBytes(size) - header.times * (size + 1) - header.types * 6);
    std::vector<std::int64_t> offsets;
    for (std::uint64_t i = 0; i < header.types; ++i) {
        const std::int64_t offset = types.number(4);
        types.take(2);
        if (offset <= -kMostOffset || offset >= kMostOffset) {
            return damaged("an offset is more than 26 hours");
        }
        offsets.push_back(offset);
    }
    ZoneTable table {{kBeforeAll}, {offsets[0]}, std::nullopt};
    std::int64_t before = INT64_MIN;
    for (const char kind : kinds) {
        const std::int64_t at = times.number(size);
        const auto type = static_cast<unsigned char>(kind);
        if (type >= offsets.size() || at <= before || at > -kBeforeAll) {
            return damaged("its table is not in order");
        }
        before = at;
        if (at <= kBeforeAll) {
            table.offsets[0] = offsets[type];
        } else {
            change(table, at, offsets[type]);
        }
    }
    return table;
}

/// A POSIX TZ text: "CET-1CEST,M3.5.0,M10.5.0/3".
struct DayRule {
    char form = 'M'; ///< M month.week.day, J day without 29 February from 1, D day from 0
    std::int64_t month = 0;
    std::int64_t week = 0;
    std::int64_t day = 0;
    std::int64_t seconds = 2 * kHour;
};

struct Rule {
    std::int64_t standard = 0;
    std::optional<std::int64_t> summer;
    DayRule begin;
    DayRule end;
};

class RuleText {
public:
    explicit RuleText(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<Rule> read()
    {
        Rule rule;
        rule.standard = name() ? -clock(24) : 0;
        if (m_ok && !m_text.empty()) {
            rule.summer = rule.standard + kHour;
            name();
            if (!m_text.empty() && m_text.front() != ',') {
                rule.summer = -clock(24);
            }
            expect(',');
            rule.begin = day();
            expect(',');
            rule.end = day();
        }
        return m_ok && m_text.empty() ? std::optional(rule) : std::nullopt;
    }

private:
    bool skip(char wanted)
    {
        const bool found = !m_text.empty() && m_text.front() == wanted;
        m_text.remove_prefix(found ? 1 : 0);
        return found;
    }

    void expect(char wanted) { m_ok = skip(wanted) && m_ok; }

    bool name()
    {
        if (skip('<')) {
            m_text.remove_prefix(std::min(m_text.find('>'), m_text.size()));
            expect('>');
            return m_ok;
        }
        std::size_t size = 0;
        while (size < m_text.size()
               && ((m_text[size] | 0x20) >= 'a' && (m_text[size] | 0x20) <= 'z')) {
            ++size;
        }
        m_ok = m_ok && size >= 3;
        m_text.remove_prefix(size);
        return m_ok;
    }

    std::int64_t number(std::int64_t least, std::int64_t most)
    {
        std::int64_t value = 0;
        std::size_t size = 0;
        for (; size < m_text.size() && size < 4 && isDigit(m_text[size]); ++size) {
            value = value * 10 + (m_text[size] - '0');
        }
        m_text.remove_prefix(size);
        m_ok = m_ok && size > 0 && value >= least && value <= most;
        return value;
    }

    std::int64_t clock(std::int64_t mostHours)
    {
        const bool negative = skip('-');
        if (!negative) {
            skip('+');
        }
        std::int64_t seconds = number(0, mostHours) * kHour;
        if (skip(':')) {
            seconds += number(0, 59) * 60;
            if (skip(':')) {
                seconds += number(0, 59);
            }
        }
        return negative ? -seconds : seconds;
    }

    DayRule day()
    {
        DayRule rule;
        if (skip('M')) {
            rule.month = number(1, 12);
            expect('.');
            rule.week = number(1, 5);
            expect('.');
            rule.day = number(0, 6);
        } else if (skip('J')) {
            rule.form = 'J';
            rule.day = number(1, 365);
        } else {
            rule.form = 'D';
            rule.day = number(0, 365);
        }
        if (skip('/')) {
            rule.seconds = clock(167);
        }
        return rule;
    }

    std::string_view m_text;
    bool m_ok = true;
};

bool isLeapYear(std::int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// Local seconds since 1970 at which the rule takes effect in `year`.
std::int64_t momentOf(const DayRule& rule, std::int64_t year)
{
    std::int64_t day = 0;
    if (rule.form == 'M') {
        const auto month = static_cast<unsigned>(rule.month);
        const std::int64_t first = daysFromCivil(year, month, 1);
        const std::int64_t next
            = month == 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
        const std::int64_t weekday = ((first + 4) % 7 + 7) % 7; // 1970-01-01 was a Thursday
        day = first + (rule.day - weekday + 7) % 7 + (rule.week - 1) * 7;
        day -= day >= next ? 7 : 0;
    } else {
        day = daysFromCivil(year, 1, 1) + rule.day;
        day -= rule.form == 'J' && !(isLeapYear(year) && rule.day >= 60) ? 1 : 0;
    }
    return day * kDay + rule.seconds;
}

/// The year that `seconds` is in, give or take one.
std::int64_t yearOf(std::int64_t seconds)
{
    constexpr std::int64_t kYear = kRepeatSeconds / 400;
    return 1970 + (seconds >= 0 ? seconds : seconds - kYear + 1) / kYear;
}

/// Writes out what the footer says about the time behind the table.
void writeOut(const Rule& rule, ZoneTable& table)
{
    constexpr std::int64_t kFirstYear = 1800; // where the file has no table of its own
    const bool isAlone = table.starts.size() == 1;
    const std::int64_t last = isAlone ? kBeforeAll : table.starts.back();
    if (!rule.summer) {
        if (isAlone) {
            table.offsets[0] = rule.standard;
        }
        return;
    }
    const std::int64_t firstYear = isAlone ? kFirstYear : yearOf(last) - 1;
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    for (std::int64_t year = firstYear; year <= firstYear + 406; ++year) {
        changes.emplace_back(momentOf(rule.begin, year) - rule.standard, *rule.summer);
        changes.emplace_back(momentOf(rule.end, year) - *rule.summer, rule.standard);
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, offset] : changes) {
        if (at > last) {
            change(table, at, offset);
        }
    }
    table.repeatsFrom = daysFromCivil(firstYear + 404, 1, 1) * kDay;
}

} // namespace

engine::Result<ZoneTable> readZoneFile(std::string_view text)
{
    Bytes bytes(text);
    auto header = readHeader(bytes);
    if (!header) {
        return engine::fail("log.zone", "it is no file of time zones");
    }
    std::size_t size = 4;
    if (header->version >= '2') {
        size = 8;
        bytes.take(header->dataBytes(4));
        header = readHeader(bytes);
        if (!header) {
            return damaged("it is cut");
        }
    }
    if (header->leaps > 0) {
        return engine::fail("log.zone", "its times count leap seconds, which logs do not",
                            "give the zone's plain name, without `right/`");
    }
    auto table = readTable(bytes, *header, size);
    if (!table || size == 4) {
        return table;
    }
    std::string_view footer = bytes.rest();
    if (footer.size() < 2 || footer.front() != '\n' || footer.find('\n', 1) == footer.npos) {
        return damaged("it has no footer");
    }
    footer = footer.substr(1, footer.find('\n', 1) - 1);
    if (footer.empty()) {
        return table;
    }
    const auto rule = RuleText(footer).read();
    if (!rule) {
        return damaged("its rule cannot be read");
    }
    writeOut(*rule, *table);
    return table;
}

} // namespace storage::logs
