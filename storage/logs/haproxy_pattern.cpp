#include "storage/logs/row_format.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

/// HAProxy's log-format strings: `%ci:%cp [%tr] %ft ... %{+Q}r`.
namespace storage::logs {
namespace {

constexpr std::string_view kHelp = "write the log-format as HAProxy has it, in single quotes";

struct Alias {
    std::string_view name;
    std::string_view field;
};

constexpr std::array<Alias, 64> kAliases {{
    {"ci", "remote_addr"},
    {"cp", "remote_port"},
    {"tr", "request_date"},
    {"trl", "request_date_local"},
    {"trg", "request_date_gmt"},
    {"t", "accept_date"},
    {"T", "accept_date_gmt"},
    {"Tl", "accept_date_local"},
    {"Ts", "accept_timestamp"},
    {"ms", "accept_milliseconds"},
    {"rt", "request_counter"},
    {"ft", "frontend"},
    {"f", "frontend"},
    {"b", "backend"},
    {"s", "server"},
    {"fi", "frontend_ip"},
    {"fp", "frontend_port"},
    {"bi", "backend_source_ip"},
    {"bp", "backend_source_port"},
    {"si", "server_ip"},
    {"sp", "server_port"},
    {"TR", "time_request"},
    {"Tw", "time_queue"},
    {"Tc", "time_connect"},
    {"Tr", "time_response"},
    {"Ta", "time_active"},
    {"Tt", "time_total"},
    {"Tu", "time_user"},
    {"Tq", "time_to_request"},
    {"Td", "time_data"},
    {"Th", "time_handshake"},
    {"Ti", "time_idle"},
    {"ST", "status"},
    {"B", "bytes_sent"},
    {"U", "bytes_uploaded"},
    {"CC", "captured_request_cookie"},
    {"CS", "captured_response_cookie"},
    {"ts", "termination_state"},
    {"tsc", "termination_state"},
    {"ac", "actconn"},
    {"fc", "feconn"},
    {"bc", "beconn"},
    {"sc", "srv_conn"},
    {"rc", "retries"},
    {"sq", "srv_queue"},
    {"bq", "backend_queue"},
    {"lc", "frontend_log_counter"},
    {"hr", "request_captures"},
    {"hs", "response_captures"},
    {"hrl", "request_captures"},
    {"hsl", "response_captures"},
    {"r", "request"},
    {"HM", "request_method"},
    {"HU", "request_uri"},
    {"HP", "uri"},
    {"HPO", "uri"},
    {"HQ", "query_string"},
    {"HV", "server_protocol"},
    {"ID", "request_id"},
    {"H", "hostname"},
    {"pid", "pid"},
    {"sslv", "ssl_version"},
    {"sslc", "ssl_ciphers"},
    {"OG", "time_to_headers"},
}};

/// Which of the captures a line lacks: HAProxy writes nothing for them, and one blank less.
struct Without {
    bool requestCaptures = false;
    bool responseCaptures = false;
};

class Compiler {
public:
    explicit Compiler(Without without)
        : m_without(without)
    {
    }

    engine::Result<RowPattern> compile(std::string_view text);

private:
    engine::Result<std::size_t> addVariable(std::string_view text);
    engine::Status addNamed(std::string_view name, bool isQuoted);
    bool addMilliseconds();
    void addField(std::string field, bool isQuoted);
    void addLiteral(std::string_view text);

    Without m_without;
    RowPattern m_row;
    bool m_quotesAll = false; ///< `%{+Q}o`
    bool m_skipsBlank = false;
};

void Compiler::addLiteral(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        i += static_cast<std::size_t>(text[i] == '\\' && i + 1 < text.size());
        const char c = text[i];
        if (c == ' ' && m_skipsBlank) {
            continue; // blanks side by side are written as one
        }
        m_skipsBlank = c == ' ';
        m_row.addLiteral(std::string_view(&text[i], 1));
    }
}

void Compiler::addField(std::string field, bool isQuoted)
{
    constexpr std::string_view kDate = "%d/%b/%Y:%H:%M:%S";
    m_skipsBlank = false;
    m_row.addLiteral(isQuoted ? "\"" : "");
    RowPattern::Token token;
    if (field.find("_date") != std::string::npos) {
        TimePattern clock;
        const bool hasZone = field.ends_with("_gmt") || field.ends_with("_local");
        static_cast<void>(clock.addFormat(hasZone ? "%d/%b/%Y:%H:%M:%S %z" : kDate)); // known
        if (!hasZone) {
            clock.addLiteral(".");
            clock.addCounter("msec_frac");
        }
        token.clock = std::make_shared<const TimePattern>(std::move(clock));
        token.isEnd = field.starts_with("accept"); // two times of a line are not parts of one
    }
    token.isAddress = field == "remote_addr" || field.ends_with("_ip");
    token.isTarget = field == "request_uri" || field == "uri";
    token.blankness = field == "request" && !isQuoted ? 3 : 0; // a quote inside is #22
    token.field = std::move(field);
    m_row.addToken(std::move(token));
    m_row.addLiteral(isQuoted ? "\"" : "");
}

engine::Status Compiler::addNamed(std::string_view name, bool isQuoted)
{
    const auto* const alias = std::find_if(kAliases.begin(), kAliases.end(),
                                           [&](const Alias& known) { return known.name == name; });
    if (alias == kAliases.end()) {
        return engine::fail("log.format",
                            fmt::format("%{} is no variable of HAProxy that is known", name),
                            std::string(kHelp));
    }
    const bool isLacking = (name == "hr" && m_without.requestCaptures)
        || (name == "hs" && m_without.responseCaptures);
    if (isLacking) {
        m_skipsBlank = true;
        return engine::Done {};
    }
    if (name == "ms" && !isQuoted && addMilliseconds()) {
        return engine::Done {};
    }
    const bool isBlock = name == "hr" || name == "hs";
    m_row.addLiteral(isBlock ? "{" : "");
    addField(std::string(alias->field), isQuoted && !isBlock);
    m_row.addLiteral(isBlock ? "}" : "");
    return engine::Done {};
}

/// "%Ts.%ms" and "%Ts%ms" are one time. False: %ms stands for itself.
bool Compiler::addMilliseconds()
{
    auto& tokens = m_row.tokens();
    if (tokens.empty() || tokens.back().field != "accept_timestamp"
        || (tokens.back().literal != "." && !tokens.back().literal.empty())) {
        return false;
    }
    RowPattern::Token& token = tokens.back();
    TimePattern clock;
    clock.addCounter(token.literal.empty() ? "msec" : "sec");
    if (!token.literal.empty()) {
        clock.addLiteral(token.literal);
        clock.addCounter("msec_frac");
    }
    token.literal.clear();
    token.isEnd = true; // as other times of a connection
    token.clock = std::make_shared<const TimePattern>(std::move(clock));
    m_skipsBlank = false;
    return true;
}

/// A sample expression's field: "req.hdr(Host)" is http_host, others their text in plain letters.
std::string expressionField(std::string_view expression)
{
    std::string_view name = expression.substr(0, expression.find(','));
    if (name == "src") {
        return "remote_addr";
    }
    std::string field;
    for (const std::string_view header : {"req.hdr(", "req.fhdr(", "hdr("}) {
        if (name.starts_with(header) && name.ends_with(')')) {
            name = name.substr(header.size(), name.size() - header.size() - 1);
            field = "http_";
            break;
        }
    }
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        const bool isPlain = (c >= 'a' && c <= 'z') || isDigit(c);
        field += isUpper ? static_cast<char>(c | 0x20) : isPlain ? c : '_';
    }
    while (field.ends_with('_')) {
        field.pop_back();
    }
    return field;
}

/// What stands behind a `%`; how long it is.
engine::Result<std::size_t> Compiler::addVariable(std::string_view text)
{
    std::size_t at = 0;
    bool isQuoted = m_quotesAll;
    std::string_view flags;
    if (text.starts_with('{')) {
        at = std::min(text.find('}'), text.size() - 1) + 1;
        flags = text.substr(1, at - 2);
        isQuoted = (isQuoted || flags.find("+Q") != std::string_view::npos)
            && flags.find("-Q") == std::string_view::npos;
    }
    if (text.substr(at).starts_with('[')) {
        const std::size_t end = text.find(']', at);
        if (end == std::string_view::npos) {
            return engine::fail("log.format", fmt::format("%{} has no ]", text),
                                std::string(kHelp));
        }
        addField(expressionField(text.substr(at + 1, end - at - 1)), isQuoted);
        return end + 1;
    }
    std::size_t end = at;
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    while (end < text.size() && isLetter(text[end])) {
        ++end;
    }
    const std::string_view name = text.substr(at, end - at);
    if (name == "o") {
        m_quotesAll = isQuoted;
        m_skipsBlank = m_row.tokens().empty();
        return end;
    }
    if (auto done = addNamed(name, isQuoted); !done) {
        return engine::fail(done.error());
    }
    return end;
}

engine::Result<RowPattern> Compiler::compile(std::string_view text)
{
    while (!text.empty()) {
        if (text.starts_with("%%")) {
            addLiteral("%");
            text.remove_prefix(2);
        } else if (text.front() == '%') {
            auto size = addVariable(text.substr(1));
            if (!size) {
                return engine::fail(size.error());
            }
            text.remove_prefix(*size + 1);
        } else {
            const std::size_t size = std::min(text.find('%'), text.size());
            addLiteral(text.substr(0, size));
            text.remove_prefix(size);
        }
    }
    if (auto done = m_row.settle(false, "%", kHelp); !done) {
        return engine::fail(done.error());
    }
    return std::move(m_row);
}

constexpr std::array<RecordStamp, 7> kStamps {{{"request_date", true},
                                               {"request_date_local", true},
                                               {"request_date_gmt", true},
                                               {"accept_date", true},
                                               {"accept_date_local", true},
                                               {"accept_date_gmt", true},
                                               {"accept_timestamp", true}}};
constexpr std::array<RecordDuration, 2> kDurations {
    {{"time_active", 1'000'000}, {"time_total", 1'000'000}}};
constexpr std::array<std::string_view, 2> kRemarks {
    "%t, %T, %Tl and %Ts are when a connection was accepted: later requests of it began later",
    "%t and %tr name no zone: they are read as UTC, or as --tz says"};

} // namespace

bool isHaproxyText(std::string_view text)
{
    constexpr std::array<std::string_view, 14> kSigns {"%ci", "%ft", "%ST", "%{+", "%{-",
                                                       "%[",  "%tr", "%hr", "%HM", "%HU",
                                                       "%HP", "%Ta", "%Tt", "%tsc"};
    return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
        return text.find(sign) != std::string_view::npos;
    });
}

MadeFormat makeHaproxyTextFormat(std::string_view text, const FormatOptions& options)
{
    const bool hasRequest = text.find("%hr") != std::string_view::npos;
    const bool hasResponse = text.find("%hs") != std::string_view::npos;
    RowShapes shapes;
    for (const Without without :
         {Without {}, Without {false, true}, Without {true, false}, Without {true, true}}) {
        if ((without.requestCaptures && !hasRequest)
            || (without.responseCaptures && !hasResponse)) {
            continue;
        }
        auto pattern = Compiler(without).compile(text);
        if (!pattern) {
            return engine::fail(pattern.error());
        }
        shapes.patterns.push_back(std::move(*pattern));
    }
    RecordRules rules = rowRules();
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.timeHelp = "a log needs %tr, %t, %trl, %T or %Ts, or --map time=FIELD";
    rules.escape = Escape::Sharp;
    rules.queryHasMark = true;
    rules.remarks = kRemarks;
    return makeRowFormat(std::string(text), rules, std::move(shapes), options);
}

} // namespace storage::logs
