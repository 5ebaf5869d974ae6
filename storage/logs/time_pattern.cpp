#include "storage/logs/time_pattern.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace storage::logs {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kEndSeconds = 7'289'654'400; // 2201-01-01

/// A number of `least` to `most` digits, blanks before it allowed in place of leading zeros.
bool readNumber(const char*& at, const char* end, int least, int most, std::int64_t& value)
{
    int count = 0;
    while (at < end && *at == ' ' && count + 1 < least) {
        ++at;
        ++count;
    }
    value = 0;
    for (; at < end && count < most && isDigit(*at); ++at, ++count) {
        value = value * 10 + (*at - '0');
    }
    return count >= least && count > 0 && isDigit(at[-1]);
}

bool readInto(const char*& at, const char* end, int width, int& part)
{
    std::int64_t value = 0;
    const bool fine = readNumber(at, end, width, width, value);
    part = static_cast<int>(value);
    return fine;
}

/// Skips letters; how many there were.
std::ptrdiff_t skipLetters(const char*& at, const char* end)
{
    const char* const begin = at;
    while (at < end && (*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') {
        ++at;
    }
    return at - begin;
}

/// "+0100", "+01:00", "Z".
bool readOffset(const char*& at, const char* end, TimeParts& parts)
{
    const char* const begin = at;
    if (at < end && (*at == '+' || *at == '-')) {
        constexpr std::ptrdiff_t kSize = 5;
        constexpr std::ptrdiff_t kColonAt = 3;
        const bool hasColon = end - at > kSize && at[kColonAt] == ':';
        at = std::min(at + kSize + (hasColon ? 1 : 0), end);
    } else {
        at += at < end ? 1 : 0;
    }
    parts.hasZone = true;
    return readZone({begin, static_cast<std::size_t>(at - begin)}, parts.zoneSeconds);
}

/// "UTC" and its kin say an offset; what "CET" means depends on where it is written.
bool readZoneName(const char*& at, const char* end, TimeParts& parts)
{
    const char* const begin = at;
    if (skipLetters(at, end) == 0) {
        return readOffset(at, end, parts);
    }
    const std::string_view name(begin, static_cast<std::size_t>(at - begin));
    if (name == "UTC" || name == "GMT" || name == "Z") {
        parts.hasZone = true;
        parts.zoneSeconds = 0;
    }
    return true;
}

bool readHalf(const char*& at, const char* end, TimeParts& parts)
{
    if (end - at < 2 || (at[1] | 0x20) != 'm' || ((at[0] | 0x20) != 'a' && (at[0] | 0x20) != 'p')) {
        return false;
    }
    parts.half = (at[0] | 0x20) == 'p' ? 1 : 0;
    at += 2;
    return true;
}

bool readMonthName(const char*& at, const char* end, TimeParts& parts)
{
    const char* const begin = at;
    if (skipLetters(at, end) < 3) {
        return false;
    }
    parts.month = monthNamed(begin);
    return parts.month > 0;
}

/// A count since 1970; a finer one that is there already stays.
bool readCount(const char*& at, const char* end, std::int64_t unitNs, TimeParts& parts)
{
    constexpr int kMostDigits = 18;
    std::int64_t value = 0;
    std::int64_t ns = 0;
    if (!readNumber(at, end, 1, kMostDigits, value) || __builtin_mul_overflow(value, unitNs, &ns)) {
        return false;
    }
    if (parts.epochNs < 0 || unitNs < parts.epochUnitNs) {
        parts.epochNs = ns;
        parts.epochUnitNs = unitNs;
    }
    parts.isFine = parts.isFine || unitNs < kSecondNs;
    return true;
}

bool readFractionOf(const char*& at, const char* end, int digits, TimeParts& parts)
{
    std::int64_t value = 0;
    if (!readNumber(at, end, digits, digits, value)) {
        return false;
    }
    parts.fractionNs = value * (digits == 3 ? 1'000'000 : 1'000);
    parts.isFine = true;
    return true;
}

/// What a conversion is short for; empty: it is not.
std::string_view longFormOf(char conversion)
{
    switch (conversion) {
    case 'D':
        return "%m/%d/%y";
    case 'F':
        return "%Y-%m-%d";
    case 'R':
        return "%H:%M";
    case 'T':
        return "%H:%M:%S";
    case 'c':
        return "%a %b %d %H:%M:%S %Y";
    case 'r':
        return "%I:%M:%S %p";
    default:
        return {};
    }
}

/// The kind letter of a conversion, or 0.
char kindOf(char conversion)
{
    constexpr std::string_view kOwn = "sYymbdjaHIMSpzZ";
    switch (conversion) {
    case 'B':
    case 'h':
        return 'b';
    case 'A':
        return 'a';
    case 'e':
        return 'd';
    case 'k':
        return 'H';
    case 'l':
        return 'I';
    default:
        return kOwn.find(conversion) != std::string_view::npos ? conversion : '\0';
    }
}

/// The kind letter of `count` letters of a SimpleDateFormat, or 0.
char javaKindOf(char letter, std::size_t count)
{
    switch (letter) {
    case 'y':
        return count == 4 ? 'Y' : count == 2 ? 'y' : '\0';
    case 'M':
        return count > 2 ? 'b' : count == 2 ? 'm' : '\0';
    case 'd':
        return count == 2 ? 'd' : '\0';
    case 'E':
        return 'a';
    case 'H':
        return count == 2 ? 'H' : '\0';
    case 'h':
        return count == 2 ? 'I' : '\0';
    case 'm':
        return count == 2 ? 'M' : '\0';
    case 's':
        return count == 2 ? 'S' : '\0';
    case 'S':
        return count == 3 ? 'f' : count == 6 ? 'g' : '\0';
    case 'a':
        return 'p';
    case 'Z':
    case 'X':
        return 'z';
    case 'z':
        return 'Z';
    default:
        return '\0';
    }
}

} // namespace

bool TimeParts::toStamp(Stamp& stamp) const
{
    stamp.resolutionNs = isFine ? 0 : static_cast<std::int32_t>(kSecondNs);
    stamp.isLocal = false;
    std::int64_t seconds = epochNs / kSecondNs;
    std::int64_t ns = epochNs % kSecondNs;
    if (epochNs < 0) {
        const bool noon = half == 1;
        const int hours = half < 0 ? hour : hour % 12 + (noon ? 12 : 0);
        const bool hasDay = dayOfYear > 0 || isDate(year, month, day);
        if (!hasDay || year < 0 || dayOfYear > (isDate(year, 2, 29) ? 366 : 365) || hours < 0
            || hours > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
            return false;
        }
        const std::int64_t days = dayOfYear > 0
            ? daysFromCivil(year, 1, 1) + dayOfYear - 1
            : daysFromCivil(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
        seconds = days * kDaySeconds + (hours * 60 + minute) * 60 + second - zoneSeconds;
        ns = 0;
        stamp.isLocal = !hasZone;
    }
    if (seconds < 0 || seconds >= kEndSeconds) {
        return false;
    }
    stamp.ns = seconds * kSecondNs + (fractionNs >= 0 ? fractionNs : ns);
    return true;
}

void TimePattern::addLiteral(std::string_view text)
{
    if (text.empty()) {
        return;
    }
    if (m_pieces.empty() || m_pieces.back().kind != Kind::Literal) {
        m_pieces.push_back({});
    }
    m_pieces.back().text += text;
}

bool TimePattern::addCounter(std::string_view name)
{
    struct Counter {
        std::string_view name;
        Kind kind;
    };

    constexpr std::array<Counter, 5> kCounters {{{"sec", Kind::Seconds},
                                                 {"msec", Kind::Millis},
                                                 {"usec", Kind::Micros},
                                                 {"msec_frac", Kind::MillisFraction},
                                                 {"usec_frac", Kind::MicrosFraction}}};
    for (const Counter& counter : kCounters) {
        if (counter.name == name) {
            m_pieces.push_back({counter.kind, {}});
            return true;
        }
    }
    return false;
}

/// A format of Java's SimpleDateFormat, as Tomcat and Jetty take it ("dd/MMM/yyyy:HH:mm:ss ZZZ").
engine::Status TimePattern::addJavaFormat(std::string_view format)
{
    format = format.substr(0, format.find('|')); // Jetty: a locale or zone behind it
    for (std::size_t at = 0; at < format.size();) {
        const char letter = format[at];
        const std::size_t end = std::min(format.find_first_not_of(letter, at), format.size());
        const std::size_t count = end - at;
        const bool isLetter = (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z';
        if (letter == '\'') { // quotes text
            const std::size_t close = std::min(format.find('\'', at + 1), format.size());
            addLiteral(format.substr(at + 1, close - at - 1));
            at = std::min(close + 1, format.size());
            continue;
        }
        if (!isLetter) {
            addLiteral(format.substr(at, count));
        } else if (const char kind = javaKindOf(letter, count); kind != 0) {
            m_pieces.push_back({static_cast<Kind>(kind), {}});
        } else {
            return engine::fail(
                "log.format",
                fmt::format("{} in a time format cannot be read back", format.substr(at, count)),
                "use yyyy MM MMM dd HH mm ss SSS Z and their kin");
        }
        at = end;
    }
    return engine::Done {};
}

engine::Status TimePattern::addFormat(std::string_view format)
{
    if (format.find('%') == std::string_view::npos) {
        return addJavaFormat(format);
    }
    for (std::size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%') {
            addLiteral(format.substr(at, 1));
            continue;
        }
        ++at;
        while (at < format.size()
               && (format[at] == 'E' || format[at] == 'O' || format[at] == '-')) {
            ++at; // glibc's modifiers: other digits, no padding
        }
        const char conversion = at < format.size() ? format[at] : '\0';
        const std::string_view longForm = longFormOf(conversion);
        if (conversion == '%' || conversion == 'n' || conversion == 't') {
            addLiteral(conversion == '%' ? "%" : conversion == 'n' ? "\n" : "\t");
        } else if (!longForm.empty()) {
            if (auto done = addFormat(longForm); !done) {
                return done;
            }
        } else if (const char kind = kindOf(conversion); kind != 0) {
            m_pieces.push_back({static_cast<Kind>(kind), {}});
        } else {
            return engine::fail("log.format",
                                fmt::format("%{} in a time format cannot be read back",
                                            conversion == 0 ? ' ' : conversion),
                                "use %Y %m %b %d %H %M %S %z and their kin");
        }
    }
    return engine::Done {};
}

bool TimePattern::readPiece(const Piece& piece, const char*& at, const char* end, TimeParts& parts)
{
    constexpr std::int64_t kMilliNs = 1'000'000;
    std::int64_t value = 0;
    switch (piece.kind) {
    case Kind::Literal:
        if (static_cast<std::size_t>(end - at) < piece.text.size()
            || !std::equal(piece.text.begin(), piece.text.end(), at)) {
            return false;
        }
        at += piece.text.size();
        return true;
    case Kind::Seconds:
        return readCount(at, end, kSecondNs, parts);
    case Kind::Millis:
        return readCount(at, end, kMilliNs, parts);
    case Kind::Micros:
        return readCount(at, end, 1000, parts);
    case Kind::MillisFraction:
        return readFractionOf(at, end, 3, parts);
    case Kind::MicrosFraction:
        return readFractionOf(at, end, 6, parts);
    case Kind::Year:
        return readInto(at, end, 4, parts.year);
    case Kind::ShortYear: // as POSIX has it
        if (!readNumber(at, end, 2, 2, value)) {
            return false;
        }
        parts.year = static_cast<int>(value) + (value < 69 ? 2000 : 1900);
        return true;
    case Kind::Month:
        return readInto(at, end, 2, parts.month);
    case Kind::MonthName:
        return readMonthName(at, end, parts);
    case Kind::Day:
        return readInto(at, end, 2, parts.day);
    case Kind::DayOfYear:
        return readInto(at, end, 3, parts.dayOfYear);
    case Kind::DayName:
        return skipLetters(at, end) > 0;
    case Kind::Hour:
    case Kind::HalfDayHour:
        return readInto(at, end, 2, parts.hour);
    case Kind::Minute:
        return readInto(at, end, 2, parts.minute);
    case Kind::Second:
        return readInto(at, end, 2, parts.second);
    case Kind::Half:
        return readHalf(at, end, parts);
    case Kind::Zone:
        return readOffset(at, end, parts);
    case Kind::ZoneName:
        return readZoneName(at, end, parts);
    }
    return false;
}

const char* TimePattern::readAll(const char* at, const char* end, TimeParts& parts) const
{
    for (const Piece& piece : m_pieces) {
        if (!readPiece(piece, at, end, parts)) {
            return nullptr;
        }
    }
    return at;
}

const char* TimePattern::endOf(const char* from, const char* end) const
{
    TimeParts parts;
    return readAll(from, end, parts);
}

bool TimePattern::read(std::string_view text, TimeParts& parts) const
{
    const char* const end = text.data() + text.size();
    return readAll(text.data(), end, parts) == end;
}

} // namespace storage::logs
