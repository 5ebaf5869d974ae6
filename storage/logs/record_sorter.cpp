#include "storage/logs/record_sorter.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kChunkBytes = std::size_t {256} << 10;

} // namespace

RecordSorter::RecordSorter(SortedRuns::Less less, std::size_t memoryBytes, std::string folder)
    : m_less(less)
    , m_memoryBytes(memoryBytes)
    , m_pool(std::min(kChunkBytes, std::max<std::size_t>(memoryBytes / 4, 64)))
    , m_runs(less, std::move(folder))
{
}

engine::Status RecordSorter::add(const WaitingRecord& head, const std::byte* payload)
{
    m_records.push_back(m_pool.copy(head, payload));
    if (m_pool.allocated() + m_records.size() * sizeof(WaitingRecord*) > m_memoryBytes) {
        return spill();
    }
    return engine::Done {};
}

void RecordSorter::sort()
{
    if (!std::is_sorted(m_records.begin(), m_records.end(), m_less)) {
        std::sort(m_records.begin(), m_records.end(), m_less);
    }
}

engine::Status RecordSorter::spill()
{
    sort();
    std::size_t at = 0;
    auto done = m_runs.add([&] { return at < m_records.size() ? m_records[at++] : nullptr; });
    m_records.clear();
    m_pool.clear();
    return done;
}

void RecordSorter::finish()
{
    sort();
}

WaitingRecord* RecordSorter::least() const
{
    WaitingRecord* const stored = m_runs.least();
    if (m_next == m_records.size()) {
        return stored;
    }
    WaitingRecord* const held = m_records[m_next];
    return stored == nullptr || m_less(held, stored) ? held : stored;
}

engine::Status RecordSorter::pop()
{
    if (m_next < m_records.size() && least() == m_records[m_next]) {
        ++m_next;
        return engine::Done {};
    }
    return m_runs.pop();
}

} // namespace storage::logs
