#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// What stands behind the values of the combined format, in most of the lines.
struct LineTail {
    std::string text; ///< as it continues a log_format: ` "$http_x_forwarded_for" $request_time`
    std::vector<std::string> taken; ///< sentences: which value is taken for what, and why
    std::vector<std::string> open; ///< sentences: what the lines cannot tell
};

/// From the ends of lines (" \"-\" 0.057"). Nothing: less than 9 of 10 have the same form.
std::optional<LineTail> tailOf(std::span<const std::string_view> ends);

} // namespace storage::logs
