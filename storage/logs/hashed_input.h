#pragma once
#include "storage/log_source.h"
#include "storage/logs/raw_input.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace storage::logs {

/// The stored bytes of a log through a window. Each is hashed once, in order, used or not.
class HashedInput {
public:
    explicit HashedInput(RawInput input);
    ~HashedInput();
    HashedInput(const HashedInput&) = delete;
    HashedInput& operator=(const HashedInput&) = delete;

    /// Bytes that were taken from the input and not used yet.
    [[nodiscard]] std::string_view view() const
    {
        return {m_window.data() + m_begin, m_end - m_begin};
    }

    void use(std::size_t count) { m_begin += count; }

    /// Makes view() at least `count` bytes (up to 64 KiB) long unless the input ends before.
    /// Errors: log.read.
    engine::Status need(std::size_t count);

    /// Up to `room` bytes, used at once; 0 at the end. Errors: log.read.
    engine::Result<std::size_t> read(char* into, std::size_t room);

    /// Uses up all that is left; how much it was. Errors: log.read.
    engine::Result<std::uint64_t> drain();

    /// Back to the first byte, with a new fingerprint. Regular files only.
    void rewind();

    [[nodiscard]] const RawInput& input() const { return m_input; }

    /// Nothing comes behind view().
    [[nodiscard]] bool hasEnded() const { return m_ended; }

    /// Bytes used.
    [[nodiscard]] std::uint64_t used() const { return m_input.offset() - (m_end - m_begin); }

    /// Of what was taken so far.
    [[nodiscard]] Fingerprint fingerprint() const;

private:
    class Hash;
    engine::Result<std::size_t> take(char* into, std::size_t room);

    RawInput m_input;
    std::unique_ptr<Hash> m_hash;
    std::vector<char> m_window;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_ended = false;
};

} // namespace storage::logs
