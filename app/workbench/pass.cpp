#include "app/workbench/pass.h"

#include "app/workbench/block_feed.h"
#include "app/workbench/ordered_pipeline.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace app {
namespace {

constexpr std::size_t kMostHeadBytes = std::size_t {64} << 20;

/// A block on its way through the stages.
struct Slot {
    storage::LogBlock block;
    engine::Intake::PreparedPtr prepared;
};

/// One attempt at a pass: the whole log, once.
class Attempt {
public:
    Attempt(Pass& pass, const PassOptions& options, PassListener& listener, bool fullSort)
        : m_pass(pass)
        , m_options(options)
        , m_listener(listener)
        , m_feed(*pass.reader, options.stop)
        , m_sequencer(sequencing(*pass.reader, options, fullSort),
                      [this](const storage::Sequenced& record) { emit(record); })
    {
    }

    /// True: done. False: the log is not in order and must be sorted as a whole.
    engine::Result<bool> run();

private:
    static storage::SequencerOptions sequencing(const storage::LogReader& reader,
                                                const PassOptions& options, bool fullSort);
    engine::Status readHead();
    bool consume(Slot& slot);
    void push(engine::Arrival& arrival, const engine::Request& request);
    void emit(const storage::Sequenced& record);
    void note(engine::Result<storage::Sequencer::Answer> answer);

    Pass& m_pass;
    const PassOptions& m_options;
    PassListener& m_listener;
    BlockFeed m_feed;
    storage::Sequencer m_sequencer;
    std::deque<Slot> m_head; ///< the blocks that settled who, before all others
    std::deque<Slot> m_slots;
    std::optional<engine::Diagnostic> m_failure; ///< of the serial stage
    bool m_needsFullSort = false;
    bool m_readAll = false;
    bool m_ended = false; ///< the listener had enough
};

storage::SequencerOptions Attempt::sequencing(const storage::LogReader& reader,
                                              const PassOptions& options, bool fullSort)
{
    storage::SequencerOptions sequencer;
    sequencer.spread = options.logs.front().spread;
    sequencer.fullSort = fullSort;
    sequencer.autoReorder = !fullSort && !options.logs.front().reorderNs && reader.isRegular();
    if (options.logs.front().reorderNs) {
        sequencer.horizonNs = *options.logs.front().reorderNs;
    }
    return sequencer;
}

/// Reads blocks until there are enough requests to say what `who` is, or too many lines without
/// them: a log may begin with any amount of junk. What counts does not depend on where blocks end.
engine::Status Attempt::readHead()
{
    engine::RequestBatch sample;
    sample.fieldCount = m_pass.intake->fields().size();
    std::uint64_t lines = 0;
    std::size_t bytes = 0;
    while (sample.requests.size() < kWhoSample && lines < kWhoLines && bytes < kMostHeadBytes
           && !m_feed.stopAsked()) {
        Slot& slot = m_head.emplace_back();
        slot.prepared = m_pass.intake->makePrepared();
        const engine::Result<bool> more = m_pass.reader->readBlock(slot.block);
        if (!more) {
            return engine::fail(more.error());
        }
        if (!*more) {
            m_head.pop_back();
            m_readAll = true;
            break;
        }
        m_pass.reader->parse(slot.block);
        lines += slot.block.lineCount;
        bytes += m_options.blockBytes;
        const engine::RequestBatch& batch = slot.block.batch;
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
        m_pass.intake->prepare(slot.block.batch, *slot.prepared);
    }
    return engine::Done {};
}

engine::Result<bool> Attempt::run()
{
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
        const unsigned jobs = std::max(1U, m_options.jobs);
        for (unsigned i = 0; i < 2 * jobs + 1; ++i) {
            m_slots.emplace_back().prepared = m_pass.intake->makePrepared();
        }
        OrderedPipeline<Slot> pipeline(m_slots,
                                       {[this](Slot& slot) { return m_feed.read(slot.block); },
                                        [this](Slot& slot) {
                                            m_pass.reader->parse(slot.block);
                                            m_pass.intake->prepare(slot.block.batch,
                                                                   *slot.prepared);
                                        },
                                        [this](Slot& slot) { return consume(slot); }});
        pipeline.run(jobs);
        if (!m_failure) {
            m_failure = m_feed.failure();
        }
    }
    if (!m_failure && !m_needsFullSort && !m_ended) {
        note(m_sequencer.finish());
        m_pass.replay->finish();
    }
    m_pass.order = m_sequencer.statistics();
    m_pass.interrupted = m_feed.stopAsked();
    if (m_failure) {
        return engine::fail(*m_failure);
    }
    return !m_needsFullSort;
}

bool Attempt::consume(Slot& slot)
{
    m_pass.reader->note(slot.block);
    if (!slot.block.rejects.empty()) {
        m_listener.rejected(0, slot.block.rejects);
    }
    m_pass.intake->intern(*slot.prepared,
                          [this](engine::Arrival& arrival, const engine::Request& request) {
                              push(arrival, request);
                          });
    if (!m_failure) {
        if (engine::Status health = m_listener.health(); !health) {
            m_failure = health.error();
        }
    }
    if (m_options.progress != nullptr) {
        const storage::LogSource& source = m_pass.reader->source();
        m_options.progress->update({slot.block.sourceBytes, source.bytesTotal(),
                                    m_pass.reader->report().lines, m_pass.sortedWhole});
    }
    m_ended = m_listener.enough();
    return !m_failure && !m_needsFullSort && !m_ended;
}

void Attempt::push(engine::Arrival& arrival, const engine::Request& request)
{
    if (m_failure || m_needsFullSort) {
        return;
    }
    const storage::SequencerItem item = storage::itemOf(request, arrival.n);
    note(m_sequencer.push(
        item, {reinterpret_cast<const std::byte*>(&arrival), m_pass.intake->layout().size()}));
}

void Attempt::note(engine::Result<storage::Sequencer::Answer> answer)
{
    if (!answer) {
        m_failure = answer.error();
    } else if (*answer == storage::Sequencer::Answer::NeedsFullSort) {
        m_needsFullSort = true;
    }
}

void Attempt::emit(const storage::Sequenced& record)
{
    auto& arrival = *reinterpret_cast<engine::Arrival*>(record.payload.data());
    // A late request keeps its own time beside the one at which it is decided.
    arrival.arrivedNs = record.arrivedNs;
    arrival.timeNs = record.timeNs;
    arrival.flags |= record.late ? engine::kArrivalLate : 0U;
    m_pass.replay->arrive(arrival);
}

} // namespace

engine::Result<std::unique_ptr<storage::LogReader>>
openLog(const LogChoice& log, const StopFlag* stop, std::size_t blockBytes)
{
    storage::LogOptions options;
    options.format = log.format;
    options.reading.mappings = log.mappings;
    options.blockBytes = blockBytes;
    options.storedBytes = log.storedBytes;
    options.stop = stop;
    return storage::LogReader::open(log.path, options);
}

engine::Failure interruptedFailure()
{
    return engine::fail("run.interrupted", "interrupted before there was an answer");
}

engine::Result<Pass> runPass(const std::vector<const engine::Plan*>& plans,
                             const PassOptions& options, PassListener& listener)
{
    Pass pass;
    auto reader = openLog(options.logs.front(), options.stop, options.blockBytes);
    if (!reader) {
        return engine::fail(reader.error());
    }
    pass.reader = std::move(*reader);
    for (bool fullSort = options.sortWhole;; fullSort = true) {
        auto intake = engine::Intake::make(plans, options.intake);
        if (!intake) {
            return engine::fail(intake.error());
        }
        pass.replay.reset();
        pass.intake = std::move(*intake);
        pass.replay = std::make_unique<engine::Replay>(
            *pass.intake, listener, engine::ReplayOptions {options.warmupNs, options.decisions});
        pass.reader->selectFields(pass.intake->fields());
        pass.sortedWhole = fullSort;
        Attempt attempt(pass, options, listener, fullSort);
        engine::Result<bool> done = attempt.run();
        if (!done) {
            return engine::fail(done.error());
        }
        if (*done) {
            break;
        }
        if (engine::Status again = pass.reader->reopen(); !again) {
            return engine::fail(again.error());
        }
    }
    return pass;
}

} // namespace app
