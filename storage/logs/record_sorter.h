#pragma once
#include "storage/logs/sorted_runs.h"

namespace storage::logs {

/// Sorts any number of records: in memory, and as runs on disk what does not fit.
class RecordSorter {
public:
    RecordSorter(SortedRuns::Less less, std::size_t memoryBytes, std::string folder);

    /// Copies head and payload. Errors: sort.disk.
    engine::Status add(const WaitingRecord& head, const std::byte* payload);
    /// No more comes: least() and pop() give the records in order.
    void finish();

    [[nodiscard]] WaitingRecord* least() const;
    engine::Status pop();

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_runs.writtenBytes(); }

private:
    void sort();
    engine::Status spill();

    SortedRuns::Less m_less;
    std::size_t m_memoryBytes;
    RecordPool m_pool;
    std::vector<WaitingRecord*> m_records;
    std::size_t m_next = 0; ///< of m_records, after finish()
    SortedRuns m_runs;
};

} // namespace storage::logs
