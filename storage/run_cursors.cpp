#include "storage/request_numbers.h"
#include "storage/run_reader.h"
#include "storage/runs/block_reader.h"
#include "storage/runs/schema.h"
#include "storage/runs/summary.h"
#include "storage/runs/text.h"

#include <fmt/format.h>

namespace storage {
namespace {

using runs::Statement;
using runs::Steps;

engine::Failure damagedBlock(const runs::Database& database, std::uint64_t block)
{
    return runs::damaged(database.path(),
                         "block " + std::to_string(block) + " of a run cannot be decoded");
}

/// Blocks must follow each other: one that is gone would shift all that comes behind it.
constexpr const char* kRecordedBlocks
    = "SELECT v.block, v.requests, b.marks, b.columns FROM verdict_blocks v "
      "LEFT JOIN recorded_blocks b ON b.run = v.run AND b.block = v.block WHERE v.run = ?1 ORDER "
      "BY v.block";

/// What the run's recording says of its requests' numbers; without one, places are numbers.
engine::Result<RequestNumbers> numbersOf(runs::Database& database, RunId run)
{
    Steps steps(database);
    std::optional<Statement> row
        = runs::ofRun(steps,
                      "SELECT c.reading FROM runs r JOIN recordings c ON c.id = r.recording "
                      "WHERE r.id = ?1",
                      run);
    RequestNumbers numbers;
    if (steps.next(row)) {
        const engine::Result<std::vector<Option>> reading
            = runs::optionsFromJson(database, row->bytes(0));
        if (!reading) {
            return engine::fail(reading.error());
        }
        for (const Option& option : *reading) {
            if (option.name == RequestNumbers::kOption) {
                engine::Result<RequestNumbers> stored = RequestNumbers::fromText(option.value);
                if (!stored) {
                    return stored;
                }
                numbers = std::move(*stored);
            }
        }
    }
    return steps.isFine() ? engine::Result<RequestNumbers>(numbers) : engine::fail(steps.error());
}

void resolve(const RequestNumbers& numbers, std::vector<RejectionRow>& rows)
{
    if (!numbers.areNumbers()) {
        for (RejectionRow& row : rows) {
            row.n = numbers.numberOf(row.n);
        }
    }
}

void resolve(const RequestNumbers& numbers, VerdictBlock& block)
{
    resolve(numbers, block.rows);
    if (!numbers.areNumbers()) {
        for (std::uint64_t& number : block.numbers) {
            number = numbers.numberOf(number);
        }
    }
}

} // namespace

class VerdictCursor::Parts {
public:
    runs::Database& database;
    Statement rows;
    bool withNumbers = false;
    RequestNumbers numbers;
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
    resolve(m_parts->numbers, block);
    return true;
}

class RecordedCursor::Parts {
public:
    runs::Database& database;
    Statement rows;
    RequestNumbers numbers;
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
    resolve(m_parts->numbers, block.rows);
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
        = m_store.database().prepare(fmt::format("{}ORDER BY v.block", runs::kVerdictBlocks));
    if (!rows) {
        return engine::fail(rows.error());
    }
    rows->bind(run);
    engine::Result<RequestNumbers> numbers = numbersOf(m_store.database(), run);
    if (!numbers) {
        return engine::fail(numbers.error());
    }
    auto parts = std::unique_ptr<VerdictCursor::Parts>(new VerdictCursor::Parts {
        m_store.database(), std::move(*rows), withNumbers, std::move(*numbers)});
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
    engine::Result<RequestNumbers> numbers = numbersOf(m_store.database(), run);
    if (!numbers) {
        return engine::fail(numbers.error());
    }
    auto parts = std::unique_ptr<RecordedCursor::Parts>(
        new RecordedCursor::Parts {m_store.database(), std::move(*rows), std::move(*numbers)});
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
        = steps.prepare(fmt::format("{}AND v.block = ?2", runs::kVerdictBlocks));
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
    const engine::Result<RequestNumbers> numbers = numbersOf(m_store.database(), run);
    if (!numbers) {
        return engine::fail(numbers.error());
    }
    resolve(*numbers, block);
    if (position - block.first >= block.outcomes.size()) {
        return std::optional<VerdictBlock>();
    }
    return std::optional(std::move(block));
}

} // namespace storage
