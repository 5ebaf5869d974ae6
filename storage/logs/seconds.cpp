#include "storage/logs/seconds.h"

#include <algorithm>

namespace storage::logs {

std::size_t Seconds::Hash::operator()(const Key& key) const
{
    std::uint64_t mixed = static_cast<std::uint64_t>(key.stampNs) * 0x9E3779B97F4A7C15ULL;
    mixed
        ^= (static_cast<std::uint64_t>(key.file) << 32 | key.originalFile) * 0xC2B2AE3D27D4EB4FULL;
    return static_cast<std::size_t>(mixed ^ mixed >> 29);
}

void Seconds::enterOther(const WaitingRecord& record)
{
    const Key key = keyOf(record);
    if (m_entered == nullptr || !(m_entered->first == key)) {
        m_entered = &*m_seconds.try_emplace(key).first;
    }
    Second& second = m_entered->second;
    if (record.neutral != 0) {
        const std::pair line {record.order, record.n};
        second.isSorted = second.isSorted && (second.lines.empty() || second.lines.back() < line);
        second.lines.push_back(line);
    }
    ++second.count;
}

std::int64_t Seconds::offsetOfOther(const WaitingRecord& record)
{
    const Key key = keyOf(record);
    if (m_placing == nullptr || !(m_placing->first == key)) {
        m_placing = &*m_seconds.find(key);
    }
    Second& second = m_placing->second;
    std::uint64_t place = second.placed++;
    if (record.neutral != 0) {
        if (!second.isSorted) {
            std::sort(second.lines.begin(), second.lines.end());
            second.isSorted = true;
        }
        const auto line = std::lower_bound(second.lines.begin(), second.lines.end(),
                                           std::pair {record.order, record.n});
        place = static_cast<std::uint64_t>(line - second.lines.begin());
    }
    const std::int64_t offset = placeInSecond(place, second.count, record.resolutionNs);
    if (second.placed == second.count) {
        m_entered = m_entered == m_placing ? nullptr : m_entered;
        m_placing = nullptr;
        m_seconds.erase(key);
    }
    return offset;
}

} // namespace storage::logs
