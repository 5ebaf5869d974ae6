#include "storage/logs/record.h"

#include "storage/logs/client_chooser.h"
#include "storage/logs/outer_time.h"
#include "storage/logs/written_times.h"

#include <algorithm>

namespace storage::logs {
namespace {

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

} // namespace

RecordParser::RecordParser(RecordLayout layout, const std::vector<std::string>& wanted)
    : m_layout(std::move(layout))
    , m_last(m_layout.lastRequired)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Action action {attributeKind(wanted[i]), i, kNoField};
        if (const auto field = m_layout.sourceOf(wanted[i])) {
            m_last = std::max(m_last, *field);
            // A method's field may be the request line, which is split.
            const bool isSplit = action.kind == AttributeKind::Method && field == m_layout.request;
            action.field = isSplit ? kNoField : *field;
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

std::string_view RecordParser::undo(std::string_view raw, Arena& arena) const
{
    const Escape escape = m_layout.rules.escape;
    if (escape == Escape::Sharp) {
        return raw.find('#') == std::string_view::npos ? raw : undoSharpEscapes(raw, arena);
    }
    const char* const end = raw.data() + raw.size();
    if (escape == Escape::None || findByte(raw.data(), end, '\\') == end) {
        return raw;
    }
    return escape == Escape::Json ? undoJsonEscapes(raw, true, arena) : undoHexEscapes(raw, arena);
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
    fill(cut, *scratch.arena, {client, status, out.request.durationNs}, out.values);
    return LineOutcome::Request;
}

inline void RecordParser::readParts(const Cut& cut, Arena& arena, RequestParts& parts) const
{
    if (m_layout.request) {
        const std::string_view line = textOf(*m_layout.request, cut, arena);
        if (!splitUsualRequest(line, parts)) {
            parts = splitRequestLine(line);
        }
    }
    if (m_layout.target) {
        readTarget(textOf(*m_layout.target, cut, arena), parts);
    }
}

inline std::string_view RecordParser::valueOf(const Action& action, const Cut& cut, Arena& arena,
                                              const Known& known, const RequestParts& parts) const
{
    const auto own = [&] { return textOf(action.field, cut, arena); };
    const auto ownOr = [&](std::string_view other) {
        const std::string_view text = own();
        return text.empty() ? other : text;
    };
    switch (action.kind) {
    case AttributeKind::Text:
        return own();
    case AttributeKind::Client:
        return known.client;
    case AttributeKind::Status:
        return known.status;
    case AttributeKind::Method:
        return ownOr(parts.method);
    case AttributeKind::Path:
        return parts.path;
    case AttributeKind::Query: {
        std::string_view query = own();
        query.remove_prefix(m_layout.rules.queryHasMark && query.starts_with('?') ? 1 : 0);
        return query.empty() ? parts.query : query;
    }
    case AttributeKind::Host:
        return ownOr(parts.host);
    case AttributeKind::Scheme:
        return ownOr(parts.scheme);
    case AttributeKind::Duration:
        return known.durationNs < 0 ? std::string_view {} : digitsOf(known.durationNs, arena);
    }
    return {};
}

void RecordParser::fill(const Cut& cut, Arena& arena, const Known& known,
                        std::string_view* values) const
{
    RequestParts parts;
    if (m_needsParts) {
        readParts(cut, arena, parts);
    }
    for (const Action& action : m_actions) {
        const std::string_view value = valueOf(action, cut, arena, known, parts);
        values[action.out] = value.empty() ? std::string_view {} : value;
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
