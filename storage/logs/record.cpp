#include "storage/logs/record.h"

#include "engine/attributes.h"
#include "storage/logs/client_chooser.h"
#include "storage/logs/outer_time.h"
#include "storage/logs/words.h"
#include "storage/logs/written_times.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace storage::logs {
namespace {

bool contains(std::span<const std::string_view> list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// A CR inside of a line: lines that end with CR alone, many requests in one. The servers write a
/// CR inside of a value as an escape.
bool hasLoneReturn(std::string_view line)
{
    const char* const end = line.data() + line.size();
    const char* at = findByte(line.data(), end, '\r');
    while (at < end && *at == '\r') {
        ++at;
    }
    return at < end;
}

std::string_view undo(std::string_view raw, Escape escape, Arena& arena)
{
    if (escape == Escape::Sharp) {
        return raw.find('#') == std::string_view::npos ? raw : undoSharpEscapes(raw, arena);
    }
    if (escape == Escape::None
        || findByte(raw.data(), raw.data() + raw.size(), '\\') == raw.data() + raw.size()) {
        return raw;
    }
    return escape == Escape::Json ? undoJsonEscapes(raw, true, arena) : undoHexEscapes(raw, arena);
}

} // namespace

std::optional<std::size_t> RecordLayout::indexOf(std::string_view field) const
{
    const auto found = std::find(fields.begin(), fields.end(), field);
    return found == fields.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - fields.begin()));
}

const FieldMapping* RecordLayout::mappingOf(std::string_view name) const
{
    const auto found
        = std::find_if(options.mappings.begin(), options.mappings.end(),
                       [&](const FieldMapping& mapping) { return mapping.name == name; });
    return found == options.mappings.end() ? nullptr : &*found;
}

std::optional<std::size_t> RecordLayout::sourceOf(std::string_view attribute) const
{
    if (const FieldMapping* mapping = mappingOf(attribute)) {
        return indexOf(mapping->field);
    }
    for (const RecordSource& source : rules.sources) {
        if (source.attribute == attribute) {
            if (const auto found = indexOf(source.field)) {
                return found;
            }
        }
    }
    const auto own = indexOf(attribute);
    return own || !mayBeHeader(attribute) ? own : indexOf("http_" + std::string(attribute));
}

/// Whether a header's field stands in for an attribute that the log has not: authorization is
/// http_authorization. What has a meaning of its own (user, client_ip) is never a header's word.
bool RecordLayout::mayBeHeader(std::string_view attribute) const
{
    return !engine::isBuiltIn(attribute)
        && std::none_of(rules.sources.begin(), rules.sources.end(),
                        [&](const RecordSource& source) { return source.attribute == attribute; });
}

bool RecordLayout::isTimeField(std::string_view field) const
{
    return field == rules.start
        || std::any_of(rules.stamps.begin(), rules.stamps.end(),
                       [&](const RecordStamp& stamp) { return stamp.field == field; })
        || std::any_of(rules.durations.begin(), rules.durations.end(),
                       [&](const RecordDuration& duration) { return duration.field == field; });
}

std::vector<std::string> RecordLayout::attributes() const
{
    std::vector<std::string> names;
    std::vector<std::string_view> used {rules.request};
    if (request) {
        used.push_back(fields[*request]);
    }
    std::unordered_set<std::string> known;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && known.emplace(name).second) {
            names.emplace_back(name);
        }
    };
    for (const std::string_view attribute : engine::kBuiltInAttributes) {
        const auto field = sourceOf(attribute);
        const bool split = (attribute == "method" && request)
            || ((attribute == "path" || attribute == "query") && (request || target));
        const bool timed = attribute == "duration" && (!durations.empty() || !sum.empty() || start);
        // A target may be an absolute URL, whoever the log is of.
        const bool named = (request || target) && (attribute == "host" || attribute == "scheme");
        if (field || split || timed || named) {
            add(attribute);
        }
        if (field) {
            used.push_back(fields[*field]);
        }
    }
    for (const FieldMapping& mapping : options.mappings) {
        if (mapping.name != "time" && mapping.name != "start" && mapping.name != "request") {
            add(mapping.name);
        }
    }
    for (const RecordSource& source : rules.sources) {
        if (sourceOf(source.attribute)) {
            add(source.attribute);
        }
    }
    for (const std::string& field : fields) {
        if (!isTimeField(field) && !contains(used, field)) {
            add(field);
        }
    }
    return names;
}

namespace {

engine::Failure noSuchField(const FieldMapping& mapping, const std::vector<std::string>& fields)
{
    const std::string near = nearestWord(mapping.field, fields);
    engine::Failure failure = engine::fail(
        "log.map",
        fmt::format("the log's format has no field {} to be {}", mapping.field, mapping.name),
        fields.empty() ? "name a field of the format"
                       : fmt::format("{}it has: {}",
                                     near.empty() ? "" : fmt::format("did you mean {}? ", near),
                                     fmt::join(fields, ", ")));
    failure.diagnostic.place = mapping.place;
    return failure;
}

} // namespace

engine::Status RecordLayout::applyMappings()
{
    for (FieldMapping& mapping : options.mappings) {
        std::int64_t unitNs = kSecondNs;
        if (mapping.name == "duration" && !indexOf(mapping.field)) {
            const DurationField field = durationField(mapping.field);
            unitNs = field.unitNs;
            mapping.field = std::string(field.field);
        } else if (mapping.name == "duration") {
            unitNs = durationField(mapping.field).unitNs;
        }
        const auto field = indexOf(mapping.field);
        if (!field) {
            return noSuchField(mapping, fields);
        }
        if (mapping.name == "duration") {
            durations = {{*field, unitNs}};
            sum.clear();
        } else if (mapping.name == "time" || mapping.name == "start") {
            start.reset();
            stamps.insert(stamps.begin(), {*field, mapping.name == "start"});
        }
    }
    return engine::Done {};
}

engine::Result<RecordLayout> RecordLayout::make(const RecordRules& rules,
                                                std::vector<std::string> fields,
                                                const FormatOptions& options)
{
    RecordLayout layout;
    layout.rules = rules;
    layout.fields = std::move(fields);
    layout.options = options;
    for (const RecordStamp& stamp : rules.stamps) {
        if (const auto field = layout.indexOf(stamp.field)) {
            layout.stamps.push_back({*field, stamp.isStart});
        }
    }
    for (const RecordDuration& duration : rules.durations) {
        if (const auto field = layout.indexOf(duration.field)) {
            layout.durations.push_back({*field, duration.unitNs});
        }
    }
    for (const std::string_view part : rules.sum) {
        if (const auto field = layout.indexOf(part)) {
            layout.sum.push_back(*field);
        }
    }
    layout.start = layout.indexOf(rules.start);
    if (auto done = layout.applyMappings(); !done) {
        return engine::fail(done.error());
    }
    layout.client = layout.sourceOf("client_ip");
    layout.clientIsList = layout.client && contains(rules.lists, layout.fields[*layout.client]);
    const FieldMapping* const line = layout.mappingOf("request");
    layout.request = layout.indexOf(line != nullptr ? line->field : rules.request);
    if (const FieldMapping* path = layout.mappingOf("path")) {
        layout.target = layout.indexOf(path->field);
    }
    for (std::size_t i = 0; i < rules.targets.size() && !layout.target; ++i) {
        // The first is better than the request line; the others stand in for it.
        if (i == 0 || !layout.request) {
            layout.target = layout.indexOf(rules.targets[i]);
        }
    }
    layout.status = layout.sourceOf("status");
    layout.lastRequired = layout.stamps.empty() ? 0 : layout.stamps.front().field;
    for (const auto& field : {layout.client, layout.request, layout.target, layout.status}) {
        layout.lastRequired = std::max(layout.lastRequired, field.value_or(0));
    }
    return layout;
}

RecordParser::RecordParser(RecordLayout layout, const std::vector<std::string>& wanted)
    : m_layout(std::move(layout))
    , m_last(m_layout.lastRequired)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Action action {attributeKind(wanted[i]), i, m_layout.sourceOf(wanted[i])};
        if (action.field) {
            m_last = std::max(m_last, *action.field);
        } else if (action.kind == AttributeKind::Text) {
            continue;
        }
        m_needsParts = m_needsParts
            || (action.kind >= AttributeKind::Method && action.kind <= AttributeKind::Scheme);
        m_actions.push_back(action);
    }
    for (const auto& field : {m_layout.request, m_layout.target}) {
        m_last = std::max(m_last, field.value_or(0));
    }
    for (const auto& duration : m_layout.durations) {
        m_last = std::max(m_last, duration.field);
    }
    for (const std::size_t part : m_layout.sum) {
        m_last = std::max(m_last, part);
    }
    m_last = std::max(m_last, m_layout.start.value_or(0));
}

std::string_view RecordParser::textOf(std::size_t field, const Cut& cut, Arena& arena) const
{
    if (!cut.has(field) || cut.values[field].empty()) {
        return {};
    }
    const std::string_view raw = cut.values[field];
    const std::string_view nil = m_layout.rules.nil;
    if (raw.size() == nil.size() && raw == nil) {
        return {};
    }
    return cut.hasNoBackslash && m_layout.rules.escape != Escape::Sharp
        ? raw
        : undo(raw, m_layout.rules.escape, arena);
}

bool RecordParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                             Stamp& stamp) const
{
    return readAnyTime(cut.values[field], scratch.stamps, stamp);
}

std::optional<std::int64_t> RecordParser::readDuration(const Cut& cut) const
{
    for (const auto& [field, unitNs] : m_layout.durations) {
        if (cut.has(field) && !cut.values[field].empty()) {
            std::string_view text = cut.values[field];
            text.remove_prefix(text.starts_with('+') ? 1 : 0); // HAProxy: at least so long
            if (const auto duration = logs::readDuration(text, unitNs)) {
                return duration;
            }
        }
    }
    std::int64_t total = 0;
    bool isWhole = !m_layout.sum.empty();
    for (const std::size_t field : m_layout.sum) {
        const auto part = cut.has(field) ? readDecimal(cut.values[field], kSecondNs) : std::nullopt;
        isWhole = isWhole && part;
        if (part && __builtin_add_overflow(total, *part, &total)) {
            return std::nullopt;
        }
    }
    return isWhole || total > 0 ? std::optional(total) : std::nullopt;
}

/// Takes the start from its field, if it can be believed.
void RecordParser::readStart(const Cut& cut, LineScratch& scratch, engine::Request& request) const
{
    Stamp begin;
    if (!cut.has(*m_layout.start) || !readStamp(*m_layout.start, cut, scratch, begin)) {
        return;
    }
    applyZone(m_layout.options.zone.get(), scratch, begin);
    if (begin.ns > request.stampNs || request.stampNs - begin.ns > kFarthestStartNs) {
        return;
    }
    request.timeNs = begin.ns;
    if (m_layout.durations.empty()) {
        request.durationNs = request.stampNs - begin.ns;
    }
}

bool RecordParser::readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const
{
    for (const auto& [field, isStart] : m_layout.stamps) {
        Stamp stamp;
        if (cut.has(field) && !cut.values[field].empty() && readStamp(field, cut, scratch, stamp)) {
            applyZone(m_layout.options.zone.get(), scratch, stamp);
            setTimes(stamp, isStart, readDuration(cut), request);
            if (!isStart && m_layout.start) {
                readStart(cut, scratch, request);
            }
            return true;
        }
    }
    return false;
}

/// Takes the time of the wrapper for a line that has none of its own; a bad one stays bad.
bool RecordParser::readOuterTimes(const Cut& cut, LineScratch& scratch,
                                  engine::Request& request) const
{
    const bool says
        = std::any_of(m_layout.stamps.begin(), m_layout.stamps.end(), [&](const auto& stamp) {
              return !textOf(stamp.field, cut, *scratch.arena).empty();
          });
    Stamp stamp;
    if (says || !readOuterTime(scratch, stamp)) {
        return false;
    }
    applyZone(m_layout.options.zone.get(), scratch, stamp);
    setTimes(stamp, false, readDuration(cut), request);
    return true;
}

LineOutcome RecordParser::readRequired(const Cut& cut, LineScratch& scratch, ParsedLine& out,
                                       std::string_view& client, std::string_view& status) const
{
    if (m_layout.client) {
        std::string_view raw = textOf(*m_layout.client, cut, *scratch.arena);
        if (m_layout.clientIsList) {
            raw = lastOfList(raw);
        }
        if (!readClient(raw, client, out.clients)) {
            return LineOutcome::NoClient;
        }
        client = client.empty() ? std::string_view {} : client;
    }
    if (m_layout.status && cut.has(*m_layout.status)
        && !readStatus(cut.values[*m_layout.status], status)) {
        return LineOutcome::NoMatch;
    }
    const bool timed = readTimes(cut, scratch, out.request)
        || (!scratch.outer.time.empty() && readOuterTimes(cut, scratch, out.request));
    return timed ? LineOutcome::Request : LineOutcome::BadTime;
}

LineOutcome RecordParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                                ParsedLine& out) const
{
    const bool mayHoldReturn = !scratch.isMarked || scratch.marks.mayHoldReturn();
    if (mayHoldReturn && hasLoneReturn(line)) {
        return LineOutcome::NoMatch;
    }
    Cut cut {scratch.cuts};
    if (const auto outcome = this->cut(line, isCut, m_last, scratch, cut);
        outcome != LineOutcome::Request) {
        return outcome;
    }
    std::string_view client;
    std::string_view status;
    if (cut.whole <= m_layout.lastRequired) {
        const bool begins = isCut || readTimes(cut, scratch, out.request);
        return begins ? LineOutcome::Truncated : LineOutcome::NoMatch;
    }
    if (const auto outcome = readRequired(cut, scratch, out, client, status);
        outcome != LineOutcome::Request) {
        return isCut ? LineOutcome::Truncated : outcome;
    }
    fill(cut, *scratch.arena, client, status, out);
    return LineOutcome::Request;
}

RequestParts RecordParser::readParts(const Cut& cut, Arena& arena) const
{
    RequestParts parts;
    if (m_layout.request) {
        parts = splitRequestLine(textOf(*m_layout.request, cut, arena));
    }
    const std::string_view target
        = m_layout.target ? textOf(*m_layout.target, cut, arena) : std::string_view {};
    readTarget(target, parts);
    return parts;
}

void RecordParser::fill(const Cut& cut, Arena& arena, std::string_view client,
                        std::string_view status, ParsedLine& out) const
{
    const RequestParts parts = m_needsParts ? readParts(cut, arena) : RequestParts {};
    for (const Action& action : m_actions) {
        std::string_view& value = out.values[action.out];
        const auto own = [&] {
            return action.field ? textOf(*action.field, cut, arena) : std::string_view {};
        };
        const auto ownOr = [&](std::string_view other) {
            const std::string_view text = own();
            return text.empty() ? other : text;
        };
        switch (action.kind) {
        case AttributeKind::Text:
            value = own();
            break;
        case AttributeKind::Client:
            value = client;
            break;
        case AttributeKind::Status:
            value = status;
            break;
        case AttributeKind::Method:
            value = m_layout.request != action.field ? ownOr(parts.method) : parts.method;
            break;
        case AttributeKind::Path:
            value = parts.path;
            break;
        case AttributeKind::Query:
            value = own();
            value.remove_prefix(m_layout.rules.queryHasMark && value.starts_with('?') ? 1 : 0);
            value = value.empty() ? parts.query : value;
            break;
        case AttributeKind::Host:
            value = ownOr(parts.host);
            break;
        case AttributeKind::Scheme:
            value = ownOr(parts.scheme);
            break;
        case AttributeKind::Duration:
            if (out.request.durationNs >= 0) {
                value = digitsOf(out.request.durationNs, arena);
            }
            break;
        }
        if (value.empty()) {
            value = {};
        }
    }
}

int RecordParser::likeness(std::string_view line, LineScratch& scratch) const
{
    Cut cut {scratch.cuts};
    ParsedLine out;
    std::string_view client;
    std::string_view status;
    const LineOutcome outcome = this->cut(line, false, m_layout.fields.size() - 1, scratch, cut);
    if (outcome == LineOutcome::NotHttp) {
        return 1; // of the format, though no request
    }
    if (outcome != LineOutcome::Request || cut.whole <= m_layout.lastRequired
        || readRequired(cut, scratch, out, client, status) != LineOutcome::Request) {
        return 0;
    }
    return cut.exact ? 2 : 1;
}

} // namespace storage::logs
