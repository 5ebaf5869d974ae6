#pragma once
#include "app/workbench/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What may stand in the cells of a scenario table.
namespace app {

/// Seconds ("0.25") or a duration with units ("250ms"), in nanoseconds.
std::optional<std::int64_t> readSeconds(std::string_view text);

/// The normal form of an expected value ("007" is "7", "250ms" is "0.25"); nothing if it cannot be
/// one.
std::optional<std::string> normalised(Asked asked, std::string_view text);

/// What to write in a column of this kind.
std::string_view formOf(Asked asked);

/// May a cell of this column name rules (`search:1,login:4`)?
bool perRule(Asked asked);

} // namespace app
