#include "storage/logs/column_guesses.h"

#include "storage/logs/guesses.h"

#include <array>
#include <vector>

namespace storage::logs {
namespace {

constexpr RecordSource kSources[] = {
    {"client_ip", "source.ip"},
    {"client_ip", "client.ip"},
    {"client_ip", "source_ip"},
    {"client_ip", "client_ip_address"},
    {"client_ip", "client_host"},
    {"client_ip", "remote_host"},
    {"client_ip", "c_ip"},
    {"client_ip", "ip_address"},
    {"client_ip", "source_address"},
    {"client_ip", "address"},
    {"client_ip", "peer"},
    {"client_ip", "src"},
    {"client_ip", "remote"},
    {"client_ip", "source"},
    {"request_id", "http.request.id"},
    {"request_id", "trace_id"},
    {"method", "http.request.method"},
    {"method", "cs_method"},
    {"method", "http_request_method"},
    {"method", "request_type"},
    {"method", "request_verb"},
    {"target", "url.original"},
    {"target", "cs_uri_stem"},
    {"target", "request_url"},
    {"target", "url.path"},
    {"target", "http_path"},
    {"target", "http_url"},
    {"target", "endpoint"},
    {"target", "route"},
    {"query", "url.query"},
    {"query", "cs_uri_query"},
    {"host", "url.domain"},
    {"host", "cs_host"},
    {"host", "server_name"},
    {"host", "domain"},
    {"host", "site"},
    {"scheme", "url.scheme"},
    {"scheme", "request_scheme"},
    {"status", "http.response.status_code"},
    {"status", "sc_status"},
    {"status", "http_status_code"},
    {"status", "response_status"},
    {"status", "response_status_code"},
    {"status", "http_code"},
    {"status", "http_response_code"},
    {"status", "elb_status_code"},
    {"status", "staus"}, // of a data set that many copied
    {"user", "user.name"},
    {"user", "cs_username"},
    {"user", "user_name"},
    {"user", "user_id"},
    {"api_key", "cs_x_api_key"},
    {"user_agent", "user_agent.original"},
    {"user_agent", "cs_user_agent"},
    {"user_agent", "browser"},
    {"referer", "http.request.referrer"},
    {"referer", "cs_referer"},
    {"bytes", "http.response.body.bytes"},
    {"bytes", "sc_bytes"},
    {"bytes", "response_bytes"},
    {"bytes", "response_body_size"},
    {"x_forwarded_for", "x_forwarded_for"},
    {"x_forwarded_for", "http_x_forwarded_for"},
    {"x_forwarded_for", "xff"},
    {"x_forwarded_for", "forwarded_for"},
    {"x_forwarded_for", "fwd"},
    {"client_ip", "x_forwarded_for"},
    {"client_ip", "http_x_forwarded_for"},
    {"client_ip", "xff"},
    {"client_ip", "forwarded_for"},
    {"client_ip", "fwd"},
};

/// A load balancer's start, which stands beside its `time` of the end.
constexpr RecordStamp kFirstStamps[] = {{"request_creation_time", true}};

constexpr RecordStamp kStamps[] = {{"request_start_time", true},
                                   {"request_received", true},
                                   {"start_date", true},
                                   {"begin_time", true},
                                   {"end_time"},
                                   {"date_and_time"},
                                   {"request_date"},
                                   {"event_time"},
                                   {"created_at"},
                                   {"logged"},
                                   {"when"},
                                   {"t"},
                                   {"epoch"},
                                   {"unix_time"},
                                   {"time_stamp"}};

constexpr RecordDuration kDurations[]
    = {{"event.duration", 1}, {"latency", 0},       {"elapsed", 0},   {"took", 0}, {"dur", 0},
       {"service", 0},        {"response_time", 0}, {"time_taken", 0}};

constexpr std::array<std::string_view, 5> kLists {"x_forwarded_for", "http_x_forwarded_for", "xff",
                                                  "forwarded_for", "fwd"};

template <class Item>
std::vector<Item> joined(std::span<const Item> first, std::span<const Item> more)
{
    std::vector<Item> all(first.begin(), first.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

std::span<const RecordSource> guessedSources()
{
    static const auto kAll = joined(sourceGuesses(), std::span<const RecordSource>(kSources));
    return kAll;
}

std::span<const RecordDuration> guessedDurations()
{
    static const auto kAll = joined(durationGuesses(), std::span<const RecordDuration>(kDurations));
    return kAll;
}

const ColumnRules& guessedColumns()
{
    static const auto kGuessed = joined(std::span<const RecordStamp>(kFirstStamps), stampGuesses());
    static const auto kAllStamps
        = joined(std::span<const RecordStamp>(kGuessed), std::span<const RecordStamp>(kStamps));
    static const ColumnRules kRules = [] {
        ColumnRules rules;
        rules.sources = guessedSources();
        rules.stamps = kAllStamps;
        rules.durations = guessedDurations();
        rules.requests = requestLineGuesses();
        rules.lists = kLists;
        return rules;
    }();
    return kRules;
}

} // namespace storage::logs
