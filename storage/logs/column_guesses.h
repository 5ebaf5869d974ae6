#pragma once
#include "storage/logs/columns.h"

#include <span>

/// Guesses for formats whose columns or keys anyone may name: those that JSON has (guesses.h), and
/// names of exports, consoles and spreadsheets.
namespace storage::logs {

/// For columns of a header.
const ColumnRules& guessedColumns();

/// As guessedColumns().sources: {"client_ip", "source.ip"}.
std::span<const RecordSource> guessedSources();
/// As guessedColumns().durations, unit 0: only a value that says its unit.
std::span<const RecordDuration> guessedDurations();

} // namespace storage::logs
