#include "storage/logs/json_kind.h"

#include <algorithm>

/// JSON logs whose names are the operator's own.
namespace storage::logs {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// nginx: a log_format whose text is JSON, with escape=json or without. Names are mostly those of
// the variables.
constexpr RecordSource kNginxSources[] = {
    {"client_ip", "remote_addr"},
    {"client_ip", "realip_remote_addr"},
    {"user_agent", "http_user_agent"},
    {"referer", "http_referer"},
    {"target", "request_uri"},
    {"method", "request_method"},
    {"api_key", "http_x_api_key"},
    {"x_forwarded_for", "http_x_forwarded_for"},
    {"x_forwarded_for", "x_forwarded_for"},
    {"x_forwarded_for", "xff"},
    {"x_forwarded_for", "proxy_add_x_forwarded_for"},
};
constexpr JsonStamp kNginxStamps[] = {{"msec"}, {"time_iso8601"}, {"time_local"}};
constexpr JsonDuration kNginxDurations[] = {{"request_time"}};
constexpr std::string_view kNginxSigns[]
    = {"remote_addr|realip_remote_addr|http_x_forwarded_for|http_x_real_ip",
       "request_time|body_bytes_sent|bytes_sent|request_uri|request|http_user_agent|time_local|"
       "time_iso8601|msec|remote_user|upstream_response_time|upstream_addr|request_length"};
constexpr std::string_view kNginxRemarks[]
    = {"the stamp is of a request's end; the start is the stamp less request_time"};

// Names of structured loggers, of the Elastic common schema and of CDN templates, behind those that
// guesses.cpp has.
constexpr RecordSource kJsonSources[] = {
    {"client_ip", "client.ip"},
    {"client_ip", "source.ip"},
    {"client_ip", "client.address"},
    {"client_ip", "source.address"},
    {"client_ip", "cliIP"},
    {"client_ip", "request.remote_ip"},
    {"client_ip", "req.remoteAddress"},
    {"client_ip", "x_forwarded_for"},
    {"client_ip", "http_x_forwarded_for"},
    {"client_ip", "xff"},
    {"method", "http.request.method"},
    {"method", "http.method"},
    {"method", "req.method"},
    {"method", "request.method"},
    {"method", "reqMethod"},
    {"target", "url.original"},
    {"target", "url.path"},
    {"target", "http.url"},
    {"target", "http.target"},
    {"target", "req.url"},
    {"target", "request.uri"},
    {"target", "request.url"},
    {"target", "request.path"},
    {"target", "reqPath"},
    {"query", "url.query"},
    {"query", "queryStr"},
    {"host", "url.domain"},
    {"host", "req.headers.host"},
    {"host", "request.host"},
    {"host", "reqHost"},
    {"scheme", "url.scheme"},
    {"status", "http.response.status_code"},
    {"status", "http.status_code"},
    {"status", "res.statusCode"},
    {"status", "response.status"},
    {"status", "response_status"},
    {"bytes", "http.response.body.bytes"},
    {"bytes", "response_body_size"},
    {"user", "user.name"},
    {"user", "user.id"},
    {"request_id", "http.request.id"},
    {"request_id", "req.id"},
    {"user_agent", "user_agent.original"},
    {"user_agent", "req.headers.user-agent"},
    {"user_agent", "request_user_agent"},
    {"user_agent", "UA"},
    {"referer", "http.request.referrer"},
    {"referer", "request_referer"},
    {"api_key", "req.headers.x-api-key"},
    {"api_key", "request.headers.x-api-key"},
    {"x_forwarded_for", "x_forwarded_for"},
    {"x_forwarded_for", "http_x_forwarded_for"},
    {"x_forwarded_for", "xff"},
    {"x_forwarded_for", "xForwardedFor"},
};
constexpr JsonStamp kJsonStamps[] = {{"event.start", true}, {"reqTimeSec", true}};
constexpr JsonDuration kJsonDurations[]
    = {{"event.duration", 1}, {"responseTime", kMs}, {"response_time"},        {"latency", 0},
       {"elapsed", 0},        {"took", 0},           {"transferTimeMSec", kMs}};
constexpr std::string_view kJsonHeaders[] = {"req.headers.", "request.headers.", "headers."};
constexpr std::string_view kJsonRemarks[]
    = {"what a field means is told by its name; --map says it where a name means something else",
       "a stamp is of a request's end unless its name says start"};

const JsonKind kKinds[] = {
    {.name = "nginx-json",
     .sources = kNginxSources,
     .stamps = kNginxStamps,
     .durations = kNginxDurations,
     .signs = kNginxSigns,
     .remarks = kNginxRemarks,
     .guesses = JsonGuesses::Behind},
    {.name = "json",
     .sources = kJsonSources,
     .stamps = kJsonStamps,
     .durations = kJsonDurations,
     .headers = kJsonHeaders,
     .remarks = kJsonRemarks,
     .refusal = {"logger", "http.log.", "http.log.access"}, // Caddy's repeat requests
     .guesses = JsonGuesses::Before},
};

} // namespace

std::span<const JsonKind> jsonGenericKinds()
{
    return kKinds;
}

const JsonKind* jsonKind(std::string_view name)
{
    for (const auto kinds : {jsonServerKinds(), jsonCloudKinds(), jsonGenericKinds()}) {
        const auto found = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const JsonKind& kind) { return kind.name == name; });
        if (found != kinds.end()) {
            return &*found;
        }
    }
    return nullptr;
}

bool namesAddressList(std::string_view field)
{
    constexpr std::string_view kNames[] = {"forwarded", "xff"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
        return std::search(field.begin(), field.end(), name.begin(), name.end(),
                           [](char have, char want) { return (have | 0x20) == want; })
            != field.end();
    });
}

} // namespace storage::logs
