#include "app/workbench/store_path.h"

namespace app {

std::optional<std::string> defaultStorePath(const std::optional<std::string>& dataHome,
                                            const std::optional<std::string>& home)
{
    if (dataHome && dataHome->starts_with('/')) {
        return *dataHome + "/weir/runs.db";
    }
    if (home) {
        return *home + "/.local/share/weir/runs.db";
    }
    return std::nullopt;
}

} // namespace app
