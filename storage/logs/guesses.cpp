#include "storage/logs/guesses.h"

#include <array>

namespace storage::logs {
namespace {

constexpr RecordSource kSources[] = {
    {"client_ip", "client_ip"},
    {"client_ip", "remote_addr"},
    {"client_ip", "clientip"},
    {"client_ip", "remote_ip"},
    {"client_ip", "clientIp"},
    {"client_ip", "ClientIP"},
    {"client_ip", "client_addr"},
    {"client_ip", "client_address"},
    {"client_ip", "remote_address"},
    {"client_ip", "remoteAddr"},
    {"client_ip", "remoteIp"},
    {"client_ip", "src_ip"},
    {"client_ip", "client"},
    {"client_ip", "ip"},
    {"request_id", "request_id"},
    {"request_id", "req_id"},
    {"request_id", "requestId"},
    {"request_id", "x_request_id"},
    {"request_id", "http_x_request_id"},
    {"method", "method"},
    {"method", "request_method"},
    {"method", "http_method"},
    {"method", "requestMethod"},
    {"method", "verb"},
    {"target", "request_uri"},
    {"target", "uri"},
    {"target", "url"},
    {"target", "path"},
    {"target", "uri_path"},
    {"target", "request_path"},
    {"target", "target"},
    {"target", "requestUrl"},
    {"query", "query"},
    {"query", "query_string"},
    {"query", "args"},
    {"host", "host"},
    {"host", "http_host"},
    {"host", "vhost"},
    {"host", "authority"},
    {"scheme", "scheme"},
    {"status", "status"},
    {"status", "status_code"},
    {"status", "response_code"},
    {"status", "http_status"},
    {"status", "statusCode"},
    {"status", "code"},
    {"user", "user"},
    {"user", "remote_user"},
    {"user", "username"},
    {"api_key", "api_key"},
    {"api_key", "http_x_api_key"},
    {"api_key", "x_api_key"},
    {"api_key", "apikey"},
    {"api_key", "x-api-key"},
    {"api_key", "apiKey"},
    {"user_agent", "user_agent"},
    {"user_agent", "http_user_agent"},
    {"user_agent", "ua"},
    {"user_agent", "agent"},
    {"user_agent", "userAgent"},
    {"referer", "referer"},
    {"referer", "http_referer"},
    {"referer", "referrer"},
    {"bytes", "body_bytes_sent"},
    {"bytes", "bytes_sent"},
    {"bytes", "bytes"},
    {"bytes", "bytes_out"},
    {"bytes", "response_size"},
    {"bytes", "size"},
};

constexpr RecordStamp kStamps[] = {
    {"start_time", true},
    {"started_at", true},
    {"start", true},
    {"request_start", true},
    {"startTime", true},
    {"msec"},
    {"time_iso8601"},
    {"time_local"},
    {"time"},
    {"@timestamp"},
    {"timestamp"},
    {"ts"},
    {"datetime"},
    {"date_time"},
    {"date"},
    {"time_ns"},
    {"timestamp_ms"},
    {"timestamp(ms)"},
    {"log_time"},
    {"logged_at"},
};

constexpr RecordDuration kDurations[]
    = {{"request_time", kSecondNs},     {"duration_ns", 1},           {"duration_us", 1'000},
       {"duration_ms", 1'000'000},      {"duration_s", kSecondNs},    {"latency_ns", 1},
       {"latency_us", 1'000},           {"latency_ms", 1'000'000},    {"elapsed_ms", 1'000'000},
       {"response_time_ms", 1'000'000}, {"time_taken_ms", 1'000'000}, {"took_ms", 1'000'000},
       {"reqtime", kSecondNs},          {"duration", kSecondNs}};

constexpr std::array<std::string_view, 2> kRequestLines {"request", "request_line"};

} // namespace

std::span<const RecordSource> sourceGuesses()
{
    return kSources;
}

std::span<const RecordStamp> stampGuesses()
{
    return kStamps;
}

std::span<const RecordDuration> durationGuesses()
{
    return kDurations;
}

std::span<const std::string_view> requestLineGuesses()
{
    return kRequestLines;
}

} // namespace storage::logs
