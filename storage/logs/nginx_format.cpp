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

MadeFormat makeFormat(std::string name, std::string_view text, const FormatOptions& options)
{
    auto pattern = NginxPattern::parse(text);
    if (!pattern) {
        return engine::fail(pattern.error());
    }
    const RecordRules rules = rulesFor(pattern->escape);
    RowShapes shapes;
    shapes.patterns.push_back(std::move(pattern->row));
    return makeRowFormat(std::move(name), rules, std::move(shapes), options);
}

} // namespace

MadeFormat makeNamedNginxFormat(std::string_view name, const FormatOptions& options)
{
    return makeFormat(std::string(name), name == "nginx-main" ? kMain : kCombined, options);
}

MadeFormat makeNginxFormat(std::string_view text, const FormatOptions& options)
{
    return makeFormat(std::string(text), text, options);
}

} // namespace storage::logs
