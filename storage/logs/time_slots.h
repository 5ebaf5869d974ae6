#pragma once
#include "engine/result.h"
#include "storage/logs/scratch_file.h"
#include "storage/logs/waiting_record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace storage::logs {

/// Records of a moving window of time, given back in order of (time, n).
///
/// A record is put into the slot of its time, and a slot is sorted when its turn comes, so that a
/// record costs a few nanoseconds however wide the window is. When more than `memoryBytes` wait,
/// the slot that grows goes to disk piece by piece, unsorted, and comes back for its turn; a slot
/// that would not fit into memory then is sorted on disk.
class TimeSlots {
public:
    using Emit = std::function<void(std::span<WaitingRecord* const>)>;

    TimeSlots(std::int64_t windowNs, std::size_t memoryBytes, std::string folder);
    ~TimeSlots();
    TimeSlots(const TimeSlots&) = delete;
    TimeSlots& operator=(const TimeSlots&) = delete;

    /// Must drain() make room for a record of that time?
    [[nodiscard]] bool isFull(std::int64_t timeNs) const
    {
        const std::int64_t index = indexOf(timeNs);
        // Unsigned: times may lie at both ends of what can be counted.
        return m_held > 0 && index > m_front
            && static_cast<std::uint64_t>(index) - static_cast<std::uint64_t>(m_front)
            >= static_cast<std::uint64_t>(m_reach);
    }

    /// `record.timeNs` is not before the last oldest of drain(), by at most the window, and not
    /// isFull(). Errors: sort.disk.
    engine::Status add(const WaitingRecord& head, const std::byte* payload)
    {
        const std::int64_t index = indexOf(head.timeNs);
        m_front = m_held == 0 ? index : std::min(m_front, index);
        Slot& slot = slotAt(index);
        const std::size_t bytes = head.bytes();
        if (slot.last == nullptr || slot.last->room < bytes) [[unlikely]] {
            if (auto done = addChunk(slot, bytes); !done) {
                return done;
            }
        }
        head.copyTo(slot.last->end(), payload);
        slot.last->room -= static_cast<std::uint32_t>(bytes);
        slot.hasByLine = slot.hasByLine || head.byLine != 0;
        ++m_held;
        return engine::Done {};
    }

    /// Emits the records of the slots that end before oldestNs; it never goes back. Errors:
    /// sort.disk.
    engine::Status drain(std::int64_t oldestNs, const Emit& emit)
    {
        const std::int64_t bound = indexOf(oldestNs);
        if (m_held == 0 || m_front >= bound) {
            return engine::Done {};
        }
        return drainSlots(bound, emit);
    }

    /// After drain(oldestNs): nothing that is held, or may be added, is before this.
    [[nodiscard]] std::int64_t floorNs(std::int64_t oldestNs) const
    {
        return oldestNs >> m_shift << m_shift;
    }

    /// Emits all that is left.
    engine::Status finish(const Emit& emit);

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_writtenBytes; }

private:
    /// A piece of memory with records behind it.
    struct Chunk {
        Chunk* next = nullptr;
        std::uint32_t size = 0; ///< bytes for records
        std::uint32_t room = 0; ///< of them free

        std::byte* begin() { return reinterpret_cast<std::byte*>(this + 1); }

        std::byte* end() { return begin() + (size - room); }
    };

    struct Stored {
        std::uint64_t place = 0; ///< in units of m_largeBytes
        std::uint32_t bytes = 0;
    };

    struct Slot {
        Chunk* first = nullptr;
        Chunk* last = nullptr; ///< the one that is being filled
        std::vector<Stored> stored;
        bool hasByLine = false;
    };

    struct Entry {
        std::int64_t timeNs = 0;
        std::uint64_t n = 0;
        WaitingRecord* record = nullptr;
    };

    [[nodiscard]] std::int64_t indexOf(std::int64_t timeNs) const { return timeNs >> m_shift; }

    Slot& slotAt(std::int64_t index)
    {
        return m_slots[static_cast<std::uint64_t>(index) & (m_slots.size() - 1)];
    }

    engine::Status addChunk(Slot& slot, std::size_t atLeast);
    Chunk* takeChunk(std::size_t bytes);
    void giveBack(Chunk* chunk);
    engine::Status store(Slot& slot);
    engine::Status load(const Stored& stored, std::byte* into);
    std::uint64_t placeFor(std::uint32_t bytes);

    [[nodiscard]] std::uint64_t placesOf(std::uint32_t bytes) const
    {
        return std::max<std::uint64_t>(1, (bytes + m_largeBytes - 1) / m_largeBytes);
    }

    engine::Status drainSlots(std::int64_t bound, const Emit& emit);
    engine::Status takeSlot(Slot& slot, const Emit& emit);
    engine::Status loadSlot(const Slot& slot);
    void emitDue(const Emit& emit);
    engine::Status emitFromDisk(Slot& slot, const Emit& emit);
    static void expect(const Chunk* chunk);
    void collect(std::byte* begin, const std::byte* end);
    void sortEntries(bool hasByLine);
    void spread();

    int m_shift = 0;
    std::int64_t m_reach; ///< slots that may be in use side by side
    std::size_t m_memoryBytes;
    std::size_t m_largeBytes; ///< of a chunk, all in all
    std::string m_folder;
    std::size_t m_inUse = 0; ///< bytes of chunks that hold records
    std::uint64_t m_held = 0;
    std::int64_t m_front = 0; ///< no record is in a slot before it
    std::vector<Slot> m_slots;
    Slot* m_added = nullptr; ///< got the last new chunk
    std::vector<std::unique_ptr<std::byte[]>> m_blocks; ///< that chunks were cut from
    std::size_t m_blockLeft = 0;
    Chunk* m_freeSmall = nullptr;
    Chunk* m_freeLarge = nullptr;
    std::optional<ScratchFile> m_file;
    std::vector<std::uint64_t> m_freePlaces;
    std::uint64_t m_places = 0;
    std::uint64_t m_writtenBytes = 0;

    // Of the slots whose turn it is.
    std::vector<WaitingRecord*> m_due; ///< in order
    Chunk* m_spent = nullptr; ///< where they are
    // Of the last of them.
    std::vector<std::uint64_t> m_loaded;
    std::vector<Entry> m_entries;
    std::vector<Entry> m_spread;
    std::vector<std::uint32_t> m_counts;
    bool m_isSorted = true;
};

} // namespace storage::logs
