#include "storage/logs/json_kind.h"

/// JSON logs of load balancers, gateways and networks that a provider runs.
namespace storage::logs {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kHour = 3600 * kSecondNs;

constexpr RecordSource kGcpSources[] = {
    {"client_ip", "httpRequest.remoteIp"}, {"method", "httpRequest.requestMethod"},
    {"target", "httpRequest.requestUrl"},  {"status", "httpRequest.status"},
    {"bytes", "httpRequest.responseSize"}, {"user_agent", "httpRequest.userAgent"},
    {"referer", "httpRequest.referer"},    {"request_id", "insertId"},
};
constexpr JsonStamp kGcpStamps[] = {{"timestamp", true}};
constexpr JsonDuration kGcpDurations[] = {{"httpRequest.latency"}};
constexpr std::string_view kGcpMarks[]
    = {"httpRequest.requestMethod|httpRequest.requestUrl|httpRequest.status|httpRequest.remoteIp"};
constexpr std::string_view kGcpRemarks[]
    = {"timestamp is of a request's start; a record without latency has no duration",
       "a backend service writes the share of its requests that logConfig.sampleRate says: below "
       "1.0 real rates are higher, say --sampled 1/N"};

constexpr RecordSource kCloudflareSources[] = {
    {"client_ip", "ClientIP"},
    {"method", "ClientRequestMethod"},
    {"target", "ClientRequestURI"},
    {"target", "ClientRequestPath"},
    {"host", "ClientRequestHost"},
    {"scheme", "ClientRequestScheme"},
    {"status", "EdgeResponseStatus"},
    {"bytes", "EdgeResponseBytes"},
    {"request_id", "RayID"},
    {"user_agent", "ClientRequestUserAgent"},
    {"referer", "ClientRequestReferer"},
    {"api_key", "RequestHeaders.x-api-key"},
    {"x_forwarded_for", "RequestHeaders.x-forwarded-for"},
};
constexpr JsonStamp kCloudflareStamps[] = {{"EdgeStartTimestamp", true}, {"EdgeEndTimestamp"}};
constexpr JsonDuration kCloudflareDurations[]
    = {{"EdgeEndTimestamp", kSecondNs, "EdgeStartTimestamp"}};
constexpr std::string_view kCloudflareMarks[]
    = {"ClientRequestMethod|ClientRequestURI|ClientRequestPath|EdgeResponseStatus|ClientIP"};
constexpr std::string_view kCloudflareSigns[] = {"EdgeStartTimestamp|EdgeEndTimestamp"};
constexpr std::string_view kCloudflareHeaders[] = {"RequestHeaders."};
constexpr std::string_view kCloudflareRemarks[]
    = {"EdgeStartTimestamp is of a request's start; the duration is EdgeEndTimestamp less it, in "
       "whole seconds where the two are",
       "with SampleInterval above 1 a record stands for several requests: say --sampled 1/N",
       "files of a zone are in no order of time"};

constexpr RecordSource kGatewaySources[] = {
    {"client_ip", "ip"},
    {"client_ip", "sourceIp"},
    {"client_ip", "identity.sourceIp"},
    {"client_ip", "clientIp"},
    {"method", "httpMethod"},
    {"target", "path"},
    {"target", "resourcePath"},
    {"host", "domainName"},
    {"status", "status"},
    {"status", "statusCode"},
    {"bytes", "responseLength"},
    {"user", "user"},
    {"user", "caller"},
    {"user", "principalId"},
    {"user", "authorizer.principalId"},
    {"api_key", "apiKeyId"},
    {"api_key", "apiKey"},
    {"api_key", "identity.apiKeyId"},
    {"api_key", "identity.apiKey"},
    {"request_id", "requestId"},
    {"request_id", "extendedRequestId"},
    {"user_agent", "userAgent"},
    {"user_agent", "identity.userAgent"},
};
constexpr JsonStamp kGatewayStamps[] = {{"requestTimeEpoch", true}, {"requestTime", true}};
constexpr JsonDuration kGatewayDurations[] = {{"responseLatency", kMs}};
constexpr std::string_view kGatewayRequests[] = {"routeKey"};
constexpr std::string_view kGatewayMarks[]
    = {"httpMethod|resourcePath|routeKey|path|status|statusCode|protocol"};
constexpr std::string_view kGatewaySigns[]
    = {"requestTime|requestTimeEpoch", "httpMethod|resourcePath|routeKey|path"};
constexpr std::string_view kGatewayRemarks[]
    = {"requestTime and requestTimeEpoch are of a request's start",
       "resourcePath and routeKey are the template of a route (/orders/{id}), not what was asked "
       "for; only a log with $context.path has paths"};

constexpr RecordSource kAzureSources[] = {
    {"client_ip", "properties.clientIp"},
    {"client_ip", "properties.clientIP"},
    {"client_ip", "properties.socketIp"},
    {"method", "properties.httpMethod"},
    {"target", "properties.originalRequestUriWithArgs"},
    {"target", "properties.requestUri"},
    {"host", "properties.hostName"},
    {"host", "properties.originalHost"},
    {"host", "properties.host"},
    {"status", "properties.httpStatusCode"},
    {"status", "properties.httpStatus"},
    {"bytes", "properties.responseBytes"},
    {"bytes", "properties.sentBytes"},
    {"request_id", "properties.trackingReference"},
    {"request_id", "properties.transactionId"},
    {"user_agent", "properties.userAgent"},
    {"referer", "properties.referer"},
};
constexpr JsonStamp kAzureStamps[]
    = {{"timeStamp"}, {"time"}, {"properties.timeStamp"}, {"properties.time"}};
constexpr JsonDuration kAzureDurations[] = {{"properties.timeTaken"}};
constexpr std::string_view kAzureMarks[]
    = {"properties.httpMethod|properties.requestUri|properties.httpStatusCode|"
       "properties.httpStatus"};
constexpr std::string_view kAzureRemarks[]
    = {"the stamp is of a request's end; timeTaken is in seconds",
       "an Application Gateway v1 writes timeTaken in milliseconds: say "
       "--map duration=properties.timeTaken:ms",
       "an export as one object with `records` needs `jq -c '.records[]'` first"};

// What makes JSON of a load balancer's text lines keeps their names.
constexpr RecordSource kAlbSources[] = {
    {"client_ip", "client_ip"},   {"client_ip", "client:port"},  {"client_ip", "client"},
    {"method", "request_verb"},   {"method", "request_method"},  {"target", "request_url"},
    {"target", "request_uri"},    {"status", "elb_status_code"}, {"bytes", "sent_bytes"},
    {"user_agent", "user_agent"}, {"host", "domain_name"},       {"host", "domain"},
    {"request_id", "trace_id"},
};
constexpr JsonStamp kAlbStamps[] = {{"request_creation_time", true, "time"},
                                    {"request_creation_time", true, "timestamp"},
                                    {"time"},
                                    {"timestamp"}};
constexpr JsonDuration kAlbDurations[] = {{"time", kSecondNs, "request_creation_time", kHour},
                                          {"timestamp", kSecondNs, "request_creation_time", kHour}};
constexpr std::string_view kAlbSums[]
    = {"request_processing_time", "target_processing_time", "response_processing_time"};
constexpr std::string_view kAlbRequests[] = {"request"};
constexpr std::string_view kAlbMarks[] = {"elb|elb_status_code|request_creation_time",
                                          "elb_status_code|request_verb|request_url|request"};
constexpr std::string_view kAlbSigns[] = {"request_creation_time|target_processing_time"};
constexpr std::string_view kAlbRemarks[] = {
    "request_creation_time is of a request's start; more than an hour before time, or behind it, "
    "it does not count, and the start is time less the three processing times"};

const JsonKind kKinds[] = {
    {.name = "gcp-lb",
     .sources = kGcpSources,
     .stamps = kGcpStamps,
     .durations = kGcpDurations,
     .marks = kGcpMarks,
     .remarks = kGcpRemarks},
    {.name = "cloudflare",
     .sources = kCloudflareSources,
     .stamps = kCloudflareStamps,
     .durations = kCloudflareDurations,
     .marks = kCloudflareMarks,
     .signs = kCloudflareSigns,
     .headers = kCloudflareHeaders,
     .remarks = kCloudflareRemarks},
    {.name = "api-gateway",
     .sources = kGatewaySources,
     .stamps = kGatewayStamps,
     .durations = kGatewayDurations,
     .requests = kGatewayRequests,
     .marks = kGatewayMarks,
     .signs = kGatewaySigns,
     .remarks = kGatewayRemarks},
    {.name = "azure",
     .sources = kAzureSources,
     .stamps = kAzureStamps,
     .durations = kAzureDurations,
     .marks = kAzureMarks,
     .remarks = kAzureRemarks},
    {.name = "alb-json",
     .sources = kAlbSources,
     .stamps = kAlbStamps,
     .durations = kAlbDurations,
     .sums = kAlbSums,
     .requests = kAlbRequests,
     .marks = kAlbMarks,
     .signs = kAlbSigns,
     .remarks = kAlbRemarks},
};

} // namespace

std::span<const JsonKind> jsonCloudKinds()
{
    return kKinds;
}

} // namespace storage::logs
