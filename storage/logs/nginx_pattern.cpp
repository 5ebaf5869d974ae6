#include "storage/logs/nginx_pattern.h"

#include "storage/logs/config_text.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage::logs {
namespace {

constexpr std::string_view kHelp = "write the log_format as nginx has it, in single quotes";

bool isNameCharacter(char c)
{
    return isDigit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

bool isListVariable(std::string_view name)
{
    return name.starts_with("upstream_") || name == "http_x_forwarded_for"
        || name == "proxy_add_x_forwarded_for" || name == "http_forwarded" || name == "http_via"
        || name == "remote_addr";
}

bool isAddressVariable(std::string_view name)
{
    return name == "remote_addr" || name == "realip_remote_addr" || name == "server_addr"
        || name == "host" || name == "http_host" || name == "proxy_protocol_addr";
}

bool isTargetVariable(std::string_view name)
{
    return name == "request_uri" || name == "uri" || name == "document_uri";
}

int blanknessOf(std::string_view name)
{
    if (isListVariable(name) || name == "http_host" || name == "http_x_real_ip"
        || name == "http_x_request_id") {
        return 0;
    }
    if (name == "http_user_agent") {
        return 4;
    }
    if (name == "request") {
        return 3;
    }
    if (name == "http_referer" || name == "http_cookie" || name == "request_uri"
        || name == "args") {
        return 2;
    }
    return name.starts_with("http_") || name.starts_with("sent_http_")
            || name.starts_with("cookie_")
        ? 1
        : 0;
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

bool takeEscape(std::string_view& text, NginxEscape& escape)
{
    if (takePrefix(text, "escape=json")) {
        escape = NginxEscape::Json;
    } else if (takePrefix(text, "escape=none")) {
        escape = NginxEscape::None;
    } else if (!takePrefix(text, "escape=default")) {
        return false;
    }
    return true;
}

/// The pieces of a directive from `first` on as one format.
std::string joined(const Directive& words, std::size_t first, NginxEscape& escape)
{
    std::string text;
    for (std::size_t i = first; i < words.size(); ++i) {
        std::string_view word = words[i];
        if (i > first || !takeEscape(word, escape)) {
            text += word;
        }
    }
    return text;
}

/// The format of a configuration.
engine::Result<std::string> configured(std::string_view text, NginxEscape& escape)
{
    std::vector<NamedText> formats;
    std::vector<NginxEscape> escapes;
    std::vector<std::string> used;
    for (const Directive& words : nginxDirectives(text)) {
        if (words.front() == "log_format" && words.size() > 2) {
            escapes.push_back(NginxEscape::Default);
            formats.push_back({words[1], joined(words, 2, escapes.back())});
        } else if (words.front() == "access_log" && words.size() > 2) {
            used.push_back(words[2]);
        }
    }
    auto chosen = chooseFormat(formats, used);
    if (!chosen) {
        return engine::fail(chosen.error());
    }
    for (std::size_t i = 0; i < formats.size(); ++i) {
        if (formats[i].name == chosen->name) {
            escape = escapes[i];
        }
    }
    return chosen->text;
}

/// The format in a configuration, in pieces in quotes, or as it stands.
engine::Result<std::string> formatText(std::string_view text, NginxEscape& escape)
{
    constexpr std::string_view kSpaces = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    if (text.find("log_format") != std::string_view::npos && text.front() != '$') {
        return configured(text, escape);
    }
    if (takeEscape(text, escape)) {
        text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    }
    if (!text.starts_with('\'')) {
        return std::string(text);
    }
    const auto directives = nginxDirectives(text);
    return directives.empty() ? std::string() : joined(directives.front(), 0, escape);
}

/// The name of the variable whose `$` is at `at`, which goes behind it; empty: there is none.
std::string_view takeVariable(std::string_view text, std::size_t& at)
{
    const bool braced = at + 1 < text.size() && text[at + 1] == '{';
    const std::size_t begin = at + (braced ? 2 : 1);
    std::size_t end = begin;
    while (end < text.size() && isNameCharacter(text[end])) {
        ++end;
    }
    if (braced && (end == text.size() || text[end] != '}')) {
        return {};
    }
    at = end + (braced ? 1 : 0);
    return text.substr(begin, end - begin);
}

engine::Status readTokens(std::string_view text, RowPattern& row)
{
    bool isBehindVariable = false;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '$') {
            const std::size_t end = std::min(text.find('$', at), text.size());
            row.addLiteral(text.substr(at, end - at));
            at = end;
            isBehindVariable = false;
            continue;
        }
        const std::size_t column = at + 1;
        const std::string_view name = takeVariable(text, at);
        if (name.empty()) {
            return engine::fail(
                "log.format",
                fmt::format(
                    "there is a $ without the name of a variable at column {} of the format",
                    column),
                std::string(kHelp));
        }
        const bool isQuery = name == "is_args" && text.substr(at).starts_with("$args");
        if (isQuery && isBehindVariable && row.tokens().back().isTarget) {
            row.tokens().back().field = "request_uri"; // $uri$is_args$args is a target
            row.tokens().back().blankness = blanknessOf("request_uri");
            at += std::string_view("$args").size();
            continue;
        }
        RowPattern::Token token;
        token.field = name;
        token.isList = isListVariable(name);
        token.isTarget = isTargetVariable(name);
        token.isAddress = isAddressVariable(name);
        token.blankness = blanknessOf(name);
        row.addToken(std::move(token));
        isBehindVariable = true;
    }
    for (RowPattern::Token& token : row.tokens()) {
        token.mayLackBracket = token.field == "time_local" && token.literal.starts_with(']');
    }
    return engine::Done {};
}

} // namespace

engine::Result<NginxPattern> NginxPattern::parse(std::string_view text)
{
    NginxPattern pattern;
    const auto format = formatText(text, pattern.escape);
    if (!format) {
        return engine::fail(format.error());
    }
    if (auto done = readTokens(*format, pattern.row); !done) {
        return engine::fail(done.error());
    }
    const bool hasEscapes = pattern.escape != NginxEscape::None;
    if (auto done = pattern.row.settle(hasEscapes, "$", kHelp); !done) {
        return engine::fail(done.error());
    }
    return pattern;
}

} // namespace storage::logs
