#include "app/workbench/convert.h"

#include "app/workbench/log_feed.h"
#include "app/workbench/ordered_pipeline.h"
#include "app/workbench/text.h"
#include "storage/neutral.h"
#include "storage/sequencer.h"

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
    FeedBlock read;
    Shaper::ShapedPtr shaped;
    const engine::RequestBatch* batch = nullptr; ///< as shaped
    std::string text; ///< the fronts and tails of all requests
    std::vector<std::size_t> end; ///< of each tail in text
};

class Converter {
public:
    Converter(const ConvertRequest& request, LogFeed& feed, const Shaper& shaper,
              ConvertOutcome& outcome)
        : m_request(request)
        , m_outcome(outcome)
        , m_feed(feed)
        , m_shaper(shaper)
        , m_writer(shaper.writes())
        , m_sequencer(sequencing(request),
                      [this](std::span<const storage::Sequenced> records) { emit(records); })
    {
    }

    engine::Status run()
    {
        const unsigned jobs = std::max(1U, m_request.jobs);
        std::deque<Slot> slots(2 * jobs + 1);
        for (Slot& slot : slots) {
            slot.shaped = m_shaper.makeShaped();
        }
        OrderedPipeline<Slot> pipeline(slots,
                                       {[this](Slot& slot) { return m_feed.read(slot.read); },
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
        m_outcome.interrupted = m_feed.stopAsked();
        return m_failure ? engine::Status(engine::fail(*m_failure)) : engine::Done {};
    }

private:
    static storage::SequencerOptions sequencing(const ConvertRequest& request)
    {
        storage::SequencerOptions options;
        options.fullSort = true;
        options.spread = request.logs.front().spread;
        return options;
    }

    void prepare(Slot& slot) const
    {
        m_feed.parse(slot.read);
        slot.text.clear();
        slot.end.clear();
        slot.batch = &m_shaper.shape(slot.read.block.batch, *slot.shaped);
        for (std::size_t i = 0; i < slot.batch->requests.size(); ++i) {
            appendFront(slot.batch->requests[i], slot.text);
            m_writer.appendTail(slot.batch->requests[i], slot.batch->valuesOf(i), slot.text);
            slot.end.push_back(slot.text.size());
        }
    }

    bool consume(Slot& slot)
    {
        m_feed.note(slot.read);
        const storage::LogBlock& block = slot.read.block;
        if (m_request.rejected && !block.rejects.empty()) {
            m_request.rejected(slot.read.log, block.rejects);
        }
        const Shaper::LeftOut leftOut = Shaper::leftOut(*slot.shaped);
        m_outcome.leftOut.byWhere += leftOut.byWhere;
        m_outcome.leftOut.bySample += leftOut.bySample;
        m_outcome.leftOut.withoutKey += leftOut.withoutKey;
        for (std::size_t i = 0; i < leftOut.stillShown.size(); ++i) {
            m_outcome.leftOut.stillShown.resize(leftOut.stillShown.size());
            m_outcome.leftOut.stillShown[i] += leftOut.stillShown[i];
        }
        std::size_t begin = 0;
        for (std::size_t i = 0; i < slot.end.size() && !m_failure; ++i) {
            take(slot.batch->requests[i],
                 std::string_view(slot.text).substr(begin, slot.end[i] - begin));
            begin = slot.end[i];
        }
        if (m_request.progress != nullptr) {
            m_request.progress->update(m_feed.progress());
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

    void emit(std::span<const storage::Sequenced> records)
    {
        for (const storage::Sequenced& record : records) {
            line(record.timeNs,
                 {reinterpret_cast<const char*>(record.payload.data()), record.payload.size()});
        }
    }

    void line(std::int64_t timeNs, std::string_view tail)
    {
        if ((m_request.fromNs && timeNs < *m_request.fromNs)
            || (m_request.toNs && timeNs >= *m_request.toNs)) {
            ++m_outcome.outOfRange;
            return;
        }
        ++m_outcome.written;
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
    LogFeed& m_feed;
    const Shaper& m_shaper;
    storage::NeutralWriter m_writer;
    storage::Sequencer m_sequencer;
    std::string m_waiting;
    std::uint64_t m_n = 0;
    std::optional<engine::Diagnostic> m_failure;
};

/// Secret fields that were written unmasked and that a request had.
std::vector<std::string> secretsOf(const Shaper& shaper, const std::vector<std::string>& masked,
                                   const storage::LogReport& report)
{
    const std::vector<std::string>& written = shaper.writes();
    std::vector<std::string> secrets;
    for (std::size_t i = 0; i < shaper.reads().size() && i < report.filled.size(); ++i) {
        const std::string& field = shaper.reads()[i];
        const auto isIn = [&field](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), field) != names.end();
        };
        if (report.filled[i] > 0 && isSecretAttribute(field) && isIn(written) && !isIn(masked)) {
            secrets.push_back(field);
        }
    }
    return secrets;
}

/// Whether lines may have the attribute, or the plan whose terms hold makes it.
bool isKnown(const std::string& attribute, const std::vector<std::string>& fields,
             const ConvertShape& shape)
{
    const auto isIt = [&](const auto& derivation) { return derivation.name == attribute; };
    return std::find(fields.begin(), fields.end(), attribute) != fields.end()
        || (!shape.plans.empty()
            && std::any_of(shape.plans.front()->attributes.begin(),
                           shape.plans.front()->attributes.end(), isIt));
}

} // namespace

engine::Result<ConvertOutcome> convert(const ConvertRequest& request)
{
    ConvertOutcome outcome;
    std::vector<std::string> fields;
    LogFeedOptions options;
    options.stop = request.stop;
    options.opened = [&](std::size_t log, storage::LogReader& reader) {
        engine::Status discovered = reader.discoverFields();
        if (const std::string note = reader.fieldsNote(); !note.empty()) {
            outcome.fieldNotes.push_back(request.logs[log].path + ": " + note);
        }
        for (const std::string& field : reader.allFields()) {
            if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
                fields.push_back(field);
            }
        }
        return discovered;
    };
    auto feed = LogFeed::open(request.logs, options);
    if (!feed) {
        return engine::fail(feed.error());
    }
    auto shaper = Shaper::make(request.shape, fields);
    if (!shaper) {
        return engine::fail(shaper.error());
    }
    for (const engine::Matcher& entry : request.shape.where) {
        if (!isKnown(entry.attribute, fields, request.shape)) {
            outcome.notThere.push_back(entry.attribute);
        }
    }
    (*feed)->selectFields((*shaper)->reads());
    if (auto started = (*feed)->start(LogFeed::Order::ByLog); !started) {
        return engine::fail(started.error());
    }
    if (auto done = Converter(request, **feed, **shaper, outcome).run(); !done) {
        return engine::fail(done.error());
    }
    for (std::size_t i = 0; i < outcome.leftOut.stillShown.size(); ++i) {
        if (outcome.leftOut.stillShown[i] > 0) {
            outcome.stillShown.emplace_back((*shaper)->writes()[i], outcome.leftOut.stillShown[i]);
        }
    }
    outcome.logs = (*feed)->logs();
    outcome.report = totalOf(outcome.logs, (*shaper)->reads().size());
    outcome.secrets = secretsOf(**shaper, request.shape.mask, outcome.report);
    return outcome;
}

} // namespace app
