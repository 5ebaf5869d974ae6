#pragma once
#include "storage/log_format.h"
#include "storage/logs/unwrap.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace storage::logs {

/// What the head of a log says.
struct HeadReading {
    Detection detection;
    WrapperRules wrappers;
};

/// Finds the format of the lines in `head`. `notAfterNs`: see OuterLine. Errors: those of
/// detectLogFormat().
engine::Result<HeadReading> readHead(std::string_view head, const FormatOptions& options,
                                     std::int64_t notAfterNs = -1);

/// How the lines of a format that is known are wrapped. The detection says lines 0.
HeadReading readHead(std::string_view head, std::shared_ptr<const LogFormat> format,
                     std::int64_t notAfterNs = -1);

} // namespace storage::logs
