#include "storage/runs/block_reader.h"

namespace storage::runs {

bool storedFrom(const Statement& row, BlockReader::Stored& stored)
{
    const std::int64_t requests = row.integer(1);
    const std::int64_t rejections = row.integer(5);
    const std::int64_t detail = row.integer(3);
    if (row.integer(0) < 0 || requests < 0 || requests > kBlockRequests || rejections < 0
        || rejections > requests || detail < 0
        || detail > static_cast<std::int64_t>(NumberDetail::Rows)) {
        return false;
    }
    stored.block = row.count(0);
    stored.requests = static_cast<std::uint32_t>(requests);
    stored.verdicts = row.bytes(2);
    stored.detail = static_cast<NumberDetail>(detail);
    stored.numbers = row.bytes(4);
    stored.rejections = static_cast<std::uint32_t>(rejections);
    stored.rejectionColumns = row.bytes(6);
    return true;
}

bool BlockReader::read(const Stored& stored, bool withNumbers, VerdictBlock& block)
{
    if (!decodeVerdicts(stored.verdicts, stored.requests, m_decompressor, m_specials)) {
        return false;
    }
    block.first = stored.block * kBlockRequests;
    block.outcomes.assign(stored.requests, StoredOutcome::Admitted);
    block.rules.assign(stored.requests, engine::kNoId);
    block.shadowRules.assign(stored.requests, engine::kNoId);
    block.numbers.clear();
    block.rows.clear();
    for (const Special& special : m_specials) {
        block.outcomes[special.position] = special.outcome;
        block.rules[special.position] = special.rule;
        block.shadowRules[special.position] = special.shadowRule;
        if (special.hasRow()) {
            RejectionRow row;
            row.position = special.position;
            row.rule
                = special.outcome == StoredOutcome::Rejected ? special.rule : special.shadowRule;
            block.rows.push_back(row);
        }
    }
    if (block.rows.size() != stored.rejections
        || !decodeRows(stored.rejectionColumns, true, m_decompressor, block.rows)) {
        return false;
    }
    return !withNumbers
        || m_numberColumn.decode(stored.detail, stored.numbers, stored.requests, block.rows,
                                 m_decompressor, block.numbers);
}

bool BlockReader::readRecorded(std::uint64_t index, std::uint32_t requests, std::string_view marks,
                               std::string_view columns, RecordedBlock& block)
{
    if (requests > kBlockRequests || !decodeMarks(marks, requests, m_decompressor, m_marks)) {
        return false;
    }
    block.first = index * kBlockRequests;
    block.known = m_marks.known;
    block.rejected.assign(requests, 0);
    block.rows.clear();
    for (const std::uint32_t position : m_marks.rejected) {
        block.rejected[position] = 1;
        block.rows.emplace_back().position = position;
    }
    return decodeRows(columns, false, m_decompressor, block.rows);
}

} // namespace storage::runs
