#include "app/workbench/inspect.h"

#include "app/workbench/lanes.h"
#include "app/workbench/log_feed.h"
#include "app/workbench/open_files.h"
#include "app/workbench/ordered_pipeline.h"
#include "engine/attributes.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

namespace app {
namespace {

constexpr std::int64_t kLeastGapNs = 60'000'000'000;
constexpr std::size_t kMostGaps = 3;
constexpr std::uint32_t kNoKey = 0xFFFFFFFF;
// What looks masked: so few values over so many addresses.
constexpr std::uint64_t kFewValues = 3;
constexpr std::uint64_t kManyAddresses = 50;

/// An attribute that a rule may have in its key.
struct Limitable {
    std::string_view what;
    std::string_view attribute;
};

constexpr std::array<Limitable, 3> kLimitable {
    {{"per address", "client_ip"}, {"per API key", "api_key"}, {"per user", "user"}}};

struct Slot {
    FeedBlock read;
    std::map<std::string, std::uint64_t, std::less<>> statuses;
};

/// Different texts, by their own bytes, and how many clients they came from.
class Distinct {
public:
    void add(std::string_view text, std::uint32_t client)
    {
        if (text != m_last) { // neighbours are often equal
            m_last = text;
            m_texts.insert(m_last);
        }
        if (client != kNoKey) {
            m_isClient.resize(std::max<std::size_t>(m_isClient.size(), client + 1));
            m_clients += m_isClient[client] ? 0U : 1U;
            m_isClient[client] = true;
        }
    }

    [[nodiscard]] std::uint64_t count() const { return m_texts.size(); }

    [[nodiscard]] std::uint64_t clients() const { return m_clients; }

private:
    std::unordered_set<std::string> m_texts;
    std::string m_last;
    std::vector<bool> m_isClient; ///< by number of the client
    std::uint64_t m_clients = 0;
};

/// A request on its way into order of arrival.
struct Sight {
    std::int64_t timeNs = 0;
    std::uint32_t key = kNoKey;
};

class Inspector final : public LaneSink {
public:
    Inspector(const InspectRequest& request, LogFeed& feed, Inspection& inspection)
        : m_request(request)
        , m_inspection(inspection)
        , m_feed(feed)
        , m_status(placeOf("status"))
        , m_client(placeOf("client_ip"))
        , m_newestNs(feed.size())
        , m_lanes(std::vector<storage::SequencerOptions>(feed.size()), *this)
    {
        for (const Limitable& limitable : kLimitable) {
            m_places.push_back(placeOf(limitable.attribute));
        }
        m_values.resize(kLimitable.size());
    }

    engine::Status run()
    {
        for (std::size_t log = 0; log < m_feed.size(); ++log) {
            if (const auto first = m_feed.firstNs(log)) {
                m_lanes.begins(log, *first);
            }
        }
        if (auto started = m_feed.start(LogFeed::Order::ByTime, m_lanes.horizonNs()); !started) {
            return started;
        }
        const unsigned jobs = std::max(1U, m_request.jobs);
        std::deque<Slot> slots(2 * jobs + 1);
        OrderedPipeline<Slot> pipeline(slots,
                                       {[this](Slot& slot) { return m_feed.read(slot.read); },
                                        [this](Slot& slot) { prepare(slot); },
                                        [this](Slot& slot) { return consume(slot); }});
        pipeline.run(jobs);
        if (!m_failure) {
            m_failure = m_feed.failure();
        }
        if (!m_failure) {
            note(m_lanes.finish());
        }
        m_inspection.interrupted = m_feed.stopAsked();
        if (m_failure) {
            return engine::fail(orTooManyOpen(*m_failure));
        }
        m_inspection.logs = m_feed.logs();
        m_inspection.report = totalOf(m_inspection.logs, m_inspection.fields.size());
        settle();
        return engine::Done {};
    }

private:
    [[nodiscard]] std::optional<std::size_t> placeOf(std::string_view field) const
    {
        const std::vector<std::string>& fields = m_inspection.fields;
        const auto found = std::find(fields.begin(), fields.end(), field);
        return found == fields.end()
            ? std::nullopt
            : std::optional(static_cast<std::size_t>(found - fields.begin()));
    }

    void prepare(Slot& slot) const
    {
        m_feed.parse(slot.read);
        slot.statuses.clear();
        const engine::RequestBatch& batch = slot.read.block.batch;
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
        m_feed.note(slot.read);
        const storage::LogBlock& block = slot.read.block;
        if (m_request.rejected && !block.rejects.empty()) {
            m_request.rejected(slot.read.log, block.rejects);
        }
        for (const auto& [status, count] : slot.statuses) {
            m_inspection.statuses[status] += count;
        }
        if (slot.read.ends) {
            note(m_lanes.end(slot.read.log));
        }
        for (std::size_t i = 0; i < block.batch.requests.size() && !m_failure; ++i) {
            look(slot.read.log, block.batch, i);
        }
        if (!m_failure) {
            note(m_lanes.settle(slot.read.log));
        }
        if (m_request.progress != nullptr) {
            m_request.progress->update(m_feed.progress());
        }
        return !m_failure;
    }

    void look(std::size_t log, const engine::RequestBatch& batch, std::size_t index)
    {
        const engine::Request& request = batch.requests[index];
        std::optional<std::int64_t>& newestNs = m_newestNs[log];
        if (newestNs && request.timeNs < *newestNs) {
            m_inspection.longestStepBackNs
                = std::max(m_inspection.longestStepBackNs,
                           storage::cappedDifference(*newestNs, request.timeNs));
        }
        newestNs = std::max(newestNs.value_or(request.timeNs), request.timeNs);
        const std::string_view* const values = batch.valuesOf(index);
        countKeys(log, request, values);
        if (m_inspection.first.size() < m_request.firstRequests) {
            InspectedRequest& inspected = m_inspection.first.emplace_back();
            inspected.log = log;
            inspected.request = request;
            for (std::size_t f = 0; f < m_inspection.fields.size(); ++f) {
                if (values[f].data() != nullptr) {
                    inspected.fields.emplace_back(m_inspection.fields[f], std::string(values[f]));
                }
            }
        }
    }

    void countKeys(std::size_t log, const engine::Request& request, const std::string_view* values)
    {
        std::uint32_t key = kNoKey;
        if (m_client) {
            const std::string_view client
                = engine::normalise("client_ip", values[*m_client], m_normal);
            key = client.empty() ? kNoKey : m_peaks.keyOf(client);
        }
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            if (m_places[i] && kLimitable[i].attribute != "client_ip"
                && !values[*m_places[i]].empty()) {
                m_values[i].add(values[*m_places[i]], key);
            }
        }
        const Sight sight {request.timeNs, key};
        note(m_lanes.push(log, storage::itemOf(request, ++m_n),
                          {reinterpret_cast<const std::byte*>(&sight), sizeof(sight)}));
    }

    void placed(const storage::Sequenced& record) override
    {
        reinterpret_cast<Sight*>(record.payload.data())->timeNs = record.timeNs;
    }

    void deliver(std::span<std::byte> payload) override
    {
        const Sight& sight = *reinterpret_cast<const Sight*>(payload.data());
        if (sight.key != kNoKey) {
            m_peaks.add(sight.key, sight.timeNs);
        }
        const Gap gap {m_lastNs.value_or(sight.timeNs), sight.timeNs};
        if (gap.lengthNs() >= kLeastGapNs) {
            std::vector<Gap>& gaps = m_inspection.gaps;
            const auto place = std::upper_bound(gaps.begin(), gaps.end(), gap,
                                                [](const Gap& left, const Gap& right) {
                                                    return left.lengthNs() > right.lengthNs();
                                                });
            gaps.insert(place, gap);
            gaps.resize(std::min(gaps.size(), kMostGaps));
        }
        m_lastNs = sight.timeNs;
    }

    template <class T> void note(const engine::Result<T>& result)
    {
        if (!result && !m_failure) {
            m_failure = result.error();
        }
    }

    /// What can be said when all was read.
    void settle()
    {
        m_inspection.late = m_lanes.statistics().late;
        if (m_peaks.keyCount() > 0) {
            m_inspection.peaksBy = "client_ip";
            m_inspection.busiest = m_peaks.busiest(m_request.busiest);
            for (std::size_t i = 0; i < Peaks::kWindows; ++i) {
                m_inspection.peaks[i] = m_peaks.spread(i);
            }
        }
        for (std::size_t i = 0; i < kLimitable.size(); ++i) {
            Ability ability;
            ability.what = kLimitable[i].what;
            ability.attribute = kLimitable[i].attribute;
            ability.filled = m_places[i] ? m_inspection.report.filled[*m_places[i]] : 0;
            ability.values
                = ability.attribute == "client_ip" ? m_peaks.keyCount() : m_values[i].count();
            ability.looksMasked = ability.attribute != "client_ip" && ability.values > 0
                && ability.values <= kFewValues && m_values[i].clients() >= kManyAddresses;
            ability.help = helpFor(ability);
            m_inspection.abilities.push_back(std::move(ability));
        }
        Ability concurrency;
        concurrency.what = "concurrency";
        concurrency.attribute = "duration";
        concurrency.filled = m_inspection.report.withDuration;
        concurrency.help = helpFor(concurrency);
        m_inspection.abilities.push_back(std::move(concurrency));
    }

    /// What the writer of the log would have to add, in its own words.
    [[nodiscard]] std::string helpFor(const Ability& ability) const
    {
        if (ability.filled > 0 || m_inspection.report.requests == 0) {
            return {};
        }
        const std::string& format = m_inspection.logs.front().format;
        const auto begins = [&](std::string_view name) { return format.starts_with(name); };

        struct Line {
            std::string_view attribute;
            std::string_view nginx;
            std::string_view apache;
        };

        constexpr std::array<Line, 4> kLines {
            {{"client_ip", "$remote_addr", "%a"},
             {"api_key", "\"$http_x_api_key\"", "\"%{X-Api-Key}i\""},
             {"user", "$remote_user", "%u"},
             {"duration", "$request_time", "%D"}}};
        const auto* const line = std::find_if(kLines.begin(), kLines.end(), [&](const Line& each) {
            return each.attribute == ability.attribute;
        });
        if (begins("nginx") || begins("ingress") || format.find('$') != std::string::npos) {
            return "add " + std::string(line->nginx) + " to the log_format";
        }
        if (begins("apache") || begins("tomcat") || format.find('%') != std::string::npos) {
            return "add " + std::string(line->apache) + " to the LogFormat";
        }
        return "if a field of the log has it: --map " + ability.attribute + "=FIELD";
    }

    const InspectRequest& m_request;
    Inspection& m_inspection;
    LogFeed& m_feed;
    std::optional<std::size_t> m_status; ///< positions of the fields
    std::optional<std::size_t> m_client;
    std::vector<std::optional<std::size_t>> m_places; ///< by kLimitable
    std::vector<Distinct> m_values; ///< by kLimitable
    Peaks m_peaks;
    std::string m_normal;
    std::vector<std::optional<std::int64_t>> m_newestNs; ///< by LOG
    std::optional<std::int64_t> m_lastNs;
    std::uint64_t m_n = 0;
    std::optional<engine::Diagnostic> m_failure;
    Lanes m_lanes;
};

} // namespace

engine::Result<Inspection> inspect(const InspectRequest& request)
{
    Inspection inspection;
    inspection.remarks.resize(request.logs.size());
    inspection.secrets.add(request.logs);
    LogFeedOptions options;
    options.stop = request.stop;
    options.opened = [&](std::size_t log, storage::LogReader& reader) {
        engine::Status discovered = reader.discoverFields();
        for (const std::string& field : reader.allFields()) {
            if (std::find(inspection.fields.begin(), inspection.fields.end(), field)
                == inspection.fields.end()) {
                inspection.fields.push_back(field);
            }
        }
        inspection.remarks[log] = reader.format().remarks();
        if (std::string note = reader.fieldsNote(); !note.empty()) {
            inspection.remarks[log].push_back(std::move(note));
        }
        return discovered;
    };
    auto feed = LogFeed::open(request.logs, options);
    if (!feed) {
        return engine::fail(feed.error());
    }
    (*feed)->selectFields(inspection.fields);
    if (auto done = Inspector(request, **feed, inspection).run(); !done) {
        return engine::fail(done.error());
    }
    return inspection;
}

} // namespace app
