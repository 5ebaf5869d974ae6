#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace storage {

/// Reasons for which a line is not a request: stable codes.
namespace reject {
inline constexpr std::string_view kLineTooLong = "line-too-long"; ///< more than 64 KiB
inline constexpr std::string_view kTruncated
    = "truncated"; ///< ends before what matters is complete
inline constexpr std::string_view kPartialJoined
    = "partial-joined"; ///< a container wrote the line in pieces: it counts at the last of them
inline constexpr std::string_view kNoMatch = "no-match"; ///< not of the log's format
inline constexpr std::string_view kBadTime = "bad-time"; ///< no stamp, or none from 1970 to 2200
inline constexpr std::string_view kNoClient
    = "no-client"; ///< free text where the client's address belongs
inline constexpr std::string_view kBlankLine = "blank-line"; ///< neutral format only
inline constexpr std::string_view kErrorLog
    = "error-log"; ///< a line of a server's error log, which has no requests
inline constexpr std::string_view kSeveral = "several"; ///< several records in one line
inline constexpr std::string_view kNotHttp = "not-http"; ///< a record of another protocol
inline constexpr std::string_view kWideHeader
    = "wide-header"; ///< the header above it names more than 1,024 columns
inline constexpr std::string_view kNotJson = "not-json"; ///< no JSON object, or something behind it
} // namespace reject

/// A line that could not be read. `text` is its start as raw bytes: escape it.
struct LineReject {
    static constexpr std::size_t kMostBytes = 200; ///< of `text`

    std::uint64_t line = 0; ///< 1-based
    std::string_view reason;
    std::string text;
};

/// Sums over the blocks that were noted.
struct LogReport {
    struct Reason {
        std::uint64_t count = 0;
        std::vector<LineReject> examples; ///< the first kExamples
    };

    static constexpr std::size_t kExamples = 5;
    std::uint64_t lines = 0; ///< requests + rejected + blank + directives
    std::uint64_t requests = 0;
    std::uint64_t rejected = 0;
    std::uint64_t blankLines = 0;
    std::uint64_t directiveLines = 0;
    std::uint64_t linesBehindNuls = 0; ///< began with NUL bytes, which were dropped
    std::map<std::string, Reason> reasons; ///< by code
    std::vector<std::uint64_t> filled; ///< by selected field
    /// Requests by format, for a log with lines of several: {"alb", 900}. Empty: one format.
    std::vector<std::pair<std::string, std::uint64_t>> byFormat;
    std::uint64_t outerTimes = 0; ///< requests whose only time is that of their wrapper, as the end
    std::uint64_t withDuration = 0;
    std::uint64_t coarse = 0; ///< requests whose stamp has whole seconds only
    std::uint64_t localTimes = 0; ///< stamps without a zone, read as FormatOptions::zone
    std::uint64_t ambiguousTimes = 0; ///< of them, what local time had twice: the earlier was taken
    std::uint64_t skippedTimes = 0; ///< of them, what local time never had
    std::uint64_t forwarded = 0; ///< requests whose client is from the list of a trusted proxy
    std::uint64_t unusableLists = 0; ///< such lists with no address where one belongs
    std::uint64_t stepsBack = 0; ///< requests whose arrival is before the one before
    std::optional<std::int64_t> firstNs; ///< least and greatest arrival
    std::optional<std::int64_t> lastNs;
};

} // namespace storage
