#include "storage/logs/apache_pattern.h"

#include "storage/logs/config_text.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace storage::logs {
namespace {

constexpr std::string_view kHelp = "write the LogFormat as httpd.conf has it, in single quotes";
constexpr std::string_view kPlainTime = "%d/%b/%Y:%H:%M:%S %z";

/// `%400,501{User-Agent}i` in its parts.
struct Conversion {
    std::string_view argument;
    std::string_view letter; ///< "i", "^ti"
    bool isFinal = false; ///< `>`
    bool hasArgument = false;
};

struct NamedField {
    std::string_view letter;
    std::string_view argument;
    std::string_view field;
};

/// Conversions whose argument is one of a few words.
constexpr std::array<NamedField, 48> kFields {{
    {"^FB", "", "first_byte_time_us"},
    {"^ti", "", "trailers"},
    {"^to", "", "sent_trailers"},
    {"F", "", "commit_time"}, // Tomcat: until it began to answer; ms, from 10.1 us
    {"a", "", "remote_addr"},
    {"a", "c", "realip_remote_addr"},
    {"a", "client", "remote_addr"}, // Jetty
    {"a", "server", "server_addr"},
    {"a", "local", "server_addr"},
    {"a", "remote", "remote_addr"}, // Tomcat
    {"a", "peer", "realip_remote_addr"},
    {"h", "", "remote_host"},
    {"h", "c", "peer_host"},
    {"A", "", "server_addr"},
    {"l", "", "remote_logname"},
    {"u", "", "remote_user"},
    {"u", "remote", "remote_user"},
    {"r", "", "request"},
    {"m", "", "request_method"},
    {"U", "", "uri"},
    {"q", "", "query_string"},
    {"H", "", "server_protocol"},
    {"b", "", "body_bytes_sent"},
    {"B", "", "body_bytes_sent"},
    {"O", "", "bytes_sent"},
    {"I", "", "request_length"},
    {"S", "", "bytes_transferred"},
    {"D", "", "request_time_us"},
    {"T", "", "request_time"},
    {"T", "s", "request_time"},
    {"T", "ms", "request_time_ms"},
    {"T", "us", "request_time_us"},
    {"v", "", "server_name"},
    {"V", "", "host"},
    {"p", "", "server_port"},
    {"p", "canonical", "server_port"},
    {"p", "local", "server_port"},
    {"p", "server", "server_port"},
    {"p", "remote", "remote_port"},
    {"p", "client", "remote_port"},
    {"P", "", "pid"},
    {"P", "pid", "pid"},
    {"P", "tid", "tid"},
    {"P", "hextid", "tid"},
    {"X", "", "connection_status"},
    {"k", "", "connection_requests"},
    {"L", "", "request_log_id"},
    {"f", "", "request_filename"},
}};

/// Conversions whose argument names a thing: what its field begins with.
constexpr std::array<NamedField, 12> kFamilies {{
    {"i", "", "http_"},
    {"o", "", "sent_http_"},
    {"C", "", "cookie_"},
    {"e", "", "env_"},
    {"n", "", "note_"},
    {"x", "", ""}, // mod_ssl, varnishncsa: ssl_protocol
    {"c", "", "cookie_"}, // mod_ssl, Tomcat
    {"r", "", "attribute_"}, // Tomcat
    {"s", "", "session_"}, // Tomcat
    {"^ti", "", "trailer_"},
    {"^to", "", "sent_trailer_"},
    {"R", "", "handler"},
}};

/// "X-Api-Key" as x_api_key.
std::string fieldName(std::string_view name)
{
    std::string field;
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        const bool isPlain = (c >= 'a' && c <= 'z') || isDigit(c);
        field += isUpper ? static_cast<char>(c | 0x20) : isPlain ? c : '_';
    }
    return field;
}

/// The conversion behind the `%` at `at`, which goes behind it. Nothing: it has no end.
std::optional<Conversion> takeConversion(std::string_view text, std::size_t& at)
{
    Conversion conversion;
    for (++at; at < text.size(); ++at) {
        const char c = text[at];
        if (isDigit(c) || c == ',' || c == '!' || c == '<') {
            continue; // the statuses for which it is written
        }
        if (c == '>') {
            conversion.isFinal = true;
        } else if (c == '{') {
            const std::size_t end = text.find('}', at);
            if (end == std::string_view::npos) {
                return std::nullopt;
            }
            conversion.argument = text.substr(at + 1, end - at - 1);
            conversion.hasArgument = true;
            at = end;
        } else {
            const std::size_t size = c == '^' ? 3 : 1;
            conversion.letter = text.substr(at, size);
            at += conversion.letter.size();
            return conversion;
        }
    }
    return std::nullopt;
}

std::string fieldOf(const Conversion& conversion)
{
    if (conversion.letter == "s" && !conversion.hasArgument) {
        return conversion.isFinal ? "status" : "original_status";
    }
    for (const NamedField& known : kFields) {
        if (known.letter == conversion.letter && known.argument == conversion.argument) {
            return std::string(known.field);
        }
    }
    for (const NamedField& family : kFamilies) {
        if (family.letter == conversion.letter
            && conversion.hasArgument == (family.letter != "R")) {
            return std::string(family.field) + fieldName(conversion.argument);
        }
    }
    return {};
}

int blanknessOf(std::string_view field)
{
    if (field == "http_user_agent") {
        return 4;
    }
    if (field == "request") {
        return 3;
    }
    if (field == "http_referer" || field == "http_cookie" || field == "request_filename"
        || field == "uri") {
        return 2;
    }
    const bool isFree = field.starts_with("http_") || field.starts_with("sent_http_")
        || field.starts_with("cookie_") || field.starts_with("note_") || field == "remote_user";
    return isFree && field != "http_host" && field != "http_x_forwarded_for" ? 1 : 0;
}

/// Turns a format into tokens. The parts of a time that stand side by side are one.
class Compiler {
public:
    engine::Result<RowPattern> compile(std::string_view format);

private:
    void addLiteral(std::string_view text);
    engine::Status addConversion(const Conversion& conversion, std::string_view text);
    engine::Status addTime(std::string_view argument);
    void addField(std::string field);
    void endTime();
    void settleTimes();

    RowPattern m_row;
    std::optional<TimePattern> m_time; ///< at the end of what was read
    std::string m_betweenTimes; ///< literals behind it
    bool m_timeIsPlain = false; ///< a lone %t
    bool m_timeIsEnd = false;
};

void Compiler::addLiteral(std::string_view text)
{
    if (m_time) {
        m_betweenTimes += text;
    } else {
        m_row.addLiteral(text);
    }
}

void Compiler::endTime()
{
    if (!m_time) {
        return;
    }
    RowPattern::Token token;
    token.field = m_timeIsEnd ? "time_end" : "time_local";
    token.isEnd = m_timeIsEnd;
    token.mayLackBracket = m_timeIsPlain;
    m_row.addLiteral(m_timeIsPlain ? "[" : "");
    token.clock = std::make_shared<const TimePattern>(std::move(*m_time));
    m_row.addToken(std::move(token));
    m_row.addLiteral((m_timeIsPlain ? "]" : "") + m_betweenTimes);
    m_time.reset();
    m_betweenTimes.clear();
}

void Compiler::addField(std::string field)
{
    endTime();
    auto& tokens = m_row.tokens();
    const bool followsPath
        = !tokens.empty() && tokens.back().field == "uri" && tokens.back().literal.empty();
    if (field == "query_string" && followsPath) {
        tokens.back().field = "request_uri"; // %U%q is a target; %q has its own `?`
        return;
    }
    RowPattern::Token token;
    token.isList = field == "http_x_forwarded_for" || field == "http_forwarded"
        || field == "http_via" || field == "remote_addr" || field == "remote_host";
    token.isTarget = field == "uri";
    token.isAddress = field == "remote_addr" || field == "remote_host" || field == "server_addr"
        || field == "server_name" || field == "host" || field == "http_host"
        || field == "realip_remote_addr";
    token.blankness = blanknessOf(field);
    token.field = std::move(field);
    m_row.addToken(std::move(token));
}

engine::Status Compiler::addTime(std::string_view argument)
{
    bool isEnd = false;
    const bool isPlain = argument.empty();
    if (argument.starts_with("begin:")) {
        argument.remove_prefix(6);
    } else if (argument.starts_with("end:")) {
        argument.remove_prefix(4);
        isEnd = true;
    }
    if (m_time && m_timeIsEnd != isEnd) {
        endTime();
    }
    if (!m_time) {
        m_time.emplace();
        m_timeIsEnd = isEnd;
        m_timeIsPlain = isPlain;
    } else {
        if (m_timeIsPlain) {
            m_row.addLiteral("["); // the rest of it is part of a longer one
            m_time->addLiteral("]");
            m_timeIsPlain = false;
        }
        m_time->addLiteral(m_betweenTimes + (isPlain ? "[" : ""));
        m_betweenTimes.clear();
    }
    if (m_time->addCounter(argument)) {
        return engine::Done {};
    }
    auto done = m_time->addFormat(argument.empty() ? kPlainTime : argument);
    if (done && isPlain && !m_timeIsPlain) {
        m_time->addLiteral("]");
    }
    return done;
}

engine::Status Compiler::addConversion(const Conversion& conversion, std::string_view text)
{
    if (conversion.letter == "t") {
        return addTime(conversion.argument);
    }
    std::string field = fieldOf(conversion);
    if (field.empty()) {
        return engine::fail("log.format",
                            fmt::format("{} is no conversion of a LogFormat that is known", text),
                            std::string(kHelp));
    }
    addField(std::move(field));
    return engine::Done {};
}

/// A lone %t is what readAnyTime() reads fastest.
void Compiler::settleTimes()
{
    for (RowPattern::Token& token : m_row.tokens()) {
        const auto same = [&](const RowPattern::Token& other) {
            return other.clock && other.isEnd == token.isEnd;
        };
        if (token.mayLackBracket
            && std::count_if(m_row.tokens().begin(), m_row.tokens().end(), same) == 1) {
            token.clock.reset();
        }
    }
}

engine::Result<RowPattern> Compiler::compile(std::string_view format)
{
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] != '%') {
            const std::size_t end = std::min(format.find('%', at), format.size());
            addLiteral(format.substr(at, end - at));
            at = end;
        } else if (format.substr(at).starts_with("%%")) {
            addLiteral("%");
            at += 2;
        } else {
            const std::size_t begin = at;
            const auto conversion = takeConversion(format, at);
            if (!conversion) {
                return engine::fail(
                    "log.format",
                    fmt::format("{} is no conversion of a LogFormat", format.substr(begin)),
                    std::string(kHelp));
            }
            if (auto done = addConversion(*conversion, format.substr(begin, at - begin)); !done) {
                return engine::fail(done.error());
            }
        }
    }
    endTime();
    settleTimes();
    if (auto done = m_row.settle(true, "", kHelp); !done) {
        return engine::fail(done.error());
    }
    return std::move(m_row);
}

/// What mod_log_config makes of backslashes in a format.
std::string withoutEscapes(std::string_view text)
{
    std::string format;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
        const char undone = next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next;
        const bool isEscape = undone != next || next == '"' || next == '\\' || next == '\'';
        format += isEscape ? undone : text[at];
        at += isEscape ? 1 : 0;
    }
    return format;
}

bool isDirective(std::string_view word, std::string_view name)
{
    return std::equal(word.begin(), word.end(), name.begin(), name.end(),
                      [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

/// The format of a configuration; an empty text: these are no directives of one.
engine::Result<NamedText> configured(const std::vector<Directive>& directives)
{
    std::vector<NamedText> formats;
    std::vector<std::string> used;
    bool isConfiguration = false;
    for (const Directive& words : directives) {
        const bool hasFormat = words.size() > 1 && words[1].find('%') != std::string::npos;
        const bool names = isDirective(words.front(), "LogFormat");
        const bool uses = isDirective(words.front(), "CustomLog");
        isConfiguration = isConfiguration || names || uses;
        if (names && hasFormat) {
            formats.push_back({words.size() > 2 ? words[2] : "", words[1]});
        } else if (uses && words.size() > 2) {
            used.push_back(words[2]);
            if (words[2].find('%') != std::string::npos) {
                formats.push_back({words[2], words[2]});
            }
        }
    }
    return isConfiguration ? chooseFormat(formats, used) : NamedText {};
}

} // namespace

engine::Result<RowPattern> parseApachePattern(std::string_view text)
{
    text = trimmed(text);
    const auto directives = apacheDirectives(text);
    auto chosen = configured(directives);
    if (!chosen) {
        return engine::fail(chosen.error());
    }
    std::string format = chosen->text;
    if (format.empty()) {
        // One word in quotes is a format in the quotes of a configuration.
        const bool isQuoted = directives.size() == 1 && directives.front().size() == 1
            && (text.front() == '"' || text.front() == '\'');
        format = isQuoted ? directives.front().front() : std::string(text);
    }
    return Compiler().compile(withoutEscapes(format));
}

} // namespace storage::logs
