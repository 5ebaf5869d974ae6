#include "storage/runs/block_builder.h"

#include <algorithm>
#include <utility>

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
    m_raw.numbers.reserve(kBlockRequests);
    m_raw.marks.known.reserve(kBlockRequests);
}

RejectionRow BlockBuilder::rowOf(const engine::Arrival& arrival, std::uint32_t rule,
                                 std::uint64_t ordinal)
{
    RejectionRow row;
    row.position = static_cast<std::uint32_t>(m_raw.numbers.size());
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
    special.position = static_cast<std::uint32_t>(m_raw.numbers.size());
    special.outcome = outcomeOf(verdict);
    special.rule = verdict.outcome == engine::Outcome::Rejected ? verdict.rule : engine::kNoId;
    special.shadowRule = verdict.shadowRule;
    m_raw.specials.push_back(special);
    if (special.hasRow()) {
        const bool isRejected = special.outcome == StoredOutcome::Rejected;
        m_raw.rows.push_back(
            rowOf(arrival, isRejected ? special.rule : special.shadowRule, ordinal));
    }
}

void BlockBuilder::add(std::span<const engine::Settled> group,
                       std::span<const std::uint64_t> ordinals)
{
    for (std::size_t i = 0; i < group.size(); ++i) {
        const engine::Arrival& arrival = *group[i].arrival;
        const engine::Verdict& verdict = group[i].verdicts[m_shape.plan];
        if (!verdict.isPlainAdmission()) {
            addSpecial(arrival, verdict, ordinals[i]);
        }
        if ((arrival.flags & engine::kArrivalRecordedRejected) != 0) {
            addRecorded(arrival, ordinals[i]);
        }
        m_raw.marks.known.push_back((arrival.flags & engine::kArrivalRecordedKnown) != 0 ? 1 : 0);
        m_raw.numbers.push_back(arrival.n);
    }
}

void BlockBuilder::addRecorded(const engine::Arrival& arrival, std::uint64_t ordinal)
{
    m_raw.recordedRows.push_back(rowOf(arrival, engine::kNoId, ordinal));
    m_raw.marks.rejected.push_back(m_raw.recordedRows.back().position);
}

EncodedBlock BlockEncoder::encode(const RawBlock& raw)
{
    EncodedBlock encoded;
    const std::size_t requests = raw.numbers.size();
    encoded.block = raw.block;
    encoded.requests = static_cast<std::uint32_t>(requests);
    encoded.verdicts = encodeVerdicts(raw.specials, m_compressor);
    encoded.numbers = m_numberColumn.encode(
        raw.numbers, raw.rows, numberBudget(requests, encoded.verdicts.size()), m_compressor);
    encoded.rejections = static_cast<std::uint32_t>(raw.rows.size());
    encoded.rejectionColumns = encodeRows(raw.rows, true, m_compressor);
    const std::vector<std::uint8_t>& known = raw.marks.known;
    encoded.hasRecorded
        = !raw.recordedRows.empty() || std::find(known.begin(), known.end(), 1) != known.end();
    if (encoded.hasRecorded) {
        encoded.marks = encodeMarks(raw.marks, m_compressor);
        encoded.recordedColumns = encodeRows(raw.recordedRows, false, m_compressor);
    }
    return encoded;
}

void RawBlock::clear()
{
    numbers.clear();
    specials.clear();
    rows.clear();
    marks.known.clear();
    marks.rejected.clear();
    recordedRows.clear();
}

RawBlock BlockBuilder::take(RawBlock spare)
{
    spare.clear();
    spare.block = m_raw.block + 1;
    return std::exchange(m_raw, std::move(spare));
}

void BlockBuilder::clear()
{
    m_raw.clear();
    m_raw.block = 0;
    m_usedPathGroups.clear();
}

} // namespace storage::runs
