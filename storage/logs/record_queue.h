#pragma once
#include "engine/result.h"
#include "storage/logs/scratch_file.h"
#include "storage/logs/waiting_record.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace storage::logs {

/// Records first in, first out, in segments; segments in the middle go to disk when memory is
/// short.
class RecordQueue {
public:
    RecordQueue(std::size_t memoryBytes, std::string folder);

    /// Errors: sort.disk.
    engine::Status push(const WaitingRecord& head, const std::byte* payload)
    {
        const std::size_t bytes = head.bytes();
        if (m_room < bytes) [[unlikely]] {
            if (auto done = addSegment(bytes); !done) {
                return done;
            }
        }
        Segment& segment = m_segments.back();
        head.copyTo(segment.bytes.get() + segment.end, payload);
        segment.end += bytes;
        m_room -= bytes;
        ++m_count;
        return engine::Done {};
    }

    [[nodiscard]] bool isEmpty() const { return m_count == 0; }

    /// Before front(): brings the oldest record into memory. The queue is not empty. Errors:
    /// sort.disk.
    engine::Status loadFront()
    {
        Segment& segment = m_segments.front();
        return segment.place ? load(segment) : engine::Done {};
    }

    /// Is there nothing to load?
    [[nodiscard]] bool hasFront() const { return !m_segments.front().place; }

    /// The oldest record, valid until pop().
    WaitingRecord& front()
    {
        Segment& segment = m_segments.front();
        return *reinterpret_cast<WaitingRecord*>(segment.bytes.get() + segment.begin);
    }

    void pop()
    {
        Segment& segment = m_segments.front();
        segment.begin
            += reinterpret_cast<WaitingRecord*>(segment.bytes.get() + segment.begin)->bytes();
        --m_count;
        if (segment.begin == segment.end) {
            dropFront();
        }
    }

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_writtenBytes; }

private:
    struct Segment {
        std::unique_ptr<std::byte[]> bytes; // NOLINT: raw bytes
        std::size_t capacity = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
        std::optional<std::uint64_t> place; ///< on disk, in units of m_segmentBytes
    };

    engine::Status addSegment(std::size_t atLeast);
    void allocate(Segment& segment, std::size_t capacity);
    void release(Segment& segment);
    void dropFront();
    engine::Status store(Segment& segment);
    engine::Status load(Segment& segment);
    std::uint64_t freePlace();

    std::size_t m_segmentBytes;
    std::size_t m_mostSegments; ///< in memory
    std::size_t m_inMemory = 0;
    std::string m_folder;
    std::deque<Segment> m_segments;
    std::size_t m_room = 0; ///< in the last segment
    std::vector<std::unique_ptr<std::byte[]>> m_spare; ///< of m_segmentBytes, to be used again
    std::optional<ScratchFile> m_file;
    std::vector<std::uint64_t> m_freePlaces;
    std::uint64_t m_places = 0;
    std::uint64_t m_count = 0;
    std::uint64_t m_writtenBytes = 0;
};

} // namespace storage::logs
