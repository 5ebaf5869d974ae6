#include "app/workbench/convert.h"

#include "app/workbench/block_feed.h"
#include "app/workbench/ordered_pipeline.h"
#include "storage/neutral.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

namespace app {
namespace {

constexpr std::size_t kWriteBytes = std::size_t {1} << 16;

/// What stands before a tail while it waits: how its head gets the stamp that belongs to the
/// decided time.
struct Front {
    std::uint64_t offsetNs = 0; ///< stamp - time, modulo 2^64
    bool coarse = false; ///< the head has the stamp
};

void appendFront(const engine::Request& request, std::string& out)
{
    const Front front {static_cast<std::uint64_t>(request.stampNs)
                           - static_cast<std::uint64_t>(request.timeNs),
                       request.resolutionNs > 0};
    std::array<char, sizeof(front.offsetNs)> bytes {};
    std::memcpy(bytes.data(), &front.offsetNs, bytes.size());
    out.append(bytes.data(), bytes.size());
    out += front.coarse ? '\1' : '\0';
}

Front takeFront(std::string_view& waiting)
{
    Front front;
    std::memcpy(&front.offsetNs, waiting.data(), sizeof(front.offsetNs));
    front.coarse = waiting[sizeof(front.offsetNs)] != '\0';
    waiting.remove_prefix(sizeof(front.offsetNs) + 1);
    return front;
}

struct Slot {
    storage::LogBlock block;
    std::string text; ///< the fronts and tails of all requests
    std::vector<std::size_t> end; ///< of each tail in text
};

class Converter {
public:
    Converter(const ConvertRequest& request, ConvertOutcome& outcome)
        : m_request(request)
        , m_outcome(outcome)
        , m_feed(*outcome.reader, request.stop)
        , m_writer(outcome.reader->selectedFields())
        , m_sequencer(sequencing(request),
                      [this](const storage::Sequenced& record) { emit(record); })
    {
    }

    engine::Status run()
    {
        const unsigned jobs = std::max(1U, m_request.jobs);
        std::deque<Slot> slots(2 * jobs + 1);
        OrderedPipeline<Slot> pipeline(slots,
                                       {[this](Slot& slot) { return m_feed.read(slot.block); },
                                        [this](Slot& slot) { prepare(slot); },
                                        [this](Slot& slot) { return consume(slot); }});
        pipeline.run(jobs);
        if (!m_failure) {
            m_failure = m_feed.failure();
        }
        if (!m_failure && m_request.sorted) {
            note(m_sequencer.finish());
        }
        flush();
        m_outcome.order = m_sequencer.statistics();
        m_outcome.interrupted = m_feed.stopAsked();
        return m_failure ? engine::Status(engine::fail(*m_failure)) : engine::Done {};
    }

private:
    static storage::SequencerOptions sequencing(const ConvertRequest& request)
    {
        storage::SequencerOptions options;
        options.fullSort = true;
        options.spread = request.log.spread;
        return options;
    }

    void prepare(Slot& slot) const
    {
        m_outcome.reader->parse(slot.block);
        slot.text.clear();
        slot.end.clear();
        const engine::RequestBatch& batch = slot.block.batch;
        for (std::size_t i = 0; i < batch.requests.size(); ++i) {
            appendFront(batch.requests[i], slot.text);
            m_writer.appendTail(batch.requests[i], batch.valuesOf(i), slot.text);
            slot.end.push_back(slot.text.size());
        }
    }

    bool consume(Slot& slot)
    {
        m_outcome.reader->note(slot.block);
        if (m_request.rejected && !slot.block.rejects.empty()) {
            m_request.rejected(slot.block.rejects);
        }
        std::size_t begin = 0;
        for (std::size_t i = 0; i < slot.end.size() && !m_failure; ++i) {
            take(slot.block.batch.requests[i],
                 std::string_view(slot.text).substr(begin, slot.end[i] - begin));
            begin = slot.end[i];
        }
        if (m_request.progress != nullptr) {
            const storage::LogSource& source = m_outcome.reader->source();
            m_request.progress->update({slot.block.sourceBytes, source.bytesTotal(),
                                        m_outcome.reader->report().lines, false});
        }
        return !m_failure;
    }

    void take(const engine::Request& request, std::string_view tail)
    {
        ++m_n;
        if (!m_request.sorted) {
            line(request.timeNs, tail);
            return;
        }
        const storage::SequencerItem item = storage::itemOf(request, m_n);
        note(
            m_sequencer.push(item, {reinterpret_cast<const std::byte*>(tail.data()), tail.size()}));
    }

    void emit(const storage::Sequenced& record)
    {
        line(record.timeNs,
             {reinterpret_cast<const char*>(record.payload.data()), record.payload.size()});
    }

    void line(std::int64_t timeNs, std::string_view tail)
    {
        const Front front = takeFront(tail);
        if (front.coarse) {
            const auto stampNs
                = static_cast<std::int64_t>(static_cast<std::uint64_t>(timeNs) + front.offsetNs);
            storage::NeutralWriter::appendHead(timeNs, stampNs, m_waiting);
        } else {
            storage::NeutralWriter::appendHead(timeNs, m_waiting);
        }
        m_waiting += tail;
        if (m_waiting.size() >= kWriteBytes) {
            flush();
        }
    }

    void flush()
    {
        if (!m_failure && !m_waiting.empty()) {
            if (engine::Status written = m_request.write(m_waiting); !written) {
                m_failure = written.error();
            }
        }
        m_waiting.clear();
    }

    void note(engine::Result<storage::Sequencer::Answer> answer)
    {
        if (!answer) {
            m_failure = answer.error();
        }
    }

    const ConvertRequest& m_request;
    ConvertOutcome& m_outcome;
    BlockFeed m_feed;
    storage::NeutralWriter m_writer;
    storage::Sequencer m_sequencer;
    std::string m_waiting;
    std::uint64_t m_n = 0;
    std::optional<engine::Diagnostic> m_failure;
};

} // namespace

engine::Result<ConvertOutcome> convert(const ConvertRequest& request)
{
    auto reader = openLog(request.log, request.stop);
    if (!reader) {
        return engine::fail(reader.error());
    }
    ConvertOutcome outcome;
    outcome.reader = std::move(*reader);
    if (engine::Status discovered = outcome.reader->discoverFields(); !discovered) {
        return engine::fail(discovered.error());
    }
    outcome.reader->selectFields(outcome.reader->allFields());
    engine::Status done = Converter(request, outcome).run();
    if (!done) {
        return engine::fail(done.error());
    }
    return outcome;
}

} // namespace app
