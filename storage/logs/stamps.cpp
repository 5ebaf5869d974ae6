#include "storage/logs/stamps.h"

#include "storage/logs/written_times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

namespace storage::logs {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kEndSeconds = 7'289'654'400; // 2201-01-01
constexpr std::size_t kClfClock = 20;
constexpr std::size_t kClfDate = 11;
constexpr std::size_t kIsoDate = 10;

int fourDigits(const char* at)
{
    const int high = twoDigits(at);
    const int low = twoDigits(at + 2);
    return high < 0 || low < 0 ? -1 : high * 100 + low;
}

/// "10:59:60" as seconds of the day, or -1.
std::int64_t readClock(const char* at)
{
    const int hours = twoDigits(at);
    const int minutes = twoDigits(at + 3);
    const int seconds = twoDigits(at + 6);
    const bool fine = at[2] == ':' && at[5] == ':' && hours >= 0 && hours < 24 && minutes >= 0
        && minutes < 60 && seconds >= 0 && seconds <= 60;
    return fine ? (hours * 60 + minutes) * 60 + seconds : -1;
}

bool inRange(std::int64_t seconds)
{
    return seconds >= 0 && seconds < kEndSeconds;
}

/// seconds * 10^9 + ns, or false beyond int64.
bool compose(std::int64_t seconds, std::int64_t ns, std::int64_t& out)
{
    // Before 1970 the seconds alone may lie below the first int64, and the fraction lead back.
    return !__builtin_add_overflow(static_cast<Wide>(seconds) * kSecondNs, ns, &out);
}

} // namespace

std::int64_t readFraction(std::string_view& text)
{
    std::int64_t value = 0;
    std::size_t count = 0;
    while (count < text.size() && isDigit(text[count])) {
        if (count < 9) {
            value = value * 10 + (text[count] - '0');
        }
        ++count;
    }
    for (std::size_t i = count; i < 9; ++i) {
        value *= 10;
    }
    text.remove_prefix(count);
    return value;
}

int monthNamed(const char* at)
{
    constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
    const std::array<char, 3> name {static_cast<char>(at[0] | 0x20),
                                    static_cast<char>(at[1] | 0x20),
                                    static_cast<char>(at[2] | 0x20)};
    for (std::size_t i = 0; i < 12; ++i) {
        if (std::memcmp(kMonths.data() + i * 3, name.data(), 3) == 0) {
            return static_cast<int>(i) + 1;
        }
    }
    return -1;
}

bool isDate(int year, int month, int day)
{
    constexpr std::array<int, 12> kDays {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 0 || month < 1 || month > 12 || day < 1) {
        return false;
    }
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day <= kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

bool readZone(std::string_view text, std::int64_t& seconds)
{
    if (text == "Z" || text == "z") {
        seconds = 0;
        return true;
    }
    if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) {
        return false;
    }
    const int hours = twoDigits(text.data() + 1);
    std::string_view rest = text.substr(3);
    if (!rest.empty() && rest.front() == ':') {
        rest.remove_prefix(1);
    }
    const int minutes = rest.empty() ? 0 : rest.size() == 2 ? twoDigits(rest.data()) : -1;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
        return false;
    }
    seconds = (hours * 60 + minutes) * 60;
    seconds = text[0] == '-' ? -seconds : seconds;
    return true;
}

std::int64_t daysFromCivil(std::int64_t year, unsigned month, unsigned day)
{
    // Years that begin in March put the leap day last; 400 years are 146,097 days.
    const std::int64_t y = month <= 2 ? year - 1 : year;
    const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
    const std::int64_t yearOfEra = y - era * 400;
    const std::int64_t dayOfYear
        = (153 * (static_cast<std::int64_t>(month) + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146'097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719'468;
}

bool readClfTime(std::string_view text, StampCache& cache, Stamp& stamp)
{
    constexpr std::string_view kNoZone = "+0000";
    if (text.size() == kClfSize && isLastClfTime(text, cache)) {
        stamp = {cache.textNs, static_cast<std::int32_t>(kSecondNs), false};
        return true;
    }
    stamp.isLocal = text.size() == kClfClock;
    if ((text.size() != kClfSize && !stamp.isLocal) || text[kClfDate] != ':'
        || (!stamp.isLocal && text[kClfClock] != ' ')) {
        return false;
    }
    const char* at = text.data();
    const std::string_view zoneText = stamp.isLocal ? kNoZone : text.substr(kClfClock + 1);
    if (cache.kind != StampCache::Kind::Clf || std::memcmp(at, cache.date, kClfDate) != 0
        || std::memcmp(zoneText.data(), cache.zone, 5) != 0) {
        const int day = twoDigits(at);
        const int month = monthNamed(at + 3);
        const int year = fourDigits(at + 7);
        std::int64_t zone = 0;
        if (at[2] != '/' || at[6] != '/' || !isDate(year, month, day)
            || !readZone(zoneText, zone)) {
            return false;
        }
        const std::int64_t days
            = daysFromCivil(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
        if (!inRange(days * kDaySeconds)) {
            return false;
        }
        std::memcpy(cache.date, at, kClfDate);
        std::memcpy(cache.zone, zoneText.data(), 5);
        cache.dayNs = (days * kDaySeconds - zone) * kSecondNs;
        cache.kind = StampCache::Kind::Clf;
    }
    const std::int64_t clock = readClock(at + 12);
    if (clock < 0) {
        return false;
    }
    stamp.ns = cache.dayNs + clock * kSecondNs;
    stamp.resolutionNs = static_cast<std::int32_t>(kSecondNs);
    if (stamp.ns >= 0 && text.size() == kClfSize) {
        std::memcpy(cache.text, at, kClfSize);
        cache.textNs = stamp.ns;
    }
    return stamp.ns >= 0;
}

namespace {

/// Days since 1970 of "2026-11-28", or false.
bool readIsoDate(const char* at, std::int64_t& days)
{
    const int year = fourDigits(at);
    const int month = twoDigits(at + 5);
    const int day = twoDigits(at + 8);
    if ((at[4] != '-' && at[4] != '/') || at[7] != at[4] || !isDate(year, month, day)) {
        return false;
    }
    days = daysFromCivil(year, static_cast<unsigned>(month), static_cast<unsigned>(day));
    return true;
}

} // namespace

bool readIsoTime(std::string_view text, bool needZone, bool wide, StampCache& cache, Stamp& stamp)
{
    constexpr std::size_t kClockEnd = 19;
    if (text.size() < kClockEnd
        || (text[kIsoDate] != 'T' && text[kIsoDate] != 't' && text[kIsoDate] != ' ')) {
        return false;
    }
    const char* const at = text.data();
    if (needZone && at[4] != '-') {
        return false;
    }
    std::int64_t daySeconds = cache.dayNs / kSecondNs;
    if (cache.kind != StampCache::Kind::Iso || std::memcmp(at, cache.date, kIsoDate) != 0) {
        std::int64_t days = 0;
        if (!readIsoDate(at, days)) {
            return false;
        }
        daySeconds = days * kDaySeconds;
        if (inRange(daySeconds)) { // the days of far years do not fit in nanoseconds
            std::memcpy(cache.date, at, kIsoDate);
            cache.dayNs = daySeconds * kSecondNs;
            cache.kind = StampCache::Kind::Iso;
        } else if (!wide) {
            return false;
        }
    }
    const std::int64_t clock = readClock(at + kIsoDate + 1);
    std::string_view rest = text.substr(kClockEnd);
    std::int64_t fraction = 0;
    stamp.resolutionNs = static_cast<std::int32_t>(kSecondNs);
    if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && isDigit(rest[1])) {
        rest.remove_prefix(1);
        fraction = readFraction(rest);
        stamp.resolutionNs = 0;
    }
    stamp.isLocal = rest.empty();
    std::int64_t zone = 0;
    if (clock < 0 || (rest.empty() ? needZone : !readZone(rest, zone))) {
        return false;
    }
    return compose(daySeconds + clock - zone, fraction, stamp.ns) && (wide || stamp.ns >= 0);
}

bool looksLikeIsoTime(std::string_view text)
{
    return text.size() >= 19 && isWhole(text.substr(0, 4)) && text[4] == '-' && text[7] == '-'
        && text[10] == 'T' && text[13] == ':';
}

std::optional<std::int64_t> readInteger(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc {} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::string_view plainDecimal(std::string_view text, Arena& arena)
{
    constexpr std::int64_t kMost = 64; // digits, and places that the point moves
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos) {
        return text;
    }
    std::string_view power = text.substr(mark + 1);
    power.remove_prefix(power.starts_with('+') ? 1 : 0);
    const auto exponent = readInteger(power);
    std::string digits(text.substr(0, mark));
    const std::size_t point = std::min(digits.find('.'), digits.size());
    digits.erase(point, 1);
    if (!exponent || !isWhole(digits) || *exponent > kMost || *exponent < -kMost
        || digits.size() > kMost) {
        return {};
    }
    std::int64_t at = static_cast<std::int64_t>(point) + *exponent;
    if (at < 1) {
        digits.insert(0, static_cast<std::size_t>(1 - at), '0');
        at = 1;
    }
    digits.resize(std::max(digits.size(), static_cast<std::size_t>(at)), '0');
    if (static_cast<std::size_t>(at) < digits.size()) {
        digits.insert(static_cast<std::size_t>(at), 1, '.');
    }
    return arena.copy(digits);
}

namespace {

/// Few enough digits that nothing overflows on the way, and none below a nanosecond; false: the
/// text is none of these.
bool readShortDecimal(std::string_view text, std::int64_t unitNs, std::int64_t& ns)
{
    constexpr std::array<std::int64_t, 10> kPowers {
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    constexpr std::size_t kMost = 16;
    if (text.size() > kMost) {
        return false;
    }
    std::int64_t digits = 0;
    std::size_t point = text.size();
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (isDigit(text[at])) {
            digits = digits * 10 + (text[at] - '0');
        } else if (text[at] == '.' && point == text.size()) {
            point = at;
        } else {
            return false;
        }
    }
    const std::size_t places = point < text.size() ? text.size() - point - 1 : 0;
    if (point == 0 || point + 1 == text.size() || places >= kPowers.size()
        || unitNs % kPowers[places] != 0) {
        return false;
    }
    return !__builtin_mul_overflow(digits, unitNs / kPowers[places], &ns);
}

} // namespace

std::optional<std::int64_t> readDecimal(std::string_view text, std::int64_t unitNs)
{
    if (std::int64_t ns = 0; readShortDecimal(text, unitNs, ns)) {
        return ns;
    }
    std::int64_t whole = 0;
    std::size_t at = 0;
    while (at < text.size() && isDigit(text[at])) {
        if (__builtin_mul_overflow(whole, 10, &whole)
            || __builtin_add_overflow(whole, text[at] - '0', &whole)) {
            return std::nullopt;
        }
        ++at;
    }
    if (at == 0 || __builtin_mul_overflow(whole, unitNs, &whole)) {
        return std::nullopt;
    }
    if (at == text.size()) {
        return whole;
    }
    if (text[at] != '.' || ++at == text.size()) {
        return std::nullopt;
    }
    std::int64_t digitNs = unitNs; // of the digit at hand; unitNs is a power of ten
    std::int64_t fraction = 0;
    for (; at < text.size(); ++at) {
        if (!isDigit(text[at])) {
            return std::nullopt;
        }
        digitNs /= 10;
        fraction += (text[at] - '0') * digitNs;
    }
    if (__builtin_add_overflow(whole, fraction, &whole)) {
        return std::nullopt;
    }
    return whole;
}

bool readEpoch(std::string_view text, Stamp& stamp)
{
    const auto point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    if (!isWhole(whole) || whole.size() > 19) {
        return false;
    }
    std::uint64_t count = 0;
    for (const char c : whole) {
        count = count * 10 + static_cast<std::uint64_t>(c - '0');
    }
    constexpr std::uint64_t kFirstMs = 100'000'000'000;
    constexpr std::uint64_t kFirstUs = kFirstMs * 1000;
    constexpr std::uint64_t kFirstNs = kFirstUs * 1000;
    const std::int64_t unit = count < kFirstMs ? kSecondNs
        : count < kFirstUs                     ? 1'000'000
        : count < kFirstNs                     ? 1000
                                               : 1;
    const auto ns = readDecimal(text, unit);
    if (!ns || !inRange(*ns / kSecondNs)) {
        return false;
    }
    stamp.ns = *ns;
    stamp.resolutionNs = unit == kSecondNs && point == std::string_view::npos
        ? static_cast<std::int32_t>(kSecondNs)
        : 0;
    return true;
}

bool readAnyTime(std::string_view text, StampCache& cache, Stamp& stamp)
{
    stamp.isLocal = false;
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
        text = text.substr(1, text.size() - 2);
    }
    const bool isRead = text.size() > 6 && text[2] == '/' ? readClfTime(text, cache, stamp)
        : text.size() > 10 && (text[4] == '-' || text[4] == '/')
        ? readIsoTime(text, false, false, cache, stamp)
        : readEpoch(text, stamp);
    return isRead || (text.size() > 10 && readWrittenTime(text, DateOrder::MonthFirst, stamp));
}

} // namespace storage::logs
