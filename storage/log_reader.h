#pragma once
#include "engine/attributes.h"
#include "engine/request.h"
#include "engine/result.h"
#include "storage/log_format.h"
#include "storage/log_report.h"
#include "storage/log_source.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

namespace logs {
struct BlockBytes;
}

/// Some whole lines of a log, and what was read from them. Reuse it: it keeps its memory, which
/// the views in `batch` point into. Valid until the next readBlock() into it.
class LogBlock {
public:
    LogBlock();
    ~LogBlock();
    LogBlock(LogBlock&&) noexcept;
    LogBlock& operator=(LogBlock&&) noexcept;

    std::uint64_t firstLine = 1; ///< number of its first line
    std::uint64_t lineCount = 0;
    std::uint64_t sourceBytes = 0; ///< of the log as it is stored, read up to its end; for progress

    engine::RequestBatch batch; ///< filled by parse()
    std::vector<LineReject> rejects; ///< in order of line
    std::uint64_t blankLines = 0; ///< empty or nothing but blanks, where that is no reject
    std::uint64_t directiveLines = 0; ///< headers of a format (`#Fields`): no rejects
    std::vector<std::uint64_t> filled; ///< by selected field: requests that have it

private:
    friend class LogReader;
    std::unique_ptr<logs::BlockBytes> m_bytes;
};

struct LogOptions {
    std::string format; ///< name or format text; empty: detect
    FormatOptions reading; ///< mappings and clocks
    std::uint32_t file = 0; ///< index of the LOG
    /// What the clock that made the stamps was behind (negative: ahead): added to each arrival;
    /// Request::stampNs stays as the log has it. 1200000000 for `clock: +1.2s`.
    std::int64_t clockNs = 0;
    /// Whose word on clients is taken. The client is then the right-most address of
    /// X-Forwarded-For (or Forwarded) and peer that is not in these; see logs/client_chooser.h.
    std::vector<engine::Network> trustedProxies;
    std::size_t blockBytes = std::size_t {1} << 20;
    SourceLimits limits;
    /// Of a regular file, read only its first so many stored bytes (0: all), for a log that grew
    /// since. A shorter file is read whole, with the warning log.shrunk.
    std::uint64_t storedBytes = 0;
    /// When it becomes true (also in a signal handler), reading a pipe or standard input ends
    /// within 100 ms though nothing comes, and discoverFields() ends after the block at hand. What
    /// was read until then counts as all there is; that is no error. Must outlive the reader.
    const std::atomic<bool>* stop = nullptr;
};

/// Reads one LOG, block by block.
///
///     auto reader = LogReader::open("access.log.gz", {});
///     (*reader)->selectFields(intake->fields());
///     while (readBlock(block)) { parse(block); note(block); }   // parse() on any thread
///
/// Blocks are cut at line ends; results do not depend on their size. A line of more than 64 KiB is
/// a reject and reading goes on behind it, in constant memory. A byte order mark and CR at line
/// ends are dropped. parse() is const and may run on any thread, many blocks at once; all else is
/// for one thread at a time, readBlock() and note() in order.
class LogReader {
public:
    /// Errors: those of LogSource::open and read, log.format, log.map, log.unknown-format,
    /// log.stopped (*LogOptions::stop before the format was known).
    static engine::Result<std::unique_ptr<LogReader>> open(const std::string& path,
                                                           const LogOptions& options);
    ~LogReader();
    LogReader(const LogReader&) = delete;
    LogReader& operator=(const LogReader&) = delete;

    [[nodiscard]] const LogFormat& format() const;
    /// How the format was found; with options.format: lines 0, fit 0, no notes.
    [[nodiscard]] const Detection& detection() const;

    /// Every field this log can give: those of the format, and for open-ended ones those that the
    /// first 1,000 lines have; 1,024 at most (FieldNames).
    [[nodiscard]] const std::vector<std::string>& allFields() const;
    /// How many values in the lines that allFields() knows are of a field that is not among them.
    /// Such a field can still be selected by its name.
    [[nodiscard]] std::uint64_t fieldsLeftOut() const;
    /// That in a sentence for whoever reads or writes all fields; empty: none was left out.
    [[nodiscard]] std::string fieldsNote() const;
    /// Some of the first 1,000 lines have stamps of whole seconds: `--spread` is a question.
    [[nodiscard]] bool hasCoarseStamps() const;
    /// Which attributes parse() gives, in this order. Before the first parse(); none by default.
    /// A name that the log does not have is no error: it is missing everywhere.
    void selectFields(std::vector<std::string> fields);
    [[nodiscard]] const std::vector<std::string>& selectedFields() const;

    /// The next whole lines into `block`; false at the end. Errors: log.read, log.bomb.
    engine::Result<bool> readBlock(LogBlock& block);
    /// Fills block.batch, rejects and counts. Request::file is options.file.
    void parse(LogBlock& block) const;
    /// Adds a parsed block to report(); blocks in order.
    void note(const LogBlock& block);
    [[nodiscard]] const LogReport& report() const;

    /// The arrivals of the last `most` lines of a block that was read, the last first, without
    /// those that are no requests. A guess where the block has a header line behind its begin.
    [[nodiscard]] std::vector<std::int64_t> lastArrivals(const LogBlock& block,
                                                         std::size_t most) const;

    /// The first lines (at most 1,000), parsed; they are read as ever afterwards. Before
    /// readBlock().
    void parseHead(LogBlock& block) const;

    /// Starts again at line 1 with an empty report, for a second pass over a regular file.
    /// Errors: log.stream, log.read.
    engine::Status reopen();
    /// Whether reopen() can work.
    [[nodiscard]] bool isRegular() const;

    /// What open-ended logs have in all their lines (a whole pass over a regular file, then as
    /// after reopen()); allFields() knows it afterwards. Streams and other formats: nothing
    /// happens. Ends early when *LogOptions::stop.
    engine::Status discoverFields();

    [[nodiscard]] const LogSource& source() const; ///< fingerprint, progress, partial, warnings

private:
    class Parts;
    explicit LogReader(std::unique_ptr<Parts> parts);
    void lookAtHead();

    std::unique_ptr<Parts> m_parts;
};

} // namespace storage
