#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a run is told about itself: the policy, the recording, what was noted on the way. Texts
/// that came from a log are raw bytes. Times are ns since the Unix epoch, UTC.
namespace storage {

/// One option as it was given or as it came out: {"tz", "Europe/Berlin"}.
struct Option {
    std::string name;
    std::string value;
};

/// A file that a policy looks values up in, byte for byte.
struct Lookup {
    std::string name;
    std::string bytes;
};

struct PolicyRecord {
    std::string name;
    std::string path; ///< where it was read
    std::string text;
    std::string fingerprint; ///< of text and lookups
    std::vector<Lookup> lookups;
};

struct RecordingFile {
    std::string path;
    std::string fingerprint; ///< of the bytes as they are on disk; empty for a stream
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
};

/// What was replayed, and how it was read. `reading` holds the options that make runs comparable
/// (kReadingOptions) as they came out: the format found, the `who` chosen, the spread used.
struct RecordingRecord {
    std::string fingerprint; ///< of the content of all files together
    bool streamed = false; ///< cannot be read again by its path
    bool partial = false; ///< a damaged end: what could be read was counted
    std::vector<RecordingFile> files;
    std::vector<Option> reading;
    std::optional<std::int64_t> firstNs;
    std::optional<std::int64_t> lastNs;
    std::uint64_t lines = 0;
    std::uint64_t directives = 0; ///< header and directive lines of the format
    std::uint64_t requests = 0; ///< read, before `where`
    std::uint64_t leftOut = 0; ///< by `where`, from, to
    std::uint64_t badLines = 0;
};

/// Runs are comparable when these and the recording's fingerprint are equal; one that is not
/// given counts as "".
inline constexpr std::array<std::string_view, 14> kReadingOptions {"format",
                                                                   "map",
                                                                   "tz",
                                                                   "from",
                                                                   "to",
                                                                   "where",
                                                                   "proxies",
                                                                   "spread",
                                                                   "reorder",
                                                                   "who",
                                                                   "partition",
                                                                   "recorded-rejection",
                                                                   "recorded-rejected",
                                                                   "sampled"};

struct BadLineExample {
    std::uint32_t file = 0;
    std::uint64_t line = 0;
    std::string text; ///< the start of the line
};

/// Lines that were no request, for one reason.
struct BadLines {
    std::string reason; ///< stable code
    std::uint64_t count = 0;
    std::vector<BadLineExample> examples;
};

/// Something the reader of the results must know: {"replay.late-lines", "12 lines came ..."}.
struct Note {
    std::string code;
    std::string text;
};

} // namespace storage
