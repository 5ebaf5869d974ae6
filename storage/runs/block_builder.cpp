#include "storage/runs/block_builder.h"

#include <algorithm>

namespace storage::runs {
namespace {

StoredOutcome outcomeOf(const engine::Verdict& verdict)
{
    const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
    if (verdict.warmup) {
        return isRejected ? StoredOutcome::WarmupRejected : StoredOutcome::WarmupAdmitted;
    }
    if (verdict.exemption != engine::kNoId) {
        return StoredOutcome::Exempt;
    }
    return isRejected ? StoredOutcome::Rejected : StoredOutcome::Admitted;
}

/// Bytes that arrival -> n may take beside the verdicts: together one bit a request; a block full
/// of rejections still gets a quarter of a bit.
std::size_t numberBudget(std::size_t requests, std::size_t verdictBytes)
{
    const std::size_t all = requests / 8;
    return std::max(all - std::min(all, verdictBytes), requests / 32);
}

} // namespace

BlockBuilder::BlockBuilder(RunShape shape)
    : m_shape(std::move(shape))
{
    m_numbers.reserve(kBlockRequests);
    m_marks.known.reserve(kBlockRequests);
}

RejectionRow BlockBuilder::rowOf(const engine::Arrival& arrival, std::uint32_t rule,
                                 std::uint64_t ordinal)
{
    RejectionRow row;
    row.position = static_cast<std::uint32_t>(m_numbers.size());
    row.rule = rule;
    if (rule != engine::kNoId) {
        row.key = arrival.ids()[m_shape.layout.tupleAt(m_shape.tupleOfRule[rule])];
    }
    row.who = arrival.ids()[engine::ArrivalLayout::kWho];
    row.pathGroup = arrival.ids()[m_shape.layout.pathGroupAt(m_shape.plan)];
    row.timeNs = arrival.timeNs;
    row.n = arrival.n;
    row.ordinal = ordinal;
    if (row.pathGroup != engine::kNoId) {
        if (row.pathGroup >= m_usedPathGroups.size()) {
            m_usedPathGroups.resize(row.pathGroup + std::size_t {1});
        }
        m_usedPathGroups[row.pathGroup] = true;
    }
    return row;
}

void BlockBuilder::addSpecial(const engine::Arrival& arrival, const engine::Verdict& verdict,
                              std::uint64_t ordinal)
{
    Special special;
    special.position = static_cast<std::uint32_t>(m_numbers.size());
    special.outcome = outcomeOf(verdict);
    special.rule = verdict.outcome == engine::Outcome::Rejected ? verdict.rule : engine::kNoId;
    special.shadowRule = verdict.shadowRule;
    m_specials.push_back(special);
    if (special.hasRow()) {
        const bool isRejected = special.outcome == StoredOutcome::Rejected;
        m_rows.push_back(rowOf(arrival, isRejected ? special.rule : special.shadowRule, ordinal));
    }
}

void BlockBuilder::addRecorded(const engine::Arrival& arrival, std::uint64_t ordinal)
{
    m_recordedRows.push_back(rowOf(arrival, engine::kNoId, ordinal));
    m_marks.rejected.push_back(m_recordedRows.back().position);
}

EncodedBlock BlockBuilder::take(Compressor& compressor)
{
    EncodedBlock encoded;
    encoded.block = m_block++;
    encoded.requests = static_cast<std::uint32_t>(m_numbers.size());
    encoded.verdicts = encodeVerdicts(m_specials, compressor);
    encoded.numbers = m_numberColumn.encode(
        m_numbers, m_rows, numberBudget(m_numbers.size(), encoded.verdicts.size()), compressor);
    encoded.rejections = static_cast<std::uint32_t>(m_rows.size());
    encoded.rejectionColumns = encodeRows(m_rows, true, compressor);
    encoded.hasRecorded = !m_recordedRows.empty()
        || std::find(m_marks.known.begin(), m_marks.known.end(), 1) != m_marks.known.end();
    if (encoded.hasRecorded) {
        encoded.marks = encodeMarks(m_marks, compressor);
        encoded.recordedColumns = encodeRows(m_recordedRows, false, compressor);
    }
    clearBlock();
    return encoded;
}

void BlockBuilder::clear()
{
    clearBlock();
    m_block = 0;
    m_usedPathGroups.clear();
}

void BlockBuilder::clearBlock()
{
    m_numbers.clear();
    m_specials.clear();
    m_rows.clear();
    m_marks.known.clear();
    m_marks.rejected.clear();
    m_recordedRows.clear();
}

} // namespace storage::runs
