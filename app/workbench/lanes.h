#pragma once
#include "engine/result.h"
#include "storage/record_merge.h"
#include "storage/sequencer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace app {

/// How late lines may come where nobody says otherwise.
inline constexpr std::int64_t kHorizonNs = 60'000'000'000;

/// Takes what Lanes put into order.
class LaneSink {
public:
    LaneSink() = default;
    LaneSink(const LaneSink&) = delete;
    LaneSink& operator=(const LaneSink&) = delete;
    virtual ~LaneSink() = default;

    /// The record has its place among those of its LOG; only its payload goes on from here, so
    /// write into it what of the record is still needed.
    virtual void placed(const storage::Sequenced& record) = 0;
    /// Payloads of all LOGs, in order. They start at a multiple of 8.
    virtual void deliver(std::span<std::byte> payload) = 0;

    /// placed() and deliver() for one after the other: the records of a LOG that is alone.
    virtual void deliverPlaced(std::span<const storage::Sequenced> records)
    {
        for (const storage::Sequenced& record : records) {
            placed(record);
            deliver(record.payload);
        }
    }
};

/// Puts the records of one or several LOGs into one order: of (arrival, LOG, line). Lateness and
/// spreading are judged within each LOG.
///
/// Each LOG has a sequencer of its own from its first record to its end, and a merge joins them;
/// one LOG goes straight to the sink. Example: host1.log and host2.log, both in order and of the
/// same hour, are delivered side by side, and nothing is late, whatever the size of the blocks in
/// which they are read.
///
/// What waits is held in 32 MB of memory for all LOGs together, and up to half a megabyte for each
/// LOG that is under way beyond some thirty; the rest is on disk. One thread; the sink must not
/// call back.
class Lanes {
public:
    using Answer = storage::Sequencer::Answer;

    /// `orders`: of each LOG, at least one, all with the same fullSort. Their memoryBytes do not
    /// count.
    Lanes(std::vector<storage::SequencerOptions> orders, LaneSink& sink);

    /// The greatest horizon of all LOGs.
    [[nodiscard]] std::int64_t horizonNs() const;

    /// The first lines of a LOG say when it begins: others need not wait for it until then.
    void begins(std::size_t log, std::int64_t firstNs);

    /// The next record of a LOG. NeedsFullSort: see Sequencer. Errors: sort.disk.
    engine::Result<Answer> push(std::size_t log, const storage::SequencerItem& item,
                                std::span<const std::byte> payload)
    {
        return push(log, {{&item, 1}, payload.data(), payload.size(), payload.size()});
    }

    /// The next records of a LOG; likewise.
    engine::Result<Answer> push(std::size_t log, const storage::SequencerBatch& batch)
    {
        std::optional<storage::Sequencer>& sequencer = m_sequencers[log];
        if (!sequencer) {
            open(log);
        }
        engine::Result<Answer> answer = sequencer->push(batch);
        return m_failure ? engine::fail(*m_failure) : answer;
    }

    /// After a block of a LOG: delivers what no LOG can precede any more. Errors: sort.disk.
    engine::Status settle(std::size_t log);

    /// The LOG gives nothing any more. Errors: sort.disk.
    engine::Result<Answer> end(std::size_t log);

    /// Ends all that have not ended, and delivers the rest. Errors: sort.disk.
    engine::Result<Answer> finish();

    /// Of the LOGs that have ended, and what the merge wrote.
    [[nodiscard]] storage::SequencerStatistics statistics() const;

private:
    void open(std::size_t log);
    void emit(std::size_t log, std::span<const storage::Sequenced> records);
    engine::Status settleMerge();

    std::vector<storage::SequencerOptions> m_orders;
    LaneSink& m_sink;
    std::deque<std::optional<storage::Sequencer>> m_sequencers; ///< by LOG
    std::optional<storage::RecordMerge> m_merge; ///< of several LOGs
    std::vector<std::size_t> m_shares; ///< of memory, of each sequencer that is under way
    std::size_t m_bytesLeft; ///< of memory for sequencers
    storage::SequencerStatistics m_ended;
    std::optional<engine::Diagnostic> m_failure; ///< of the merge, while a sequencer emits
};

} // namespace app
