#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/nginx_pattern.h"
#include "storage/logs/request_line.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace storage::logs {
namespace {

constexpr std::string_view kCombined
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent")";
constexpr std::string_view kMain
    = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for")";

/// Variables that give a built-in attribute; of several the first in the format's own terms wins.
struct Source {
    std::string_view attribute;
    std::string_view variable;
};

constexpr std::array<Source, 24> kSources {{
    {"client_ip", "remote_addr"},
    {"client_ip", "realip_remote_addr"},
    {"client_ip", "http_x_real_ip"},
    {"client_ip", "http_x_forwarded_for"},
    {"client_ip", "proxy_add_x_forwarded_for"},
    {"request_id", "request_id"},
    {"request_id", "http_x_request_id"},
    {"method", "request_method"},
    {"method", "request"},
    {"path", "request_uri"},
    {"path", "request"},
    {"path", "uri"},
    {"path", "document_uri"},
    {"query", "args"},
    {"query", "query_string"},
    {"host", "host"},
    {"host", "http_host"},
    {"scheme", "scheme"},
    {"status", "status"},
    {"user", "remote_user"},
    {"api_key", "http_x_api_key"},
    {"user_agent", "http_user_agent"},
    {"referer", "http_referer"},
    {"bytes", "body_bytes_sent"},
}};

constexpr std::array<std::string_view, 3> kStampVariables {"msec", "time_iso8601", "time_local"};

bool isTimeVariable(std::string_view name)
{
    return name == "request_time"
        || std::find(kStampVariables.begin(), kStampVariables.end(), name) != kStampVariables.end();
}

enum class Kind : std::uint8_t {
    Text,
    Client,
    Status,
    Method,
    Path,
    Query,
    Host,
    Scheme,
    Duration
};

/// What fills one field of the batch.
struct Action {
    Kind kind = Kind::Text;
    std::size_t field = 0;
    std::size_t token = 0; ///< for Text, and where a variable of its own gives the attribute
    bool hasToken = false;
};

struct Stamps {
    std::size_t token = 0;
    bool isStart = false;
};

/// What a format text means, apart from which fields are asked for.
struct Layout {
    NginxPattern pattern;
    std::vector<Stamps> stamps;
    std::optional<std::size_t> client;
    bool clientIsList = false;
    std::optional<std::size_t> request;
    std::optional<std::size_t> target; ///< $request_uri, else $uri
    std::optional<std::size_t> status;
    std::optional<std::size_t> duration;
    std::int64_t durationUnitNs = kSecondNs;
    std::size_t lastRequired = 0; ///< what matters is complete behind this token
    Mappings mappings;

    [[nodiscard]] std::optional<std::size_t> token(std::string_view variable) const
    {
        const std::size_t index = pattern.indexOf(variable);
        return index < pattern.tokens().size() ? std::optional(index) : std::nullopt;
    }

    [[nodiscard]] const FieldMapping* mappingOf(std::string_view name) const
    {
        const auto found
            = std::find_if(mappings.begin(), mappings.end(),
                           [&](const FieldMapping& mapping) { return mapping.name == name; });
        return found == mappings.end() ? nullptr : &*found;
    }

    /// The variable that gives an attribute: as mapped, as nginx names it, or under its own name.
    [[nodiscard]] std::optional<std::size_t> tokenOf(std::string_view attribute) const
    {
        if (const FieldMapping* mapping = mappingOf(attribute)) {
            return token(mapping->field);
        }
        for (const Source& source : kSources) {
            if (source.attribute == attribute) {
                if (const auto found = token(source.variable)) {
                    return found;
                }
            }
        }
        if (attribute == "bytes") {
            return token("bytes_sent");
        }
        return token(attribute);
    }
};

std::string_view textOf(std::string_view raw, NginxEscape escape, Arena& arena)
{
    if (raw.empty() || (raw.size() == 1 && raw[0] == '-' && escape != NginxEscape::Json)) {
        return {};
    }
    if (escape == NginxEscape::None
        || findByte(raw.data(), raw.data() + raw.size(), '\\') == raw.data() + raw.size()) {
        return raw;
    }
    return escape == NginxEscape::Json ? undoJsonEscapes(raw, true, arena)
                                       : undoHexEscapes(raw, arena);
}

class NginxParser final : public LineParser {
public:
    NginxParser(const Layout& layout, const std::vector<std::string>& fields);

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    int likeness(std::string_view line, LineScratch& scratch) const override;

private:
    struct Cut {
        explicit Cut(std::vector<std::string_view>& kept)
            : values(kept)
        {
            kept.resize(NginxPattern::kMaxVariables);
        }

        std::vector<std::string_view>& values;
        std::size_t whole = 0; ///< values before this are complete
        bool exact = false;

        [[nodiscard]] bool has(std::size_t token) const { return token < whole; }
    };

    [[nodiscard]] std::string_view valueOf(std::size_t token, const Cut& cut, Arena& arena) const
    {
        return cut.has(token) ? textOf(cut.values[token], m_layout.pattern.escape(), arena)
                              : std::string_view {};
    }

    void cutLine(std::string_view line, bool isCut, std::size_t last, Cut& cut) const;
    bool readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    [[nodiscard]] LineOutcome readRequired(const Cut& cut, LineScratch& scratch, ParsedLine& out,
                                           std::string_view& client,
                                           std::string_view& status) const;
    [[nodiscard]] RequestParts readParts(const Cut& cut, Arena& arena) const;
    void fill(const Cut& cut, Arena& arena, std::string_view client, std::string_view status,
              ParsedLine& out) const;

    Layout m_layout;
    std::vector<Action> m_actions;
    std::size_t m_last = 0; ///< the last token that is needed
    bool m_needsParts = false;
};

Kind kindOf(std::string_view attribute)
{
    constexpr std::array<std::pair<std::string_view, Kind>, 8> kKinds {
        {{"client_ip", Kind::Client},
         {"status", Kind::Status},
         {"method", Kind::Method},
         {"path", Kind::Path},
         {"query", Kind::Query},
         {"host", Kind::Host},
         {"scheme", Kind::Scheme},
         {"duration", Kind::Duration}}};
    const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                     [&](const auto& entry) { return entry.first == attribute; });
    return found == kKinds.end() ? Kind::Text : found->second;
}

NginxParser::NginxParser(const Layout& layout, const std::vector<std::string>& fields)
    : m_layout(layout)
    , m_last(layout.lastRequired)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Action action {kindOf(fields[i]), i, 0, false};
        if (const auto token = m_layout.tokenOf(fields[i])) {
            action.token = *token;
            action.hasToken = true;
            m_last = std::max(m_last, *token);
        } else if (action.kind == Kind::Text) {
            continue;
        }
        m_needsParts = m_needsParts || (action.kind >= Kind::Method && action.kind <= Kind::Scheme);
        m_actions.push_back(action);
    }
    for (const auto& token : {m_layout.request, m_layout.target, m_layout.duration}) {
        m_last = std::max(m_last, token.value_or(0));
    }
}

void NginxParser::cutLine(std::string_view line, bool isCut, std::size_t last, Cut& cut) const
{
    cut.whole = m_layout.pattern.cut(line, last, cut.values, cut.exact);
    const auto& tokens = m_layout.pattern.tokens();
    if (cut.whole < tokens.size() && !isCut) {
        // A writer that stops behind a bare value wrote it whole; inside quotes it did not.
        const std::string_view rest = cut.values[cut.whole];
        if (tokens[cut.whole].literal.front() == ' ' && !rest.empty()
            && rest.find(' ') == std::string_view::npos) {
            ++cut.whole;
        }
    }
}

bool NginxParser::readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const
{
    for (const auto& [token, isStart] : m_layout.stamps) {
        Stamp stamp;
        if (!cut.has(token) || !readAnyTime(cut.values[token], scratch.stamps, stamp)) {
            continue;
        }
        request.stampNs = stamp.ns;
        request.timeNs = stamp.ns;
        request.resolutionNs = stamp.resolutionNs;
        if (m_layout.duration && cut.has(*m_layout.duration)) {
            if (const auto duration
                = readDecimal(cut.values[*m_layout.duration], m_layout.durationUnitNs)) {
                request.durationNs = *duration;
                request.timeNs = isStart ? stamp.ns : arrivalOf(stamp.ns, *duration);
            }
        }
        return true;
    }
    return false;
}

LineOutcome NginxParser::readRequired(const Cut& cut, LineScratch& scratch, ParsedLine& out,
                                      std::string_view& client, std::string_view& status) const
{
    if (m_layout.client) {
        std::string_view raw = valueOf(*m_layout.client, cut, *scratch.arena);
        if (m_layout.clientIsList) {
            raw = raw.substr(raw.rfind(',') + 1); // npos + 1 is the start
        }
        if (!readClient(raw, client)) {
            return LineOutcome::NoClient;
        }
        client = client.empty() ? std::string_view {} : client;
    }
    if (m_layout.status && cut.has(*m_layout.status)
        && !readStatus(cut.values[*m_layout.status], status)) {
        return LineOutcome::NoMatch;
    }
    return readTimes(cut, scratch, out.request) ? LineOutcome::Request : LineOutcome::BadTime;
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

LineOutcome NginxParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                               ParsedLine& out) const
{
    if (hasLoneReturn(line)) {
        return LineOutcome::NoMatch;
    }
    Cut cut(scratch.cuts);
    cutLine(line, isCut, m_last, cut);
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

RequestParts NginxParser::readParts(const Cut& cut, Arena& arena) const
{
    RequestParts parts;
    if (m_layout.request) {
        parts = splitRequestLine(valueOf(*m_layout.request, cut, arena));
    }
    const std::string_view target
        = m_layout.target ? valueOf(*m_layout.target, cut, arena) : std::string_view {};
    if (!target.empty()) {
        parts.path = {};
        parts.query = {};
        splitTarget(target, parts);
    }
    return parts;
}

void NginxParser::fill(const Cut& cut, Arena& arena, std::string_view client,
                       std::string_view status, ParsedLine& out) const
{
    const RequestParts parts = m_needsParts ? readParts(cut, arena) : RequestParts {};
    for (const Action& action : m_actions) {
        std::string_view& value = out.values[action.field];
        const auto own = [&] {
            return action.hasToken ? valueOf(action.token, cut, arena) : std::string_view {};
        };
        switch (action.kind) {
        case Kind::Text:
            value = own();
            break;
        case Kind::Client:
            value = client;
            break;
        case Kind::Status:
            value = status;
            break;
        case Kind::Method:
            value = action.hasToken && m_layout.request != action.token ? own() : parts.method;
            break;
        case Kind::Path:
            value = parts.path;
            break;
        case Kind::Query:
            value = action.hasToken ? own() : parts.query;
            break;
        case Kind::Host:
            value = own();
            value = value.empty() ? parts.host : value;
            break;
        case Kind::Scheme:
            value = own();
            value = value.empty() ? parts.scheme : value;
            break;
        case Kind::Duration:
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

int NginxParser::likeness(std::string_view line, LineScratch& scratch) const
{
    Cut cut(scratch.cuts);
    cutLine(line, false, m_layout.pattern.tokens().size() - 1, cut);
    ParsedLine out;
    std::string_view client;
    std::string_view status;
    if (cut.whole <= m_layout.lastRequired
        || readRequired(cut, scratch, out, client, status) != LineOutcome::Request) {
        return 0;
    }
    return cut.exact ? 2 : 1;
}

class NginxFormat final : public LogFormat {
public:
    NginxFormat(std::string name, Layout layout)
        : m_name(std::move(name))
        , m_layout(std::move(layout))
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    [[nodiscard]] std::vector<std::string> fields() const override;

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& fields) const override
    {
        return std::make_unique<NginxParser>(m_layout, fields);
    }

private:
    std::string m_name;
    Layout m_layout;
};

std::vector<std::string> NginxFormat::fields() const
{
    std::vector<std::string> names;
    std::vector<std::string_view> used {"request"};
    const auto& tokens = m_layout.pattern.tokens();
    const auto add = [&](std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.emplace_back(name);
        }
    };
    for (const std::string_view attribute : engine::kBuiltInAttributes) {
        const auto token = m_layout.tokenOf(attribute);
        const bool split = (attribute == "method" && m_layout.request)
            || ((attribute == "path" || attribute == "query")
                && (m_layout.request || m_layout.target));
        if (token || split || (attribute == "duration" && m_layout.duration)) {
            add(attribute);
        }
        if (token) {
            used.push_back(tokens[*token].variable);
        }
    }
    for (const FieldMapping& mapping : m_layout.mappings) {
        if (mapping.name != "time" && mapping.name != "start") {
            add(mapping.name);
        }
    }
    for (const auto& token : tokens) {
        if (!isTimeVariable(token.variable)
            && std::find(used.begin(), used.end(), token.variable) == used.end()) {
            add(token.variable);
        }
    }
    return names;
}

engine::Status applyMappings(Layout& layout, const Mappings& mappings)
{
    for (const FieldMapping& given : mappings) {
        FieldMapping mapping = given;
        if (mapping.field.starts_with('$')) {
            mapping.field.erase(0, 1);
        }
        std::int64_t unitNs = kSecondNs;
        if (mapping.name == "duration") {
            const DurationField field = durationField(mapping.field);
            unitNs = field.unitNs;
            mapping.field = std::string(field.field);
        }
        const auto token = layout.token(mapping.field);
        if (!token) {
            return engine::fail("log.map",
                                fmt::format("the log's format has no field {} to be {}",
                                            mapping.field, mapping.name),
                                "name a variable of the format");
        }
        if (mapping.name == "duration") {
            layout.duration = *token;
            layout.durationUnitNs = unitNs;
        } else if (mapping.name == "time" || mapping.name == "start") {
            layout.stamps.insert(layout.stamps.begin(), {*token, mapping.name == "start"});
        }
        layout.mappings.push_back(std::move(mapping));
    }
    return engine::Done {};
}

/// Which variables say when, who, what and how it ended.
engine::Status readLayout(Layout& layout, const Mappings& mappings)
{
    for (const std::string_view variable : kStampVariables) {
        if (const auto token = layout.token(variable)) {
            layout.stamps.push_back({*token, false});
        }
    }
    layout.duration = layout.token("request_time");
    if (auto done = applyMappings(layout, mappings); !done) {
        return done;
    }
    if (layout.stamps.empty()) {
        return engine::fail("log.format", "the format has no time",
                            "a log needs $msec, $time_iso8601 or $time_local, or --map time=FIELD");
    }
    const auto& tokens = layout.pattern.tokens();
    layout.client = layout.tokenOf("client_ip");
    layout.clientIsList = layout.client && tokens[*layout.client].isList;
    layout.request = layout.token("request");
    const FieldMapping* path = layout.mappingOf("path");
    layout.target = path != nullptr ? layout.token(path->field) : layout.token("request_uri");
    if (!layout.target && !layout.request) {
        layout.target = layout.token("uri");
    }
    layout.status = layout.tokenOf("status");
    layout.lastRequired = layout.stamps.front().token;
    for (const auto& token : {layout.client, layout.request, layout.target, layout.status}) {
        layout.lastRequired = std::max(layout.lastRequired, token.value_or(0));
    }
    return engine::Done {};
}

MadeFormat makeFormat(std::string name, std::string_view text, const Mappings& mappings)
{
    auto pattern = NginxPattern::parse(text);
    if (!pattern) {
        return engine::fail(pattern.error());
    }
    Layout layout;
    layout.pattern = std::move(*pattern);
    if (auto done = readLayout(layout, mappings); !done) {
        return engine::fail(done.error());
    }
    return std::shared_ptr<const LogFormat>(
        std::make_shared<NginxFormat>(std::move(name), std::move(layout)));
}

} // namespace

MadeFormat makeNamedNginxFormat(std::string_view name, const Mappings& mappings)
{
    return makeFormat(std::string(name), name == "nginx-main" ? kMain : kCombined, mappings);
}

MadeFormat makeNginxFormat(std::string_view text, const Mappings& mappings)
{
    return makeFormat(std::string(text), text, mappings);
}

} // namespace storage::logs
