#pragma once
#include "engine/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace storage::logs {

/// What a TZif file says: the offset from UTC holds from `starts[i]` until `starts[i + 1]`.
struct ZoneTable {
    std::vector<std::int64_t> starts; ///< UTC seconds, ascending; the first is kBeforeAll
    std::vector<std::int64_t> offsets; ///< seconds to add to UTC; neighbours differ
    /// The footer's rule was written out from the end of the file's table to a year and more behind
    /// this (UTC), which is 401 years later: from here on everything is as 400 years before.
    std::optional<std::int64_t> repeatsFrom;
};

inline constexpr std::int64_t kBeforeAll = -(std::int64_t {1} << 60);
/// 400 years of the Gregorian calendar: whole weeks.
inline constexpr std::int64_t kRepeatSeconds = std::int64_t {146'097} * 86'400;
/// No offset is as far from UTC as this.
inline constexpr std::int64_t kMostOffset = 26 * 3600;

/// Reads RFC 9636, versions 1 to 4, with the rule of the footer. Errors: log.zone (what is wrong
/// with the bytes; leap seconds).
engine::Result<ZoneTable> readZoneFile(std::string_view bytes);

} // namespace storage::logs
