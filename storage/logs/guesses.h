#pragma once
#include "storage/logs/record.h"

#include <span>
#include <string_view>

/// Names under which logs of no fixed format (JSON, CSV, key=value) write what a request is, best
/// first. Whatever is meant otherwise needs `--map`.
namespace storage::logs {

/// {"client_ip", "remote_addr"}; `target` is path and query in one.
std::span<const RecordSource> sourceGuesses();
/// Those of the start first ("start_time"), then those of the end.
std::span<const RecordStamp> stampGuesses();
/// With the unit that the name says ("took_ms"), else seconds.
std::span<const RecordDuration> durationGuesses();
/// Fields with a whole request line.
std::span<const std::string_view> requestLineGuesses();

} // namespace storage::logs
