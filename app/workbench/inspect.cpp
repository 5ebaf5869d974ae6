#include "app/workbench/inspect.h"

#include "app/workbench/block_feed.h"
#include "app/workbench/ordered_pipeline.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

namespace app {
namespace {

struct Slot {
    storage::LogBlock block;
    std::map<std::string, std::uint64_t, std::less<>> statuses;
};

class Inspector {
public:
    Inspector(const InspectRequest& request, Inspection& inspection)
        : m_request(request)
        , m_inspection(inspection)
        , m_feed(*inspection.reader, request.stop)
    {
        const std::vector<std::string>& fields = inspection.reader->selectedFields();
        const auto status = std::find(fields.begin(), fields.end(), "status");
        if (status != fields.end()) {
            m_status = static_cast<std::size_t>(status - fields.begin());
        }
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
        m_inspection.interrupted = m_feed.stopAsked();
        return m_feed.failure() ? engine::Status(engine::fail(*m_feed.failure())) : engine::Done {};
    }

private:
    void prepare(Slot& slot) const
    {
        m_inspection.reader->parse(slot.block);
        slot.statuses.clear();
        const engine::RequestBatch& batch = slot.block.batch;
        for (std::size_t i = 0; i < batch.requests.size(); ++i) {
            const std::string_view status
                = m_status ? batch.valuesOf(i)[*m_status] : std::string_view();
            const auto found = slot.statuses.find(status);
            if (found != slot.statuses.end()) {
                ++found->second;
            } else {
                slot.statuses.emplace(status, 1);
            }
        }
    }

    bool consume(Slot& slot)
    {
        m_inspection.reader->note(slot.block);
        if (m_request.rejected && !slot.block.rejects.empty()) {
            m_request.rejected(slot.block.rejects);
        }
        for (const auto& [status, count] : slot.statuses) {
            m_inspection.statuses[status] += count;
        }
        for (std::size_t i = 0; i < slot.block.batch.requests.size(); ++i) {
            look(slot.block.batch, i);
        }
        if (m_request.progress != nullptr) {
            const storage::LogSource& source = m_inspection.reader->source();
            m_request.progress->update({slot.block.sourceBytes, source.bytesTotal(),
                                        m_inspection.reader->report().lines, false});
        }
        return true;
    }

    void look(const engine::RequestBatch& batch, std::size_t index)
    {
        const engine::Request& request = batch.requests[index];
        if (m_newestNs && request.timeNs < *m_newestNs) {
            // Unsigned: two int64 times may lie further apart than an int64 can say.
            const std::uint64_t step = static_cast<std::uint64_t>(*m_newestNs)
                - static_cast<std::uint64_t>(request.timeNs);
            const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            m_inspection.longestStepBackNs = std::max(
                m_inspection.longestStepBackNs, static_cast<std::int64_t>(std::min(step, most)));
        }
        m_newestNs = std::max(m_newestNs.value_or(request.timeNs), request.timeNs);
        if (m_inspection.first.size() >= m_request.firstRequests) {
            return;
        }
        InspectedRequest& inspected = m_inspection.first.emplace_back();
        inspected.request = request;
        const std::vector<std::string>& fields = m_inspection.reader->selectedFields();
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const std::string_view value = batch.valuesOf(index)[f];
            if (value.data() != nullptr) {
                inspected.fields.emplace_back(fields[f], std::string(value));
            }
        }
    }

    const InspectRequest& m_request;
    Inspection& m_inspection;
    BlockFeed m_feed;
    std::optional<std::size_t> m_status; ///< position of the field
    std::optional<std::int64_t> m_newestNs;
};

} // namespace

engine::Result<Inspection> inspect(const InspectRequest& request)
{
    auto reader = openLog(request.log, request.stop);
    if (!reader) {
        return engine::fail(reader.error());
    }
    Inspection inspection;
    inspection.reader = std::move(*reader);
    if (engine::Status discovered = inspection.reader->discoverFields(); !discovered) {
        return engine::fail(discovered.error());
    }
    inspection.reader->selectFields(inspection.reader->allFields());
    engine::Status done = Inspector(request, inspection).run();
    if (!done) {
        return engine::fail(done.error());
    }
    return inspection;
}

} // namespace app
