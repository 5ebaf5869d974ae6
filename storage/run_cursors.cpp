#include "storage/run_reader.h"
#include "storage/runs/block_reader.h"
#include "storage/runs/schema.h"

namespace storage {
namespace {

using runs::Statement;
using runs::Steps;

engine::Failure damagedBlock(const runs::Database& database, std::uint64_t block)
{
    engine::Failure failure = engine::fail(
        "store.damaged", "`" + database.path() + "` is damaged",
        "copy the file, then try `sqlite3 FILE .recover`, or start a new store with --db FILE");
    failure.diagnostic.reason = "block " + std::to_string(block) + " of a run cannot be decoded";
    failure.diagnostic.place.file = database.path();
    return failure;
}

/// Blocks must follow each other: one that is gone would shift all that comes behind it.
constexpr const char* kRecordedBlocks
    = "SELECT v.block, v.requests, b.marks, b.columns FROM verdict_blocks v "
      "LEFT JOIN recorded_blocks b ON b.run = v.run AND b.block = v.block WHERE v.run = ?1 ORDER "
      "BY v.block";

} // namespace

class VerdictCursor::Parts {
public:
    runs::Database& database;
    Statement rows;
    bool withNumbers = false;
    std::uint64_t next = 0;
    runs::BlockReader reader {};
};

VerdictCursor::VerdictCursor(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

VerdictCursor::~VerdictCursor() = default;
VerdictCursor::VerdictCursor(VerdictCursor&&) noexcept = default;
VerdictCursor& VerdictCursor::operator=(VerdictCursor&&) noexcept = default;

engine::Result<bool> VerdictCursor::next(VerdictBlock& block)
{
    engine::Result<bool> row = m_parts->rows.step();
    if (!row || !*row) {
        return row;
    }
    runs::BlockReader::Stored stored;
    if (!runs::storedFrom(m_parts->rows, stored) || stored.block != m_parts->next++
        || !m_parts->reader.read(stored, m_parts->withNumbers, block)) {
        return damagedBlock(m_parts->database, stored.block);
    }
    return true;
}

class RecordedCursor::Parts {
public:
    runs::Database& database;
    Statement rows;
    std::uint64_t next = 0;
    runs::BlockReader reader {};
};

RecordedCursor::RecordedCursor(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

RecordedCursor::~RecordedCursor() = default;
RecordedCursor::RecordedCursor(RecordedCursor&&) noexcept = default;
RecordedCursor& RecordedCursor::operator=(RecordedCursor&&) noexcept = default;

engine::Result<bool> RecordedCursor::next(RecordedBlock& block)
{
    Statement& rows = m_parts->rows;
    engine::Result<bool> row = rows.step();
    if (!row || !*row) {
        return row;
    }
    const std::uint64_t index = rows.count(0);
    const std::int64_t requests = rows.integer(1);
    bool isSound = index == m_parts->next++ && requests >= 0 && requests <= runs::kBlockRequests;
    if (isSound && rows.isNull(2)) { // the log says nothing of these requests
        block = {};
        block.first = index * runs::kBlockRequests;
        block.known.assign(static_cast<std::size_t>(requests), 0);
        block.rejected.assign(static_cast<std::size_t>(requests), 0);
        return true;
    }
    isSound = isSound
        && m_parts->reader.readRecorded(index, static_cast<std::uint32_t>(requests), rows.bytes(2),
                                        rows.bytes(3), block);
    return isSound ? engine::Result<bool>(true)
                   : engine::Result<bool>(damagedBlock(m_parts->database, index));
}

engine::Result<VerdictCursor> RunReader::verdicts(RunId run, bool withNumbers) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    engine::Result<Statement> rows
        = m_store.database().prepare(std::string(runs::kVerdictBlocks) + "ORDER BY v.block");
    if (!rows) {
        return engine::fail(rows.error());
    }
    rows->bind(run);
    auto parts = std::unique_ptr<VerdictCursor::Parts>(
        new VerdictCursor::Parts {m_store.database(), std::move(*rows), withNumbers});
    return VerdictCursor(std::move(parts));
}

engine::Result<RecordedCursor> RunReader::recorded(RunId run) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    engine::Result<Statement> rows = m_store.database().prepare(kRecordedBlocks);
    if (!rows) {
        return engine::fail(rows.error());
    }
    rows->bind(run);
    auto parts = std::unique_ptr<RecordedCursor::Parts>(
        new RecordedCursor::Parts {m_store.database(), std::move(*rows)});
    return RecordedCursor(std::move(parts));
}

engine::Result<std::optional<VerdictBlock>> RunReader::blockAt(RunId run,
                                                               std::uint64_t position) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    std::optional<Statement> row
        = steps.prepare(std::string(runs::kVerdictBlocks) + "AND v.block = ?2");
    if (row) {
        row->bind(run, position / runs::kBlockRequests);
    }
    if (!steps.next(row)) {
        return steps.isFine() ? engine::Result<std::optional<VerdictBlock>>(std::nullopt)
                              : engine::fail(steps.error());
    }
    VerdictBlock block;
    runs::BlockReader::Stored stored;
    if (!runs::storedFrom(*row, stored) || !runs::BlockReader().read(stored, true, block)) {
        return damagedBlock(m_store.database(), stored.block);
    }
    if (position - block.first >= block.outcomes.size()) {
        return std::optional<VerdictBlock>();
    }
    return std::optional(std::move(block));
}

} // namespace storage
