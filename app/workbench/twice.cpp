#include "app/workbench/twice.h"

#include "app/workbench/figures_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
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
}

/// Each request of the second sample takes one of the first at most.
TwiceCheck::Shared TwiceCheck::sharedBy(const Sample& a, const Sample& b)
{
    Shared shared;
    std::unordered_map<std::string_view, std::size_t> ids;
    std::unordered_multimap<std::string_view, std::size_t> whos;
    std::size_t within[2] = {0, 0};
    const auto spanOf = [](const Sample& sample) {
        return std::minmax_element(
            sample.requests.begin(), sample.requests.end(),
            [](const Seen& x, const Seen& y) { return x.timeNs < y.timeNs; });
    };
    const auto countWithin = [](const Sample& sample, std::int64_t from, std::int64_t to) {
        return static_cast<std::size_t>(std::count_if(
            sample.requests.begin(), sample.requests.end(), [from, to](const Seen& seen) {
                return seen.timeNs + kApartNs >= from && seen.timeNs - kApartNs <= to;
            }));
    };
    if (a.requests.empty() || b.requests.empty()) {
        return shared;
    }
    const auto [firstA, lastA] = spanOf(a);
    const auto [firstB, lastB] = spanOf(b);
    within[0] = countWithin(a, firstB->timeNs, lastB->timeNs);
    within[1] = countWithin(b, firstA->timeNs, lastA->timeNs);
    shared.of = std::min(within[0], within[1]);
    for (std::size_t i = 0; i < a.requests.size(); ++i) {
        if (!a.requests[i].id.empty()) {
            ids.emplace(a.requests[i].id, i);
        }
        if (!a.requests[i].who.empty()) {
            whos.emplace(a.requests[i].who, i);
        }
    }
    std::size_t byWho = 0;
    std::size_t byId = 0;
    for (const Seen& seen : b.requests) {
        byId += !seen.id.empty() && ids.erase(seen.id) > 0 ? 1U : 0U;
        const auto [begin, end] = whos.equal_range(seen.who);
        const auto match = std::find_if(begin, end, [&](const auto& entry) {
            const std::int64_t other = a.requests[entry.second].timeNs;
            return std::max(other, seen.timeNs) - std::min(other, seen.timeNs) <= kApartNs;
        });
        if (match != end) {
            ++byWho;
            whos.erase(match);
        }
    }
    shared.byId = byId >= byWho;
    shared.count = std::max(byId, byWho);
    return shared;
}

std::vector<storage::Note> TwiceCheck::notes(const std::vector<ReadLog>& logs) const
{
    std::vector<storage::Note> notes;
    for (std::size_t b = 1; b < logs.size() && notes.size() < kMostNotes; ++b) {
        for (std::size_t a = 0; a < b && notes.size() < kMostNotes; ++a) {
            if (logs[a].report.requests == 0 || logs[b].report.requests == 0) {
                continue;
            }
            if (logs[a].fingerprint == logs[b].fingerprint) {
                notes.push_back({"log.twice",
                                 fmt::format("{} and {} have the same content: every request of it "
                                             "counts twice",
                                             logs[a].path, logs[b].path)});
                break; // the others of the same content have been told of
            }
            if (m_samples[a].format == m_samples[b].format) {
                continue;
            }
            const Shared shared = sharedBy(m_samples[a], m_samples[b]);
            if (shared.count >= kFewest && shared.count * kWorthFraction >= shared.of) {
                notes.push_back(
                    {"log.overlap",
                     fmt::format(
                         "{} ({}) and {} ({}) may hold the same requests twice: {} of their "
                         "first {} have the same {}",
                         logs[a].path, logs[a].format, logs[b].path, logs[b].format,
                         grouped(shared.count), grouped(std::max(shared.of, shared.count)),
                         shared.byId ? "request id" : "method, path and client within 2 s")});
            }
        }
    }
    return notes;
}

} // namespace app
