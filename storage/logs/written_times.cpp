#include "storage/logs/written_times.h"

#include "storage/logs/units.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace storage::logs {
namespace {

constexpr std::int64_t kMinuteNs = 60 * kSecondNs;
constexpr std::int64_t kDaySeconds = 86'400;

bool isLetter(char c)
{
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'z';
}

std::size_t lengthOf(std::string_view text, bool (*is)(char))
{
    std::size_t size = 0;
    while (size < text.size() && is(text[size])) {
        ++size;
    }
    return size;
}

bool startsWithNoCase(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size()
        && std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char have) {
               return want == (isLetter(have) ? have | 0x20 : have);
           });
}

/// A run of digits or letters of a date.
struct DatePart {
    std::string_view text;
    char before = 0; ///< what parts it from the one before
    int number = -1; ///< of digits
    int month = -1; ///< of a month's name
};

int numberOf(std::string_view digits)
{
    int number = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

/// The parts of a date, names of weekdays left out; as many as there are, or 0 for anything else.
std::size_t partsOf(std::string_view text, std::array<DatePart, 3>& parts)
{
    std::size_t count = 0;
    char before = 0;
    while (!text.empty()) {
        const bool digits = isDigit(text.front());
        const std::size_t size = lengthOf(text, digits ? isDigit : isLetter);
        if (size == 0) {
            if (std::string_view(" -/.,").find(text.front()) == std::string_view::npos) {
                return 0;
            }
            before = before == 0 || before == ' ' ? text.front() : before;
            text.remove_prefix(1);
            continue;
        }
        DatePart part {text.substr(0, size), before, -1, -1};
        text.remove_prefix(size);
        if (digits) {
            part.number = size <= 8 ? numberOf(part.text) : -1;
        } else {
            part.month = size >= 3 ? monthNamed(part.text.data()) : -1;
        }
        const bool isWeekday = !digits && part.month < 0 && count == 0;
        if (isWeekday) {
            continue;
        }
        if (count == parts.size() || (part.number < 0 && part.month < 0)) {
            return 0;
        }
        parts[count++] = part;
        before = 0;
    }
    return count;
}

std::optional<std::int64_t> daysOf(const DatePart& year, int month, int day)
{
    const bool isShort = year.text.size() == 2;
    if (!isShort && year.text.size() != 4) {
        return std::nullopt;
    }
    const int full = !isShort ? year.number : year.number + (year.number < 70 ? 2000 : 1900);
    if (!isDate(full, month, day) || full < 1970 || full > 2200) {
        return std::nullopt;
    }
    return daysFromCivil(full, static_cast<unsigned>(month), static_cast<unsigned>(day));
}

std::optional<std::int64_t> compactDate(std::string_view digits)
{
    const auto part = [&](std::size_t at, std::size_t size) {
        return DatePart {digits.substr(at, size), 0, numberOf(digits.substr(at, size)), -1};
    };
    return digits.size() == 8 && isWhole(digits)
        ? daysOf(part(0, 4), part(4, 2).number, part(6, 2).number)
        : std::nullopt;
}

std::optional<std::int64_t> namedMonthDate(const std::array<DatePart, 3>& parts)
{
    std::size_t month = 0;
    while (month < 3 && parts[month].month < 0) {
        ++month;
    }
    const DatePart& first = parts[month == 0 ? 1 : 0];
    const DatePart& second = parts[month == 2 ? 1 : 2];
    if (first.number < 0 || second.number < 0) {
        return std::nullopt;
    }
    return first.text.size() == 4 ? daysOf(first, parts[month].month, second.number)
                                  : daysOf(second, parts[month].month, first.number);
}

/// "+0200", "UTC", "GMT+0200 (a name)"; false for names that say no offset.
bool readZoneText(std::string_view text, std::int64_t& seconds)
{
    text = trimmed(text.substr(0, text.find('(')));
    const bool isNamed = startsWithNoCase(text, "utc") || startsWithNoCase(text, "gmt");
    if (isNamed) {
        text = trimmed(text.substr(3));
    }
    if (text.empty() && isNamed) {
        seconds = 0;
        return true;
    }
    return readZone(text, seconds);
}

/// A year behind the clock, as ctime writes it; taken from `rest`.
std::string_view takeYear(std::string_view& rest)
{
    const std::size_t blank = rest.find_last_of(' ');
    const std::string_view last = rest.substr(blank + 1);
    if (last.size() != 4 || !isWhole(last)) {
        return {};
    }
    rest = trimmed(rest.substr(0, blank == std::string_view::npos ? 0 : blank));
    return last;
}

/// Where the clock begins: one or two digits, a colon, and two digits.
std::size_t findClock(std::string_view text)
{
    for (std::size_t at = text.find(':'); at != std::string_view::npos;
         at = text.find(':', at + 1)) {
        std::size_t begin = at;
        while (begin > 0 && isDigit(text[begin - 1])) {
            --begin;
        }
        const bool hasMinutes
            = at + 2 < text.size() && isDigit(text[at + 1]) && isDigit(text[at + 2]);
        if (begin < at && at - begin <= 2 && hasMinutes) {
            return begin;
        }
    }
    return std::string_view::npos;
}

bool place(std::int64_t days, const DayClock& clock, std::string_view zone, Stamp& stamp)
{
    std::int64_t seconds = 0;
    zone = trimmed(zone);
    if (!zone.empty() && !readZoneText(zone, seconds)) {
        return false;
    }
    stamp.ns = days * kDaySeconds * kSecondNs + clock.ns - seconds * kSecondNs;
    stamp.resolutionNs = clock.resolutionNs;
    stamp.isLocal = zone.empty();
    return stamp.ns >= 0;
}

/// "20180412T074840.5Z", "20180412074840".
bool readCompactTime(std::string_view text, Stamp& stamp)
{
    if (text.size() < 14) {
        return false;
    }
    const std::string_view date = text.substr(0, 8);
    text.remove_prefix(8);
    text.remove_prefix(text.front() == 'T' || text.front() == ' ' || text.front() == '-' ? 1 : 0);
    const std::string_view digits = text.substr(0, 6);
    const auto days = compactDate(date);
    if (!days || digits.size() != 6 || !isWhole(digits)) {
        return false;
    }
    const std::array<char, 8> spelled {digits[0], digits[1], ':',       digits[2],
                                       digits[3], ':',       digits[4], digits[5]};
    std::string_view plain(spelled.data(), spelled.size());
    DayClock clock;
    if (!readDayClock(plain, clock)) {
        return false;
    }
    text.remove_prefix(6);
    if (text.size() > 1 && (text[0] == '.' || text[0] == ',') && isDigit(text[1])) {
        text.remove_prefix(1);
        clock.ns += readFraction(text);
        clock.resolutionNs = 0;
    }
    return place(*days, clock, text, stamp);
}

/// A number with a decimal comma, with a point.
std::string_view withPoint(std::string_view text, std::array<char, 32>& room)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.size() > room.size()) {
        return {};
    }
    std::copy(text.begin(), text.end(), room.begin());
    room[comma] = '.';
    return {room.data(), text.size()};
}

/// A count, with a point or a comma. Counts of minutes are whole.
std::optional<std::int64_t> readCount(std::string_view text, std::int64_t unitNs)
{
    std::array<char, 32> room {};
    const std::string_view pointed = withPoint(text, room);
    const std::string_view number = pointed.empty() ? text : pointed;
    if (unitNs <= kSecondNs) {
        return readDecimal(number, unitNs);
    }
    const auto whole = readDecimal(number, 1);
    std::int64_t ns = 0;
    const bool fits = whole && isWhole(number) && !__builtin_mul_overflow(*whole, unitNs, &ns);
    return fits ? std::optional(ns) : std::nullopt;
}

/// "1m2.5s": numbers with their units, one behind another.
std::optional<std::int64_t> readUnits(std::string_view text)
{
    std::int64_t sum = 0;
    while (!text.empty()) {
        const std::size_t size
            = lengthOf(text, [](char c) { return isDigit(c) || c == '.' || c == ','; });
        const std::string_view number = text.substr(0, size);
        text = trimmed(text.substr(size));
        const std::size_t unitSize = lengthOf(text, [](char c) { return !isDigit(c) && c != ' '; });
        const std::string_view name = text.substr(0, unitSize);
        const auto unitNs = unitNamed(name);
        if (!unitNs) {
            return std::nullopt;
        }
        const auto ns = readCount(number, *unitNs);
        if (!ns || __builtin_add_overflow(sum, *ns, &sum)) {
            return std::nullopt;
        }
        text = trimmed(text.substr(unitSize));
    }
    return sum;
}

} // namespace

std::optional<std::int64_t> readDate(std::string_view text, DateOrder order)
{
    std::array<DatePart, 3> parts;
    const std::size_t count = partsOf(text, parts);
    if (count == 1) {
        return compactDate(parts[0].text);
    }
    if (count != 3) {
        return std::nullopt;
    }
    if (std::any_of(parts.begin(), parts.end(), [](const DatePart& p) { return p.month >= 0; })) {
        return namedMonthDate(parts);
    }
    if (parts[0].text.size() == 4) {
        return daysOf(parts[0], parts[1].number, parts[2].number);
    }
    const bool dayFirst = order == DateOrder::DayFirst || parts[1].before == '.';
    return daysOf(parts[2], parts[dayFirst ? 1 : 0].number, parts[dayFirst ? 0 : 1].number);
}

bool readDayClock(std::string_view& text, DayClock& clock)
{
    const std::size_t hourSize = lengthOf(text, isDigit);
    if (hourSize < 1 || hourSize > 2 || text.size() < hourSize + 6 || text[hourSize] != ':') {
        return false;
    }
    const char* const at = text.data() + hourSize;
    int hours = numberOf(text.substr(0, hourSize));
    const int minutes = twoDigits(at + 1);
    const int seconds = twoDigits(at + 4);
    if (at[3] != ':' || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60) {
        return false;
    }
    text.remove_prefix(hourSize + 6);
    std::int64_t fraction = 0;
    clock.resolutionNs = static_cast<std::int32_t>(kSecondNs);
    if (text.size() > 1 && (text[0] == '.' || text[0] == ',') && isDigit(text[1])) {
        text.remove_prefix(1);
        fraction = readFraction(text);
        clock.resolutionNs = 0;
    }
    const std::string_view rest = trimmed(text);
    const bool isAfternoon = startsWithNoCase(rest, "pm") || startsWithNoCase(rest, "p.m.");
    if (isAfternoon || startsWithNoCase(rest, "am") || startsWithNoCase(rest, "a.m.")) {
        if (hours < 1 || hours > 12) {
            return false;
        }
        hours = hours % 12 + (isAfternoon ? 12 : 0);
        text = rest.substr(rest[1] == '.' ? 4 : 2);
    }
    clock.ns = (static_cast<std::int64_t>(hours) * 60 + minutes) * kMinuteNs + seconds * kSecondNs
        + fraction;
    return hours < 24;
}

bool readDateAndClock(std::string_view date, std::string_view clock, DateOrder order,
                      StampCache& cache, Stamp& stamp)
{
    constexpr std::size_t kIsoDate = 10;
    DayClock read;
    if (!readDayClock(clock, read)) {
        return false;
    }
    if (date.size() == kIsoDate && cache.kind == StampCache::Kind::Iso
        && std::equal(date.begin(), date.end(), cache.date)) {
        return place(cache.dayNs / kSecondNs / kDaySeconds, read, clock, stamp);
    }
    const auto days = readDate(trimmed(date), order);
    if (!days) {
        return false;
    }
    if (date.size() == kIsoDate && date[4] == '-') {
        std::copy(date.begin(), date.end(), cache.date);
        cache.dayNs = *days * kDaySeconds * kSecondNs;
        cache.kind = StampCache::Kind::Iso;
    }
    return place(*days, read, clock, stamp);
}

bool readWrittenTime(std::string_view text, DateOrder order, Stamp& stamp)
{
    text = trimmed(text);
    const std::size_t begin = findClock(text);
    if (begin == std::string_view::npos) {
        std::array<char, 32> room {};
        const std::string_view pointed = withPoint(text, room);
        return pointed.empty() ? readCompactTime(text, stamp) : readEpoch(pointed, stamp);
    }
    std::string_view date = text.substr(0, begin);
    while (!date.empty() && std::string_view(" ,@:Tt").find(date.back()) != std::string_view::npos
           && !(date.size() > 1 && isLetter(date.back()) && isLetter(date[date.size() - 2]))) {
        date.remove_suffix(1);
    }
    std::string_view rest = text.substr(begin);
    DayClock clock;
    if (!readDayClock(rest, clock)) {
        return false;
    }
    rest = trimmed(rest);
    auto days = readDate(date, order);
    if (!days) {
        std::array<char, 32> room {};
        const std::string_view year = takeYear(rest);
        if (year.empty() || date.size() + 5 > room.size()) {
            return false;
        }
        auto* end = std::copy(date.begin(), date.end(), room.begin());
        *end++ = ' ';
        end = std::copy(year.begin(), year.end(), end);
        days = readDate({room.data(), static_cast<std::size_t>(end - room.begin())}, order);
    }
    return days && place(*days, clock, rest, stamp);
}

std::optional<std::int64_t> readDuration(std::string_view text, std::int64_t unitNs)
{
    if (unitNs > 0) {
        if (const auto plain = readDecimal(text, unitNs)) {
            return plain;
        }
    }
    text = trimmed(text);
    if (text.empty() || !isDigit(text.front())) {
        return std::nullopt;
    }
    if (findClock(text) == 0) {
        DayClock clock;
        return readDayClock(text, clock) && text.empty() ? std::optional(clock.ns) : std::nullopt;
    }
    if (!isDigit(text.back())) {
        return readUnits(text);
    }
    return unitNs > 0 ? readCount(text, unitNs) : std::nullopt;
}

} // namespace storage::logs
