#pragma once
#include "storage/log_format.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// What lines of the combined or common format say beyond fitting it: which server wrote them, and
/// which values stand behind those of the format.
struct CloseLook {
    std::shared_ptr<const LogFormat> format; ///< reads more than the one that was found; or nothing
    std::vector<std::string> notes; ///< sentences
    bool isOpen = false; ///< the lines do not say which server it was
};

/// Looks at `lines`, which have kPadding readable bytes behind them, once detection has found the
/// format of this name. Formats other than nginx-combined and apache-common: nothing.
///
/// Example: lines of nginx-combined that all end in a decimal number like 0.057: the format with
/// $request_time behind it, and a note that says so and names it.
CloseLook lookClosely(std::string_view name, std::span<const std::string_view> lines,
                      const FormatOptions& options);

} // namespace storage::logs
