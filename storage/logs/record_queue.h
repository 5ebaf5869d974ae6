#pragma once
#include "engine/result.h"
#include "storage/logs/scratch_file.h"
#include "storage/logs/waiting_record.h"

#include <cstdint>
#include <deque>
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
    engine::Status push(const WaitingRecord& head, const std::byte* payload);

    [[nodiscard]] bool isEmpty() const { return m_count == 0; }

    /// The oldest record, valid until pop(). The queue is not empty. Errors: sort.disk.
    engine::Result<WaitingRecord*> front();
    void pop();

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_writtenBytes; }

private:
    struct Segment {
        std::vector<std::uint64_t> words; ///< of words, for their alignment
        std::size_t begin = 0; ///< bytes
        std::size_t end = 0;
        std::optional<std::uint64_t> place; ///< on disk, in units of m_segmentBytes
    };

    engine::Status store(Segment& segment);
    engine::Status load(Segment& segment);
    std::uint64_t freePlace();

    std::size_t m_segmentBytes;
    std::size_t m_mostSegments; ///< in memory
    std::size_t m_inMemory = 0;
    std::string m_folder;
    std::deque<Segment> m_segments;
    std::optional<ScratchFile> m_file;
    std::vector<std::uint64_t> m_freePlaces;
    std::uint64_t m_places = 0;
    std::uint64_t m_count = 0;
    std::uint64_t m_writtenBytes = 0;
};

} // namespace storage::logs
