#include "storage/sequencer.h"

#include "storage/logs/queue_least.h"
#include "storage/logs/record_queue.h"
#include "storage/logs/record_sorter.h"
#include "storage/logs/seconds.h"
#include "storage/logs/time_slots.h"
#include "storage/time_math.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace storage {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();

bool timeLess(const logs::WaitingRecord* a, const logs::WaitingRecord* b)
{
    return logs::TimeOrder {}(a, b);
}

bool groupLess(const logs::WaitingRecord* a, const logs::WaitingRecord* b)
{
    return logs::GroupOrder {}(a, b);
}

/// How far a stamp is into its second (or whatever its resolution is).
std::int64_t partOf(std::int64_t stampNs, std::int32_t resolutionNs)
{
    constexpr std::int32_t kSecond = 1'000'000'000; // a division by a constant is none
    const std::int64_t part = resolutionNs == kSecond ? stampNs % kSecond : stampNs % resolutionNs;
    return part < 0 ? part + resolutionNs : part;
}

inline logs::WaitingRecord recordOf(const SequencerItem& item, std::size_t payloadBytes,
                                    const SequencerOptions& options)
{
    const bool neutral = item.originalLine > 0;
    logs::WaitingRecord record;
    record.timeNs = item.timeNs;
    record.n = item.n;
    record.stampNs = item.stampNs;
    record.neutral = neutral ? 1 : 0;
    record.order = neutral ? item.originalLine : item.n;
    record.file = item.file;
    record.originalFile = neutral ? item.originalFile : 0;
    record.setSize(payloadBytes);
    record.isLong = item.durationNs > options.horizonNs ? 1 : 0;
    if (options.spread == Spread::Keep || item.resolutionNs <= 0) {
        return record;
    }
    const std::int64_t part = partOf(item.stampNs, item.resolutionNs);
    // A stamp with a part below its resolution was never cut to it, unless it is a neutral one that
    // was given its place before.
    if (part == 0 || neutral) {
        record.resolutionNs = options.spread == Spread::Even ? item.resolutionNs : 0;
        record.byLine = neutral && options.spread == Spread::None ? 1 : 0;
        record.stampNs = cappedDifference(item.stampNs, part);
        record.timeNs = cappedDifference(item.timeNs, part);
    }
    return record;
}

} // namespace

class Sequencer::Parts {
public:
    Parts(SequencerOptions given, Emit sink)
        : options(std::move(given))
        , emit(std::move(sink))
        , forward([this](std::span<logs::WaitingRecord* const> due) { out(due); })
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
    engine::Status takeLike(const SequencerItem& item, const std::byte* payload);
    void noteLike(const SequencerItem& item, const logs::WaitingRecord& record);
    [[nodiscard]] bool isLikeLast(const SequencerItem& item) const;
    engine::Status drain();
    engine::Status takeForFullSort(logs::WaitingRecord& record, const std::byte* payload);
    engine::Status settleQueue(bool ended);
    engine::Status decide(logs::WaitingRecord& record, const std::byte* payload);
    engine::Status enqueue(const logs::WaitingRecord& record, const std::byte* payload);
    [[nodiscard]] std::int64_t floorNs() const;
    engine::Status finishFullSort();
    engine::Status spreadSorted();
    engine::Status placeSecond(std::uint64_t count);
    void out(std::span<logs::WaitingRecord* const> due);
    void decideLate(logs::WaitingRecord& record, std::int64_t oldestNs);
    void countSpilled();

    SequencerOptions options;
    Emit emit;
    logs::TimeSlots::Emit forward;
    std::vector<Sequenced> sequenced; ///< on their way out
    SequencerStatistics statistics;
    bool needsFullSort = false;
    std::int64_t newestNs = kFirst; ///< greatest time among the records that were decided
    std::int64_t newestSeenNs = kFirst; ///< the same of those in the queue, unspread
    logs::QueueLeast leastQueued; ///< of when those in the queue will be decided, from below
    logs::Seconds seconds;
    SequencerItem last; ///< went into the queue as `like`, to be spread
    logs::WaitingRecord like;
    bool hasLike = false;
    std::uint32_t waitsFile = 0; ///< the queue waits until the second of this stamp is complete
    std::int64_t waitsNs = 0;
    std::optional<logs::RecordQueue>
        queue; ///< records whose second may still grow, and those behind them
    std::optional<logs::TimeSlots> slots;
    std::optional<logs::RecordSorter> bySecond;
    std::optional<logs::RecordSorter> byTime;
};

void Sequencer::Parts::out(std::span<logs::WaitingRecord* const> due)
{
    sequenced.clear();
    for (logs::WaitingRecord* const record : due) {
        const bool late = record->late != 0;
        sequenced.push_back({record->timeNs,
                             late ? record->stampNs : record->timeNs,
                             record->n,
                             late,
                             {record->payload(), record->size}});
    }
    emit(sequenced);
}

inline engine::Status Sequencer::Parts::take(logs::WaitingRecord& record, const std::byte* payload)
{
    if (options.fullSort) {
        return takeForFullSort(record, payload);
    }
    if (!queue) {
        return decide(record, payload);
    }
    const logs::Seconds::Age age = seconds.see(record, options.horizonNs);
    if (age == logs::Seconds::Age::Late && record.resolutionNs > 0) [[unlikely]] {
        record.resolutionNs = 0; // its second was given away: it stays at its start
        needsFullSort = needsFullSort || options.autoReorder;
    }
    if (record.resolutionNs > 0) {
        seconds.enter(record);
    } else if (queue->isEmpty()) {
        return decide(record, payload);
    }
    if (queue->isEmpty()) {
        waitsFile = record.file;
        waitsNs = record.stampNs;
    }
    if (auto done = enqueue(record, payload); !done) {
        return done;
    }
    return age == logs::Seconds::Age::Newest // no other stamp completes a second
            && seconds.isComplete(waitsFile, waitsNs, options.horizonNs)
        ? settleQueue(false)
        : engine::Done {};
}

/// The next one is likely to be of the same second: all that its stamp says is known then.
inline void Sequencer::Parts::noteLike(const SequencerItem& item, const logs::WaitingRecord& record)
{
    hasLike = queue && !options.fullSort && record.resolutionNs > 0 && record.neutral == 0;
    if (hasLike) {
        last = item;
        like = record;
    }
}

inline bool Sequencer::Parts::isLikeLast(const SequencerItem& item) const
{
    return hasLike && item.stampNs == last.stampNs && item.resolutionNs == last.resolutionNs
        && item.file == last.file && item.originalLine == 0;
}

/// take() of a record that has the stamp of the last one, which is neither new nor late then.
inline engine::Status Sequencer::Parts::takeLike(const SequencerItem& item,
                                                 const std::byte* payload)
{
    like.timeNs = item.timeNs;
    like.n = item.n;
    like.order = item.n;
    like.isLong = item.durationNs > options.horizonNs ? 1 : 0;
    seconds.enter(like);
    return enqueue(like, payload);
}

inline engine::Status Sequencer::Parts::enqueue(const logs::WaitingRecord& record,
                                                const std::byte* payload)
{
    leastQueued.push(std::max(record.timeNs, cappedDifference(newestSeenNs, options.horizonNs)));
    newestSeenNs = std::max(newestSeenNs, record.timeNs);
    return queue->push(record, payload);
}

/// What comes can still be exactly the horizon old, and stand before others of that time. What is
/// queued, and what comes behind it, cannot be older than that either once it is decided: a second
/// only adds to a time, and a late record is put at the horizon's end. So what leaves the queue has
/// waited for its order already, but for requests that took long.
inline std::int64_t Sequencer::Parts::floorNs() const
{
    const std::int64_t decided = cappedDifference(newestNs, options.horizonNs);
    const std::int64_t seen = cappedDifference(newestSeenNs, options.horizonNs);
    return std::max(decided, std::min(leastQueued.least(), seen));
}

/// Decides records in input order, as far as their seconds are complete.
engine::Status Sequencer::Parts::settleQueue(bool ended)
{
    std::uint32_t completeFile = 0;
    std::optional<std::int64_t> completeNs; // the second that is known to be complete
    while (!queue->isEmpty()) {
        if (!queue->hasFront()) [[unlikely]] {
            if (auto done = queue->loadFront(); !done) {
                return done;
            }
        }
        logs::WaitingRecord& record = queue->front();
        if (record.resolutionNs > 0) {
            const bool isComplete = ended
                || (completeNs == record.stampNs && completeFile == record.file)
                || seconds.isComplete(record.file, record.stampNs, options.horizonNs);
            if (!isComplete) {
                waitsFile = record.file;
                waitsNs = record.stampNs;
                return engine::Done {};
            }
            completeFile = record.file;
            completeNs = record.stampNs;
            record.timeNs = cappedSum(record.timeNs, seconds.offsetOf(record));
            record.byLine = record.neutral;
            ++statistics.spread;
        }
        if (auto done = decide(record, record.payload()); !done) {
            return done;
        }
        queue->pop();
        leastQueued.pop();
    }
    return engine::Done {};
}

inline engine::Status Sequencer::Parts::decide(logs::WaitingRecord& record,
                                               const std::byte* payload)
{
    const std::int64_t oldest = cappedDifference(newestNs, options.horizonNs);
    if (record.timeNs < oldest) [[unlikely]] {
        decideLate(record, oldest);
    }
    newestNs = std::max(newestNs, record.timeNs);
    if (slots->isFull(record.timeNs)) [[unlikely]] {
        if (auto done = drain(); !done) {
            return done;
        }
    }
    return slots->add(record, payload);
}

void Sequencer::Parts::decideLate(logs::WaitingRecord& record, std::int64_t oldestNs)
{
    needsFullSort = needsFullSort || options.autoReorder;
    ++statistics.late;
    statistics.lateLong += record.isLong;
    statistics.servingHorizonNs
        = std::max(statistics.servingHorizonNs, cappedDifference(newestNs, record.timeNs));
    record.late = 1;
    record.byLine = 0;
    record.stampNs = record.timeNs;
    record.timeNs = oldestNs;
}

/// Emits what cannot be overtaken any more.
engine::Status Sequencer::Parts::drain()
{
    return slots ? slots->drain(floorNs(), forward) : engine::Done {};
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
        if (auto done = queue->loadFront(); !done) {
            return done;
        }
        logs::WaitingRecord& record = queue->front();
        record.timeNs
            = cappedSum(record.timeNs, logs::placeInSecond(i, count, record.resolutionNs));
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
        out({&record, 1});
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
    return push({{&item, 1}, payload.data(), payload.size(), payload.size()});
}

engine::Result<Sequencer::Answer> Sequencer::push(const SequencerBatch& batch)
{
    Parts& parts = *m_parts;
    const std::byte* payload = batch.payloads;
    parts.hasLike = false; // payloads may have another size
    for (const SequencerItem& item : batch.items) {
        ++parts.statistics.records;
        if (parts.isLikeLast(item)) [[likely]] {
            if (auto done = parts.takeLike(item, payload); !done) {
                return engine::fail(done.error());
            }
        } else {
            logs::WaitingRecord record = recordOf(item, batch.payloadBytes, parts.options);
            if (auto done = parts.take(record, payload); !done) {
                return engine::fail(done.error());
            }
            parts.noteLike(item, record);
            if (parts.needsFullSort) {
                return Answer::NeedsFullSort;
            }
        }
        payload += batch.stride;
    }
    if (auto done = parts.drain(); !done) {
        return engine::fail(done.error());
    }
    return Answer::Taken;
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
            done = parts.slots->finish(parts.forward);
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

std::int64_t Sequencer::floorNs() const
{
    const Parts& parts = *m_parts;
    return parts.slots ? parts.slots->floorNs(parts.floorNs()) : kFirst;
}

const SequencerStatistics& Sequencer::statistics() const
{
    return m_parts->statistics;
}

} // namespace storage
