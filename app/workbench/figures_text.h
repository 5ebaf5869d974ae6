#pragma once
#include "engine/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers and times as people read and write them. No locale, no floating point, any thread.
namespace app {

/// 1234567 is "1,234,567".
std::string grouped(std::uint64_t number);
std::string groupedSigned(std::int64_t number);

/// One decimal, rounded half up, but never a false zero or a false whole: 1 of 8 is "12.5%",
/// 1 of 1,000,000 "<0.1%", 999,999 of 1,000,000 ">99.9%"; of nothing "0.0%".
std::string percent(std::uint64_t part, std::uint64_t whole);

/// "1.5 s", "250 ms", "12 us", "7 ns", "1 min 30 s", "2 h 5 min", "3 day". Up to three decimals;
/// what is finer is cut off (exact nanoseconds are in --json). Negative ones start with "-".
std::string durationText(std::int64_t ns);

/// A wait that is long enough: exact, where durationText() would cut. "1 min 4.804 s", "250 ms".
std::string waitText(std::int64_t ns);

/// Seconds with just as many decimals as needed, exact: 1500000000 is "1.5", 250 "0.00000025".
std::string secondsText(std::int64_t ns);

/// "2026-11-28 12:00:01.250 UTC"; the fraction in groups of three digits, none for whole seconds.
std::string timeText(std::int64_t timeNs);
/// The same of a whole second, also where a column begins before all times that ns can say.
std::string secondText(std::int64_t second);
/// The second that a time lies in: -1 ns lies in second -1.
std::int64_t secondOf(std::int64_t timeNs);
/// When a second begins, in ns; the first or last time that ns can say where it begins beyond.
std::int64_t secondNs(std::int64_t second);

/// RFC 3339 in UTC: "2026-11-28T12:00:01.250Z".
std::string rfc3339(std::int64_t timeNs);

/// Reads RFC 3339 ("2026-11-28T12:00:01.25Z", "...+02:00"; a blank for T, and no zone for UTC, are
/// fine), the form of timeText(), or a day alone (its midnight, UTC).
/// Errors: time.syntax, time.range (outside of 1677-09-21 to 2262-04-11).
engine::Result<std::int64_t> parseTime(std::string_view text);

/// Reads "250ms", "1.5s", "1min30s", "2h", "1day", "1week"; a lone 0 is fine.
/// Errors: duration.syntax, duration.range.
engine::Result<std::int64_t> parseDuration(std::string_view text);

/// Reads plain seconds with up to nine decimals: "12", "0.25". Nothing if it is none, or too large.
std::optional<std::int64_t> parseSeconds(std::string_view text);

/// Reads a plain number, digits only. Nothing if it is none, or above 2^63 - 1.
std::optional<std::int64_t> parseWhole(std::string_view text);

} // namespace app
