#include "storage/logs/time_slots.h"

#include "storage/logs/record_sorter.h"

#include <algorithm>
#include <bit>

namespace storage::logs {
namespace {

constexpr int kSlotBits = 8; // some hundred slots for a window
constexpr std::size_t kSmallBytes = 2048;
constexpr std::size_t kLargeBytes = std::size_t {8} << 10;
constexpr std::size_t kBlockBytes = std::size_t {256} << 10;
constexpr std::size_t kFewEntries = 24;
constexpr std::uint64_t kSlotsAhead = 1;
constexpr std::int64_t kSlack = 16; // slots that may wait for drain() beyond the window
constexpr std::size_t kMostDue = 1024;
constexpr std::size_t kLineBytes = 64;

int shiftFor(std::int64_t windowNs)
{
    return std::max(
        0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(windowNs))) - kSlotBits);
}

bool less(const WaitingRecord* a, const WaitingRecord* b)
{
    return TimeOrder {}(a, b);
}

} // namespace

TimeSlots::TimeSlots(std::int64_t windowNs, std::size_t memoryBytes, std::string folder)
    : m_shift(shiftFor(windowNs))
    , m_reach((windowNs >> m_shift) + 3 + kSlack)
    , m_memoryBytes(memoryBytes)
    , m_largeBytes(std::clamp(std::bit_floor(memoryBytes / 2048 + 1), 2 * kSmallBytes, kLargeBytes))
    , m_folder(std::move(folder))
    , m_slots(std::bit_ceil(static_cast<std::size_t>(m_reach)))
{
}

TimeSlots::~TimeSlots()
{
    emitDue([](auto) {});
    for (Slot& slot : m_slots) {
        while (slot.first != nullptr) {
            giveBack(std::exchange(slot.first, slot.first->next));
        }
    }
}

/// A slot begins with a small chunk; one that needs more gets large ones. Where memory is short,
/// what it has goes to disk before, or what the slot has that was last added to.
engine::Status TimeSlots::addChunk(Slot& slot, std::size_t atLeast)
{
    const std::size_t usual = slot.first == nullptr ? kSmallBytes : m_largeBytes;
    const std::size_t bytes = std::max(usual, sizeof(Chunk) + atLeast);
    if (m_held > 0 && m_inUse + bytes > m_memoryBytes) {
        if (auto done = store(slot.first != nullptr ? slot : *m_added); !done) {
            return done;
        }
    }
    Chunk* const chunk = takeChunk(bytes);
    (slot.last == nullptr ? slot.first : slot.last->next) = chunk;
    slot.last = chunk;
    m_added = &slot;
    return engine::Done {};
}

TimeSlots::Chunk* TimeSlots::takeChunk(std::size_t bytes)
{
    m_inUse += bytes;
    Chunk*& free = bytes == kSmallBytes ? m_freeSmall : m_freeLarge;
    std::byte* at = nullptr;
    if (bytes != kSmallBytes && bytes != m_largeBytes) {
        at = static_cast<std::byte*>(::operator new(bytes)); // one huge record
    } else if (free != nullptr) {
        at = reinterpret_cast<std::byte*>(std::exchange(free, free->next));
    } else {
        if (m_blockLeft < bytes) {
            m_blocks.push_back(
                std::make_unique_for_overwrite<std::byte[]>(kBlockBytes)); // NOLINT: raw bytes
            m_blockLeft = kBlockBytes;
        }
        at = m_blocks.back().get() + (kBlockBytes - m_blockLeft);
        m_blockLeft -= bytes;
    }
    const auto room = static_cast<std::uint32_t>(bytes - sizeof(Chunk));
    return new (at) Chunk {nullptr, room, room};
}

void TimeSlots::giveBack(Chunk* chunk)
{
    const std::size_t bytes = chunk->size + sizeof(Chunk);
    m_inUse -= bytes;
    if (bytes != kSmallBytes && bytes != m_largeBytes) {
        ::operator delete(chunk);
        return;
    }
    Chunk*& free = bytes == kSmallBytes ? m_freeSmall : m_freeLarge;
    chunk->next = free;
    free = chunk;
}

/// Room on disk: one place, or for a huge record as many new ones as it takes.
std::uint64_t TimeSlots::placeFor(std::uint32_t bytes)
{
    if (bytes <= m_largeBytes && !m_freePlaces.empty()) {
        const std::uint64_t place = m_freePlaces.back();
        m_freePlaces.pop_back();
        return place;
    }
    return std::exchange(m_places, m_places + placesOf(bytes));
}

/// Writes what the slot has in memory.
engine::Status TimeSlots::store(Slot& slot)
{
    if (!m_file) {
        auto file = ScratchFile::make(m_folder);
        if (!file) {
            return engine::fail(file.error());
        }
        m_file = std::move(*file);
    }
    while (slot.first != nullptr) {
        Chunk* const chunk = slot.first;
        const std::uint32_t bytes = chunk->size - chunk->room;
        const std::uint64_t place = placeFor(bytes);
        if (auto done = m_file->writeAt(place * m_largeBytes, chunk->begin(), bytes); !done) {
            return done;
        }
        slot.stored.push_back({place, bytes});
        m_writtenBytes += bytes;
        slot.first = chunk->next;
        giveBack(chunk);
    }
    slot.last = nullptr;
    return engine::Done {};
}

engine::Status TimeSlots::load(const Stored& stored, std::byte* into)
{
    auto done = m_file->readAt(stored.place * m_largeBytes, into, stored.bytes);
    for (std::uint64_t i = 0; i < placesOf(stored.bytes); ++i) {
        m_freePlaces.push_back(stored.place + i);
    }
    return done;
}

engine::Status TimeSlots::finish(const Emit& emit)
{
    while (m_held > 0) {
        Slot& slot = slotAt(m_front);
        if (auto done = takeSlot(slot, emit); !done) {
            return done;
        }
        m_front += m_held > 0 ? 1 : 0;
    }
    emitDue(emit);
    return engine::Done {};
}

engine::Status TimeSlots::drainSlots(std::int64_t bound, const Emit& emit)
{
    for (; m_held > 0 && m_front < bound; ++m_front) {
        Slot& slot = slotAt(m_front);
        if (slot.first == nullptr && slot.stored.empty()) {
            continue;
        }
        const auto ahead = static_cast<std::uint64_t>(m_front) + kSlotsAhead;
        expect(slotAt(static_cast<std::int64_t>(ahead)).first);
        if (auto done = takeSlot(slot, emit); !done) {
            return done;
        }
    }
    emitDue(emit);
    return engine::Done {};
}

/// Its turn comes soon, and it was written long ago.
void TimeSlots::expect(const Chunk* chunk)
{
    if (chunk != nullptr) {
        const auto* const at = reinterpret_cast<const char*>(chunk);
        for (std::size_t i = 0; i < kSmallBytes; i += kLineBytes) {
            __builtin_prefetch(at + i);
        }
    }
}

void TimeSlots::collect(std::byte* begin, const std::byte* end)
{
    for (std::byte* at = begin; at < end;) {
        auto* const record = reinterpret_cast<WaitingRecord*>(at);
        at += record->bytes();
        m_isSorted = m_isSorted && (m_entries.empty() || m_entries.back().timeNs <= record->timeNs);
        m_entries.push_back({record->timeNs, record->n, record});
    }
}

/// Hands on what is due, and gives back where it was.
void TimeSlots::emitDue(const Emit& emit)
{
    if (!m_due.empty()) {
        emit(m_due);
        m_due.clear();
    }
    while (m_spent != nullptr) {
        giveBack(std::exchange(m_spent, m_spent->next));
    }
}

/// Brings back what the slot has on disk; it is due alone, since that memory is used again.
engine::Status TimeSlots::loadSlot(const Slot& slot)
{
    std::size_t bytes = 0;
    for (const Stored& stored : slot.stored) {
        bytes += stored.bytes;
    }
    m_loaded.resize(std::max(m_loaded.size(), bytes / sizeof(std::uint64_t)));
    auto* loaded = reinterpret_cast<std::byte*>(m_loaded.data());
    for (const Stored& stored : slot.stored) {
        if (auto done = load(stored, loaded); !done) {
            return done;
        }
        collect(loaded, loaded + stored.bytes);
        loaded += stored.bytes;
    }
    return engine::Done {};
}

/// The slot's records are due, or have been handed on.
engine::Status TimeSlots::takeSlot(Slot& slot, const Emit& emit)
{
    std::size_t storedBytes = 0;
    for (const Stored& stored : slot.stored) {
        storedBytes += stored.bytes;
    }
    if (storedBytes > 0 || m_due.size() > kMostDue) {
        emitDue(emit);
    }
    if (storedBytes > std::max(m_memoryBytes / 2, m_largeBytes)) {
        return emitFromDisk(slot, emit);
    }
    m_entries.clear();
    m_isSorted = true;
    if (auto done = loadSlot(slot); !done) {
        return done;
    }
    for (Chunk* chunk = slot.first; chunk != nullptr; chunk = chunk->next) {
        collect(chunk->begin(), chunk->end());
    }
    if (!m_isSorted || slot.hasByLine) {
        sortEntries(slot.hasByLine);
    }
    for (const Entry& entry : m_entries) {
        m_due.push_back(entry.record);
    }
    m_held -= m_entries.size();
    if (slot.last != nullptr) {
        slot.last->next = std::exchange(m_spent, slot.first);
    }
    slot.first = nullptr;
    slot.last = nullptr;
    slot.stored.clear();
    slot.hasByLine = false;
    if (storedBytes > 0) {
        emitDue(emit);
    }
    return engine::Done {};
}

/// Puts the entries into as many parts of the slot's time as there are entries, each part in its
/// old order.
void TimeSlots::spread()
{
    const auto [first, last]
        = std::minmax_element(m_entries.begin(), m_entries.end(),
                              [](const Entry& a, const Entry& b) { return a.timeNs < b.timeNs; });
    const std::int64_t from = first->timeNs;
    const auto range = static_cast<std::uint64_t>(last->timeNs) - static_cast<std::uint64_t>(from);
    const int shift = std::max(0,
                               static_cast<int>(std::bit_width(range))
                                   - static_cast<int>(std::bit_width(m_entries.size())));
    const auto partOf = [from, shift](const Entry& entry) {
        return (static_cast<std::uint64_t>(entry.timeNs) - static_cast<std::uint64_t>(from))
            >> shift;
    };
    m_counts.assign((range >> shift) + 2, 0);
    for (const Entry& entry : m_entries) {
        ++m_counts[partOf(entry) + 1];
    }
    for (std::size_t i = 1; i < m_counts.size(); ++i) {
        m_counts[i] += m_counts[i - 1];
    }
    m_spread.resize(m_entries.size());
    for (const Entry& entry : m_entries) {
        m_spread[m_counts[partOf(entry)]++] = entry;
    }
    m_entries.swap(m_spread);
}

void TimeSlots::sortEntries(bool hasByLine)
{
    if (hasByLine) {
        std::sort(m_entries.begin(), m_entries.end(),
                  [](const Entry& a, const Entry& b) { return less(a.record, b.record); });
        return;
    }
    const auto earlier = [](const Entry& a, const Entry& b) {
        return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : a.n < b.n;
    };
    if (m_entries.size() > kFewEntries) {
        spread();
    }
    // Each entry is close to its place now, but for slots whose times crowd together.
    std::size_t moves = 0;
    for (std::size_t i = 1; i < m_entries.size(); ++i) {
        const Entry entry = m_entries[i];
        std::size_t at = i;
        for (; at > 0 && earlier(entry, m_entries[at - 1]); --at) {
            m_entries[at] = m_entries[at - 1];
        }
        m_entries[at] = entry;
        moves += i - at;
        if (moves > 16 * m_entries.size()) {
            std::sort(m_entries.begin(), m_entries.end(), earlier);
            return;
        }
    }
}

/// More than memory can take: the pieces go through a sort on disk.
engine::Status TimeSlots::emitFromDisk(Slot& slot, const Emit& emit)
{
    RecordSorter sorter(less, m_memoryBytes / 2, m_folder);
    const auto addAll = [&sorter](std::byte* at, const std::byte* end) -> engine::Status {
        while (at < end) {
            auto* const record = reinterpret_cast<WaitingRecord*>(at);
            at += record->bytes();
            if (auto done = sorter.add(*record, record->payload()); !done) {
                return done;
            }
        }
        return engine::Done {};
    };
    for (const Stored& stored : slot.stored) {
        m_loaded.resize(std::max(m_loaded.size(), stored.bytes / sizeof(std::uint64_t)));
        auto* const loaded = reinterpret_cast<std::byte*>(m_loaded.data());
        if (auto done = load(stored, loaded); !done) {
            return done;
        }
        if (auto done = addAll(loaded, loaded + stored.bytes); !done) {
            return done;
        }
    }
    while (slot.first != nullptr) {
        auto done = addAll(slot.first->begin(), slot.first->end());
        giveBack(std::exchange(slot.first, slot.first->next));
        if (!done) {
            return done;
        }
    }
    slot = {};
    sorter.finish();
    while (WaitingRecord* const record = sorter.least()) {
        emit({&record, 1});
        --m_held;
        if (auto done = sorter.pop(); !done) {
            return done;
        }
    }
    m_writtenBytes += sorter.writtenBytes();
    return engine::Done {};
}

} // namespace storage::logs
