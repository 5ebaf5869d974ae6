#pragma once
#include "storage/log_reader.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/partials.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace storage::logs {

/// A growing run of bytes with padding behind it, which is not cleared when it grows.
class ByteBuffer {
public:
    [[nodiscard]] char* data() { return m_bytes.get(); }

    [[nodiscard]] const char* data() const { return m_bytes.get(); }

    [[nodiscard]] std::size_t size() const { return m_size; }

    void setSize(std::size_t size) { m_size = size; }

    void reserve(std::size_t capacity)
    {
        if (capacity <= m_capacity) {
            return;
        }
        capacity += kPadding * kPadding; // the next wish is mostly a little larger
        auto bytes
            = std::make_unique_for_overwrite<char[]>(capacity + kPadding); // NOLINT: raw bytes
        if (m_size > 0) {
            std::memcpy(bytes.get(), m_bytes.get(), m_size);
        }
        std::memset(bytes.get() + capacity, 0, kPadding);
        m_bytes = std::move(bytes);
        m_capacity = capacity;
    }

    void assign(const char* from, std::size_t size)
    {
        m_size = 0;
        reserve(size);
        if (size > 0) {
            std::memcpy(m_bytes.get(), from, size);
        }
        m_size = size;
    }

private:
    std::unique_ptr<char[]> m_bytes; // NOLINT: raw bytes
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

/// What a block owns: its lines, texts that were written anew, and its sums.
struct BlockBytes {
    ByteBuffer lines;
    std::string header; ///< the header lines that hold where it begins
    bool endsCut = false; ///< the last line has no newline
    std::optional<LineReject> tooLong;
    std::uint64_t linesBehindNuls = 0;
    PartialState partials; ///< where it begins

    Arena arena;
    LineScratch scratch;
    LineScratch wrappers; ///< for unwrap()

    std::vector<std::uint64_t> byFormat; ///< requests, by LogFormat::parts(); empty: one format
    std::uint64_t outerTimes = 0;
    std::uint64_t withDuration = 0;
    std::uint64_t coarse = 0;
    std::uint64_t stepsBack = 0;
    std::uint64_t forwarded = 0;
    std::uint64_t unusableLists = 0;
    std::vector<std::string_view> values; ///< of a line, where more is read than was asked for
    std::int64_t firstNs = 0; ///< least and greatest arrival
    std::int64_t lastNs = 0;
};

} // namespace storage::logs
