#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

/// The names of units of time, for all who read them: values ("18ms"), names of columns
/// ("latency_ms") and mappings ("took:ms").
namespace storage::logs {

/// Nanoseconds of a unit: 1000000 of "ms" and "millis". Nothing: it is none.
std::optional<std::int64_t> unitNamed(std::string_view name);

/// A name and the unit at its end.
struct NameWithUnit {
    std::string_view name;
    std::int64_t unitNs = 0;
};

/// Behind a mark: "took_ms" is {"took", 1000000}. Units of up to a second only: "took_min" may be
/// the least of several.
std::optional<NameWithUnit> unitAtEnd(std::string_view name, char mark);

} // namespace storage::logs
