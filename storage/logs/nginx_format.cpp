#include "storage/logs/nginx_pattern.h"
#include "storage/logs/row_format.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

constexpr std::string_view kCombined
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent")";
constexpr std::string_view kMain
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for")";

RecordRules rulesFor(NginxEscape escape)
{
    RecordRules rules = rowRules();
    rules.timeHelp = "a log needs $msec, $time_iso8601 or $time_local, or --map time=FIELD";
    rules.escape = escape == NginxEscape::Default ? Escape::Hex
        : escape == NginxEscape::Json             ? Escape::Json
                                                  : Escape::None;
    rules.nil = escape == NginxEscape::Json ? "" : "-";
    return rules;
}

constexpr std::string_view kClient = "$remote_addr - $remote_user ";
constexpr std::string_view kListedClient
    = "$remote_addr - [$proxy_add_x_forwarded_for] - $remote_user ";
constexpr std::string_view kIngress
    = R"([$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_length $request_time [$proxy_upstream_name] )";
constexpr std::string_view kAlternative = "[$proxy_alternative_upstream_name] ";
constexpr std::string_view kUpstream
    = "$upstream_addr $upstream_response_length $upstream_response_time $upstream_status";
constexpr std::string_view kId = " $req_id";

/// All that ingress-nginx has written by default. The newest is the first; those with a list behind
/// the client come before what would take the list for the user.
std::vector<std::string> ingressTexts()
{
    std::vector<std::string> texts;
    const auto add
        = [&](std::string_view client, std::string_view alternative, std::string_view id) {
              texts.push_back(std::string(client).append(kIngress).append(alternative));
              texts.back().append(kUpstream).append(id);
          };
    add(kClient, kAlternative, kId);
    for (const std::string_view client : {kListedClient, kClient}) {
        add(client, kAlternative, kId);
        add(client, kAlternative, {});
        add(client, {}, kId);
        add(client, {}, {});
    }
    return texts;
}

/// The variables of API Gateway, and the fields that they are.
constexpr std::string_view kGatewaySign = "$context.";

struct GatewayVariable {
    std::string_view name;
    std::string_view field;
};

constexpr std::array<GatewayVariable, 16> kGatewayVariables {{
    {"identity.sourceIp", "remote_addr"},
    {"identity.user", "remote_user"},
    {"identity.userAgent", "http_user_agent"},
    {"identity.apiKey", "http_x_api_key"},
    {"requestTime", "time_local"},
    {"requestTimeEpoch", "msec"},
    {"httpMethod", "request_method"},
    {"path", "request_uri"},
    {"resourcePath", "uri"},
    {"routeKey", "request"},
    {"protocol", "server_protocol"},
    {"responseLength", "body_bytes_sent"},
    {"responseLatency", "response_latency"},
    {"requestId", "request_id"},
    {"extendedRequestId", "extended_request_id"},
    {"domainName", "host"},
}};

constexpr std::array<RecordStamp, 2> kGatewayStamps {{{"msec", true}, {"time_local", true}}};
constexpr std::array<RecordDuration, 1> kGatewayDurations {{{"response_latency", 1'000'000}}};
constexpr std::array<std::string_view, 2> kGatewayRemarks {
    "requestTime and requestTimeEpoch are of a request's start",
    "resourcePath and routeKey are the template of a route (/orders/{id}), not what was asked for"};

/// A template of API Gateway with the names of nginx's variables in it.
std::string gatewayText(std::string_view text)
{
    std::string made;
    for (auto at = text.find(kGatewaySign); at != std::string_view::npos;
         at = text.find(kGatewaySign)) {
        made += text.substr(0, at);
        text.remove_prefix(at + kGatewaySign.size());
        const auto isPart = [](char c) {
            return isDigit(c) || c == '.' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        };
        std::size_t size = 0;
        while (size < text.size() && isPart(text[size])) {
            ++size;
        }
        const std::string_view name = text.substr(0, size);
        const auto* const known
            = std::find_if(kGatewayVariables.begin(), kGatewayVariables.end(),
                           [&](const GatewayVariable& variable) { return variable.name == name; });
        std::string field(known == kGatewayVariables.end() ? name : known->field);
        std::replace(field.begin(), field.end(), '.', '_');
        made += "${" + field + "}";
        text.remove_prefix(size);
    }
    return made.append(text);
}

MadeFormat makeFormat(std::string name, const std::vector<std::string>& texts,
                      const FormatOptions& options, bool othersMayMiss = false)
{
    RowShapes shapes;
    shapes.othersMayMiss = othersMayMiss;
    NginxEscape escape = NginxEscape::Default;
    for (const std::string& text : texts) {
        auto pattern = NginxPattern::parse(text);
        if (!pattern) {
            return engine::fail(pattern.error());
        }
        escape = pattern->escape;
        shapes.patterns.push_back(std::move(pattern->row));
    }
    return makeRowFormat(std::move(name), rulesFor(escape), std::move(shapes), options);
}

} // namespace

std::string_view nginxCombinedText()
{
    return kCombined;
}

MadeFormat makeNamedNginxFormat(std::string_view name, const FormatOptions& options)
{
    if (name == "ingress-nginx") {
        return makeFormat(std::string(name), ingressTexts(), options);
    }
    if (name == "nginx-main") {
        return makeFormat(std::string(name), {std::string(kMain)}, options);
    }
    // Some leave out the user, or both it and the dash.
    const std::string rest(kCombined.substr(kCombined.find(" [")));
    return makeFormat(std::string(name),
                      {std::string(kCombined), "$remote_addr -" + rest, "$remote_addr" + rest},
                      options, true);
}

MadeFormat makeNginxFormat(std::string_view text, const FormatOptions& options)
{
    if (text.find(kGatewaySign) != std::string_view::npos) {
        auto pattern = NginxPattern::parse(gatewayText(text));
        if (!pattern) {
            return engine::fail(pattern.error());
        }
        RowShapes shapes;
        shapes.patterns.push_back(std::move(pattern->row));
        RecordRules rules = rulesFor(pattern->escape);
        rules.stamps = kGatewayStamps;
        rules.durations = kGatewayDurations;
        rules.timeHelp = "a log needs $context.requestTime or $context.requestTimeEpoch";
        rules.remarks = kGatewayRemarks;
        return makeRowFormat(std::string(text), rules, std::move(shapes), options);
    }
    return makeFormat(std::string(text), {std::string(text)}, options);
}

} // namespace storage::logs
