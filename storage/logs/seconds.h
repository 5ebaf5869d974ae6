#pragma once
#include "storage/logs/waiting_record.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace storage::logs {

/// Where the i-th of n stamps of one second belongs: floor(i * resolution / n).
inline std::int64_t placeInSecond(std::uint64_t i, std::uint64_t n, std::int64_t resolutionNs)
{
    __extension__ using WideCount = unsigned __int128;
    constexpr std::uint64_t kSmall = std::uint64_t {1} << 32;
    if (i < kSmall) { // the product stays below 2^63
        return static_cast<std::int64_t>(i * static_cast<std::uint64_t>(resolutionNs) / n);
    }
    return static_cast<std::int64_t>(static_cast<WideCount>(i)
                                     * static_cast<WideCount>(resolutionNs) / n);
}

/// The seconds that are being filled: how many stamps each has, by file.
class Seconds {
public:
    /// What a stamp is beside the newest one before it.
    enum class Age : std::uint8_t { Newest, Older, Late };

    /// Notes the record's stamp. Newest: above all others, or the first. Late: older than the
    /// newest before it by more than the horizon.
    Age see(const WaitingRecord& record, std::int64_t horizonNs)
    {
        if (m_newest.size() <= record.file) [[unlikely]] {
            m_newest.resize(record.file + std::size_t {1});
        }
        auto& newest = m_newest[record.file];
        if (!newest || record.stampNs > *newest) {
            newest = record.stampNs;
            return Age::Newest;
        }
        return isOlder(record.stampNs, *newest, horizonNs) ? Age::Late : Age::Older;
    }

    /// Counts a record, not late by stamp, in its second.
    void enter(const WaitingRecord& record)
    {
        if (record.neutral == 0 && m_entered != nullptr && m_entered->first == keyOf(record)) {
            ++m_entered->second.count; // of the same second as the one before it, as most are
        } else {
            enterOther(record);
        }
    }

    /// No further record can be counted in the second of this stamp.
    [[nodiscard]] bool isComplete(std::uint32_t file, std::int64_t stampNs,
                                  std::int64_t horizonNs) const
    {
        const auto& newest = m_newest[file];
        return newest && isOlder(stampNs, *newest, horizonNs);
    }

    /// The record's offset in its complete second. Once for each record, in the order in which they
    /// entered; then it is forgotten.
    std::int64_t offsetOf(const WaitingRecord& record)
    {
        if (record.neutral == 0 && m_placing != nullptr && m_placing->first == keyOf(record)
            && m_placing->second.placed + 1 < m_placing->second.count) {
            Second& second = m_placing->second;
            return placeInSecond(second.placed++, second.count, record.resolutionNs);
        }
        return offsetOfOther(record);
    }

private:
    struct Key {
        std::uint32_t file = 0;
        std::uint32_t originalFile = 0;
        std::int64_t stampNs = 0;
        std::int32_t resolutionNs = 0;
        bool neutral = false;
        friend bool operator==(const Key&, const Key&) = default;
    };

    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    struct Second {
        std::uint64_t count = 0;
        std::uint64_t placed = 0; ///< have been given their place
        std::vector<std::pair<std::uint64_t, std::uint64_t>> lines; ///< neutral: (original line, n)
        bool isSorted = true;
    };

    static Key keyOf(const WaitingRecord& record)
    {
        return {record.file, record.originalFile, record.stampNs, record.resolutionNs,
                record.neutral != 0};
    }

    void enterOther(const WaitingRecord& record);
    std::int64_t offsetOfOther(const WaitingRecord& record);

    static bool isOlder(std::int64_t stampNs, std::int64_t newestNs, std::int64_t horizonNs)
    {
        std::int64_t oldest = 0; // nothing is older than the first time there is
        return !__builtin_sub_overflow(newestNs, horizonNs, &oldest) && stampNs < oldest;
    }

    using Map = std::unordered_map<Key, Second, Hash>;

    Map m_seconds;
    std::vector<std::optional<std::int64_t>> m_newest; ///< greatest stamp, by file
    // Stamps of a log mostly repeat, as they come and as they are placed.
    Map::value_type* m_entered = nullptr;
    Map::value_type* m_placing = nullptr;
};

} // namespace storage::logs
