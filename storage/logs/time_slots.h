#pragma once
#include "storage/logs/sorted_runs.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace storage::logs {

/// Records of a moving window of time, given back in order of (time, n).
///
/// A record is put into the slot of its time, which is sorted when its turn comes, so that a record
/// costs a few nanoseconds however wide the window is. More than `memoryBytes` goes to disk as a
/// run.
class TimeSlots {
public:
    using Emit = std::function<void(WaitingRecord&)>;

    TimeSlots(std::int64_t windowNs, std::size_t memoryBytes, std::string folder);

    /// `record.timeNs` is above the last limit of drain(), by at most the window and 1 ns. Errors:
    /// sort.disk.
    engine::Status add(const WaitingRecord& head, const std::byte* payload);
    /// Emits all records with timeNs <= limit; limits never go back. Errors: sort.disk.
    engine::Status drain(std::int64_t limitNs, const Emit& emit);

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_runs.writtenBytes(); }

private:
    struct Slot {
        RecordPool pool {kChunkBytes};
        std::vector<WaitingRecord*> records;
        std::size_t next = 0; ///< records before it are emitted
        bool isSorted = true;
    };

    static constexpr std::size_t kChunkBytes = std::size_t {8} << 10;

    [[nodiscard]] std::int64_t indexOf(std::int64_t timeNs) const { return timeNs >> m_shift; }

    Slot& slotAt(std::int64_t index)
    {
        return m_slots[static_cast<std::uint64_t>(index) & (m_slots.size() - 1)];
    }

    /// The least record in memory, or nullptr; moves m_front to its slot.
    WaitingRecord* leastHeld();
    void popHeld();
    static void sort(Slot& slot);
    engine::Status spill();

    int m_shift = 0;
    std::size_t m_memoryBytes;
    std::size_t m_allocated = 0;
    std::size_t m_held = 0;
    std::int64_t m_front = 0; ///< no record is in a slot before it
    std::vector<Slot> m_slots;
    SortedRuns m_runs;
};

} // namespace storage::logs
