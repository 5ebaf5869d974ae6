#include "app/workbench/twice.h"

#include "app/workbench/figures_text.h"
#include "storage/time_math.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace app {
namespace {

constexpr std::int64_t kApartNs = 2'000'000'000;
constexpr std::size_t kWorthFraction = 5; ///< a fifth
constexpr std::size_t kMostNotes = 5; ///< of pairs; more would say the same

/// Names under which formats give an id of the request, the surest first.
constexpr std::array<std::string_view, 8> kIdFields {
    "request_id", "req_id",   "x_request_id",      "http_x_request_id",
    "requestId",  "trace_id", "x-edge-request-id", "RayID"};

std::vector<std::string> fieldsOf(const storage::LogReader& reader)
{
    std::vector<std::string> fields {"method", "path", "client_ip"};
    for (const std::string_view id : kIdFields) {
        const auto& all = reader.allFields();
        if (std::find(all.begin(), all.end(), id) != all.end()) {
            fields.emplace_back(id);
            break;
        }
    }
    return fields;
}

} // namespace

TwiceCheck::TwiceCheck(std::size_t logs)
    : m_share(std::clamp<std::size_t>(50'000 / std::max<std::size_t>(logs, 1), 50, 500))
    , m_samples(logs)
{
}

void TwiceCheck::look(std::size_t log, storage::LogReader& reader)
{
    Sample& sample = m_samples[log];
    sample.format = reader.format().name();
    const std::vector<std::string> fields = fieldsOf(reader);
    reader.selectFields(fields);
    storage::LogBlock head;
    reader.parseHead(head);
    const std::size_t count = std::min(m_share, head.batch.requests.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view* const values = head.batch.valuesOf(i);
        Seen& seen = sample.requests.emplace_back();
        seen.timeNs = head.batch.requests[i].timeNs;
        if (fields.size() > 3 && values[3].data() != nullptr) {
            seen.id = values[3];
        }
        if (values[0].data() != nullptr && values[1].data() != nullptr
            && values[2].data() != nullptr) {
            seen.who = fmt::format("{} {} {}", values[0], values[1], values[2]);
        }
    }
    std::stable_sort(sample.requests.begin(), sample.requests.end(),
                     [](const Seen& a, const Seen& b) { return a.timeNs < b.timeNs; });
}

/// Where the same texts are: of each text the LOGs that have it, and when.
class TwiceCheck::Index {
public:
    Index(const std::vector<Sample>& samples, std::string Seen::*text)
        : m_runsOf(samples.size())
    {
        for (std::size_t log = 0; log < samples.size(); ++log) {
            for (const Seen& seen : samples[log].requests) {
                if (!(seen.*text).empty()) {
                    m_entries.push_back({seen.*text, log, seen.timeNs});
                }
            }
        }
        std::sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
            return std::tie(a.text, a.log, a.timeNs) < std::tie(b.text, b.log, b.timeNs);
        });
        findRuns();
    }

    /// Tells for each text that `log` has, of each earlier LOG that has it, how many requests of
    /// both lie `apartNs` from each other at most; each request once.
    template <class Count>
    void countShared(std::size_t log, std::int64_t apartNs, Count&& count) const
    {
        for (const std::size_t run : m_runsOf[log]) {
            for (std::size_t other = m_runs[run].first; other < run; ++other) {
                if (const std::size_t shared = sharedBy(m_runs[other], m_runs[run], apartNs)) {
                    count(m_runs[other].log, shared);
                }
            }
        }
    }

private:
    struct Entry {
        std::string_view text;
        std::size_t log = 0;
        std::int64_t timeNs = 0;
    };

    /// Entries of one text and one LOG.
    struct Run {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t log = 0;
        std::size_t first = 0; ///< the first run of the same text
    };

    void findRuns()
    {
        for (std::size_t begin = 0; begin < m_entries.size();) {
            const std::size_t first = m_runs.size();
            const std::string_view text = m_entries[begin].text;
            while (begin < m_entries.size() && m_entries[begin].text == text) {
                const std::size_t log = m_entries[begin].log;
                std::size_t end = begin + 1;
                while (end < m_entries.size() && m_entries[end].text == text
                       && m_entries[end].log == log) {
                    ++end;
                }
                m_runs.push_back({begin, end, log, first});
                begin = end;
            }
            if (m_runs.size() - first > kMostSharing) {
                m_runs.resize(first);
            }
        }
        for (std::size_t run = 0; run < m_runs.size(); ++run) {
            m_runsOf[m_runs[run].log].push_back(run);
        }
    }

    [[nodiscard]] std::size_t sharedBy(const Run& a, const Run& b, std::int64_t apartNs) const
    {
        std::size_t shared = 0;
        for (std::size_t i = a.begin, k = b.begin; i < a.end && k < b.end;) {
            const std::int64_t step
                = storage::cappedDifference(m_entries[i].timeNs, m_entries[k].timeNs);
            const bool isPair = step >= -apartNs && step <= apartNs;
            shared += isPair ? 1U : 0U;
            i += isPair || step < 0 ? 1U : 0U;
            k += isPair || step > 0 ? 1U : 0U;
        }
        return shared;
    }

    std::vector<Entry> m_entries;
    std::vector<Run> m_runs;
    std::vector<std::vector<std::size_t>> m_runsOf; ///< by LOG
};

/// How many requests of the smaller sample lie within the time of the other.
std::size_t TwiceCheck::overlapOf(std::size_t a, std::size_t b) const
{
    const auto within = [](const std::vector<Seen>& requests, const std::vector<Seen>& others) {
        const std::int64_t fromNs = storage::cappedDifference(others.front().timeNs, kApartNs);
        const std::int64_t toNs = storage::cappedSum(others.back().timeNs, kApartNs);
        return static_cast<std::size_t>(
            std::count_if(requests.begin(), requests.end(), [fromNs, toNs](const Seen& seen) {
                return seen.timeNs >= fromNs && seen.timeNs <= toNs;
            }));
    };
    return std::min(within(m_samples[a].requests, m_samples[b].requests),
                    within(m_samples[b].requests, m_samples[a].requests));
}

std::optional<storage::Note> TwiceCheck::noteOf(const std::vector<ReadLog>& logs, std::size_t a,
                                                std::size_t b, const Shared& shared) const
{
    const std::size_t count = std::max(shared.byId, shared.byWho);
    if (count < kFewest || m_samples[a].format == m_samples[b].format
        || logs[a].report.requests == 0) {
        return std::nullopt;
    }
    const std::size_t of = overlapOf(a, b);
    if (count * kWorthFraction < of) {
        return std::nullopt;
    }
    return storage::Note {
        "log.overlap",
        fmt::format("{} ({}) and {} ({}) may hold the same requests twice: {} of their first {} "
                    "have the same {}",
                    logs[a].path, logs[a].format, logs[b].path, logs[b].format, grouped(count),
                    grouped(std::max(of, count)),
                    shared.byId >= shared.byWho ? "request id"
                                                : "method, path and client within 2 s")};
}

std::vector<storage::Note> TwiceCheck::notes(const std::vector<ReadLog>& logs) const
{
    constexpr std::int64_t kAnyNs = std::numeric_limits<std::int64_t>::max();
    const Index ids(m_samples, &Seen::id);
    const Index whos(m_samples, &Seen::who);
    std::unordered_map<std::string_view, std::size_t> contents; // fingerprint -> the first LOG
    std::vector<storage::Note> notes;
    for (std::size_t b = 0; b < logs.size() && notes.size() < kMostNotes; ++b) {
        if (logs[b].report.requests == 0) {
            continue;
        }
        const auto [same, isNew] = contents.emplace(logs[b].fingerprint, b);
        if (!isNew) {
            notes.push_back({"log.twice",
                             fmt::format("{} and {} have the same content: every request of it "
                                         "counts twice",
                                         logs[same->second].path, logs[b].path)});
            continue;
        }
        std::map<std::size_t, Shared> earlier;
        ids.countShared(b, kAnyNs, [&](std::size_t a, std::size_t) { ++earlier[a].byId; });
        whos.countShared(b, kApartNs, [&](std::size_t a, std::size_t n) { earlier[a].byWho += n; });
        for (const auto& [a, shared] : earlier) {
            if (auto note = noteOf(logs, a, b, shared); note && notes.size() < kMostNotes) {
                notes.push_back(std::move(*note));
            }
        }
    }
    return notes;
}

} // namespace app
