#pragma once
#include "app/workbench/inspect.h"
#include "app/workbench/log_choice.h"
#include "app/workbench/read_log.h"
#include "app/workbench/secrets.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// What can be said of a log at once, from its first lines.
///
/// Example: an nginx log whose line 7 is cut off: log.format "nginx-combined", 999 requests,
/// rejects {{"truncated", 1, 7, "192.0.2.1 - - [10/M"}}, attributes {{"client_ip", 999}, ...}.
struct LogPreview {
    /// Lines that could not be read for one reason.
    struct Reason {
        std::string code; ///< see storage::reject
        std::uint64_t count = 0;
        std::uint64_t firstLine = 0;
        std::string example; ///< the begin of the first, as it may be shown; raw bytes
    };

    /// An attribute, and in how many of the requests it is.
    struct Attribute {
        std::string name;
        std::uint64_t filled = 0;
        std::string example; ///< the first value, as it may be shown; raw bytes
    };

    ReadLog log; ///< its report is of these lines only
    std::vector<std::string> remarks; ///< of the format, and how it was found
    SecretAttributes secrets;
    bool isWhole = false; ///< the log has no more lines
    std::uint64_t storedBytes = 0; ///< of the whole log; 0: a stream
    std::vector<std::string> fields; ///< in the order of the format
    std::vector<InspectedRequest> first; ///< values as they may be shown
    std::vector<Attribute> attributes; ///< that any of the requests has, most filled first
    std::vector<Reason> reasons; ///< most lines first
};

inline constexpr std::size_t kPreviewRequests = 200; ///< of which all fields are kept

/// Reads the first 1,000 lines of a regular file (of long ones 8 MB at most), in well below 0.1 s;
/// no stream, which could not be read again. Errors: those of openLog(), log.stream.
engine::Result<LogPreview> previewLog(const LogChoice& choice, const StopFlag* stop = nullptr);

/// The begin of the first lines, unpacked and as they may be shown, of a log that no format reads.
/// Raw bytes; none where not even the bytes can be read.
std::vector<std::string> firstLinesOf(const std::string& path, std::size_t count);

/// A reason why lines are no requests, in words: "not-json" gives "not a JSON object".
std::string rejectText(std::string_view code);

} // namespace app
