#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/guesses.h"
#include "storage/logs/json_scan.h"
#include "storage/logs/request_line.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace storage::logs {
namespace {

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
        for (const RecordSource& guess : sourceGuesses()) {
            if (guess.attribute == attribute) {
                slots.add(keys.want(guess.field));
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
        for (const RecordStamp& guess : stampGuesses()) {
            layout.stamps.push_back({keys.want(guess.field), guess.isStart});
        }
    }
    if (layout.durations.empty()) {
        for (const RecordDuration& guess : durationGuesses()) {
            layout.durations.push_back({keys.want(guess.field), guess.unitNs});
        }
    }
    layout.client = slotsOf(keys, mappings, "client_ip");
    layout.method = slotsOf(keys, mappings, "method");
    layout.target = slotsOf(keys, mappings, "target");
    layout.status = slotsOf(keys, mappings, "status");
    for (const std::string_view field : requestLineGuesses()) {
        layout.request.add(keys.want(field));
    }
    return layout;
}

struct Action {
    AttributeKind kind = AttributeKind::Text;
    Slots slots;
};

class JsonParser final : public LineParser {
public:
    JsonParser(const FormatOptions& options, const std::vector<std::string>& fields)
        : m_layout(makeLayout(m_keys, options.mappings))
        , m_zone(options.zone)
    {
        for (const auto& field : fields) {
            m_actions.push_back({attributeKind(field), slotsOf(m_keys, options.mappings, field)});
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
    std::shared_ptr<const Zone> m_zone;
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
        applyZone(m_zone.get(), scratch, stamp);
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
    explicit JsonFormat(FormatOptions options)
        : m_options(std::move(options))
    {
    }

    [[nodiscard]] std::string name() const override { return "json"; }

    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> names(engine::kBuiltInAttributes.begin(),
                                       engine::kBuiltInAttributes.end());
        for (const FieldMapping& mapping : m_options.mappings) {
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
        return std::make_unique<JsonParser>(m_options, fields);
    }

private:
    FormatOptions m_options;
};

/// Keys that a line gives as a built-in attribute or as its time are no further fields.
void JsonFormat::collectFields(std::string_view line, std::vector<std::string>& names) const
{
    std::vector<std::string> keys;
    collectJsonKeys(line, keys);
    const auto isUsed = [&](const std::string& key) {
        const auto is = [&](std::string_view other) { return other == key; };
        const auto any = [&](const auto& guesses) {
            return std::any_of(guesses.begin(), guesses.end(),
                               [&](const auto& guess) { return guess.field == key; });
        };
        const auto sources = sourceGuesses();
        return std::any_of(sources.begin(), sources.end(),
                           [&](const RecordSource& guess) {
                               return is(guess.field)
                                   && !isMapped(m_options.mappings, guess.attribute);
                           })
            || any(stampGuesses()) || any(durationGuesses()) || any(m_options.mappings)
            || std::any_of(requestLineGuesses().begin(), requestLineGuesses().end(), is);
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
    return std::shared_ptr<const LogFormat>(std::make_shared<JsonFormat>(options));
}

} // namespace storage::logs
