#include "storage/logs/json_parser.h"

#include "storage/logs/client_chooser.h"
#include "storage/logs/json_cursor.h"
#include "storage/logs/outer_time.h"
#include "storage/logs/record.h"
#include "storage/logs/written_times.h"

#include <algorithm>
#include <cstring>

namespace storage::logs {
namespace {

using Kind = JsonValue::Kind;

/// A list as text, or one with escapes.
std::string_view writtenAnew(const JsonValue& value, Arena& arena)
{
    return value.kind == Kind::List ? joinJsonList(value.text, arena)
                                    : undoJsonEscapes(value.text, true, arena);
}

/// A value as text; empty for none, an object, or nginx's `-`.
inline std::string_view textOf(std::uint32_t slot, LineScratch& scratch)
{
    const JsonValue& value = scratch.json[slot];
    if (value.text.size() <= 1 && (value.text.empty() || value.text.front() == '-')) {
        return {};
    }
    return value.hasEscapes || value.kind == Kind::List ? writtenAnew(value, *scratch.arena)
                                                        : value.text;
}

/// Like textOf(), a number with an exponent as a plain one.
inline std::string_view numberOf(std::uint32_t slot, LineScratch& scratch)
{
    const std::string_view text = textOf(slot, scratch);
    return scratch.json[slot].kind == Kind::Exponent ? plainDecimal(text, *scratch.arena) : text;
}

std::size_t findFirst(const JsonSlots& slots, LineScratch& scratch)
{
    JsonMemory& memory = scratch.keys;
    if (memory.firsts.size() <= slots.id) {
        memory.firsts.resize(slots.id + 1);
    }
    const auto found = std::find_if(slots.order.begin(), slots.order.end(),
                                    [&](std::uint32_t slot) { return scratch.present.has(slot); });
    const auto index = static_cast<std::uint32_t>(found - slots.order.begin());
    memory.firsts[slots.id]
        = {memory.shape, index, found == slots.order.end() ? JsonKeys::kNoSlot : *found};
    return index;
}

/// The index of the first of `slots` that lines of this shape have; the shape tells only once.
inline std::size_t firstOf(const JsonSlots& slots, LineScratch& scratch)
{
    const JsonMemory& memory = scratch.keys;
    const bool isKnown
        = slots.id < memory.firsts.size() && memory.firsts[slots.id].shape == memory.shape;
    return isKnown ? memory.firsts[slots.id].index : findFirst(slots, scratch);
}

/// The first of `slots` that has text, read as text.
inline std::string_view textOf(const JsonSlots& slots, LineScratch& scratch)
{
    const std::size_t first = firstOf(slots, scratch);
    const std::uint32_t slot = scratch.keys.firsts[slots.id].slot;
    if (slot == JsonKeys::kNoSlot) {
        return {};
    }
    if (const std::string_view text = textOf(slot, scratch); !text.empty()) { // mostly the only one
        return text;
    }
    for (std::size_t i = first + 1; i < slots.order.size(); ++i) {
        const std::string_view text = textOf(slots.order[i], scratch);
        if (!text.empty()) {
            return text;
        }
    }
    return {};
}

bool hasOne(const JsonSlots& slots, const LineScratch& scratch)
{
    return std::any_of(slots.order.begin(), slots.order.end(), [&](std::uint32_t slot) {
        return scratch.json[slot].kind != Kind::Missing;
    });
}

bool hasOneOfEach(const std::vector<JsonSlots>& all, const LineScratch& scratch)
{
    return std::all_of(all.begin(), all.end(),
                       [&](const JsonSlots& slots) { return hasOne(slots, scratch); });
}

std::string_view orMissing(std::string_view text)
{
    return text.empty() ? std::string_view {} : text;
}

} // namespace

JsonParser::JsonParser(const JsonKind& kind, const FormatOptions& options,
                       const std::vector<std::string>& fields)
    : m_layout(kind, options.mappings)
    , m_zone(options.zone)
{
    for (const auto& field : fields) {
        m_actions.push_back({attributeKind(field), m_layout.slotsOf(field)});
    }
}

bool JsonParser::readStamp(std::uint32_t slot, LineScratch& scratch, Stamp& stamp) const
{
    JsonMemory& memory = scratch.keys;
    const JsonValue& value = scratch.json[slot];
    const std::string_view raw = value.text;
    if (raw.empty()) {
        return false;
    }
    if (raw.size() == memory.stampSize && value.kind == memory.stampKind
        && value.hasEscapes == memory.stampHasEscapes
        && isSame(raw.data(), memory.stampText.data(), raw.size())) {
        stamp = memory.stamp;
        return true;
    }
    if (!readAnyTime(numberOf(slot, scratch), scratch.stamps, stamp)) {
        return false;
    }
    if (raw.size() <= JsonMemory::kLongestStamp) {
        std::memcpy(memory.stampText.data(), raw.data(), raw.size());
        memory.stampKind = value.kind;
        memory.stampHasEscapes = value.hasEscapes;
        memory.stampSize = raw.size();
        memory.stamp = stamp;
    }
    return true;
}

std::optional<std::int64_t> JsonParser::readDuration(LineScratch& scratch) const
{
    const auto& order = m_layout.durations.order;
    for (std::size_t i = firstOf(m_layout.durations, scratch); i < order.size(); ++i) {
        const JsonLayout::DurationAt& rule = m_layout.durationRules[i];
        if (scratch.json[order[i]].kind == Kind::Missing) {
            continue;
        }
        if (rule.isDistance) {
            Stamp end;
            Stamp begin;
            std::int64_t distance = 0;
            if (readStamp(order[i], scratch, end) && readStamp(rule.since, scratch, begin)
                && !__builtin_sub_overflow(end.ns, begin.ns, &distance) && distance >= 0
                && distance <= rule.mostNs) {
                return distance;
            }
            continue;
        }
        const JsonValue& value = scratch.json[order[i]];
        const bool isAsWritten = value.kind != Kind::Exponent && !value.hasEscapes;
        std::int64_t ns = 0;
        if (isAsWritten && rule.decimals.read(value.text, ns)) { // it stands in the line
            return ns;
        }
        const std::string_view text = numberOf(order[i], scratch);
        auto read = rule.unitNs > 0 ? readDecimal(text, rule.unitNs) : std::nullopt;
        if (!read) {
            read = logs::readDuration(text, rule.unitNs);
        }
        if (read) {
            return read;
        }
    }
    return readSum(scratch);
}

/// A -1 among the parts (not forwarded) leaves a lower bound; with nothing beside it there is none.
std::optional<std::int64_t> JsonParser::readSum(LineScratch& scratch) const
{
    std::optional<std::int64_t> sum;
    bool isPartial = false;
    for (const std::uint32_t slot : m_layout.sums.order) {
        const std::string_view text = numberOf(slot, scratch);
        const auto part = readDecimal(text, kSecondNs);
        isPartial = isPartial || text.starts_with('-');
        if (part && *part < INT64_MAX / 4) {
            sum = sum.value_or(0) + *part;
        }
    }
    return isPartial && sum == 0 ? std::nullopt : sum;
}

bool JsonParser::readTimes(LineScratch& scratch, engine::Request& request) const
{
    const auto& order = m_layout.stamps.order;
    for (std::size_t i = firstOf(m_layout.stamps, scratch); i < order.size(); ++i) {
        const JsonLayout::StampAt& rule = m_layout.stampRules[i];
        Stamp stamp;
        if (!readStamp(order[i], scratch, stamp)) {
            continue;
        }
        Stamp limit;
        if (rule.isChecked
            && (!readStamp(rule.notBehind, scratch, limit) || limit.ns < stamp.ns
                || limit.ns - stamp.ns > kFarthestStartNs)) {
            continue;
        }
        applyZone(m_zone.get(), scratch, stamp);
        setTimes(stamp, rule.isStart, readDuration(scratch), request);
        return true;
    }
    return !scratch.outer.time.empty() && readOuterTimes(scratch, request);
}

/// As RecordParser::readOuterTimes().
bool JsonParser::readOuterTimes(LineScratch& scratch, engine::Request& request) const
{
    Stamp stamp;
    if (!textOf(m_layout.stamps, scratch).empty() || !readOuterTime(scratch, stamp)) {
        return false;
    }
    applyZone(m_zone.get(), scratch, stamp);
    setTimes(stamp, false, readDuration(scratch), request);
    return true;
}

/// A list of addresses is read from its end: the last is the nearest.
std::string_view JsonParser::clientOf(LineScratch& scratch) const
{
    const JsonSlots& slots = m_layout.client;
    for (std::size_t i = firstOf(slots, scratch); i < slots.order.size(); ++i) {
        const std::string_view text = textOf(slots.order[i], scratch);
        if (!text.empty()) {
            return slots.isList[i] ? lastOfList(text) : text;
        }
    }
    return {};
}

RequestParts JsonParser::readParts(LineScratch& scratch) const
{
    RequestParts parts;
    if (firstOf(m_layout.request, scratch) < m_layout.request.order.size()) {
        parts = splitRequestLine(textOf(m_layout.request, scratch));
    }
    const std::string_view method = textOf(m_layout.method, scratch);
    const std::string_view target = textOf(m_layout.target, scratch);
    readTarget(target, parts);
    if (!method.empty()) {
        parts.method = method;
    }
    return parts;
}

inline bool JsonParser::mayRefuse() const
{
    return !m_layout.marks.empty() || !m_layout.refusal.isEmpty();
}

bool JsonParser::isRefused(LineScratch& scratch) const
{
    if (!hasOneOfEach(m_layout.marks, scratch)) {
        return true;
    }
    if (m_layout.refusal.isEmpty()) {
        return false;
    }
    const std::string_view text = textOf(m_layout.refusal, scratch);
    const JsonRefusal& refusal = m_layout.kind->refusal;
    return !text.empty() && text.starts_with(refusal.refused) && !text.starts_with(refusal.allowed);
}

LineOutcome JsonParser::read(std::string_view line, bool isCut, LineScratch& scratch,
                             engine::Request& request, Record& record) const
{
    switch (scanJson(line, m_layout.keys, {true}, scratch)) {
    case JsonOutcome::Object:
        break;
    case JsonOutcome::Several:
        return LineOutcome::Several;
    case JsonOutcome::Ended:
        return isCut || trimmed(line).starts_with('{') ? LineOutcome::Truncated
                                                       : LineOutcome::NotJson;
    case JsonOutcome::Broken:
        return isCut ? LineOutcome::Truncated : LineOutcome::NotJson;
    }
    if (mayRefuse() && isRefused(scratch)) {
        return LineOutcome::NoMatch;
    }
    if (!readClient(clientOf(scratch), record.client, record.clients)) {
        return LineOutcome::NoClient;
    }
    if (!readStatus(textOf(m_layout.status, scratch), record.status)) {
        record.status = {}; // "code" may be a word
    }
    record.parts = readParts(scratch);
    const bool isHttp
        = !record.status.empty() || !record.parts.method.empty() || !record.parts.path.empty();
    if (!isHttp && m_layout.kind->mayBeTcp) {
        return LineOutcome::NotHttp;
    }
    const bool isAccess = isHttp || !record.client.empty() || hasOne(m_layout.request, scratch)
        || !m_layout.marks.empty();
    if (!isAccess) {
        return LineOutcome::NoMatch; // a record of something else in the same file
    }
    return readTimes(scratch, request) ? LineOutcome::Request : LineOutcome::BadTime;
}

LineOutcome JsonParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                              ParsedLine& out) const
{
    Record record;
    const LineOutcome outcome = read(line, isCut, scratch, out.request, record);
    if (outcome == LineOutcome::Request) {
        out.clients = record.clients;
        fill(scratch, record, out.request.durationNs, out.values);
    }
    return outcome;
}

/// Nothing is noted before a line is a request; one that is none costs a second look.
bool JsonParser::parsePlain(std::string_view line, LineScratch& scratch, engine::Request& request,
                            std::string_view* values) const
{
    Record record;
    if (read(line, false, scratch, request, record) != LineOutcome::Request) {
        return false;
    }
    fill(scratch, record, request.durationNs, values);
    return true;
}

void JsonParser::fill(LineScratch& scratch, const Record& record, std::int64_t durationNs,
                      std::string_view* values) const
{
    const auto ownOr = [&](const Action& action, std::string_view other) {
        const std::string_view own = textOf(action.slots, scratch);
        return own.empty() ? other : own;
    };
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        const Action& action = m_actions[i];
        std::string_view value;
        switch (action.kind) {
        case AttributeKind::Client:
            value = record.client;
            break;
        case AttributeKind::Status:
            value = record.status;
            break;
        case AttributeKind::Method:
            value = record.parts.method;
            break;
        case AttributeKind::Path:
            value = record.parts.path;
            break;
        case AttributeKind::Query:
            value = ownOr(action, record.parts.query);
            break;
        case AttributeKind::Host:
            value = ownOr(action, record.parts.host);
            break;
        case AttributeKind::Scheme:
            value = ownOr(action, record.parts.scheme);
            break;
        case AttributeKind::Duration:
            if (durationNs >= 0) {
                value = digitsOf(durationNs, *scratch.arena);
            }
            break;
        case AttributeKind::Text:
            value = textOf(action.slots, scratch);
            break;
        }
        values[i] = orMissing(value);
    }
}

bool JsonParser::hasSigns(const LineScratch& scratch) const
{
    const bool isWhole = std::none_of(m_layout.whole.order.begin(), m_layout.whole.order.end(),
                                      [&](std::uint32_t slot) {
                                          return scratch.json[slot].kind == Kind::Fraction
                                              || scratch.json[slot].kind == Kind::Exponent;
                                      });
    return isWhole && hasOneOfEach(m_layout.signs, scratch);
}

Claim JsonParser::claim(const LineScratch& scratch) const
{
    const bool isOfAnyNames = m_layout.marks.empty();
    if (!(isOfAnyNames && m_layout.signs.empty()) && hasSigns(scratch)) {
        return Claim::Own;
    }
    return isOfAnyNames ? Claim::AnyNames : Claim::Marks;
}

int JsonParser::likeness(std::string_view line, LineScratch& scratch) const
{
    engine::Request request;
    Record record;
    if (read(line, false, scratch, request, record) != LineOutcome::Request) {
        return 0;
    }
    if (m_layout.marks.empty() && m_layout.signs.empty()) {
        return 1; // any names: never more than a guess
    }
    return hasSigns(scratch) ? 2 : 0;
}

} // namespace storage::logs
