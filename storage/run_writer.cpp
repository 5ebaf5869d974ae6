#include "storage/run_writer.h"

#include "storage/runs/block_builder.h"
#include "storage/runs/run_rows.h"
#include "storage/runs/series.h"
#include "storage/runs/timeline.h"

#include <algorithm>
#include <future>

namespace storage {
namespace {

using runs::Steps;
using runs::Transaction;

/// Blocks that wait for one transaction: half a million requests.
constexpr std::size_t kBatchBlocks = 8;
constexpr std::size_t kBatchBytes = 2 << 20;

struct TimelineBlock {
    TimelineLevel level = TimelineLevel::Second;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::size_t points = 0;
    std::string columns;
};

void insertBlocks(Steps& steps, RunId run, const std::vector<runs::EncodedBlock>& blocks)
{
    std::optional<runs::Statement> verdicts = steps.prepare(
        "INSERT INTO verdict_blocks(run, block, requests, verdicts, number_detail, numbers) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    std::optional<runs::Statement> rejections = steps.prepare(
        "INSERT INTO rejection_blocks(run, block, rejections, columns) VALUES(?1, ?2, ?3, ?4)");
    std::optional<runs::Statement> recorded
        = steps.prepare("INSERT INTO recorded_blocks(run, block, requests, marks, columns) "
                        "VALUES(?1, ?2, ?3, ?4, ?5)");
    for (const runs::EncodedBlock& block : blocks) {
        steps.again(verdicts, run, block.block, block.requests, runs::Blob {block.verdicts},
                    static_cast<std::int64_t>(block.numbers.detail),
                    runs::Blob {block.numbers.bytes});
        if (block.rejections > 0) {
            steps.again(rejections, run, block.block, block.rejections,
                        runs::Blob {block.rejectionColumns});
        }
        if (block.hasRecorded) {
            steps.again(recorded, run, block.block, block.requests, runs::Blob {block.marks},
                        runs::Blob {block.recordedColumns});
        }
    }
}

void insertTimeline(Steps& steps, RunId run, const std::vector<TimelineBlock>& blocks)
{
    std::optional<runs::Statement> insert = steps.prepare(
        "INSERT INTO timelines(run, level, first_second, last_second, points, columns) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    for (const TimelineBlock& block : blocks) {
        steps.again(insert, run, static_cast<std::int64_t>(block.level), block.first, block.last,
                    block.points, runs::Blob {block.columns});
    }
}

} // namespace

RunShape RunShape::of(const engine::Intake& intake, std::size_t plan)
{
    RunShape shape;
    shape.plan = plan;
    shape.layout = intake.layout();
    for (std::size_t rule = 0; rule < intake.plans()[plan]->rules.size(); ++rule) {
        shape.tupleOfRule.push_back(intake.tupleOf(plan, rule));
    }
    return shape;
}

class RunWriter::Parts {
public:
    Parts(RunStore& store, const engine::Plan& ofPlan, const RunShape& shape, RunLimits rowLimits,
          RunId id, unsigned jobs)
        : database(store.database())
        , plan(ofPlan)
        , planIndex(shape.plan)
        , limits(rowLimits)
        , run(id)
        , builder(shape)
        , encodesAside(jobs > 1)
    {
    }

    [[nodiscard]] bool takes(std::size_t ofPlan) const { return ofPlan == planIndex && !failure; }

    void endBlock()
    {
        takeEncoded();
        if (blocks.size() >= kBatchBlocks || waitingBytes >= kBatchBytes) {
            (void)writeWaiting();
        }
        if (!failure) {
            beginEncoding();
        }
    }

    /// The block that is full is encoded while the next one fills, by another thread where there
    /// may be one, else when it is asked for.
    void beginEncoding()
    {
        raw = builder.take(std::move(raw));
        const auto when
            = encodesAside ? std::launch::async | std::launch::deferred : std::launch::deferred;
        encoding = std::async(when, [this] { return encoder.encode(raw); });
    }

    /// Waits for the block that is being encoded, if there is one.
    void takeEncoded()
    {
        if (encoding.valid()) {
            blocks.push_back(encoding.get());
            waitingBytes += blocks.back().bytes();
        }
    }

    void addSecond(const engine::SecondTally& tally)
    {
        timeline.add(
            tally, [this](TimelineLevel level, const auto& points) { takePoints(level, points); });
    }

    void endTimeline()
    {
        timeline.flush(
            [this](TimelineLevel level, const auto& points) { takePoints(level, points); });
    }

    void takePoints(TimelineLevel level, const std::vector<engine::SecondTally>& points)
    {
        seconds.push_back({level, points.front().second, points.back().second, points.size(),
                           runs::encodeTimeline(points, compressor)});
    }

    /// What waits, and whatever `more` adds, in one transaction.
    template <class More> engine::Status write(const More& more)
    {
        engine::Result<Transaction> transaction = Transaction::begin(database);
        if (!transaction) {
            return breakOff(transaction.error());
        }
        Steps steps(database);
        insertBlocks(steps, run, blocks);
        insertTimeline(steps, run, seconds);
        series.insertBlocks(steps, run);
        more(steps);
        if (steps.isFine()) {
            steps.take(transaction->commit());
        }
        if (!steps.isFine()) {
            { // The transaction must be gone before the run can be marked.
                const Transaction rolledBack = std::move(*transaction);
            }
            return breakOff(steps.error());
        }
        forgetWaiting();
        return engine::Done {};
    }

    engine::Status writeWaiting()
    {
        return write([](Steps&) {});
    }

    engine::Status end(RunState state, const RunFigures& figures, const RunClosing& closing)
    {
        if (failure) {
            return endBroken();
        }
        endLastBlock();
        const runs::RunEnd rows {plan,   figures,     closing, builder.usedPathGroups(),
                                 limits, encodesAside};
        // The mark must not be there before everything else is on the disk.
        (void)database.execute("PRAGMA synchronous = FULL");
        engine::Status written
            = write([&](Steps& steps) { runs::insertEnd(steps, run, state, rows); });
        (void)database.execute("PRAGMA synchronous = NORMAL");
        hasEnded = hasEnded || written.has_value();
        return written;
    }

    /// The first failure ends the run: nothing more is taken, and the run is marked if that still
    /// works.
    engine::Failure breakOff(const engine::Diagnostic& diagnostic)
    {
        failure = diagnostic;
        forgetAll();
        (void)mark(RunState::Failed, diagnostic, std::nullopt);
        return engine::fail(diagnostic);
    }

    /// The mark may have failed with all the rest; by now the store may be free again.
    engine::Failure endBroken()
    {
        if (!hasEnded) {
            (void)mark(RunState::Failed, *failure, std::nullopt);
        }
        return engine::fail(*failure);
    }

    void endLastBlock()
    {
        takeEncoded();
        if (!builder.isEmpty()) {
            beginEncoding();
            takeEncoded();
        }
        endTimeline();
        series.flush();
    }

    engine::Status mark(RunState state, const engine::Diagnostic& reason,
                        std::optional<std::int64_t> endedNs)
    {
        Steps steps(database);
        steps.run("UPDATE runs SET state = ?2, failure_code = ?3, failure = ?4, ended_ns = ?5 "
                  "WHERE id = ?1",
                  run, nameOf(state), reason.code, reason.message, endedNs);
        hasEnded = steps.isFine();
        return steps.status();
    }

    void forgetWaiting()
    {
        encoding = {};
        blocks.clear();
        seconds.clear();
        series.forgetBlocks();
        waitingBytes = 0;
    }

    /// What waits, and what is not a block yet.
    void forgetAll()
    {
        forgetWaiting();
        builder.clear();
        timeline.clear();
        series.clear();
    }

    runs::Database& database;
    const engine::Plan& plan;
    std::size_t planIndex;
    RunLimits limits;
    RunId run;
    runs::BlockBuilder builder;
    runs::TimelineBuilder timeline;
    runs::SeriesBuilder series;
    runs::Compressor compressor; ///< of the timeline
    std::vector<runs::EncodedBlock> blocks;
    std::vector<TimelineBlock> seconds;
    std::size_t waitingBytes = 0;
    std::optional<engine::Diagnostic> failure;
    bool hasEnded = false;

private:
    const bool encodesAside;
    runs::RawBlock raw; ///< that is being encoded
    runs::BlockEncoder encoder;
    std::future<runs::EncodedBlock> encoding; ///< ends before what it uses
};

engine::Result<std::unique_ptr<RunWriter>>
RunWriter::begin(RunStore& store, const RunHeader& header, const engine::Plan& plan, RunShape shape,
                 RunLimits limits, unsigned jobs)
{
    engine::Result<Transaction> transaction = Transaction::begin(store.database());
    if (!transaction) {
        return engine::fail(transaction.error());
    }
    Steps steps(store.database());
    const RunId run = runs::insertRun(steps, header, plan);
    if (steps.isFine()) {
        steps.take(transaction->commit());
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return std::unique_ptr<RunWriter>(
        new RunWriter(std::make_unique<Parts>(store, plan, shape, limits, run, jobs)));
}

RunWriter::RunWriter(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

RunWriter::~RunWriter()
{
    if (m_parts->hasEnded) {
        return;
    }
    if (m_parts->failure) {
        (void)m_parts->endBroken();
        return;
    }
    m_parts->endLastBlock();
    if (m_parts->writeWaiting()) {
        (void)m_parts->mark(RunState::Interrupted, {}, std::nullopt);
    }
}

RunId RunWriter::id() const
{
    return m_parts->run;
}

const std::optional<engine::Diagnostic>& RunWriter::failure() const
{
    return m_parts->failure;
}

void RunWriter::settle(std::span<const engine::Settled> group,
                       std::span<const std::uint64_t> ordinals)
{
    while (!group.empty() && !m_parts->failure) {
        const std::size_t count = std::min(group.size(), m_parts->builder.room());
        m_parts->builder.add(group.first(count), ordinals.first(count));
        if (m_parts->builder.room() == 0) {
            m_parts->endBlock();
        }
        group = group.subspan(count);
        ordinals = ordinals.subspan(count);
    }
}

void RunWriter::second(std::size_t plan, const engine::SecondTally& tally)
{
    if (m_parts->takes(plan)) {
        m_parts->addSecond(tally);
    }
}

void RunWriter::limits(std::size_t plan, const engine::LimitSecond& second)
{
    if (m_parts->takes(plan)) {
        m_parts->series.add(second);
    }
}

void RunWriter::attempts(std::size_t plan, const engine::AttemptSecond& second)
{
    if (m_parts->takes(plan)) {
        m_parts->series.add(second);
    }
}

engine::Status RunWriter::restart()
{
    if (m_parts->failure) {
        return engine::fail(*m_parts->failure);
    }
    m_parts->forgetAll();
    return m_parts->write([run = m_parts->run](Steps& steps) {
        for (const char* const sql :
             {"DELETE FROM verdict_blocks WHERE run = ?1",
              "DELETE FROM rejection_blocks WHERE run = ?1",
              "DELETE FROM recorded_blocks WHERE run = ?1", "DELETE FROM timelines WHERE run = ?1",
              "DELETE FROM series WHERE run = ?1"}) {
            steps.run(sql, run);
        }
    });
}

engine::Status RunWriter::finish(const RunFigures& figures, const RunClosing& closing)
{
    return m_parts->end(RunState::Complete, figures, closing);
}

engine::Status RunWriter::interrupt(const RunFigures& figures, const RunClosing& closing)
{
    return m_parts->end(RunState::Interrupted, figures, closing);
}

engine::Status RunWriter::fail(const engine::Diagnostic& reason, std::int64_t endedNs)
{
    if (m_parts->hasEnded) {
        return engine::Done {}; // complete and durable, whatever befell another run of the pass
    }
    if (m_parts->failure) {
        return m_parts->endBroken();
    }
    m_parts->endLastBlock();
    engine::Status written = m_parts->writeWaiting();
    return written ? m_parts->mark(RunState::Failed, reason, endedNs) : written;
}

} // namespace storage
