#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <emmintrin.h>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace storage::logs {

/// A record that waits for its turn; its payload stands behind it. Starts at a multiple of 8, also
/// on disk. Many of them wait at once: it holds what order needs and no more.
struct WaitingRecord {
    static constexpr std::uint32_t kLargestSize = (1U << 28) - 1;

    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    std::int64_t stampNs = 0; ///< of a late one, when it is decided: its own time
    std::uint64_t order = 0; ///< n; of a neutral one its original line
    std::uint32_t file = 0;
    std::uint32_t originalFile = 0;
    std::int32_t resolutionNs = 0; ///< 0: not to be spread
    std::uint32_t size : 28 = 0; ///< of the payload
    std::uint32_t neutral : 1 = 0;
    std::uint32_t late : 1 = 0;
    std::uint32_t byLine : 1 = 0; ///< at equal times in order of the original line
    std::uint32_t isLong : 1 = 0; ///< took longer than the horizon

    /// A payload that is too large ends the process.
    void setSize(std::size_t payloadBytes)
    {
        if (payloadBytes > kLargestSize) {
            std::abort();
        }
        size = static_cast<std::uint32_t>(payloadBytes) & kLargestSize;
    }

    [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }

    [[nodiscard]] std::size_t bytes() const { return bytesFor(size); }

    /// Payloads are short, and a call costs more than the copy.
    static void copyPayload(std::byte* to, const std::byte* from, std::size_t bytes)
    {
        const auto copy16 = [to, from](std::size_t at) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
        };
        std::size_t at = 0;
        for (; at + 2 * sizeof(__m128i) <= bytes; at += 2 * sizeof(__m128i)) {
            copy16(at);
            copy16(at + sizeof(__m128i));
        }
        if (at + sizeof(__m128i) <= bytes) {
            copy16(at);
            at += sizeof(__m128i);
        }
        if (at + sizeof(std::uint64_t) <= bytes) {
            std::memcpy(to + at, from + at, sizeof(std::uint64_t));
            at += sizeof(std::uint64_t);
        }
        if (at < bytes) {
            std::memcpy(to + at, from + at, bytes - at);
        }
    }

    static std::size_t bytesFor(std::size_t payloadBytes)
    {
        return sizeof(WaitingRecord) + (payloadBytes + 7) / 8 * 8;
    }

    /// Writes the record with its payload, bytes() in all.
    WaitingRecord* copyTo(std::byte* at, const std::byte* from) const
    {
        std::memcpy(at, this, sizeof(*this));
        copyPayload(at + sizeof(*this), from, size);
        return reinterpret_cast<WaitingRecord*>(at);
    }
};

static_assert(sizeof(WaitingRecord) == 48);

/// Exact order of what is emitted: of time, and at equal times of input. Neutral records that were
/// spread stand in order of their original lines, before others.
struct TimeOrder {
    static auto origin(const WaitingRecord& record)
    {
        return std::tie(record.file, record.originalFile, record.order);
    }

    bool operator()(const WaitingRecord* a, const WaitingRecord* b) const
    {
        if (a->timeNs != b->timeNs) {
            return a->timeNs < b->timeNs;
        }
        if (a->byLine != b->byLine) {
            return a->byLine != 0;
        }
        if (a->byLine != 0 && origin(*a) != origin(*b)) {
            return origin(*a) < origin(*b);
        }
        return a->n < b->n;
    }
};

/// Records of one second of one file together, in their order there.
struct GroupOrder {
    static auto group(const WaitingRecord& record)
    {
        return std::make_tuple(record.file, record.originalFile, record.neutral != 0,
                               record.resolutionNs, record.stampNs);
    }

    bool operator()(const WaitingRecord* a, const WaitingRecord* b) const
    {
        const auto groupOfA = group(*a);
        const auto groupOfB = group(*b);
        return groupOfA != groupOfB ? groupOfA < groupOfB
                                    : std::tie(a->order, a->n) < std::tie(b->order, b->n);
    }
};

/// Memory for records that are let go all at once.
class RecordPool {
public:
    explicit RecordPool(std::size_t chunkBytes)
        : m_chunkBytes(chunkBytes)
    {
    }

    WaitingRecord* copy(const WaitingRecord& head, const std::byte* payload)
    {
        const std::size_t bytes = head.bytes();
        if (m_chunks.empty() || m_used + bytes > m_chunks.back().size) {
            addChunk(bytes);
        }
        std::byte* const at = m_chunks.back().bytes.get() + m_used;
        m_used += bytes;
        return head.copyTo(at, payload);
    }

    void clear()
    {
        m_chunks.clear();
        m_used = 0;
        m_allocated = 0;
    }

    [[nodiscard]] std::size_t allocated() const { return m_allocated; }

private:
    struct Chunk {
        std::unique_ptr<std::byte[]> bytes; // NOLINT: raw bytes
        std::size_t size = 0;
    };

    void addChunk(std::size_t atLeast)
    {
        const std::size_t size = std::max(m_chunkBytes, atLeast);
        m_chunks.push_back(
            {std::make_unique_for_overwrite<std::byte[]>(size), size}); // NOLINT: raw bytes
        m_used = 0;
        m_allocated += size;
    }

    std::size_t m_chunkBytes;
    std::vector<Chunk> m_chunks;
    std::size_t m_used = 0;
    std::size_t m_allocated = 0;
};

} // namespace storage::logs
