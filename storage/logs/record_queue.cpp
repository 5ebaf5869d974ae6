#include "storage/logs/record_queue.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kSegmentBytes = std::size_t {128} << 10;
constexpr std::size_t kMostSpare = 2;
constexpr std::size_t kLeastSegmentBytes = 512;

std::size_t segmentBytesFor(std::size_t memoryBytes)
{
    return std::clamp(memoryBytes / 8, kLeastSegmentBytes, kSegmentBytes) / 8 * 8;
}

} // namespace

RecordQueue::RecordQueue(std::size_t memoryBytes, std::string folder)
    : m_segmentBytes(segmentBytesFor(memoryBytes))
    , m_mostSegments(std::max<std::size_t>(memoryBytes / m_segmentBytes, 3))
    , m_folder(std::move(folder))
{
}

engine::Status RecordQueue::addSegment(std::size_t atLeast)
{
    // The segment that was being filled is full: it goes to disk if the front needs the room.
    if (m_inMemory >= m_mostSegments && m_segments.size() > 1) {
        if (auto done = store(m_segments.back()); !done) {
            return done;
        }
    }
    Segment& segment = m_segments.emplace_back();
    allocate(segment, std::max(m_segmentBytes, atLeast));
    m_room = segment.capacity;
    return engine::Done {};
}

void RecordQueue::allocate(Segment& segment, std::size_t capacity)
{
    if (capacity == m_segmentBytes && !m_spare.empty()) {
        segment.bytes = std::move(m_spare.back());
        m_spare.pop_back();
    } else {
        segment.bytes = std::make_unique_for_overwrite<std::byte[]>(capacity); // NOLINT: raw bytes
    }
    segment.capacity = capacity;
    ++m_inMemory;
}

void RecordQueue::release(Segment& segment)
{
    if (segment.capacity == m_segmentBytes && m_spare.size() < kMostSpare) {
        m_spare.push_back(std::move(segment.bytes));
    }
    segment.bytes.reset();
    --m_inMemory;
}

/// The front segment has been read to its end.
void RecordQueue::dropFront()
{
    Segment& segment = m_segments.front();
    if (m_segments.size() == 1) { // the one that is being filled
        segment.begin = 0;
        segment.end = 0;
        m_room = segment.capacity;
        return;
    }
    release(segment);
    m_segments.pop_front();
}

std::uint64_t RecordQueue::freePlace()
{
    if (m_freePlaces.empty()) {
        return m_places++;
    }
    const std::uint64_t place = m_freePlaces.back();
    m_freePlaces.pop_back();
    return place;
}

engine::Status RecordQueue::store(Segment& segment)
{
    if (segment.end > m_segmentBytes) {
        return engine::Done {}; // one huge record; places on disk are of one size
    }
    if (!m_file) {
        auto file = ScratchFile::make(m_folder);
        if (!file) {
            return engine::fail(file.error());
        }
        m_file = std::move(*file);
    }
    const std::uint64_t place = freePlace();
    auto done = m_file->writeAt(place * m_segmentBytes, segment.bytes.get(), segment.end);
    if (done) {
        segment.place = place;
        release(segment);
        m_writtenBytes += segment.end;
    }
    return done;
}

engine::Status RecordQueue::load(Segment& segment)
{
    allocate(segment, m_segmentBytes);
    auto done = m_file->readAt(*segment.place * m_segmentBytes, segment.bytes.get(), segment.end);
    m_freePlaces.push_back(*segment.place);
    segment.place.reset();
    return done;
}

} // namespace storage::logs
