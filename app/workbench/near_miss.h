#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// The candidate that `word` was probably meant to be, if any is near: case and `_` for `-` do not
/// count, a swap of neighbours is one slip, and a third of the letters may be wrong (1 of "brust").
std::optional<std::string> nearMiss(std::string_view word, std::span<const std::string> candidates);

/// "did you mean `burst`?", or `otherwise` where nothing is near.
std::string suggest(std::string_view word, std::span<const std::string> candidates,
                    std::string_view otherwise);

/// "`a`, `b` or `c`".
std::string choices(std::span<const std::string> names);

} // namespace app
