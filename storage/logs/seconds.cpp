#include "storage/logs/seconds.h"

#include <algorithm>

namespace storage::logs {
namespace {

__extension__ using Wide = __int128;
__extension__ using WideCount = unsigned __int128;

bool isOlder(std::int64_t stampNs, std::int64_t newestNs, std::int64_t horizonNs)
{
    return static_cast<Wide>(stampNs) < static_cast<Wide>(newestNs) - horizonNs;
}

} // namespace

std::int64_t placeInSecond(std::uint64_t i, std::uint64_t n, std::int64_t resolutionNs)
{
    return static_cast<std::int64_t>(static_cast<WideCount>(i)
                                     * static_cast<WideCount>(resolutionNs) / n);
}

std::size_t Seconds::Hash::operator()(const Key& key) const
{
    std::uint64_t mixed = static_cast<std::uint64_t>(key.stampNs) * 0x9E3779B97F4A7C15ULL;
    mixed
        ^= (static_cast<std::uint64_t>(key.file) << 32 | key.originalFile) * 0xC2B2AE3D27D4EB4FULL;
    return static_cast<std::size_t>(mixed ^ mixed >> 29);
}

Seconds::Key Seconds::keyOf(const WaitingRecord& record)
{
    return {record.file, record.originalFile, record.stampNs, record.resolutionNs, record.neutral};
}

bool Seconds::see(const WaitingRecord& record, std::int64_t horizonNs)
{
    if (m_newest.size() <= record.file) {
        m_newest.resize(record.file + std::size_t {1});
    }
    auto& newest = m_newest[record.file];
    const bool late = newest && isOlder(record.stampNs, *newest, horizonNs);
    newest = std::max(newest.value_or(record.stampNs), record.stampNs);
    return late;
}

void Seconds::enter(WaitingRecord& record)
{
    const Key key = keyOf(record);
    if (m_last == nullptr || !(key == m_lastKey)) {
        m_last = &m_seconds[key];
        m_lastKey = key;
    }
    Second& second = *m_last;
    if (record.neutral) {
        const std::pair line {record.order, record.n};
        second.isSorted = second.isSorted && (second.lines.empty() || second.lines.back() < line);
        second.lines.push_back(line);
    } else {
        record.order = second.count;
    }
    ++second.count;
    ++second.left;
}

bool Seconds::isComplete(const WaitingRecord& record, std::int64_t horizonNs) const
{
    const auto& newest = m_newest[record.file];
    return newest && isOlder(record.stampNs, *newest, horizonNs);
}

std::int64_t Seconds::offsetOf(const WaitingRecord& record)
{
    const auto found = m_seconds.find(keyOf(record));
    Second& second = found->second;
    std::uint64_t place = record.order;
    if (record.neutral) {
        if (!second.isSorted) {
            std::sort(second.lines.begin(), second.lines.end());
            second.isSorted = true;
        }
        const auto line = std::lower_bound(second.lines.begin(), second.lines.end(),
                                           std::pair {record.order, record.n});
        place = static_cast<std::uint64_t>(line - second.lines.begin());
    }
    const std::int64_t offset = placeInSecond(place, second.count, record.resolutionNs);
    if (--second.left == 0) {
        m_last = m_last == &second ? nullptr : m_last;
        m_seconds.erase(found);
    }
    return offset;
}

} // namespace storage::logs
