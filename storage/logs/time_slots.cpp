#include "storage/logs/time_slots.h"

#include <algorithm>
#include <bit>

namespace storage::logs {
namespace {

constexpr int kSlotBits = 10; // about a thousand slots for a window

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
    , m_memoryBytes(memoryBytes)
    , m_slots(std::bit_ceil(static_cast<std::size_t>((windowNs >> m_shift) + 3)))
    , m_runs(less, std::move(folder))
{
}

engine::Status TimeSlots::add(const WaitingRecord& head, const std::byte* payload)
{
    const std::int64_t index = indexOf(head.timeNs);
    m_front = m_held == 0 ? index : std::min(m_front, index);
    Slot& slot = slotAt(index);
    m_allocated -= slot.pool.allocated();
    WaitingRecord* const record = slot.pool.copy(head, payload);
    m_allocated += slot.pool.allocated() + sizeof(record);
    ++m_held;
    if (slot.records.size() == slot.next || less(slot.records.back(), record)) {
        slot.records.push_back(record);
    } else if (slot.next > 0) { // its turn has begun: it must stay sorted
        const auto from = slot.records.begin() + static_cast<std::ptrdiff_t>(slot.next);
        if (!slot.isSorted) {
            sort(slot);
        }
        slot.records.insert(std::upper_bound(from, slot.records.end(), record, less), record);
    } else {
        slot.isSorted = false;
        slot.records.push_back(record);
    }
    return m_allocated > m_memoryBytes ? spill() : engine::Status(engine::Done {});
}

void TimeSlots::sort(Slot& slot)
{
    std::sort(slot.records.begin() + static_cast<std::ptrdiff_t>(slot.next), slot.records.end(),
              less);
    slot.isSorted = true;
}

WaitingRecord* TimeSlots::leastHeld()
{
    if (m_held == 0) {
        return nullptr;
    }
    while (slotAt(m_front).records.empty()) {
        ++m_front;
    }
    Slot& slot = slotAt(m_front);
    if (!slot.isSorted) {
        sort(slot);
    }
    return slot.records[slot.next];
}

void TimeSlots::popHeld()
{
    Slot& slot = slotAt(m_front);
    --m_held;
    if (++slot.next == slot.records.size()) {
        m_allocated -= slot.pool.allocated() + slot.records.size() * sizeof(WaitingRecord*);
        slot.pool.clear();
        slot.records.clear();
        slot.next = 0;
        slot.isSorted = true;
    }
}

engine::Status TimeSlots::spill()
{
    bool first = true;
    return m_runs.add([&] {
        if (!first) {
            popHeld();
        }
        first = false;
        return leastHeld();
    });
}

engine::Status TimeSlots::drain(std::int64_t limitNs, const Emit& emit)
{
    for (;;) {
        // Slots that lie wholly behind the limit need not be sorted yet.
        WaitingRecord* held = nullptr;
        if (m_held > 0) {
            while (slotAt(m_front).records.empty()) {
                ++m_front;
            }
            held = m_front <= indexOf(limitNs) ? leastHeld() : nullptr;
        }
        WaitingRecord* const stored = m_runs.least();
        const bool fromDisk = stored != nullptr && (held == nullptr || less(stored, held));
        WaitingRecord* const least = fromDisk ? stored : held;
        if (least == nullptr || least->timeNs > limitNs) {
            return engine::Done {};
        }
        emit(*least);
        if (!fromDisk) {
            popHeld();
        } else if (auto done = m_runs.pop(); !done) {
            return done;
        }
    }
}

} // namespace storage::logs
