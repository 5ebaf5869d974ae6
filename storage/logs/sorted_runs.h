#pragma once
#include "engine/result.h"
#include "storage/logs/scratch_file.h"
#include "storage/logs/waiting_record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace storage::logs {

/// Runs of sorted records on disk, read back in one order. A run's file is gone when it is used up,
/// so that a stream of any length needs the disk of its window only.
class SortedRuns {
public:
    using Less = bool (*)(const WaitingRecord*, const WaitingRecord*);

    SortedRuns(Less less, std::string folder);
    ~SortedRuns();
    SortedRuns(const SortedRuns&) = delete;
    SortedRuns& operator=(const SortedRuns&) = delete;

    /// Writes one more run: calls `next` until it gives nullptr. Errors: sort.disk.
    engine::Status add(const std::function<WaitingRecord*()>& next);

    [[nodiscard]] bool isEmpty() const { return m_heap.empty(); }

    /// The least record of all runs, valid until pop(); nullptr if there is none.
    [[nodiscard]] WaitingRecord* least() const;
    /// Errors: sort.disk.
    engine::Status pop();

    [[nodiscard]] std::uint64_t writtenBytes() const { return m_writtenBytes; }

private:
    class Run;
    engine::Status mergeSmallest();
    engine::Result<std::unique_ptr<Run>>
    write(const std::function<engine::Result<WaitingRecord*>()>& next);
    [[nodiscard]] bool later(const Run* a, const Run* b) const;
    void push(std::unique_ptr<Run> run);
    std::unique_ptr<Run> takeTop();

    Less m_less;
    std::string m_folder;
    std::vector<std::unique_ptr<Run>> m_heap; ///< by least record
    std::uint64_t m_writtenBytes = 0;
};

} // namespace storage::logs
