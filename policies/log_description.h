#pragma once
#include "engine/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The log description, NAME.logs.yaml: which files are one recording, and how each is read.
namespace policies {

/// A text of a description and where it stands.
struct LogText {
    std::string text;
    engine::Place place;
};

/// Files that are read alike. What is not given is left to the command line.
struct LogGroup {
    std::string name; ///< "edge", or "group 2" where it has none
    engine::Place place;
    std::vector<LogText> files; ///< names and globs, relative to the description; at least one
    std::optional<LogText> logFormat;
    /// `api_key: http_x_key` is "api_key=http_x_key"; `client_ip: [a, b]` two of them.
    std::vector<LogText> map;
    std::optional<LogText> tz;
    std::vector<LogText> trustedProxies;
    std::optional<std::int64_t> clockNs; ///< added to each stamp: "+1.2s" is 1200000000
};

struct LogDescription {
    std::vector<LogGroup> groups; ///< at least one
};

/// As Checked of read.h.
struct CheckedLogs {
    std::optional<LogDescription> description;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Reads and checks a log description; every mistake is told, with file, line and column.
///
///     logs: 1
///     groups:
///       - name: edge
///         files: ["edge/*.log.gz"]
///         log_format: haproxy
///         tz: Europe/Berlin
///         clock: +1.2s
///
/// What the values of `log_format`, `map`, `tz` and `trusted_proxies` mean is for others to judge.
/// Codes: those of the YAML layer and of fields with `logs.` for `policy.`, logs.clock. Any bytes
/// are fine. Pure; safe from any thread.
CheckedLogs readLogDescription(std::string fileName, std::string_view bytes);

} // namespace policies
