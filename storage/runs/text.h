#pragma once
#include "storage/run_records.h"
#include "storage/runs/sqlite.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lists and texts as the store keeps them in one column.
namespace storage::runs {

/// {"tz":"UTC"}. Bytes that are not UTF-8 are written as \xHH and a backslash as two, as in the
/// neutral log, so that they survive in JSON.
std::string toJson(const std::vector<Option>& options);
std::string toJson(const std::vector<std::string>& values);
engine::Result<std::vector<Option>> optionsFromJson(Database& database, std::string_view json);
engine::Result<std::vector<std::string>> listFromJson(Database& database, std::string_view json);

/// A key's values in one BLOB: one after the other with 00 01 between them, a NUL inside a value
/// written as 00 FF. A key of one value without NULs is that value. Unambiguous, and sorts as the
/// list does.
std::string joinKey(std::span<const std::string_view> values);
/// Nothing for a key without values.
std::vector<std::string> splitKey(std::string_view joined, std::size_t count);

} // namespace storage::runs
