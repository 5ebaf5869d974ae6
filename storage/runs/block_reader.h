#pragma once
#include "storage/run_results.h"
#include "storage/runs/blocks.h"
#include "storage/runs/steps.h"

#include <string>
#include <vector>

namespace storage::runs {

/// Decodes stored blocks into plain arrays. Keeps its memory from block to block.
class BlockReader {
public:
    struct Stored {
        std::uint64_t block = 0;
        std::uint32_t requests = 0;
        std::string_view verdicts;
        std::uint32_t rejections = 0;
        std::string_view rejectionColumns;
        NumberDetail detail = NumberDetail::Exact;
        std::string_view numbers;
    };

    /// False for damaged bytes.
    bool read(const Stored& stored, bool withNumbers, VerdictBlock& block);
    bool readRecorded(std::uint64_t index, std::uint32_t requests, std::string_view marks,
                      std::string_view columns, RecordedBlock& block);

private:
    Decompressor m_decompressor;
    NumberColumn m_numberColumn;
    std::vector<Special> m_specials;
    RecordedMarks m_marks;
};

/// The columns of a verdict block with its rejections, in the order that storedFrom() reads.
inline constexpr const char* kVerdictBlocks
    = "SELECT v.block, v.requests, v.verdicts, v.number_detail, v.numbers, r.rejections, r.columns "
      "FROM verdict_blocks v LEFT JOIN rejection_blocks r ON r.run = v.run AND r.block = v.block "
      "WHERE v.run = ?1 ";

/// Views into the statement's row. False if its numbers cannot be.
bool storedFrom(const Statement& row, BlockReader::Stored& stored);

} // namespace storage::runs
