#pragma once
#include "engine/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace storage::logs {

struct RawOptions {
    std::uint64_t storedBytes = 0; ///< a regular file ends behind so many; 0: at its end
    const std::atomic<bool>* stop = nullptr; ///< ends what is no regular file
};

/// The stored bytes of a log: a descriptor, how far it was read, and where it ends.
class RawInput {
public:
    /// Errors: see LogSource::open.
    static engine::Result<RawInput> open(const std::string& path, RawOptions options = {});
    RawInput() = default;
    RawInput(RawInput&& other) noexcept;
    RawInput& operator=(RawInput&& other) noexcept;
    RawInput(const RawInput&) = delete;
    RawInput& operator=(const RawInput&) = delete;
    ~RawInput();

    /// Up to `room` bytes; 0 at the end. Errors: log.read.
    engine::Result<std::size_t> read(void* into, std::size_t room);

    /// *stop became true: read() gave 0 though more may come.
    [[nodiscard]] bool wasStopped() const { return m_stopped; }

    void rewind() { m_offset = 0; }

    [[nodiscard]] const std::string& path() const { return m_path; }

    [[nodiscard]] bool isRegular() const { return m_regular; }

    [[nodiscard]] std::uint64_t offset() const { return m_offset; }

    [[nodiscard]] std::uint64_t total() const { return m_total; }

    /// Size of a regular file when it was opened.
    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }

    /// The file ended before the size that it had when it was opened.
    [[nodiscard]] bool hasShrunk() const { return m_shrunk; }

private:
    /// Waits a little for a FIFO's writer, and refuses one that has none.
    engine::Status awaitWriter();
    /// Waits until read() would not block; true if it is to stop instead.
    bool awaitStop();

    std::string m_path;
    int m_descriptor = -1;
    bool m_owned = false;
    bool m_regular = false;
    bool m_hasEnd = false; ///< a file, also one that is standard input: m_total bytes are read
    bool m_shrunk = false;
    std::uint64_t m_offset = 0;
    std::uint64_t m_total = 0;
    std::uint64_t m_fileBytes = 0;
    const std::atomic<bool>* m_stop = nullptr;
    bool m_stopped = false;
    char m_first = 0; ///< taken while looking for a FIFO's writer
    bool m_hasFirst = false;
};

} // namespace storage::logs
