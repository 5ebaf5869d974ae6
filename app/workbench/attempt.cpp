#include "app/workbench/attempt.h"

#include "app/workbench/open_files.h"
#include "app/workbench/ordered_pipeline.h"

#include <algorithm>
#include <chrono>

namespace app {
namespace {

/// Of which one is timed: reading the clock costs as much as a quarter of a decision.
constexpr std::uint64_t kTimedBatches = 64;

constexpr std::size_t kMostHeadBytes = std::size_t {64} << 20;
constexpr std::size_t kPushed = 512; // arrivals that are put into order together

std::int64_t horizonNs(const LogChoice& log)
{
    return log.reorderNs.value_or(kHorizonNs);
}

/// How each LOG is put into order.
std::vector<storage::SequencerOptions> ordersOf(const std::vector<LogChoice>& logs, bool fullSort,
                                                bool mayReadAgain)
{
    std::vector<storage::SequencerOptions> orders;
    for (const LogChoice& log : logs) {
        storage::SequencerOptions& order = orders.emplace_back();
        order.spread = log.spread;
        order.fullSort = fullSort;
        order.autoReorder = !fullSort && !log.reorderNs && mayReadAgain;
        order.horizonNs = horizonNs(log);
    }
    return orders;
}

} // namespace

Attempt::Attempt(Pass& pass, LogFeed& feed, const WhoSample& sample, const PassOptions& options,
                 PassListener& listener, bool fullSort)
    : m_pass(pass)
    , m_feed(feed)
    , m_sample(sample)
    , m_options(options)
    , m_listener(listener)
    , m_fullSort(fullSort)
    , m_lanes(ordersOf(options.logs, fullSort, feed.isRegular()), *this)
    , m_requests(feed.size())
{
}

engine::Status Attempt::startFeed()
{
    for (std::size_t log = 0; log < m_feed.size(); ++log) {
        if (const auto first = m_feed.firstNs(log)) {
            m_lanes.begins(log, *first);
        }
    }
    return m_feed.start(m_fullSort ? LogFeed::Order::ByLog : LogFeed::Order::ByTime,
                        m_lanes.horizonNs());
}

/// Reads blocks until there are enough requests to say what `who` is, or too many lines without
/// them: a log may begin with any amount of junk. What counts does not depend on where blocks end.
/// Of several LOGs the heads have said it.
engine::Status Attempt::readHead()
{
    if (m_feed.size() > 1) {
        m_pass.intake->chooseWho(m_sample.batch(m_pass.intake->fields()));
        return engine::Done {};
    }
    engine::RequestBatch sample;
    sample.fieldCount = m_pass.intake->fields().size();
    std::uint64_t lines = 0;
    std::size_t bytes = 0;
    while (sample.requests.size() < kWhoSample && lines < kWhoLines && bytes < kMostHeadBytes
           && !m_feed.stopAsked()) {
        Slot& slot = m_head.emplace_back();
        slot.prepared = m_pass.intake->makePrepared();
        if (!m_feed.read(slot.block)) {
            m_head.pop_back();
            m_readAll = true;
            if (m_feed.failure()) {
                return engine::fail(*m_feed.failure());
            }
            break;
        }
        m_feed.parse(slot.block);
        lines += slot.block.block.lineCount;
        bytes += m_options.blockBytes;
        const engine::RequestBatch& batch = slot.block.block.batch;
        for (std::size_t at = 0; at < batch.requests.size() && sample.requests.size() < kWhoSample;
             ++at) {
            if (batch.requests[at].line <= kWhoLines) {
                sample.requests.push_back(batch.requests[at]);
                sample.values.insert(sample.values.end(), batch.valuesOf(at),
                                     batch.valuesOf(at) + batch.fieldCount);
            }
        }
    }
    m_pass.intake->chooseWho(sample);
    for (Slot& slot : m_head) {
        m_pass.intake->prepare(slot.block.block.batch, *slot.prepared);
    }
    return engine::Done {};
}

void Attempt::readAll()
{
    const unsigned jobs = std::max(1U, m_options.jobs);
    for (unsigned i = 0; i < 2 * jobs + 1; ++i) {
        m_slots.emplace_back().prepared = m_pass.intake->makePrepared();
    }
    OrderedPipeline<Slot> pipeline(m_slots,
                                   {[this](Slot& slot) { return m_feed.read(slot.block); },
                                    [this](Slot& slot) {
                                        m_feed.parse(slot.block);
                                        m_pass.intake->prepare(slot.block.block.batch,
                                                               *slot.prepared);
                                    },
                                    [this](Slot& slot) { return consume(slot); }});
    pipeline.run(jobs);
    if (!m_failure) {
        m_failure = m_feed.failure();
    }
}

engine::Result<bool> Attempt::run()
{
    if (engine::Status started = startFeed(); !started) {
        return engine::fail(started.error());
    }
    if (engine::Status head = readHead(); !head) {
        return engine::fail(head.error());
    }
    if (engine::Status begun = m_listener.begin(*m_pass.intake, *m_pass.replay); !begun) {
        return engine::fail(begun.error());
    }
    bool goOn = true;
    while (goOn && !m_head.empty()) {
        goOn = consume(m_head.front());
        m_head.pop_front();
    }
    if (goOn && !m_readAll) {
        readAll();
    }
    if (!m_failure && !m_needsFullSort && !m_ended) {
        finish();
    }
    m_pass.interrupted = m_feed.stopAsked();
    m_pass.order = m_lanes.statistics();
    if (m_feed.size() > 1) {
        m_pass.numbers = storage::RequestNumbers(m_requests);
    }
    if (m_failure) {
        return engine::fail(orTooManyOpen(*m_failure));
    }
    return !m_needsFullSort;
}

bool Attempt::consume(Slot& slot)
{
    const FeedBlock& block = slot.block;
    m_feed.note(block);
    if (block.ends) {
        note(m_lanes.end(block.log));
    } else {
        if (!block.block.rejects.empty()) {
            m_listener.rejected(block.log, block.block.rejects);
        }
        take(block, *slot.prepared);
    }
    if (!m_failure && !m_needsFullSort) {
        note(m_lanes.settle(block.log));
    }
    if (!m_failure) {
        note(m_listener.health());
    }
    if (m_options.progress != nullptr) {
        ProgressState state = m_feed.progress();
        state.secondPass = m_fullSort;
        m_options.progress->update(state);
    }
    m_ended = m_listener.enough();
    return !m_failure && !m_needsFullSort && !m_ended;
}

/// Hands the requests of a block to the lane of their LOG.
void Attempt::take(const FeedBlock& block, const engine::Intake::Prepared& prepared)
{
    const std::uint64_t before = m_pass.intake->requests();
    std::uint64_t& requests = m_requests[block.log];
    const engine::Intake::Interned interned = m_pass.intake->internAll(prepared);
    if (m_feed.size() > 1) {
        for (std::size_t i = 0; i < interned.size(); ++i) {
            std::uint64_t& n = interned.arrival(i).n;
            n = storage::RequestNumbers::placeOf(block.log, requests + (n - before), m_feed.size());
        }
    }
    requests += m_pass.intake->requests() - before;
    for (std::size_t from = 0; from < interned.size() && !m_failure && !m_needsFullSort;
         from += kPushed) {
        push(block, interned, from, std::min(from + kPushed, interned.size()));
    }
}

/// Some of a block's arrivals; few enough that what is said of them stays close.
void Attempt::push(const FeedBlock& block, const engine::Intake::Interned& interned,
                   std::size_t from, std::size_t end)
{
    m_items.clear();
    for (std::size_t i = from; i < end; ++i) {
        const engine::Request& request = block.block.batch.requests[interned.requests[i]];
        m_items.push_back(storage::itemOf(request, interned.arrival(i).n));
    }
    note(m_lanes.push(block.log,
                      {m_items, interned.arrivals + from * interned.stride,
                       m_pass.intake->layout().size(), interned.stride}));
}

/// After the last block: ends what has not ended, which several do when somebody asks to stop.
void Attempt::finish()
{
    note(m_lanes.finish());
    if (!m_failure && !m_needsFullSort) {
        m_pass.replay->finish();
    }
}

void Attempt::note(const engine::Result<Lanes::Answer>& answer)
{
    if (!answer) {
        m_failure = answer.error();
    } else if (*answer == Lanes::Answer::NeedsFullSort) {
        m_needsFullSort = true;
    }
}

void Attempt::note(const engine::Status& status)
{
    if (!status && !m_failure) {
        m_failure = status.error();
    }
}

void Attempt::placed(const storage::Sequenced& record)
{
    auto& arrival = *reinterpret_cast<engine::Arrival*>(record.payload.data());
    // A late request keeps its own time beside the one at which it is decided.
    arrival.arrivedNs = record.arrivedNs;
    arrival.timeNs = record.timeNs;
    arrival.flags |= record.late ? engine::kArrivalLate : 0U;
}

/// Counts it if it is not.
bool Attempt::isInRange(const engine::Arrival& arrival)
{
    const bool isOut = (m_options.fromNs && arrival.timeNs < *m_options.fromNs)
        || (m_options.toNs && arrival.timeNs >= *m_options.toNs);
    m_pass.outOfRange += isOut ? 1 : 0;
    return !isOut;
}

void Attempt::deliver(std::span<std::byte> payload)
{
    const auto& arrival = *reinterpret_cast<const engine::Arrival*>(payload.data());
    if (isInRange(arrival)) {
        m_pass.replay->arrive(arrival);
    }
}

void Attempt::deliverPlaced(std::span<const storage::Sequenced> records)
{
    m_due.clear();
    for (const storage::Sequenced& record : records) {
        placed(record);
        const auto& arrival = *reinterpret_cast<const engine::Arrival*>(record.payload.data());
        if (isInRange(arrival)) {
            m_due.push_back(&arrival);
        }
    }
    if (m_batches++ % kTimedBatches != 0) {
        m_pass.replay->arriveAll(m_due);
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    m_pass.replay->arriveAll(m_due);
    m_pass.timedNs += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    m_pass.timedRequests += m_due.size();
}

} // namespace app
