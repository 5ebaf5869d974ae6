#include "storage/logs/nginx_pattern.h"

#include "storage/logs/text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace storage::logs {
namespace {

bool isNameCharacter(char c)
{
    return isDigit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

bool isListVariable(std::string_view name)
{
    return name.starts_with("upstream_") || name == "http_x_forwarded_for"
        || name == "proxy_add_x_forwarded_for" || name == "http_forwarded" || name == "http_via";
}

bool isAddressVariable(std::string_view name)
{
    return name == "remote_addr" || name == "realip_remote_addr" || name == "server_addr"
        || name == "host" || name == "http_host" || name == "proxy_protocol_addr";
}

bool isTarget(std::string_view name)
{
    return name == "request_uri" || name == "uri" || name == "document_uri";
}

/// How likely a value holds blanks of its own; 0: never.
int blankness(std::string_view name)
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

/// Pieces in quotes, joined as nginx joins them; text outside of quotes stays.
std::string joinPieces(std::string_view text)
{
    std::string joined;
    while (!(text = trimmed(text)).empty()) {
        const char quote = text.front();
        if (quote == '\n' || quote == '\r' || quote == ';') {
            text.remove_prefix(1);
            continue;
        }
        if (quote != '\'' && quote != '"') {
            joined += text;
            break;
        }
        std::size_t at = 1;
        for (; at < text.size() && text[at] != quote; ++at) {
            if (text[at] == '\\' && at + 1 < text.size()
                && (text[at + 1] == quote || text[at + 1] == '\\')) {
                ++at;
            }
            joined += text[at];
        }
        text.remove_prefix(std::min(at + 1, text.size()));
    }
    return joined;
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

/// The format in a directive `log_format NAME escape=json '...' '...';` or as it stands.
std::string formatText(std::string_view text, NginxEscape& escape)
{
    text = trimmed(text);
    const bool directive = takePrefix(text, "log_format ");
    if (directive) {
        text = trimmed(text);
        text.remove_prefix(std::min(text.find_first_of(" \t\r\n"), text.size()));
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    }
    if (takePrefix(text, "escape=json")) {
        escape = NginxEscape::Json;
    } else if (takePrefix(text, "escape=none")) {
        escape = NginxEscape::None;
    } else {
        takePrefix(text, "escape=default");
    }
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return directive || text.starts_with('\'') ? joinPieces(text) : std::string(text);
}

/// Whether an odd number of backslashes stands before `at`.
bool isEscaped(const char* from, const char* at)
{
    bool escaped = false;
    while (at > from && at[-1] == '\\') {
        escaped = !escaped;
        --at;
    }
    return escaped;
}

/// A blank inside a list: "a, b", "a : b".
bool isListBlank(const char* from, const char* blank, const char* end)
{
    const bool afterComma = blank > from
        && (blank[-1] == ',' || (blank[-1] == ':' && blank - from > 1 && blank[-2] == ' '));
    return afterComma || (end - blank > 2 && blank[1] == ':' && blank[2] == ' ');
}

std::string_view view(const char* from, const char* end)
{
    return {from, static_cast<std::size_t>(end - from)};
}

} // namespace

engine::Result<NginxPattern> NginxPattern::parse(std::string_view text)
{
    NginxPattern pattern;
    const std::string format = formatText(text, pattern.m_escape);
    if (auto done = pattern.readTokens(format); !done) {
        return engine::fail(done.error());
    }
    if (auto done = pattern.settle(); !done) {
        return engine::fail(done.error());
    }
    return pattern;
}

engine::Status NginxPattern::readTokens(std::string_view text)
{
    std::string* literal = &m_prefix;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '$') {
            *literal += text[at++];
            continue;
        }
        const bool braced = at + 1 < text.size() && text[at + 1] == '{';
        const std::size_t begin = at + (braced ? 2 : 1);
        std::size_t end = begin;
        while (end < text.size() && isNameCharacter(text[end])) {
            ++end;
        }
        if (end == begin || (braced && (end == text.size() || text[end] != '}'))) {
            return engine::fail(
                "log.format",
                fmt::format(
                    "there is a $ without the name of a variable at column {} of the format",
                    at + 1),
                "write the log_format as nginx has it, in single quotes");
        }
        const std::string_view name = text.substr(begin, end - begin);
        at = end + (braced ? 1 : 0);
        const bool isQuery = name == "is_args" && text.substr(at).starts_with("$args");
        if (isQuery && literal->empty() && !m_tokens.empty()
            && isTarget(m_tokens.back().variable)) {
            m_tokens.back().variable = "request_uri"; // $uri$is_args$args is a target
            at += std::string_view("$args").size();
            continue;
        }
        m_tokens.push_back({std::string(name), {}, isListVariable(name), false, false});
        literal = &m_tokens.back().literal;
    }
    while (!literal->empty() && (literal->back() == '\n' || literal->back() == '\r')) {
        literal->pop_back();
    }
    return engine::Done {};
}

engine::Status NginxPattern::settle()
{
    if (m_tokens.empty() || m_tokens.size() > kMaxVariables) {
        return engine::fail("log.format",
                            fmt::format("the format has {} variables; 1 to {} can be read",
                                        m_tokens.size(), kMaxVariables),
                            "write the log_format as nginx has it, in single quotes");
    }
    for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
        Token& token = m_tokens[i];
        const Token& next = m_tokens[i + 1];
        if (token.literal.empty() && isTarget(next.variable)) {
            token.literal = "/";
            token.keepsLiteral = true;
        }
        if (token.literal.empty()) {
            return engine::fail(
                "log.format",
                fmt::format("${} and ${} stand side by side and cannot be told apart",
                            token.variable, next.variable),
                "put something between them, a blank or quotes");
        }
        token.lastColon
            = token.literal == ":" && isAddressVariable(token.variable) && !next.literal.empty();
    }
    m_free = m_tokens.size();
    int most = 0;
    for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
        const int rank = m_tokens[i].literal == " " ? blankness(m_tokens[i].variable) : 0;
        if (rank > most) {
            most = rank;
            m_free = i;
        }
    }
    return engine::Done {};
}

std::size_t NginxPattern::indexOf(std::string_view variable) const
{
    const auto found = std::find_if(m_tokens.begin(), m_tokens.end(),
                                    [&](const Token& token) { return token.variable == variable; });
    return static_cast<std::size_t>(found - m_tokens.begin());
}

const char* NginxPattern::findLiteral(const char* from, const char* end, const Token& token) const
{
    const std::string& literal = token.literal;
    const char first = literal.front();
    const std::size_t size = literal.size();
    const bool quoted = first == '"' && m_escape != NginxEscape::None;
    for (const char* at = from;; ++at) {
        at = findByte(at, end, first);
        if (at == end || static_cast<std::size_t>(end - at) < size) {
            return nullptr;
        }
        if (std::memcmp(at, literal.data(), size) != 0 || (quoted && isEscaped(from, at))
            || (token.isList && size == 1 && first == ' ' && isListBlank(from, at, end))) {
            continue;
        }
        return at;
    }
}

std::size_t NginxPattern::cut(std::string_view line, std::size_t last, Values& values,
                              bool& exact) const
{
    const char* at = line.data();
    const char* const end = at + line.size();
    const std::size_t count = m_tokens.size();
    exact = false;
    if (!m_prefix.empty() && !line.starts_with(m_prefix)) {
        values[0] = line.substr(0, 0);
        return 0;
    }
    at += m_prefix.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Token& token = m_tokens[i];
        if (i == m_free) {
            const bool fits = cutFromRight(at, end, values);
            exact = fits;
            return fits ? count : i;
        }
        if (token.literal.empty()) { // the last
            values[i] = view(at, end);
            exact = true;
            return count;
        }
        const char* found = findLiteral(at, end, token);
        if (found != nullptr && token.lastColon) {
            const char* stop = findLiteral(found, end, m_tokens[i + 1]);
            for (stop = stop == nullptr ? end : stop; stop > found && *stop != ':'; --stop) { }
            found = stop;
        }
        if (found == nullptr) {
            values[i] = view(at, end);
            return i;
        }
        values[i] = view(at, found);
        if (i >= last) {
            exact = i + 1 == count && found + token.literal.size() == end;
            return count;
        }
        at = token.keepsLiteral ? found : found + token.literal.size();
    }
    exact = at == end;
    return count;
}

bool NginxPattern::cutFromRight(const char* from, const char* end, Values& values) const
{
    const std::string& tail = m_tokens.back().literal;
    if (!view(from, end).ends_with(tail)) {
        values[m_free] = view(from, end);
        return false;
    }
    end -= tail.size();
    for (std::size_t i = m_tokens.size() - 1; i > m_free; --i) {
        const Token& before = m_tokens[i - 1];
        const std::string& literal = before.literal;
        std::size_t room = static_cast<std::size_t>(end - from);
        const char* found = nullptr;
        while (found == nullptr) {
            const auto position = view(from, from + room).rfind(literal);
            if (position == std::string_view::npos) {
                values[m_free] = view(from, end);
                return false;
            }
            const char* const at = from + position;
            const bool inside = literal == " " && m_tokens[i].isList && isListBlank(from, at, end);
            if (inside) {
                room = position;
            } else {
                found = at;
            }
        }
        values[i] = view(before.keepsLiteral ? found : found + literal.size(), end);
        end = found;
    }
    values[m_free] = view(from, end);
    return true;
}

} // namespace storage::logs
