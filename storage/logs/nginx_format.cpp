#include "storage/logs/nginx_pattern.h"
#include "storage/logs/record.h"

#include <array>

namespace storage::logs {
namespace {

constexpr std::string_view kCombined
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent")";
constexpr std::string_view kMain
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for")";

constexpr std::array<RecordSource, 26> kSources {{
    {"client_ip", "remote_addr"},
    {"client_ip", "realip_remote_addr"},
    {"client_ip", "http_x_real_ip"},
    {"client_ip", "http_x_forwarded_for"},
    {"client_ip", "proxy_add_x_forwarded_for"},
    {"request_id", "request_id"},
    {"request_id", "http_x_request_id"},
    {"method", "request_method"},
    {"method", "request"},
    {"path", "request_uri"},
    {"path", "request"},
    {"path", "uri"},
    {"path", "document_uri"},
    {"query", "args"},
    {"query", "query_string"},
    {"host", "host"},
    {"host", "http_host"},
    {"scheme", "scheme"},
    {"status", "status"},
    {"user", "remote_user"},
    {"api_key", "http_x_api_key"},
    {"user_agent", "http_user_agent"},
    {"referer", "http_referer"},
    {"bytes", "body_bytes_sent"},
    {"bytes", "bytes_sent"},
    {"x_forwarded_for", "http_x_forwarded_for"},
}};

constexpr std::array<RecordStamp, 3> kStamps {{{"msec"}, {"time_iso8601"}, {"time_local"}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"request_time"}}};
constexpr std::array<std::string_view, 2> kTargets {"request_uri", "uri"};
constexpr std::array<std::string_view, 2> kLists {"http_x_forwarded_for",
                                                  "proxy_add_x_forwarded_for"};

RecordRules rulesFor(NginxEscape escape)
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request";
    rules.targets = kTargets;
    rules.lists = kLists;
    rules.timeHelp = "a log needs $msec, $time_iso8601 or $time_local, or --map time=FIELD";
    rules.escape = escape == NginxEscape::Default ? Escape::Hex
        : escape == NginxEscape::Json             ? Escape::Json
                                                  : Escape::None;
    rules.nil = escape == NginxEscape::Json ? "" : "-";
    return rules;
}

class NginxParser final : public RecordParser {
public:
    NginxParser(const RecordLayout& layout, const NginxPattern& pattern,
                const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
        , m_pattern(pattern)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;

private:
    NginxPattern m_pattern;
};

LineOutcome NginxParser::cut(std::string_view line, bool isCut, std::size_t last,
                             LineScratch& /*scratch*/, Cut& cut) const
{
    if (cut.values.size() < NginxPattern::kMaxVariables) {
        cut.values.resize(NginxPattern::kMaxVariables);
    }
    cut.whole = m_pattern.cut(line, last, cut.values, cut.exact);
    const auto& tokens = m_pattern.tokens();
    if (cut.whole < tokens.size() && !isCut) {
        // A writer that stops behind a bare value wrote it whole; inside quotes it did not.
        const std::string_view rest = cut.values[cut.whole];
        if (tokens[cut.whole].literal.front() == ' ' && !rest.empty()
            && rest.find(' ') == std::string_view::npos) {
            ++cut.whole;
        }
    }
    return LineOutcome::Request;
}

MadeFormat makeFormat(std::string name, std::string_view text, const FormatOptions& options)
{
    auto pattern = NginxPattern::parse(text);
    if (!pattern) {
        return engine::fail(pattern.error());
    }
    std::vector<std::string> variables;
    for (const auto& token : pattern->tokens()) {
        variables.push_back(token.variable);
    }
    auto layout = RecordLayout::make(rulesFor(pattern->escape()), std::move(variables), options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(
        std::make_shared<RecordFormat<NginxParser, NginxPattern>>(
            std::move(name), std::move(*layout), std::move(*pattern)));
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
