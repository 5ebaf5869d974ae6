#pragma once
#include <cstdint>
#include <vector>

/// Where the lines of an axis stand. Pure functions, any thread.
namespace app::console {

/// The least step that people count time in (1, 2, 5, 10, 15, 30 of seconds and minutes, 1, 2, 3,
/// 6, 12 h, whole days) that leaves at most `most` ticks between two times. Example: 960 s and 9
/// ticks: 120 s.
std::int64_t clockStep(double seconds, int most);

/// The second in which the whole minute lies before it, or behind it.
std::int64_t wholeMinutes(std::int64_t second, bool isUp);

/// The ticks from `from` to `to`, at whole steps of the clock that is `offset` seconds ahead of
/// UTC.
std::vector<std::int64_t> clockTicks(double from, double to, std::int64_t step,
                                     std::int64_t offset = 0);

/// 0 and whole multiples of 1, 2 or 5 times a power of ten, at most `most` lines above 0; the last
/// is the first at or above `greatest`. Example: 318 and 3 lines: 0, 200, 400.
std::vector<double> valueTicks(double greatest, int most);

/// 0 and powers of ten up to the first at or above `greatest`, as many of them as there is room
/// for: at most `most` above 0, evenly apart. Example: 7,959 and 2: 0, 100, 10,000.
std::vector<double> logTicks(double greatest, int most);

/// Where a count stands on a log axis that has a place for 0. 0 is 0, 9 is 1, 99 is 2; what is
/// below 0 likewise below it.
double logPlace(double value);

} // namespace app::console
