#include "storage/logs/record_queue.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kSegmentBytes = std::size_t {512} << 10;
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

engine::Status RecordQueue::push(const WaitingRecord& head, const std::byte* payload)
{
    const std::size_t bytes = head.bytes();
    if (m_segments.empty() || m_segments.back().place
        || m_segments.back().end + bytes > m_segments.back().words.size() * 8) {
        // The segment that was being filled is full: it goes to disk if the front needs the room.
        if (m_inMemory >= m_mostSegments && m_segments.size() > 1) {
            if (auto done = store(m_segments.back()); !done) {
                return done;
            }
        }
        Segment segment;
        segment.words.resize(std::max(m_segmentBytes, bytes) / 8);
        m_segments.push_back(std::move(segment));
        ++m_inMemory;
    }
    Segment& segment = m_segments.back();
    auto* const at = reinterpret_cast<std::byte*>(segment.words.data()) + segment.end;
    std::memcpy(at, &head, sizeof(head));
    if (head.size > 0) {
        std::memcpy(at + sizeof(head), payload, head.size);
    }
    segment.end += bytes;
    ++m_count;
    return engine::Done {};
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
    auto done = m_file->writeAt(place * m_segmentBytes, segment.words.data(), segment.end);
    if (done) {
        segment.place = place;
        segment.words = {};
        --m_inMemory;
        m_writtenBytes += segment.end;
    }
    return done;
}

engine::Status RecordQueue::load(Segment& segment)
{
    segment.words.resize(m_segmentBytes / 8);
    auto done = m_file->readAt(*segment.place * m_segmentBytes, segment.words.data(), segment.end);
    m_freePlaces.push_back(*segment.place);
    segment.place.reset();
    ++m_inMemory;
    return done;
}

engine::Result<WaitingRecord*> RecordQueue::front()
{
    Segment& segment = m_segments.front();
    if (segment.place) {
        if (auto done = load(segment); !done) {
            return engine::fail(done.error());
        }
    }
    return reinterpret_cast<WaitingRecord*>(reinterpret_cast<std::byte*>(segment.words.data())
                                            + segment.begin);
}

void RecordQueue::pop()
{
    Segment& segment = m_segments.front();
    const auto* const record = reinterpret_cast<const WaitingRecord*>(
        reinterpret_cast<const std::byte*>(segment.words.data()) + segment.begin);
    segment.begin += record->bytes();
    --m_count;
    if (segment.begin < segment.end) {
        return;
    }
    if (m_segments.size() == 1) { // the one that is being filled
        segment.begin = 0;
        segment.end = 0;
        return;
    }
    m_segments.pop_front();
    --m_inMemory;
}

} // namespace storage::logs
