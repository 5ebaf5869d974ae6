#include "storage/logs/row_format.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

/// Envoy's format strings: `[%START_TIME%] "%REQ(:METHOD)% ..."`.
namespace storage::logs {
namespace {

constexpr std::string_view kHelp = "write the format as Envoy has it, in single quotes";

/// `%REQ(X-FORWARDED-FOR?X-REAL-IP):40%` in its parts.
struct Command {
    std::string_view name;
    std::string_view argument;
    std::size_t size = 0; ///< with both `%`
};

bool isNameCharacter(char c)
{
    return (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

/// The command at the `%` that `text` begins with.
std::optional<Command> readCommand(std::string_view text)
{
    constexpr std::size_t kShortest = 3; // REQ
    Command command;
    std::size_t at = 1;
    while (at < text.size() && isNameCharacter(text[at])) {
        ++at;
    }
    command.name = text.substr(1, at - 1);
    if (command.name.size() < kShortest || !(command.name.front() >= 'A')) {
        return std::nullopt;
    }
    if (at < text.size() && text[at] == '(') {
        // An argument may be a time format, with `%` and even `)` of its own.
        std::size_t end = text.find(')', at);
        while (end != std::string_view::npos && text.substr(end + 1, 1) != "%"
               && text.substr(end + 1, 1) != ":") {
            end = text.find(')', end + 1);
        }
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        command.argument = text.substr(at + 1, end - at - 1);
        at = end + 1;
    }
    if (at < text.size() && text[at] == ':') {
        at = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    }
    if (at >= text.size() || text[at] != '%') {
        return std::nullopt;
    }
    command.size = at + 1;
    return command;
}

/// "X-Envoy-Peer" as x_envoy_peer.
std::string lowered(std::string_view text)
{
    std::string name;
    for (const char c : text) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        const bool isPlain = (c >= 'a' && c <= 'z') || isDigit(c);
        name += isUpper ? static_cast<char>(c | 0x20) : isPlain ? c : '_';
    }
    return name;
}

/// Things of a request that nginx has names for have those.
std::string fieldOf(const Command& command)
{
    struct Known {
        std::string_view name;
        std::string_view header;
        std::string_view field;
    };

    constexpr std::array<Known, 7> kKnown {{{"REQ", ":METHOD", "request_method"},
                                            {"REQ", ":PATH", "request_uri"},
                                            {"REQ", ":AUTHORITY", "http_host"},
                                            {"REQ", ":SCHEME", "scheme"},
                                            {"PROTOCOL", "", "server_protocol"},
                                            {"RESPONSE_CODE", "", "status"},
                                            {"DURATION", "", "duration_ms"}}};
    const std::size_t mark = command.argument.find('?');
    const std::string_view header = command.argument.substr(0, mark);
    const std::string_view other
        = mark == std::string_view::npos ? std::string_view {} : command.argument.substr(mark + 1);
    for (const Known& known : kKnown) {
        if (known.name == command.name && (known.header == header || known.header == other)) {
            return std::string(known.field);
        }
    }
    const std::string name = lowered(header);
    if (command.name == "REQ") {
        return "http_" + name;
    }
    if (command.name == "RESP") {
        return "sent_http_" + name;
    }
    const bool isStamp = command.name.starts_with("START_TIME");
    return lowered(command.name) + (name.empty() || isStamp ? "" : "_" + name);
}

/// `%Y-%m-%dT%H:%M:%S.%3fZ`: strftime, with digits of the fraction as `%3f` and `%6f`. What
/// readAnyTime() knows (a count of seconds with any fraction) needs no clock.
engine::Result<std::shared_ptr<const TimePattern>> clockOf(std::string_view format)
{
    std::shared_ptr<const TimePattern> none;
    if (format.empty() || format.starts_with("%s")) {
        return none;
    }
    auto clock = std::make_shared<TimePattern>();
    while (!format.empty()) {
        const std::size_t at = std::min({format.find("%3f"), format.find("%6f"), format.size()});
        if (at > 0) {
            if (auto done = clock->addFormat(format.substr(0, at)); !done) {
                return engine::fail(done.error());
            }
        }
        if (at < format.size()) {
            clock->addCounter(format[at + 1] == '3' ? "msec_frac" : "usec_frac");
        }
        format.remove_prefix(std::min(at + 3, format.size()));
    }
    return std::shared_ptr<const TimePattern>(std::move(clock));
}

engine::Status addCommand(RowPattern& row, const Command& command)
{
    RowPattern::Token token;
    token.field = fieldOf(command);
    if (command.name.starts_with("START_TIME")) {
        auto clock = clockOf(command.argument);
        if (!clock) {
            return engine::fail(clock.error());
        }
        token.field = "start_time";
        token.clock = *clock;
    }
    token.isList = token.field == "http_x_forwarded_for";
    token.isTarget = token.field == "request_uri";
    token.isAddress = token.field.find("address") != std::string::npos;
    token.blankness = token.field == "http_user_agent" ? 4 : 0;
    row.addToken(std::move(token));
    return engine::Done {};
}

engine::Result<RowPattern> parsePattern(std::string_view text)
{
    for (const std::string_view end : {"\n", "\\n"}) {
        text.remove_suffix(text.ends_with(end) ? end.size() : 0);
    }
    RowPattern row;
    while (!text.empty()) {
        const auto command = text.front() == '%' ? readCommand(text) : std::nullopt;
        if (command) {
            if (auto done = addCommand(row, *command); !done) {
                return engine::fail(done.error());
            }
            text.remove_prefix(command->size);
        } else if (text.front() != '%') {
            const std::size_t size = std::min(text.find('%'), text.size());
            row.addLiteral(text.substr(0, size));
            text.remove_prefix(size);
        } else if (text.starts_with("%%")) {
            row.addLiteral("%");
            text.remove_prefix(2);
        } else {
            return engine::fail("log.format",
                                fmt::format("{} is no command operator of Envoy", text),
                                std::string(kHelp));
        }
    }
    if (auto done = row.settle(false, "%", kHelp); !done) {
        return engine::fail(done.error());
    }
    return row;
}

constexpr std::array<RecordSource, 13> kSources {{
    {"client_ip", "downstream_remote_address_without_port"},
    {"client_ip", "downstream_remote_address"},
    {"client_ip", "downstream_direct_remote_address_without_port"},
    {"client_ip", "downstream_direct_remote_address"},
    {"client_ip", "http_x_forwarded_for"},
    {"request_id", "http_x_request_id"},
    {"method", "request_method"},
    {"path", "request_uri"},
    {"host", "http_host"},
    {"api_key", "http_x_api_key"},
    {"user_agent", "http_user_agent"},
    {"bytes", "bytes_sent"},
    {"x_forwarded_for", "http_x_forwarded_for"},
}};
constexpr std::array<RecordStamp, 1> kStamps {{{"start_time", true}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"duration_ms", 1'000'000}}};

} // namespace

bool isEnvoyText(std::string_view text)
{
    for (std::size_t at = text.find('%'); at != std::string_view::npos;
         at = text.find('%', at + 1)) {
        if (readCommand(text.substr(at))) {
            return true;
        }
    }
    return false;
}

MadeFormat makeEnvoyTextFormat(std::string_view text, const FormatOptions& options)
{
    auto pattern = parsePattern(text);
    if (!pattern) {
        return engine::fail(pattern.error());
    }
    RecordRules rules = rowRules();
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.timeHelp = "a log needs %START_TIME%, or --map time=FIELD";
    rules.escape = Escape::None;
    RowShapes shapes;
    shapes.patterns.push_back(std::move(*pattern));
    shapes.nilInOthers = {"request_method", "request_uri", "server_protocol", "status"};
    return makeRowFormat(std::string(text), rules, std::move(shapes), options);
}

} // namespace storage::logs
