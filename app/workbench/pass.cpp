#include "app/workbench/pass.h"

#include "app/workbench/lanes.h"
#include "app/workbench/log_feed.h"
#include "app/workbench/open_files.h"
#include "app/workbench/ordered_pipeline.h"
#include "app/workbench/recorded.h"
#include "app/workbench/twice.h"
#include "app/workbench/who_sample.h"

#include <algorithm>
#include <deque>

namespace app {
namespace {

constexpr std::size_t kMostHeadBytes = std::size_t {64} << 20;

/// A block on its way through the stages.
struct Slot {
    FeedBlock block;
    engine::Intake::PreparedPtr prepared;
};

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

/// One attempt at a pass: all logs, once.
class Attempt final : public LaneSink {
public:
    Attempt(Pass& pass, LogFeed& feed, const WhoSample& sample, const PassOptions& options,
            PassListener& listener, bool fullSort);

    /// True: done. False: a log is not in order and all must be sorted as a whole.
    engine::Result<bool> run();

private:
    engine::Status startFeed();
    engine::Status readHead();
    void readAll();
    bool consume(Slot& slot);
    void take(const FeedBlock& block, const engine::Intake::Prepared& prepared);
    void push(std::size_t log, engine::Arrival& arrival, const engine::Request& request);
    void finish();
    void placed(const storage::Sequenced& record) override;
    void deliver(std::span<std::byte> payload) override;
    void note(const engine::Result<Lanes::Answer>& answer);
    void note(const engine::Status& status);

    Pass& m_pass;
    LogFeed& m_feed;
    const WhoSample& m_sample;
    const PassOptions& m_options;
    PassListener& m_listener;
    bool m_fullSort;
    Lanes m_lanes;
    std::vector<std::uint64_t> m_requests; ///< read so far, by LOG
    std::deque<Slot> m_head; ///< the blocks that settled who, before all others
    std::deque<Slot> m_slots;
    std::optional<engine::Diagnostic> m_failure; ///< of the serial stage
    bool m_needsFullSort = false;
    bool m_readAll = false;
    bool m_ended = false; ///< the listener had enough
};

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
    if (m_feed.size() > 1) {
        m_pass.intake->intern(prepared,
                              [&](engine::Arrival& arrival, const engine::Request& request) {
                                  arrival.n = storage::RequestNumbers::placeOf(
                                      block.log, requests + (arrival.n - before), m_feed.size());
                                  push(block.log, arrival, request);
                              });
    } else {
        m_pass.intake->intern(prepared,
                              [&](engine::Arrival& arrival, const engine::Request& request) {
                                  push(block.log, arrival, request);
                              });
    }
    requests += m_pass.intake->requests() - before;
}

void Attempt::push(std::size_t log, engine::Arrival& arrival, const engine::Request& request)
{
    if (m_failure || m_needsFullSort) {
        return;
    }
    const storage::SequencerItem item = storage::itemOf(request, arrival.n);
    note(m_lanes.push(
        log, item, {reinterpret_cast<const std::byte*>(&arrival), m_pass.intake->layout().size()}));
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

void Attempt::deliver(std::span<std::byte> payload)
{
    const auto& arrival = *reinterpret_cast<const engine::Arrival*>(payload.data());
    if ((m_options.fromNs && arrival.timeNs < *m_options.fromNs)
        || (m_options.toNs && arrival.timeNs >= *m_options.toNs)) {
        ++m_pass.outOfRange;
        return;
    }
    m_pass.replay->arrive(arrival);
}

/// Derived attributes that a log has the values of, from `convert --for --mask`.
void addResolved(const storage::LogReader& reader, std::vector<std::string>& names)
{
    for (const std::string& field : reader.allFields()) {
        if (field.starts_with(engine::kResolvedPrefix)) {
            std::string name = field.substr(engine::kResolvedPrefix.size());
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
}

/// What is learnt of the logs while they are opened.
class Opening {
public:
    Opening(std::vector<std::string> fields, const PassOptions& options)
        : sample(withSigns(std::move(fields)), options.logs.size())
        , twice(options.logs.size())
        , m_options(options)
    {
    }

    LogFeedOptions feeding()
    {
        return {m_options.blockBytes, m_options.stop,
                [this](std::size_t log, storage::LogReader& reader) { return look(log, reader); }};
    }

    WhoSample sample;
    TwiceCheck twice;
    std::vector<std::string> signs; ///< of rejections, that some log has
    std::vector<std::string>
        resolved; ///< attributes that some log gives as another had derived them

private:
    static std::vector<std::string> withSigns(std::vector<std::string> fields)
    {
        fields.insert(fields.end(), recordedFields().begin(), recordedFields().end());
        return fields;
    }

    engine::Status look(std::size_t log, storage::LogReader& reader)
    {
        addResolved(reader, resolved);
        const std::vector<std::string>& all = reader.allFields();
        for (const std::string& sign : recordedFields()) {
            if (std::find(all.begin(), all.end(), sign) != all.end()) {
                signs.push_back(sign);
            }
        }
        std::sort(signs.begin(), signs.end());
        signs.erase(std::unique(signs.begin(), signs.end()), signs.end());
        if (m_options.logs.size() > 1) {
            sample.look(reader);
            twice.look(log, reader);
        }
        return engine::Done {};
    }

    const PassOptions& m_options;
};

} // namespace

engine::Result<std::unique_ptr<storage::LogReader>>
openLog(const LogChoice& log, const StopFlag* stop, std::size_t blockBytes, std::uint32_t file)
{
    storage::LogOptions options;
    options.format = log.format;
    options.reading.mappings = log.mappings;
    options.reading.zone = log.zone;
    options.trustedProxies = log.trustedProxies;
    options.clockNs = log.clockNs;
    options.limits = log.limits;
    options.file = file;
    options.blockBytes = blockBytes;
    options.storedBytes = log.storedBytes;
    options.stop = stop;
    return storage::LogReader::open(log.path, options);
}

namespace {

} // namespace

engine::Failure interruptedFailure()
{
    return engine::fail("run.interrupted", "interrupted before there was an answer");
}

engine::Result<Pass> runPass(const std::vector<const engine::Plan*>& plans,
                             const PassOptions& options, PassListener& listener)
{
    Pass pass;
    engine::IntakeOptions asked = options.intake;
    auto intake = engine::Intake::make(plans, asked);
    if (!intake) {
        return engine::fail(intake.error());
    }
    Opening opening((*intake)->fields(), options);
    auto feed = LogFeed::open(options.logs, opening.feeding());
    if (!feed) {
        return engine::fail(feed.error());
    }
    if (options.findRecorded) {
        addRecordedSigns(opening.signs, asked);
    }
    for (const std::string& name : opening.resolved) {
        asked.resolved.push_back(name);
    }
    if (!opening.signs.empty() || !opening.resolved.empty()) {
        // What the logs have is more to read, of the first lines too.
        intake = engine::Intake::make(plans, asked);
        if (!intake) {
            return engine::fail(intake.error());
        }
    }
    (*feed)->selectFields((*intake)->fields());
    for (bool fullSort = options.sortWhole;; fullSort = true) {
        pass.replay.reset();
        pass.intake = std::move(*intake);
        pass.replay = std::make_unique<engine::Replay>(
            *pass.intake, listener, engine::ReplayOptions {options.warmupNs, options.decisions});
        pass.order = {};
        pass.numbers = {};
        pass.outOfRange = 0;
        pass.sortedWhole = fullSort;
        Attempt attempt(pass, **feed, opening.sample, options, listener, fullSort);
        engine::Result<bool> done = attempt.run();
        if (!done) {
            return engine::fail(done.error());
        }
        if (*done) {
            break;
        }
        intake = engine::Intake::make(plans, asked);
        if (!intake) {
            return engine::fail(intake.error());
        }
    }
    pass.logs = (*feed)->logs();
    pass.report = totalOf(pass.logs, pass.intake->fields().size());
    pass.twice = opening.twice.notes(pass.logs);
    return pass;
}

} // namespace app
