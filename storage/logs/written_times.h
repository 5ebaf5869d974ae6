#pragma once
#include "storage/logs/stamps.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Times and durations in the many forms of exports and spreadsheets, exact. Slower than what
/// stamps.h reads first.
namespace storage::logs {

/// Which of two numbers a date with `/` or `-` begins with. `.` always has the day first.
enum class DateOrder : std::uint8_t { MonthFirst, DayFirst };

/// Days since 1970 of a date without a clock: 2026-11-28, 2026/11/28, 20261128, 28/Nov/2026, "28
/// Nov 2026", "Nov 28, 2026", 28.11.2026, 11/28/2026, 11/28/26 (from 1970 on); a name of a weekday
/// may stand before it. Nothing outside of 1970 to 2200.
std::optional<std::int64_t> readDate(std::string_view text, DateOrder order);

/// A clock as ns of the day.
struct DayClock {
    std::int64_t ns = 0;
    std::int32_t resolutionNs = 0;
};

/// "7:48:40", "07:48:40.123", "07:48:40,123", "7:48:40 PM"; moves `text` behind it. Seconds must be
/// there: a minute is no stamp to replay.
bool readDayClock(std::string_view& text, DayClock& clock);

/// A date and a clock in two texts, as UTC; the clock may have a zone behind it.
bool readDateAndClock(std::string_view date, std::string_view clock, DateOrder order,
                      StampCache& cache, Stamp& stamp);

/// Any date and clock in one text: "04/12/2018 07:48:40 PM", "Apr 12, 2018 @ 07:48:40.123", "Thu,
/// 12 Apr 2018 07:48:40 GMT", "2018-04-12 07:48:40.5 UTC", "12/Apr/2018:07:48:40",
/// "20180412T074840Z"; a count since 1970 with a decimal comma.
bool readWrittenTime(std::string_view text, DateOrder order, Stamp& stamp);

/// A duration: a count of `unitNs` with a point or a comma, or one that says its unit itself
/// ("18ms", "1.5 s", "1m2.5s", "00:00:01.5"). unitNs 0: its own unit only.
std::optional<std::int64_t> readDuration(std::string_view text, std::int64_t unitNs);

} // namespace storage::logs
