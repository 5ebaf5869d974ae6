#include "app/workbench/lanes.h"

#include "storage/time_math.h"

#include <algorithm>

namespace app {
namespace {

constexpr std::size_t kOrderBytes = std::size_t {32} << 20; ///< what waits for its order, in memory
constexpr std::size_t kLeastOrderBytes = std::size_t {128} << 10; ///< of one LOG among many
constexpr std::size_t kSharing = 8; ///< a LOG that begins gets this part of what is left

} // namespace

Lanes::Lanes(std::vector<storage::SequencerOptions> orders, LaneSink& sink)
    : m_orders(std::move(orders))
    , m_sink(sink)
    , m_sequencers(m_orders.size())
    , m_shares(m_orders.size())
    , m_bytesLeft(kOrderBytes)
{
    if (m_orders.size() > 1) {
        m_bytesLeft = kOrderBytes / 2;
        m_merge.emplace(storage::RecordMerge::Options {m_orders.size(), kOrderBytes / 2, {}},
                        [this](std::span<std::byte> payload) { m_sink.deliver(payload); });
    }
}

std::int64_t Lanes::horizonNs() const
{
    std::int64_t horizonNs = 0;
    for (const storage::SequencerOptions& order : m_orders) {
        horizonNs = std::max(horizonNs, order.horizonNs);
    }
    return horizonNs;
}

void Lanes::begins(std::size_t log, std::int64_t firstNs)
{
    if (m_merge && !m_orders[log].fullSort) {
        m_merge->raiseFloor(log, storage::cappedDifference(firstNs, m_orders[log].horizonNs));
    }
}

void Lanes::open(std::size_t log)
{
    storage::SequencerOptions& order = m_orders[log];
    const std::size_t share = m_bytesLeft / std::min(m_orders.size(), kSharing);
    m_bytesLeft -= share;
    m_shares[log] = share;
    order.memoryBytes = std::max(share, kLeastOrderBytes);
    m_sequencers[log].emplace(
        order, [this, log](std::span<const storage::Sequenced> records) { emit(log, records); });
}

void Lanes::emit(std::size_t log, std::span<const storage::Sequenced> records)
{
    if (!m_merge) {
        m_sink.deliverPlaced(records);
        return;
    }
    for (const storage::Sequenced& record : records) {
        m_sink.placed(record);
        if (engine::Status pushed = m_merge->push(log, record.timeNs, record.payload);
            !pushed && !m_failure) {
            m_failure = pushed.error();
        }
    }
}

engine::Status Lanes::settle(std::size_t log)
{
    if (!m_merge || m_orders[log].fullSort) {
        return engine::Done {};
    }
    if (m_sequencers[log]) {
        m_merge->raiseFloor(log, m_sequencers[log]->floorNs());
    }
    return settleMerge();
}

engine::Status Lanes::settleMerge()
{
    return m_failure ? engine::Status(engine::fail(*m_failure)) : m_merge->settle();
}

engine::Result<Lanes::Answer> Lanes::end(std::size_t log)
{
    engine::Result<Answer> answer = Answer::Taken;
    if (std::optional<storage::Sequencer>& sequencer = m_sequencers[log]) {
        answer = sequencer->finish();
        const storage::SequencerStatistics& of = sequencer->statistics();
        m_ended.records += of.records;
        m_ended.late += of.late;
        m_ended.lateLong += of.lateLong;
        m_ended.servingHorizonNs = std::max(m_ended.servingHorizonNs, of.servingHorizonNs);
        m_ended.spread += of.spread;
        m_ended.spilledBytes += of.spilledBytes;
        sequencer.reset();
        m_bytesLeft += m_shares[log];
    }
    if (m_merge) {
        m_merge->finish(log);
    }
    return m_failure ? engine::fail(*m_failure) : answer;
}

engine::Result<Lanes::Answer> Lanes::finish()
{
    for (std::size_t log = 0; log < m_orders.size(); ++log) {
        engine::Result<Answer> ended = end(log);
        if (!ended || *ended == Answer::NeedsFullSort) {
            return ended;
        }
    }
    if (m_merge) {
        if (engine::Status settled = settleMerge(); !settled) {
            return engine::fail(settled.error());
        }
    }
    return Answer::Taken;
}

storage::SequencerStatistics Lanes::statistics() const
{
    storage::SequencerStatistics all = m_ended;
    all.spilledBytes += m_merge ? m_merge->writtenBytes() : 0;
    return all;
}

} // namespace app
