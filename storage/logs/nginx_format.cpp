#include "storage/logs/nginx_pattern.h"
#include "storage/logs/row_format.h"

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
    return makeFormat(std::string(text), {std::string(text)}, options);
}

} // namespace storage::logs
