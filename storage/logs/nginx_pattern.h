#pragma once
#include "engine/result.h"
#include "storage/logs/row_pattern.h"

#include <cstdint>
#include <string_view>

namespace storage::logs {

/// How the values of an nginx log_format are written.
enum class NginxEscape : std::uint8_t {
    Default, ///< \xHH
    Json,
    None
};

/// A log_format as a pattern, fields named as its variables without `$`.
struct NginxPattern {
    RowPattern row;
    NginxEscape escape = NginxEscape::Default;

    /// From `$remote_addr ...`, the pieces in quotes of a configuration, or a configuration with
    /// `log_format` directives: the one that its access_log names, else the only one.
    ///
    /// Errors: log.format.
    static engine::Result<NginxPattern> parse(std::string_view text);
};

/// The log_format that nginx calls combined.
std::string_view nginxCombinedText();

} // namespace storage::logs
