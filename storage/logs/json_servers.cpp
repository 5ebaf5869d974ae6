#include "storage/logs/json_kind.h"

/// JSON logs of servers and proxies.
namespace storage::logs {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// Caddy 2: all loggers write to one file; only records with a `request` are requests. Its error
// logger repeats requests that the access logger has as well.
constexpr RecordSource kCaddySources[] = {
    {"client_ip", "request.client_ip"},
    {"client_ip", "request.remote_ip"},
    {"client_ip", "request.remote_addr"},
    {"method", "request.method"},
    {"target", "request.uri"},
    {"host", "request.host"},
    {"status", "status"},
    {"bytes", "size"},
    {"user", "user_id"},
    {"api_key", "request.headers.X-Api-Key"},
    {"request_id", "request.headers.X-Request-Id"},
    {"request_id", "uuid"},
    {"user_agent", "request.headers.User-Agent"},
    {"referer", "request.headers.Referer"},
    {"x_forwarded_for", "request.headers.X-Forwarded-For"},
};
constexpr JsonStamp kCaddyStamps[] = {{"ts"}, {"time"}, {"timestamp"}};
constexpr JsonDuration kCaddyDurations[] = {{"duration"}};
constexpr std::string_view kCaddyMarks[]
    = {"request.method|request.uri|request.host|request.proto|request.client_ip|request.remote_ip|"
       "request.remote_addr"};
constexpr std::string_view kCaddySigns[] = {"ts|logger|msg|resp_headers|user_id|bytes_read"};
constexpr std::string_view kCaddyHeaders[] = {"request.headers."};
constexpr std::string_view kCaddyRemarks[]
    = {"ts is of a request's end; the start is ts - duration",
       "a duration that is a number is in seconds; with Caddy's `duration_format ms` say "
       "--map duration=duration:ms",
       "records of other loggers (also of http.log.error, which repeats requests) are no-match"};

// Traefik: StartUTC is written by Go, which drops trailing zeros.
constexpr RecordSource kTraefikSources[] = {
    {"client_ip", "ClientHost"},
    {"client_ip", "ClientAddr"},
    {"method", "RequestMethod"},
    {"target", "RequestPath"},
    {"host", "RequestHost"},
    {"host", "RequestAddr"},
    {"scheme", "RequestScheme"},
    {"status", "DownstreamStatus"},
    {"bytes", "DownstreamContentSize"},
    {"user", "ClientUsername"},
    {"api_key", "request_X-Api-Key"},
    {"request_id", "request_X-Request-Id"},
    {"user_agent", "request_User-Agent"},
    {"referer", "request_Referer"},
    {"x_forwarded_for", "request_X-Forwarded-For"},
};
constexpr JsonStamp kTraefikStamps[] = {{"StartUTC", true}, {"StartLocal", true}, {"time"}};
constexpr JsonDuration kTraefikDurations[] = {{"Duration", 1}};
constexpr std::string_view kTraefikMarks[]
    = {"RequestMethod|RequestPath|DownstreamStatus|StartUTC|StartLocal|ClientHost|ClientAddr"};
constexpr std::string_view kTraefikSigns[]
    = {"RequestMethod|RequestPath", "DownstreamStatus|Duration|StartUTC|ClientHost|ClientAddr"};
constexpr std::string_view kTraefikHeaders[] = {"request_"};
constexpr std::string_view kTraefikRemarks[]
    = {"StartUTC is of a request's start, Duration is in nanoseconds",
       "headers are there only if Traefik was told to keep them"};

constexpr RecordSource kKongSources[] = {
    {"client_ip", "client_ip"},
    {"method", "request.method"},
    {"target", "request.uri"},
    {"target", "request.url"},
    {"host", "request.headers.host"},
    {"status", "response.status"},
    {"bytes", "response.size"},
    {"user", "consumer.username"},
    {"user", "consumer.custom_id"},
    {"user", "consumer.id"},
    {"user", "authenticated_entity.consumer_id"},
    {"user", "authenticated_entity.id"},
    {"api_key", "request.headers.apikey"},
    {"api_key", "request.headers.x-api-key"},
    {"api_key", "request.querystring.apikey"},
    {"request_id", "request.id"},
    {"request_id", "request.headers.x-request-id"},
    {"user_agent", "request.headers.user-agent"},
    {"referer", "request.headers.referer"},
    {"x_forwarded_for", "request.headers.x-forwarded-for"},
};
constexpr JsonStamp kKongStamps[] = {{"started_at", true}};
constexpr JsonDuration kKongDurations[] = {{"latencies.request", kMs}};
constexpr std::string_view kKongMarks[] = {"request.method|request.uri|request.url"};
constexpr std::string_view kKongSigns[] = {"started_at|latencies.request", "response.status"};
constexpr std::string_view kKongHeaders[] = {"request.headers."};
constexpr std::string_view kKongRemarks[]
    = {"started_at is of a request's start, in milliseconds",
       "a batch (a JSON list of several requests in one line) is rejected as `several`; "
       "`jq -c '.[]'` makes a line of each",
       "the user is the consumer"};

// Envoy, Istio and Envoy Gateway: names are the operator's, these are the usual ones.
constexpr RecordSource kEnvoySources[] = {
    {"client_ip", "downstream_remote_address"},
    {"client_ip", "downstream_remote_address_without_port"},
    {"client_ip", "downstream_direct_remote_address"},
    {"client_ip", "x-forwarded-for"},
    {"client_ip", "x_forwarded_for"},
    {"method", "method"},
    {"method", ":method"},
    {"method", "request_method"},
    {"target", "x-envoy-origin-path"},
    {"target", "x-envoy-original-path"},
    {"target", "x_envoy_original_path"},
    {"target", "original_path"},
    {"target", "path"},
    {"target", ":path"},
    {"host", ":authority"},
    {"host", "authority"},
    {"host", "host"},
    {"scheme", ":scheme"},
    {"scheme", "scheme"},
    {"scheme", "x-forwarded-proto"},
    {"status", "response_code"},
    {"status", "status"},
    {"bytes", "bytes_sent"},
    {"api_key", "x-api-key"},
    {"api_key", "x_api_key"},
    {"request_id", "x-request-id"},
    {"request_id", "x_request_id"},
    {"request_id", "request_id"},
    {"user_agent", "user-agent"},
    {"user_agent", "user_agent"},
    {"referer", "referer"},
    {"x_forwarded_for", "x-forwarded-for"},
    {"x_forwarded_for", "x_forwarded_for"},
};
constexpr JsonStamp kEnvoyStamps[]
    = {{"start_time", true}, {"startTime", true}, {"timestamp", true}, {"@timestamp", true}};
constexpr JsonDuration kEnvoyDurations[] = {{"duration", kMs}, {"duration_ms", kMs}};
constexpr std::string_view kEnvoyMarks[]
    = {"response_code|response_flags|method|:method|path|:path|x-envoy-origin-path|"
       "x-envoy-original-path|upstream_host|downstream_remote_address"};
// A template without start_time (Contour's) is known by names that only Envoy has.
constexpr std::string_view kEnvoySigns[]
    = {"start_time|startTime|response_flags|response_code_details|downstream_remote_address|"
       "downstream_remote_address_without_port|downstream_direct_remote_address|"
       "downstream_local_address|x-envoy-origin-path|x-envoy-original-path|"
       "x_envoy_original_path|upstream_service_time|x-envoy-upstream-service-time|:authority",
       "response_flags|response_code|response_code_details|upstream_host|upstream_cluster|"
       "downstream_remote_address|downstream_remote_address_without_port|"
       "downstream_direct_remote_address|downstream_local_address|x-envoy-origin-path|"
       "x-envoy-original-path|x_envoy_original_path|upstream_service_time|"
       "x-envoy-upstream-service-time|bytes_received|:authority"};
constexpr std::string_view kEnvoyHeaders[] = {""};
constexpr std::string_view kEnvoyRemarks[]
    = {"start_time is of a request's start, duration is in milliseconds",
       "records of TCP (no method, path and status) are not-http"};

constexpr RecordSource kZeekSources[] = {
    {"client_ip", "id.orig_h"},
    {"method", "method"},
    {"target", "uri"},
    {"host", "host"},
    {"status", "status_code"},
    {"user", "username"},
    {"user_agent", "user_agent"},
    {"referer", "referrer"},
    {"bytes", "response_body_len"},
    {"x_forwarded_for", "proxied"},
};
constexpr JsonStamp kZeekStamps[] = {{"ts", true}};
constexpr std::string_view kZeekMarks[] = {"method|uri|status_code|trans_depth", "id.orig_h"};
constexpr std::string_view kZeekSigns[] = {"ts", "uid|id.resp_h"};
constexpr std::string_view kZeekRemarks[] = {"ts is of a request's start; there is no duration",
                                             "records of other protocols are no-match"};

const JsonKind kKinds[] = {
    {.name = "caddy",
     .sources = kCaddySources,
     .stamps = kCaddyStamps,
     .durations = kCaddyDurations,
     .marks = kCaddyMarks,
     .signs = kCaddySigns,
     .headers = kCaddyHeaders,
     .remarks = kCaddyRemarks,
     .refusal = {"logger", "http.", "http.log.access"}},
    {.name = "traefik-json",
     .sources = kTraefikSources,
     .stamps = kTraefikStamps,
     .durations = kTraefikDurations,
     .marks = kTraefikMarks,
     .signs = kTraefikSigns,
     .headers = kTraefikHeaders,
     .remarks = kTraefikRemarks},
    {.name = "kong",
     .sources = kKongSources,
     .stamps = kKongStamps,
     .durations = kKongDurations,
     .marks = kKongMarks,
     .signs = kKongSigns,
     .headers = kKongHeaders,
     .remarks = kKongRemarks},
    {.name = "envoy-json",
     .sources = kEnvoySources,
     .stamps = kEnvoyStamps,
     .durations = kEnvoyDurations,
     .marks = kEnvoyMarks,
     .signs = kEnvoySigns,
     .headers = kEnvoyHeaders,
     .remarks = kEnvoyRemarks,
     .whole = "duration",
     .mayBeTcp = true},
    {.name = "zeek-json",
     .sources = kZeekSources,
     .stamps = kZeekStamps,
     .marks = kZeekMarks,
     .signs = kZeekSigns,
     .remarks = kZeekRemarks,
     .refusal = {"_path", "", "http"}},
};

} // namespace

std::span<const JsonKind> jsonServerKinds()
{
    return kKinds;
}

} // namespace storage::logs
