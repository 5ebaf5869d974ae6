#pragma once
#include "engine/diagnostic.h"
#include "engine/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

/// XXH3-128 of a log's bytes as they are stored (compressed bytes of a .gz). Tells whether a file
/// is the one that was read before; not for security.
struct Fingerprint {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    [[nodiscard]] std::string toText() const; ///< 32 lower case hex digits
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Of bytes in memory, such as the fingerprints of several logs behind each other.
Fingerprint fingerprintOf(std::string_view bytes);

/// The fingerprint and the size of a regular file, without reading what its bytes mean: 1 GB in a
/// fraction of a second. Errors: those of LogSource::open, log.stream (not a regular file).
struct StoredBytes {
    Fingerprint fingerprint;
    std::uint64_t bytes = 0; ///< of the whole file, however many were asked for
};

/// The fingerprint of the first `bytes` stored bytes (0: all). Example: a log had 1,000 bytes when
/// it was read and has 1,500 now: fingerprintFile(path, 1000) gives the fingerprint of then, bytes
/// 1500. Errors also: log.short (the file has fewer than `bytes`).
engine::Result<StoredBytes> fingerprintFile(const std::string& path, std::uint64_t bytes = 0);

/// Limits against input that was made to exhaust the machine.
struct SourceLimits {
    std::uint64_t freeBytes = std::uint64_t {64}
        << 20; ///< decompressed bytes before the ratio counts
    std::uint64_t maxRatio = 200; ///< decompressed : compressed; kNoLimit
    std::uint64_t maxBytes = std::uint64_t {1} << 40; ///< decompressed bytes in all; kNoLimit

    static constexpr std::uint64_t kNoLimit = UINT64_MAX;
};

struct SourceOptions {
    SourceLimits limits;
    std::uint64_t storedBytes = 0; ///< see LogOptions
    const std::atomic<bool>* stop = nullptr; ///< see LogOptions
};

/// The bytes of one LOG: a regular file, standard input or a pipe, plain, gzip or zstd.
///
/// A packing is told by content, not by name; several members or frames are one text; zeros behind
/// one are fine, other bytes behind the last are ignored with the warning log.trailing-bytes, and
/// isPartial() is true. A damaged or cut end is no failure: what could be read counts, isPartial()
/// is true and a warning (log.damaged) says so. Of a regular file as many bytes are read as it had
/// when it was opened, so that a log that grows meanwhile has an end. Memory: half a megabyte, and
/// the window that a zstd frame asks for (8 MiB at most up to level 19; more than 128 MiB is
/// refused).
///
/// One thread at a time.
class LogSource {
public:
    /// Opens `path`, or standard input for "-".
    ///
    /// Errors: log.missing, log.permission, log.open (the system's reason), log.folder, log.device,
    /// log.no-writer (a FIFO that nobody opens for writing within 2 s), log.compression (xz, bzip2,
    /// lz4, zip, tar, ...; packed twice; zstd with a larger window or a dictionary: the help has
    /// the pipe that reads it), log.read.
    static engine::Result<std::unique_ptr<LogSource>> open(const std::string& path,
                                                           const SourceOptions& options = {});
    ~LogSource();
    LogSource(const LogSource&) = delete;
    LogSource& operator=(const LogSource&) = delete;

    /// Up to `room` bytes of text into `into`; 0 only at the end. Blocks on a pipe, until it is
    /// stopped.
    ///
    /// Errors: log.read, log.bomb (a limit was passed; the message says which), log.compression (a
    /// later zstd frame as above).
    engine::Result<std::size_t> read(char* into, std::size_t room);

    /// Back to the first byte, for a second pass. The fingerprint and the warnings start again.
    /// Errors: log.stream (not a regular file), log.read.
    engine::Status rewind();

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] bool isRegular() const;
    [[nodiscard]] bool isCompressed() const;
    [[nodiscard]] bool isPartial() const;
    /// Stored bytes taken so far, and in all (0: not known, a stream). For progress.
    [[nodiscard]] std::uint64_t bytesRead() const;
    [[nodiscard]] std::uint64_t bytesTotal() const;
    /// Of all stored bytes; complete after read() gave 0.
    [[nodiscard]] Fingerprint fingerprint() const;
    /// Advice found while reading: log.damaged, log.trailing-bytes, log.shrunk.
    [[nodiscard]] const std::vector<engine::Diagnostic>& warnings() const;

private:
    class Parts;
    explicit LogSource(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace storage
