#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/json_scan.h"
#include "storage/logs/request_line.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace storage::logs {
namespace {

/// Names under which JSON logs write an attribute, best first.
struct Guess {
    std::string_view attribute;
    std::string_view key;
};

constexpr Guess kGuesses[] = {
    {"client_ip", "client_ip"},
    {"client_ip", "remote_addr"},
    {"client_ip", "clientip"},
    {"client_ip", "remote_ip"},
    {"client_ip", "clientIp"},
    {"client_ip", "ClientIP"},
    {"client_ip", "client_addr"},
    {"client_ip", "client_address"},
    {"client_ip", "remote_address"},
    {"client_ip", "remoteAddr"},
    {"client_ip", "remoteIp"},
    {"client_ip", "src_ip"},
    {"client_ip", "client"},
    {"client_ip", "ip"},
    {"request_id", "request_id"},
    {"request_id", "req_id"},
    {"request_id", "requestId"},
    {"request_id", "x_request_id"},
    {"request_id", "http_x_request_id"},
    {"method", "method"},
    {"method", "request_method"},
    {"method", "http_method"},
    {"method", "requestMethod"},
    {"method", "verb"},
    {"target", "request_uri"},
    {"target", "uri"},
    {"target", "url"},
    {"target", "path"},
    {"target", "uri_path"},
    {"target", "request_path"},
    {"target", "target"},
    {"target", "requestUrl"},
    {"query", "query"},
    {"query", "query_string"},
    {"query", "args"},
    {"host", "host"},
    {"host", "http_host"},
    {"host", "vhost"},
    {"host", "authority"},
    {"scheme", "scheme"},
    {"status", "status"},
    {"status", "status_code"},
    {"status", "response_code"},
    {"status", "http_status"},
    {"status", "statusCode"},
    {"status", "code"},
    {"user", "user"},
    {"user", "remote_user"},
    {"user", "username"},
    {"api_key", "api_key"},
    {"api_key", "http_x_api_key"},
    {"api_key", "x_api_key"},
    {"api_key", "apikey"},
    {"api_key", "x-api-key"},
    {"api_key", "apiKey"},
    {"user_agent", "user_agent"},
    {"user_agent", "http_user_agent"},
    {"user_agent", "ua"},
    {"user_agent", "agent"},
    {"user_agent", "userAgent"},
    {"referer", "referer"},
    {"referer", "http_referer"},
    {"referer", "referrer"},
    {"bytes", "body_bytes_sent"},
    {"bytes", "bytes_sent"},
    {"bytes", "bytes"},
    {"bytes", "bytes_out"},
    {"bytes", "response_size"},
    {"bytes", "size"},
};

constexpr std::array<std::string_view, 14> kStampKeys {
    "msec",     "time_iso8601", "time_local", "time",    "@timestamp",   "timestamp", "ts",
    "datetime", "date_time",    "date",       "time_ns", "timestamp_ms", "log_time",  "logged_at"};
constexpr std::array<std::string_view, 5> kStartKeys {"start_time", "started_at", "start",
                                                      "request_start", "startTime"};

struct DurationGuess {
    std::string_view key;
    std::int64_t unitNs;
};

constexpr std::array<DurationGuess, 14> kDurations {{{"request_time", kSecondNs},
                                                     {"duration_ns", 1},
                                                     {"duration_us", 1'000},
                                                     {"duration_ms", 1'000'000},
                                                     {"duration_s", kSecondNs},
                                                     {"latency_ns", 1},
                                                     {"latency_us", 1'000},
                                                     {"latency_ms", 1'000'000},
                                                     {"elapsed_ms", 1'000'000},
                                                     {"response_time_ms", 1'000'000},
                                                     {"time_taken_ms", 1'000'000},
                                                     {"took_ms", 1'000'000},
                                                     {"reqtime", kSecondNs},
                                                     {"duration", kSecondNs}}};

/// Where values of one line come from, best first.
struct StampSource {
    std::uint32_t slot = 0;
    bool isStart = false;
};

struct DurationSource {
    std::uint32_t slot = 0;
    std::int64_t unitNs = kSecondNs;
};

/// Slots of one attribute, best first.
struct Slots {
    std::vector<std::uint32_t> order;
    JsonPresence all;

    void add(std::uint32_t slot)
    {
        order.push_back(slot);
        all.add(slot);
    }

    [[nodiscard]] bool empty() const { return order.empty(); }
};

/// The keys that matter in every line, whatever fields are asked for.
struct JsonLayout {
    std::vector<StampSource> stamps;
    std::vector<DurationSource> durations;
    Slots client;
    Slots request;
    Slots method;
    Slots target;
    Slots status;
};

bool isMapped(const std::vector<FieldMapping>& mappings, std::string_view name)
{
    return std::any_of(mappings.begin(), mappings.end(),
                       [&](const FieldMapping& mapping) { return mapping.name == name; });
}

/// Slots of an attribute: the mapped field alone, else all guesses, else the field of that name.
Slots slotsOf(JsonKeys& keys, const std::vector<FieldMapping>& mappings, std::string_view attribute)
{
    Slots slots;
    const std::string_view mapped = attribute == "target" ? "path" : attribute;
    for (const FieldMapping& mapping : mappings) {
        if (mapping.name == mapped) {
            slots.add(keys.want(mapping.field)); // several are alternatives, best first
        }
    }
    if (slots.empty()) {
        for (const Guess& guess : kGuesses) {
            if (guess.attribute == attribute) {
                slots.add(keys.want(guess.key));
            }
        }
    }
    if (slots.empty()) {
        slots.add(keys.want(attribute));
    }
    return slots;
}

JsonLayout makeLayout(JsonKeys& keys, const std::vector<FieldMapping>& mappings)
{
    JsonLayout layout;
    for (const FieldMapping& mapping : mappings) {
        if (mapping.name == "time" || mapping.name == "start") {
            layout.stamps.push_back({keys.want(mapping.field), mapping.name == "start"});
        } else if (mapping.name == "duration") {
            const DurationField field = durationField(mapping.field);
            layout.durations = {{keys.want(field.field), field.unitNs}};
        }
    }
    if (layout.stamps.empty()) {
        for (const std::string_view key : kStartKeys) {
            layout.stamps.push_back({keys.want(key), true});
        }
        for (const std::string_view key : kStampKeys) {
            layout.stamps.push_back({keys.want(key), false});
        }
    }
    if (layout.durations.empty()) {
        for (const DurationGuess& guess : kDurations) {
            layout.durations.push_back({keys.want(guess.key), guess.unitNs});
        }
    }
    layout.client = slotsOf(keys, mappings, "client_ip");
    layout.method = slotsOf(keys, mappings, "method");
    layout.target = slotsOf(keys, mappings, "target");
    layout.status = slotsOf(keys, mappings, "status");
    layout.request.add(keys.want("request"));
    layout.request.add(keys.want("request_line"));
    return layout;
}

struct Action {
    AttributeKind kind = AttributeKind::Text;
    Slots slots;
};

class JsonParser final : public LineParser {
public:
    JsonParser(const std::vector<FieldMapping>& mappings, const std::vector<std::string>& fields)
        : m_layout(makeLayout(m_keys, mappings))
    {
        for (const auto& field : fields) {
            m_actions.push_back({attributeKind(field), slotsOf(m_keys, mappings, field)});
        }
    }

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    int likeness(std::string_view line, LineScratch& scratch) const override;

private:
    /// The first of `slots` that has text, read as text.
    static std::string_view textOf(const Slots& slots, LineScratch& scratch);
    static std::string_view textOf(std::uint32_t slot, LineScratch& scratch);
    /// Like textOf(), a number with an exponent as a plain one.
    static std::string_view numberOf(std::uint32_t slot, LineScratch& scratch);
    bool readTimes(LineScratch& scratch, engine::Request& request) const;
    void fill(LineScratch& scratch, const RequestParts& parts, std::string_view client,
              std::string_view status, ParsedLine& out) const;
    [[nodiscard]] RequestParts readParts(LineScratch& scratch) const;

    JsonKeys m_keys;
    JsonLayout m_layout;
    std::vector<Action> m_actions;
};

std::string_view JsonParser::textOf(std::uint32_t slot, LineScratch& scratch)
{
    const JsonValue& value = scratch.json[slot];
    if (value.kind == JsonValue::Kind::Missing || value.text.empty() || value.text == "-") {
        return {};
    }
    return value.hasEscapes ? undoJsonEscapes(value.text, true, *scratch.arena) : value.text;
}

std::string_view JsonParser::textOf(const Slots& slots, LineScratch& scratch)
{
    if (!slots.all.meets(scratch.present)) {
        return {};
    }
    for (const std::uint32_t slot : slots.order) {
        const std::string_view text = textOf(slot, scratch);
        if (!text.empty()) {
            return text;
        }
    }
    return {};
}

std::string_view JsonParser::numberOf(std::uint32_t slot, LineScratch& scratch)
{
    const std::string_view text = textOf(slot, scratch);
    return scratch.json[slot].kind == JsonValue::Kind::Fraction ? plainDecimal(text, *scratch.arena)
                                                                : text;
}

bool JsonParser::readTimes(LineScratch& scratch, engine::Request& request) const
{
    for (const auto& [slot, isStart] : m_layout.stamps) {
        Stamp stamp;
        if (scratch.json[slot].kind == JsonValue::Kind::Missing
            || !readAnyTime(numberOf(slot, scratch), scratch.stamps, stamp)) {
            continue;
        }
        std::optional<std::int64_t> duration;
        for (std::size_t i = 0; i < m_layout.durations.size() && !duration; ++i) {
            const DurationSource& source = m_layout.durations[i];
            duration = readDecimal(numberOf(source.slot, scratch), source.unitNs);
        }
        setTimes(stamp, isStart, duration, request);
        return true;
    }
    return false;
}

RequestParts JsonParser::readParts(LineScratch& scratch) const
{
    RequestParts parts = splitRequestLine(textOf(m_layout.request, scratch));
    const std::string_view method = textOf(m_layout.method, scratch);
    const std::string_view target = textOf(m_layout.target, scratch);
    if (!method.empty()) {
        parts.method = method;
    }
    if (!target.empty()) {
        parts.path = {};
        parts.query = {};
        splitTarget(target, parts);
    }
    return parts;
}

LineOutcome JsonParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                              ParsedLine& out) const
{
    if (!scanJson(line, m_keys, {true}, scratch)) {
        const bool begins = trimmed(line).starts_with('{') && trimmed(line).back() != '}';
        return isCut || begins ? LineOutcome::Truncated : LineOutcome::NotJson;
    }
    std::string_view client;
    std::string_view status;
    if (!readClient(textOf(m_layout.client, scratch), client)) {
        return LineOutcome::NoClient;
    }
    if (!readStatus(textOf(m_layout.status, scratch), status)) {
        status = {}; // "code" may be a word
    }
    if (!readTimes(scratch, out.request)) {
        return LineOutcome::BadTime;
    }
    const RequestParts parts = readParts(scratch);
    const bool isAccess
        = !client.empty() || !status.empty() || !parts.method.empty() || !parts.path.empty();
    if (!isAccess && !m_layout.request.all.meets(scratch.present)) {
        return LineOutcome::NoMatch; // a record of something else in the same file
    }
    fill(scratch, parts, client, status, out);
    return LineOutcome::Request;
}

void JsonParser::fill(LineScratch& scratch, const RequestParts& parts, std::string_view client,
                      std::string_view status, ParsedLine& out) const
{
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        const Action& action = m_actions[i];
        std::string_view value;
        switch (action.kind) {
        case AttributeKind::Client:
            value = client;
            break;
        case AttributeKind::Status:
            value = status;
            break;
        case AttributeKind::Method:
            value = parts.method;
            break;
        case AttributeKind::Path:
            value = parts.path;
            break;
        case AttributeKind::Query:
            value = textOf(action.slots, scratch);
            value = value.empty() ? parts.query : value;
            break;
        case AttributeKind::Host:
            value = textOf(action.slots, scratch);
            value = value.empty() ? parts.host : value;
            break;
        case AttributeKind::Scheme:
            value = textOf(action.slots, scratch);
            value = value.empty() ? parts.scheme : value;
            break;
        case AttributeKind::Duration:
            if (out.request.durationNs >= 0) {
                value = digitsOf(out.request.durationNs, *scratch.arena);
            }
            break;
        case AttributeKind::Text:
            value = textOf(action.slots, scratch);
            break;
        }
        out.values[i] = value.empty() ? std::string_view {} : value;
    }
}

int JsonParser::likeness(std::string_view line, LineScratch& scratch) const
{
    ParsedLine out;
    std::vector<std::string_view> values(m_actions.size());
    out.values = values.data();
    if (parse(line, false, scratch, out) != LineOutcome::Request) {
        return 0;
    }
    const RequestParts parts = readParts(scratch);
    const bool says = !parts.path.empty() || !parts.method.empty();
    return says ? 2 : 1;
}

class JsonFormat final : public LogFormat {
public:
    explicit JsonFormat(std::vector<FieldMapping> mappings)
        : m_mappings(std::move(mappings))
    {
    }

    [[nodiscard]] std::string name() const override { return "json"; }

    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> names(engine::kBuiltInAttributes.begin(),
                                       engine::kBuiltInAttributes.end());
        for (const FieldMapping& mapping : m_mappings) {
            if (mapping.name != "time" && mapping.name != "start"
                && !engine::isBuiltIn(mapping.name)) {
                names.push_back(mapping.name);
            }
        }
        return names;
    }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    void collectFields(std::string_view line, std::vector<std::string>& names) const override;

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& fields) const override
    {
        return std::make_unique<JsonParser>(m_mappings, fields);
    }

private:
    std::vector<FieldMapping> m_mappings;
};

/// Keys that a line gives as a built-in attribute or as its time are no further fields.
void JsonFormat::collectFields(std::string_view line, std::vector<std::string>& names) const
{
    std::vector<std::string> keys;
    collectJsonKeys(line, keys);
    const auto isUsed = [&](const std::string& key) {
        const auto is = [&](std::string_view other) { return other == key; };
        return std::any_of(std::begin(kGuesses), std::end(kGuesses),
                           [&](const Guess& guess) {
                               return is(guess.key) && !isMapped(m_mappings, guess.attribute);
                           })
            || std::any_of(kStampKeys.begin(), kStampKeys.end(), is)
            || std::any_of(kStartKeys.begin(), kStartKeys.end(), is)
            || std::any_of(kDurations.begin(), kDurations.end(),
                           [&](const DurationGuess& guess) { return is(guess.key); })
            || std::any_of(m_mappings.begin(), m_mappings.end(),
                           [&](const FieldMapping& mapping) { return is(mapping.field); })
            || key == "request" || key == "request_line";
    };
    for (auto& key : keys) {
        if (!isUsed(key) && std::find(names.begin(), names.end(), key) == names.end()) {
            names.push_back(std::move(key));
        }
    }
}

} // namespace

MadeFormat makeJsonFormat(std::string_view /*name*/, const FormatOptions& options)
{
    return std::shared_ptr<const LogFormat>(std::make_shared<JsonFormat>(options.mappings));
}

} // namespace storage::logs
