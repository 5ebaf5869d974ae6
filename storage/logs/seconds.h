#pragma once
#include "storage/logs/waiting_record.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace storage::logs {

/// Where the i-th of n stamps of one second belongs: floor(i * resolution / n).
std::int64_t placeInSecond(std::uint64_t i, std::uint64_t n, std::int64_t resolutionNs);

/// The seconds that are being filled: how many stamps each has, by file.
class Seconds {
public:
    /// Notes the record's stamp; true if it is older than the newest before it by more than the
    /// horizon.
    bool see(const WaitingRecord& record, std::int64_t horizonNs);
    /// Counts a record, not late by stamp, in its second.
    void enter(WaitingRecord& record);
    /// No further record can be counted in this one's second.
    [[nodiscard]] bool isComplete(const WaitingRecord& record, std::int64_t horizonNs) const;
    /// The record's offset in its complete second. Once for each record; then it is forgotten.
    std::int64_t offsetOf(const WaitingRecord& record);

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
        std::uint64_t left = 0; ///< not given their place yet
        std::vector<std::pair<std::uint64_t, std::uint64_t>> lines; ///< neutral: (original line, n)
        bool isSorted = true;
    };

    static Key keyOf(const WaitingRecord& record);

    std::unordered_map<Key, Second, Hash> m_seconds;
    std::vector<std::optional<std::int64_t>> m_newest; ///< greatest stamp, by file
    Key m_lastKey;
    Second* m_last = nullptr; ///< stamps of a log mostly repeat
};

} // namespace storage::logs
