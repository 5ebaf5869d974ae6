#include "storage/logs/outer_time.h"

#include <fmt/format.h>
#include <string>

namespace storage::logs {
namespace {

constexpr std::int64_t kDayNs = 86'400 * kSecondNs;
constexpr std::int64_t kLongestYearDays = 366;
constexpr int kYearsToLeapDay = 8; // from 1896 and 2096 on

int yearOf(std::int64_t ns)
{
    std::int64_t days = ns / kDayNs;
    auto year = static_cast<int>(1970 + days / kLongestYearDays);
    while (daysFromCivil(year + 1, 1, 1) <= days) {
        ++year;
    }
    return year;
}

/// A classic time in its parts: "Feb  6 12:14:14.25", a year before or behind the day.
struct Classic {
    std::string_view year;
    int month = 0;
    std::string_view day;
    std::string_view clock;
};

bool readClassic(std::string_view text, Classic& parts)
{
    const auto word = [&text] {
        text = trimmed(text);
        const std::string_view found = text.substr(0, text.find(' '));
        text.remove_prefix(found.size());
        return found;
    };
    std::string_view month = word();
    if (month.size() == 4) {
        parts.year = month;
        month = word();
    }
    parts.month = month.size() == 3 ? monthNamed(month.data()) : -1;
    parts.day = word();
    parts.clock = word();
    if (parts.clock.size() == 4) {
        parts.year = parts.clock;
        parts.clock = word();
    }
    return parts.month > 0 && !parts.day.empty() && parts.day.size() <= 2 && !parts.clock.empty();
}

bool readInYear(const Classic& parts, std::string_view year, StampCache& cache, Stamp& stamp)
{
    const std::string text
        = fmt::format("{}-{:02}-{:0>2}T{}", year, parts.month, parts.day, parts.clock);
    return readIsoTime(text, false, false, cache, stamp);
}

bool readClassicTime(std::string_view text, std::int64_t notAfterNs, StampCache& cache,
                     Stamp& stamp)
{
    Classic parts;
    if (!readClassic(text, parts)) {
        return false;
    }
    if (!parts.year.empty()) {
        return readInYear(parts, parts.year, cache, stamp);
    }
    if (notAfterNs < 0) {
        return false;
    }
    const int last = yearOf(notAfterNs + kDayNs);
    for (int year = last; year >= last - kYearsToLeapDay; --year) {
        if (readInYear(parts, std::to_string(year), cache, stamp)
            && stamp.ns <= notAfterNs + kDayNs) {
            return true;
        }
    }
    return false;
}

/// Any time that a wrapper writes.
bool readWrittenTime(LineScratch& scratch, Stamp& stamp)
{
    const std::string_view text = scratch.outer.time;
    constexpr std::size_t kShortest = 10;
    if (text.size() < kShortest) {
        return false;
    }
    if (monthNamed(text.data()) > 0 || text[4] == ' ') {
        return readClassicTime(text, scratch.outer.notAfterNs, scratch.stamps, stamp);
    }
    const auto zone = text.rfind(' ');
    if (zone > 10 && zone != std::string_view::npos) { // "2019-01-20 00:08:15 +0100"
        const std::string joined
            = std::string(text.substr(0, zone)) + std::string(text.substr(zone + 1));
        return readAnyTime(joined, scratch.stamps, stamp);
    }
    return readAnyTime(text, scratch.stamps, stamp);
}

} // namespace

bool readOuterTime(LineScratch& scratch, Stamp& stamp)
{
    scratch.outer.isUsed = readWrittenTime(scratch, stamp);
    return scratch.outer.isUsed;
}

} // namespace storage::logs
