#pragma once
#include "engine/plan.h"
#include "engine/verdict.h"
#include "storage/run_writer.h"
#include "storage/runs/blocks.h"

#include <optional>
#include <span>
#include <vector>

namespace storage::runs {

/// One block, encoded, on its way to its rows.
struct EncodedBlock {
    std::uint64_t block = 0;
    std::uint32_t requests = 0;
    std::string verdicts;
    NumberColumn::Encoded numbers;
    std::uint32_t rejections = 0;
    std::string rejectionColumns;
    bool hasRecorded = false;
    std::string marks;
    std::string recordedColumns;

    [[nodiscard]] std::size_t bytes() const
    {
        return verdicts.size() + numbers.bytes.size() + rejectionColumns.size() + marks.size()
            + recordedColumns.size();
    }
};

/// One block as it was collected.
struct RawBlock {
    std::uint64_t block = 0;
    std::vector<std::uint64_t> numbers; ///< n, by position
    std::vector<Special> specials;
    std::vector<RejectionRow> rows;
    RecordedMarks marks;
    std::vector<RejectionRow> recordedRows;

    /// Empty, with its memory kept.
    void clear();
};

/// Turns blocks into columns; any thread, one block at a time.
class BlockEncoder {
public:
    EncodedBlock encode(const RawBlock& raw);

private:
    NumberColumn m_numberColumn;
    Compressor m_compressor;
};

/// Collects settled requests into blocks. The hot path of the store: a request that is plainly
/// admitted costs one number and one mark.
class BlockBuilder {
public:
    explicit BlockBuilder(RunShape shape);

    /// At most room() of them.
    void add(std::span<const engine::Settled> group, std::span<const std::uint64_t> ordinals);

    /// How many requests the block still takes; 0: it is full.
    [[nodiscard]] std::size_t room() const { return kBlockRequests - m_raw.numbers.size(); }

    [[nodiscard]] bool isEmpty() const { return m_raw.numbers.empty(); }

    /// The block so far; the next one begins, in the memory of `spare`.
    RawBlock take(RawBlock spare);
    void clear();

    /// Path groups that a row names, by id.
    [[nodiscard]] const std::vector<bool>& usedPathGroups() const { return m_usedPathGroups; }

private:
    void addSpecial(const engine::Arrival& arrival, const engine::Verdict& verdict,
                    std::uint64_t ordinal);
    void addRecorded(const engine::Arrival& arrival, std::uint64_t ordinal);
    RejectionRow rowOf(const engine::Arrival& arrival, std::uint32_t rule, std::uint64_t ordinal);

    RunShape m_shape;
    RawBlock m_raw;
    std::vector<bool> m_usedPathGroups;
};

} // namespace storage::runs
