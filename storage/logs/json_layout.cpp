#include "storage/logs/json_layout.h"

#include "engine/attributes.h"
#include "storage/logs/guesses.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::string_view kHeaderPrefix = "http_";

/// "x_api_key" as "x-api-key", or as Go writes it, "X-Api-Key".
std::string headerName(std::string_view name, bool isCanonical)
{
    std::string header(name);
    bool isFirst = true;
    for (char& c : header) {
        c = c == '_' ? '-' : c;
        if (isCanonical && isFirst && c >= 'a' && c <= 'z') {
            c = static_cast<char>(c - 'a' + 'A');
        }
        isFirst = c == '-';
    }
    return header;
}

template <class Call> void forEachPart(std::string_view text, const Call& call)
{
    while (!text.empty()) {
        const auto end = std::min(text.find('|'), text.size());
        call(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

JsonLayout::JsonLayout(const JsonKind& theKind, const std::vector<FieldMapping>& mappings)
    : kind(&theKind)
    , m_mappings(&mappings)
{
    stamps = newSlots();
    durations = newSlots();
    sums = newSlots();
    request = newSlots();
    refusal = newSlots();
    whole = newSlots();
    addTimes();
    client = slotsOf("client_ip");
    method = slotsOf("method");
    target = slotsOf("target");
    status = slotsOf("status");
    for (const FieldMapping& mapping : mappings) {
        if (mapping.name == "request") {
            add(request, mapping.field);
        }
    }
    const bool isMapped = !request.isEmpty();
    for (const std::string_view field : kind->requests) {
        isMapped ? void() : add(request, field);
    }
    if (!isMapped && kind->guesses != JsonGuesses::None) {
        for (const std::string_view field : requestLineGuesses()) {
            add(request, field);
        }
    }
    if (!kind->refusal.field.empty()) {
        add(refusal, kind->refusal.field);
    }
    if (!kind->whole.empty()) {
        add(whole, kind->whole);
    }
    marks = alternatives(kind->marks);
    signs = alternatives(kind->signs);
}

JsonSlots JsonLayout::newSlots()
{
    JsonSlots slots;
    slots.id = m_listCount++;
    return slots;
}

void JsonLayout::add(JsonSlots& slots, std::string_view field)
{
    slots.order.push_back(keys.want(field));
    slots.isList.push_back(namesAddressList(field));
}

void JsonLayout::addSources(JsonSlots& slots, std::string_view attribute,
                            std::span<const RecordSource> sources)
{
    for (const RecordSource& source : sources) {
        if (source.attribute == attribute) {
            add(slots, source.field);
        }
    }
}

void JsonLayout::addHeader(JsonSlots& slots, std::string_view attribute)
{
    if (!attribute.starts_with(kHeaderPrefix)) {
        return;
    }
    const std::string_view name = attribute.substr(kHeaderPrefix.size());
    for (const std::string_view prefix : kind->headers) {
        for (const bool isCanonical : {false, true}) {
            add(slots, std::string(prefix) + headerName(name, isCanonical));
        }
    }
}

JsonSlots JsonLayout::slotsOf(std::string_view attribute)
{
    JsonSlots slots = newSlots();
    const std::string_view mapped = attribute == "target" ? "path" : attribute;
    for (const FieldMapping& mapping : *m_mappings) {
        if (mapping.name == mapped) {
            add(slots, mapping.field); // several are alternatives, best first
            addHeader(slots, mapping.field);
        }
    }
    if (!slots.isEmpty()) {
        return slots;
    }
    if (kind->guesses == JsonGuesses::Before) {
        addSources(slots, attribute, sourceGuesses());
    }
    addSources(slots, attribute, kind->sources);
    if (kind->guesses == JsonGuesses::Behind) {
        addSources(slots, attribute, sourceGuesses());
    }
    if (slots.isEmpty()) {
        add(slots, attribute);
        addHeader(slots, attribute);
        if (!attribute.starts_with(kHeaderPrefix) && !engine::isBuiltIn(attribute)
            && attribute != "target") {
            const std::string header = std::string(kHeaderPrefix) + std::string(attribute);
            add(slots, header); // authorization is http_authorization
            addHeader(slots, header);
        }
    }
    return slots;
}

void JsonLayout::addStamp(const JsonStamp& stamp)
{
    add(stamps, stamp.field);
    const bool isChecked = !stamp.notBehind.empty();
    stampRules.push_back(
        {stamp.isStart, isChecked, isChecked ? keys.want(stamp.notBehind) : std::uint32_t {0}});
}

void JsonLayout::addDuration(const JsonDuration& duration)
{
    add(durations, duration.field);
    const bool isDistance = !duration.since.empty();
    durationRules.push_back({duration.unitNs, ShortDecimals(duration.unitNs), isDistance,
                             isDistance ? keys.want(duration.since) : std::uint32_t {0},
                             duration.mostNs});
}

void JsonLayout::addTimes()
{
    for (const FieldMapping& mapping : *m_mappings) {
        if (mapping.name == "time" || mapping.name == "start") {
            addStamp({mapping.field, mapping.name == "start"});
        } else if (mapping.name == "duration") {
            const DurationField field = durationField(mapping.field);
            addDuration({field.field, field.unitNs});
        }
    }
    const bool hasStamp = !stamps.isEmpty();
    const bool hasDuration = !durations.isEmpty();
    const auto addGuesses = [&] {
        for (const RecordStamp& guess : stampGuesses()) {
            hasStamp ? void() : addStamp({guess.field, guess.isStart});
        }
        for (const RecordDuration& guess : durationGuesses()) {
            hasDuration ? void() : addDuration({guess.field, guess.unitNs});
        }
    };
    if (kind->guesses == JsonGuesses::Before) {
        addGuesses();
    }
    for (const JsonStamp& stamp : kind->stamps) {
        hasStamp ? void() : addStamp(stamp);
    }
    for (const JsonDuration& duration : kind->durations) {
        hasDuration ? void() : addDuration(duration);
    }
    if (kind->guesses == JsonGuesses::Behind) {
        addGuesses();
    }
    for (const std::string_view field : kind->sums) {
        hasDuration ? void() : add(sums, field);
    }
}

std::vector<JsonSlots> JsonLayout::alternatives(std::span<const std::string_view> texts)
{
    std::vector<JsonSlots> all;
    for (const std::string_view text : texts) {
        all.push_back(newSlots());
        forEachPart(text, [&](std::string_view field) { add(all.back(), field); });
    }
    return all;
}

std::string headerOfPath(const JsonKind& kind, std::string_view path)
{
    for (const std::string_view prefix : kind.headers) {
        const std::string_view name = path.substr(std::min(prefix.size(), path.size()));
        const bool isHeader = !prefix.empty() && path.starts_with(prefix) && !name.empty()
            && name.find_first_of(".[") == std::string_view::npos;
        if (isHeader) {
            std::string attribute(kHeaderPrefix);
            for (const char c : name) {
                const bool isUpper = c >= 'A' && c <= 'Z';
                attribute += c == '-' ? '_' : static_cast<char>(isUpper ? c | 0x20 : c);
            }
            return attribute;
        }
    }
    return {};
}

bool isRead(const JsonKind& kind, const std::vector<FieldMapping>& mappings, std::string_view path)
{
    const auto isMapped = [&](std::string_view attribute) {
        return std::any_of(mappings.begin(), mappings.end(), [&](const FieldMapping& mapping) {
            return mapping.name == (attribute == "target" ? "path" : attribute);
        });
    };
    const std::string header = headerOfPath(kind, path);
    const auto names = [&](const auto& rows) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
            return row.field == path || (!header.empty() && row.field == header);
        });
    };
    const auto gives = [&](std::span<const RecordSource> sources) {
        return std::any_of(sources.begin(), sources.end(), [&](const RecordSource& source) {
            return source.field == path && !isMapped(source.attribute);
        });
    };
    const auto isOne = [&](std::span<const std::string_view> fields) {
        return std::find(fields.begin(), fields.end(), path) != fields.end();
    };
    const bool guessed = kind.guesses != JsonGuesses::None
        && (gives(sourceGuesses()) || names(stampGuesses()) || names(durationGuesses())
            || isOne(requestLineGuesses()));
    return guessed || gives(kind.sources) || names(kind.stamps) || names(kind.durations)
        || names(mappings) || isOne(kind.requests) || isOne(kind.sums);
}

} // namespace storage::logs
