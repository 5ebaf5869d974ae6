#pragma once
#include "storage/logs/json_keys.h"
#include "storage/logs/line_parser.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

enum class JsonOutcome : std::uint8_t {
    Object,
    Broken, ///< no JSON object, or something stands behind it
    Ended, ///< an object that ends too early
    Several ///< a list of several objects
};

struct JsonRules {
    /// \xHH, control characters in texts, a bare `-` or nothing as a value, `escape=json` in front,
    /// a comma behind or a list around the one object; the last of equal keys counts; what nobody
    /// wants is skipped without a look at its grammar. Else they make the line no JSON.
    bool lenient = false;
};

/// Reads one object a line in one pass, into scratch.json (by slot). More than 64 objects and
/// lists in each other are refused.
JsonOutcome scanJson(std::string_view line, const JsonKeys& keys, JsonRules rules,
                     LineScratch& scratch);

/// Adds the paths of all values of an object ("request.host"; a list is one value) to `paths`, as
/// collectFields() wants them; those longer than `longest` are only counted.
std::uint64_t collectJsonKeys(std::string_view line, std::size_t longest,
                              std::vector<std::string>& paths);

/// The texts and numbers of a list, with its brackets as it stands in a line, joined by ", ":
/// `["a","b"]` is "a, b". Empty if it has none.
std::string_view joinJsonList(std::string_view list, Arena& arena);

} // namespace storage::logs
