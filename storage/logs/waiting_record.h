#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace storage::logs {

/// A record that waits for its turn; its payload stands behind it. Starts at a multiple of 8, also
/// on disk.
struct WaitingRecord {
    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    std::int64_t stampNs = 0;
    std::int64_t durationNs = -1;
    std::int64_t arrivedNs = 0; ///< of a late one: its own time
    std::uint64_t order = 0; ///< place among the stamps of its second; of a neutral one its line
    std::uint32_t file = 0;
    std::uint32_t originalFile = 0;
    std::int32_t resolutionNs = 0; ///< 0: not to be spread
    std::uint32_t size = 0; ///< of the payload
    bool neutral = false;
    bool late = false;
    bool byLine = false; ///< at equal times in order of the original line

    [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }

    [[nodiscard]] std::size_t bytes() const
    {
        return sizeof(WaitingRecord) + (size + 7U) / 8U * 8U;
    }
};

static_assert(sizeof(WaitingRecord) % 8 == 0);

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
            return a->byLine;
        }
        if (a->byLine && origin(*a) != origin(*b)) {
            return origin(*a) < origin(*b);
        }
        return a->n < b->n;
    }
};

/// Records of one second of one file together, in their order there.
struct GroupOrder {
    static auto group(const WaitingRecord& record)
    {
        return std::tie(record.file, record.originalFile, record.neutral, record.resolutionNs,
                        record.stampNs);
    }

    static auto key(const WaitingRecord& record)
    {
        return std::tuple_cat(group(record), std::tie(record.order, record.n));
    }

    bool operator()(const WaitingRecord* a, const WaitingRecord* b) const
    {
        return key(*a) < key(*b);
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
        std::memcpy(at, &head, sizeof(head));
        if (head.size > 0) {
            std::memcpy(at + sizeof(head), payload, head.size);
        }
        return reinterpret_cast<WaitingRecord*>(at);
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
