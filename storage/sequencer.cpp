#include "storage/sequencer.h"

#include "storage/logs/record_queue.h"
#include "storage/logs/record_sorter.h"
#include "storage/logs/seconds.h"
#include "storage/logs/time_slots.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace storage {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

std::int64_t minus(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? (b > 0 ? kFirst : kLast) : difference;
}

std::int64_t plus(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? kLast : kFirst) : sum;
}

bool timeLess(const logs::WaitingRecord* a, const logs::WaitingRecord* b)
{
    return logs::TimeOrder {}(a, b);
}

bool groupLess(const logs::WaitingRecord* a, const logs::WaitingRecord* b)
{
    return logs::GroupOrder {}(a, b);
}

logs::WaitingRecord recordOf(const SequencerItem& item, std::size_t payloadBytes, Spread spread)
{
    logs::WaitingRecord record;
    record.timeNs = item.timeNs;
    record.n = item.n;
    record.stampNs = item.stampNs;
    record.durationNs = item.durationNs;
    record.neutral = item.originalLine > 0;
    record.order = record.neutral ? item.originalLine : item.n;
    record.file = item.file;
    record.originalFile = record.neutral ? item.originalFile : 0;
    record.size = static_cast<std::uint32_t>(payloadBytes);
    if (spread == Spread::None || item.resolutionNs <= 0) {
        return record;
    }
    const std::int64_t part
        = (item.stampNs % item.resolutionNs + item.resolutionNs) % item.resolutionNs;
    // A stamp with a part below its resolution was never cut to it, unless it is a neutral one that
    // was given its place before.
    if (part == 0 || record.neutral) {
        record.resolutionNs = item.resolutionNs;
        record.stampNs = minus(item.stampNs, part);
        record.timeNs = minus(item.timeNs, part);
    }
    return record;
}

} // namespace

class Sequencer::Parts {
public:
    Parts(SequencerOptions given, Emit sink)
        : options(std::move(given))
        , emit(std::move(sink))
    {
        options.horizonNs = std::max<std::int64_t>(options.horizonNs, 0);
        const bool spreads = options.spread == Spread::Even;
        const std::size_t share = spreads ? options.memoryBytes / 2 : options.memoryBytes;
        if (options.fullSort) {
            byTime.emplace(timeLess, share, options.temporaryFolder);
            if (spreads) {
                bySecond.emplace(groupLess, options.memoryBytes / 4, options.temporaryFolder);
            }
        } else {
            slots.emplace(options.horizonNs, share, options.temporaryFolder);
        }
        if (spreads) {
            queue.emplace(options.fullSort ? options.memoryBytes / 4 : share,
                          options.temporaryFolder);
        }
    }

    engine::Status take(logs::WaitingRecord& record, const std::byte* payload);
    engine::Status takeForFullSort(logs::WaitingRecord& record, const std::byte* payload);
    engine::Status settleQueue(bool ended);
    engine::Status decide(logs::WaitingRecord& record, const std::byte* payload);
    engine::Status finishFullSort();
    engine::Status spreadSorted();
    engine::Status placeSecond(std::uint64_t count);
    void out(logs::WaitingRecord& record, std::byte* payload);
    void countSpilled();

    SequencerOptions options;
    Emit emit;
    SequencerStatistics statistics;
    bool needsFullSort = false;
    std::optional<std::int64_t> newestNs; ///< greatest time among the records that were decided
    logs::Seconds seconds;
    std::optional<logs::RecordQueue>
        queue; ///< records whose second may still grow, and those behind them
    std::optional<logs::TimeSlots> slots;
    std::optional<logs::RecordSorter> bySecond;
    std::optional<logs::RecordSorter> byTime;
};

void Sequencer::Parts::out(logs::WaitingRecord& record, std::byte* payload)
{
    emit({record.timeNs,
          record.late ? record.arrivedNs : record.timeNs,
          record.n,
          record.late,
          {payload, record.size}});
}

engine::Status Sequencer::Parts::take(logs::WaitingRecord& record, const std::byte* payload)
{
    if (options.fullSort) {
        return takeForFullSort(record, payload);
    }
    if (!queue) {
        return decide(record, payload);
    }
    const bool lateByStamp = seconds.see(record, options.horizonNs);
    if (lateByStamp && record.resolutionNs > 0) {
        record.resolutionNs = 0; // its second was given away: it stays at its start
        needsFullSort = needsFullSort || options.autoReorder;
    }
    if (record.resolutionNs > 0) {
        seconds.enter(record);
    } else if (queue->isEmpty()) {
        return decide(record, payload);
    }
    if (auto done = queue->push(record, payload); !done) {
        return done;
    }
    return settleQueue(false);
}

/// Decides records in input order, as far as their seconds are complete.
engine::Status Sequencer::Parts::settleQueue(bool ended)
{
    while (!queue->isEmpty()) {
        auto front = queue->front();
        if (!front) {
            return engine::fail(front.error());
        }
        logs::WaitingRecord& record = **front;
        if (record.resolutionNs > 0) {
            if (!ended && !seconds.isComplete(record, options.horizonNs)) {
                return engine::Done {};
            }
            record.timeNs = plus(record.timeNs, seconds.offsetOf(record));
            record.byLine = record.neutral;
            ++statistics.spread;
        }
        if (auto done = decide(record, record.payload()); !done) {
            return done;
        }
        queue->pop();
    }
    return engine::Done {};
}

engine::Status Sequencer::Parts::decide(logs::WaitingRecord& record, const std::byte* payload)
{
    const auto forward = [this](logs::WaitingRecord& due) { out(due, due.payload()); };
    if (newestNs) {
        const std::int64_t oldest = minus(*newestNs, options.horizonNs);
        if (record.timeNs < oldest) {
            needsFullSort = needsFullSort || options.autoReorder;
            ++statistics.late;
            statistics.lateLong += record.durationNs > options.horizonNs ? 1U : 0U;
            statistics.servingHorizonNs
                = std::max(statistics.servingHorizonNs, minus(*newestNs, record.timeNs));
            record.late = true;
            record.byLine = false;
            record.arrivedNs = record.timeNs;
            record.timeNs = oldest;
        }
    }
    newestNs = std::max(newestNs.value_or(record.timeNs), record.timeNs);
    // What comes can still be exactly the horizon old, and stand before others of that time.
    const std::int64_t limit = minus(*newestNs, options.horizonNs);
    if (limit > kFirst) {
        if (auto done = slots->drain(limit - 1, forward); !done) {
            return done;
        }
    }
    return slots->add(record, payload);
}

engine::Status Sequencer::Parts::takeForFullSort(logs::WaitingRecord& record,
                                                 const std::byte* payload)
{
    return bySecond && record.resolutionNs > 0 ? bySecond->add(record, payload)
                                               : byTime->add(record, payload);
}

/// Gives the records of one second, which are all in the queue, their places in it.
engine::Status Sequencer::Parts::placeSecond(std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i) {
        auto front = queue->front();
        if (!front) {
            return engine::fail(front.error());
        }
        logs::WaitingRecord& record = **front;
        record.timeNs = plus(record.timeNs, logs::placeInSecond(i, count, record.resolutionNs));
        record.byLine = record.neutral;
        ++statistics.spread;
        if (auto done = byTime->add(record, record.payload()); !done) {
            return done;
        }
        queue->pop();
    }
    return engine::Done {};
}

engine::Status Sequencer::Parts::spreadSorted()
{
    bySecond->finish();
    std::uint64_t count = 0;
    logs::WaitingRecord group;
    while (logs::WaitingRecord* const record = bySecond->least()) {
        if (count > 0 && logs::GroupOrder::group(*record) != logs::GroupOrder::group(group)) {
            if (auto done = placeSecond(count); !done) {
                return done;
            }
            count = 0;
        }
        group = *record;
        ++count;
        if (auto done = queue->push(*record, record->payload()); !done) {
            return done;
        }
        if (auto done = bySecond->pop(); !done) {
            return done;
        }
    }
    auto done = placeSecond(count);
    countSpilled();
    bySecond.reset();
    return done;
}

engine::Status Sequencer::Parts::finishFullSort()
{
    if (bySecond) {
        if (auto done = spreadSorted(); !done) {
            return done;
        }
    }
    byTime->finish();
    while (logs::WaitingRecord* const record = byTime->least()) {
        out(*record, record->payload());
        if (auto done = byTime->pop(); !done) {
            return done;
        }
    }
    return engine::Done {};
}

void Sequencer::Parts::countSpilled()
{
    statistics.spilledBytes += bySecond ? bySecond->writtenBytes() : 0;
}

Sequencer::Sequencer(SequencerOptions options, Emit emit)
    : m_parts(std::make_unique<Parts>(std::move(options), std::move(emit)))
{
}

Sequencer::~Sequencer() = default;

engine::Result<Sequencer::Answer> Sequencer::push(const SequencerItem& item,
                                                  std::span<const std::byte> payload)
{
    ++m_parts->statistics.records;
    logs::WaitingRecord record = recordOf(item, payload.size(), m_parts->options.spread);
    if (auto done = m_parts->take(record, payload.data()); !done) {
        return engine::fail(done.error());
    }
    return m_parts->needsFullSort ? Answer::NeedsFullSort : Answer::Taken;
}

engine::Result<Sequencer::Answer> Sequencer::finish()
{
    Parts& parts = *m_parts;
    engine::Status done = engine::Done {};
    if (parts.options.fullSort) {
        done = parts.finishFullSort();
    } else {
        if (parts.queue) {
            done = parts.settleQueue(true);
        }
        if (done) {
            done = parts.slots->drain(
                kLast, [&parts](logs::WaitingRecord& due) { parts.out(due, due.payload()); });
        }
    }
    if (!done) {
        return engine::fail(done.error());
    }
    parts.statistics.spilledBytes += parts.queue ? parts.queue->writtenBytes() : 0;
    parts.statistics.spilledBytes
        += parts.slots ? parts.slots->writtenBytes() : parts.byTime->writtenBytes();
    return parts.needsFullSort ? Answer::NeedsFullSort : Answer::Taken;
}

const SequencerStatistics& Sequencer::statistics() const
{
    return m_parts->statistics;
}

SequencerItem itemOf(const engine::Request& request, std::uint64_t n)
{
    SequencerItem item;
    item.timeNs = request.timeNs;
    item.stampNs = request.stampNs;
    item.durationNs = request.durationNs;
    item.resolutionNs = request.resolutionNs;
    item.file = request.file;
    item.originalFile = request.originalFile;
    item.originalLine = request.originalLine;
    item.n = n;
    return item;
}

} // namespace storage
