#pragma once

#include <optional>
#include <string>

namespace app {

/// Where runs are kept when nobody says where: `weir/runs.db` in $XDG_DATA_HOME, else in
/// ~/.local/share. Relative values are ignored, as the XDG rules have it; nothing without either.
///
/// Example: {"/data", "/home/a"} gives "/data/weir/runs.db", {nothing, "/home/a"}
/// "/home/a/.local/share/weir/runs.db".
std::optional<std::string> defaultStorePath(const std::optional<std::string>& dataHome,
                                            const std::optional<std::string>& home);

} // namespace app
