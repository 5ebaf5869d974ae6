#pragma once
#include "engine/result.h"
#include "storage/log_format.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace storage::logs {

/// A log may have lines of so many formats.
inline constexpr std::size_t kMostFormats = 4;

/// The format of a log whose lines are of several: each line is read by the first that can. Its
/// name is theirs with commas between: "alb,elb".
///
/// Blank lines are rejects of none of them. Errors: log.format (more than kMostFormats; a format
/// whose fields are named by the log's first line).
engine::Result<std::shared_ptr<const LogFormat>>
makeMixedFormat(std::vector<std::shared_ptr<const LogFormat>> formats);

/// Whether a format can be one of several.
bool canBeMixed(const LogFormat& format);

} // namespace storage::logs
