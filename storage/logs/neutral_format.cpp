#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/guesses.h"
#include "storage/logs/json_scan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace storage::logs {
namespace {

/// Keys that say when and where a request was; no attributes.
enum Key : std::uint32_t {
    kTimeNs,
    kTime,
    kDurationNs,
    kStampNs,
    kResolutionNs,
    kLoggedNs,
    kFile,
    kLine,
    kClient,
    kKeyCount
};

constexpr std::array<std::string_view, kKeyCount> kKeys {"time_ns",  "time",          "duration_ns",
                                                         "stamp_ns", "resolution_ns", "logged_ns",
                                                         "file",     "line",          "client_ip"};

bool isReserved(std::string_view name)
{
    return name == "duration"
        || (name != "client_ip" && std::find(kKeys.begin(), kKeys.end(), name) != kKeys.end());
}

std::optional<std::int64_t> wholeOf(const JsonValue& value)
{
    return value.kind == JsonValue::Kind::Whole ? readInteger(value.text) : std::nullopt;
}

/// Text or digits of an attribute; anything else is missing.
std::string_view attributeOf(const JsonValue& value, Arena& arena)
{
    if ((value.kind != JsonValue::Kind::Text && value.kind != JsonValue::Kind::Whole)
        || value.text.empty()) {
        return {};
    }
    const bool plain
        = value.kind == JsonValue::Kind::Whole || value.text.find('\\') == std::string_view::npos;
    return plain ? value.text : undoNeutralEscapes(value.text, arena);
}

/// Names by which other logs say what was asked and how long it took.
struct ForeignKeys {
    JsonKeys keys;
    std::vector<std::uint32_t> names;
    std::uint32_t path = keys.want("path");
    std::uint32_t status = keys.want("status");

    ForeignKeys()
    {
        for (const std::string_view name : requestLineGuesses()) {
            names.push_back(keys.want(name));
        }
        for (const RecordDuration& guess : durationGuesses()) {
            if (guess.field != kKeys[kDurationNs]) {
                names.push_back(keys.want(guess.field));
            }
        }
        for (const std::string_view name :
             {"request_uri", "uri", "url", "latency", "elapsed", "took", "response_time"}) {
            names.push_back(keys.want(name));
        }
    }
};

class NeutralParser final : public LineParser {
public:
    NeutralParser(const std::vector<FieldMapping>& mappings, const std::vector<std::string>& fields)
    {
        for (const std::string_view key : kKeys) {
            m_keys.want(key);
        }
        for (const auto& field : fields) {
            std::string_view key = field;
            for (const FieldMapping& mapping : mappings) {
                key = mapping.name == field ? std::string_view(mapping.field) : key;
            }
            m_slots.push_back(field == "duration"   ? kDuration
                                  : isReserved(key) ? kNone
                                                    : m_keys.want(key));
            m_clientSlot = field == "client_ip" ? m_slots.back() : m_clientSlot;
            m_statusField = field == "status" ? m_slots.size() - 1 : m_statusField;
        }
    }

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    int likeness(std::string_view line, LineScratch& scratch) const override;

    [[nodiscard]] bool rejectsBlankLines() const override { return true; }

private:
    static constexpr std::uint32_t kDuration = 0xFFFFFFFE;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::int64_t kFirstStatus = 100;

    static bool readTimes(LineScratch& scratch, engine::Request& request);
    static bool isForeign(std::string_view line, LineScratch& scratch);
    static void readOrigin(const std::vector<JsonValue>& json, engine::Request& request);

    JsonKeys m_keys;
    std::vector<std::uint32_t> m_slots; ///< by field
    std::uint32_t m_clientSlot = kClient;
    std::size_t m_statusField = static_cast<std::size_t>(-1);
};

bool NeutralParser::readTimes(LineScratch& scratch, engine::Request& request)
{
    const auto& json = scratch.json;
    auto time = wholeOf(json[kTimeNs]);
    if (!time && json[kTime].kind == JsonValue::Kind::Text) {
        Stamp stamp;
        if (readIsoTime(json[kTime].text, true, true, scratch.stamps, stamp)) {
            time = stamp.ns;
        }
    }
    if (!time) {
        return false;
    }
    request.timeNs = *time;
    request.durationNs = std::max(wholeOf(json[kDurationNs]).value_or(engine::kUnknownDuration),
                                  engine::kUnknownDuration);
    request.stampNs = wholeOf(json[kStampNs]).value_or(wholeOf(json[kLoggedNs]).value_or(*time));
    const std::int64_t resolution = wholeOf(json[kResolutionNs]).value_or(0);
    const bool usable = resolution > 0 && resolution <= std::numeric_limits<std::int32_t>::max();
    request.resolutionNs = usable ? static_cast<std::int32_t>(resolution) : 0;
    return true;
}

void NeutralParser::readOrigin(const std::vector<JsonValue>& json, engine::Request& request)
{
    const std::int64_t file = wholeOf(json[kFile]).value_or(0);
    const std::int64_t line = wholeOf(json[kLine]).value_or(0);
    if (line > 0 && file >= 0 && file <= std::numeric_limits<std::uint32_t>::max()) {
        request.originalFile = static_cast<std::uint32_t>(file);
        request.originalLine = static_cast<std::uint64_t>(line);
    }
}

LineOutcome NeutralParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                                 ParsedLine& out) const
{
    if (scanJson(line, m_keys, {false}, scratch) != JsonOutcome::Object) {
        return isCut ? LineOutcome::Truncated : LineOutcome::NotJson;
    }
    if (!readTimes(scratch, out.request)) {
        return LineOutcome::BadTime;
    }
    std::string_view client;
    if (!readToken(attributeOf(scratch.json[m_clientSlot], *scratch.arena), client)) {
        return LineOutcome::NoClient;
    }
    readOrigin(scratch.json, out.request);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const std::uint32_t slot = m_slots[i];
        if (slot < scratch.json.size()) {
            out.values[i]
                = slot == m_clientSlot ? client : attributeOf(scratch.json[slot], *scratch.arena);
            const bool unsent = i == m_statusField && isWhole(out.values[i])
                && readInteger(out.values[i]).value_or(kFirstStatus) < kFirstStatus;
            if (out.values[i].empty() || unsent) {
                out.values[i] = {};
            }
        } else if (slot == kDuration && out.request.durationNs >= 0) {
            out.values[i] = digitsOf(out.request.durationNs, *scratch.arena);
        }
    }
    return LineOutcome::Request;
}

/// Whether a line that has `time` and `client_ip` is of a log that only shares these names: it says
/// what was asked or how long it took in words that the neutral format has not.
bool NeutralParser::isForeign(std::string_view line, LineScratch& scratch)
{
    static const ForeignKeys keys;
    if (scanJson(line, keys.keys, {false}, scratch) != JsonOutcome::Object) {
        return true;
    }
    const auto kindOf = [&](std::uint32_t slot) { return scratch.json[slot].kind; };
    const bool hasOne = std::any_of(keys.names.begin(), keys.names.end(), [&](std::uint32_t slot) {
        return kindOf(slot) != JsonValue::Kind::Missing;
    });
    const bool hasQuery = scratch.json[keys.path].text.find('?') != std::string_view::npos;
    return hasOne || hasQuery || kindOf(keys.status) == JsonValue::Kind::Text;
}

int NeutralParser::likeness(std::string_view line, LineScratch& scratch) const
{
    engine::Request request;
    if (scanJson(line, m_keys, {false}, scratch) != JsonOutcome::Object
        || !readTimes(scratch, request)) {
        return 0;
    }
    // Many a JSON log has a `time`: alone it does not make a line neutral.
    const auto has = [&](Key key) { return scratch.json[key].kind != JsonValue::Kind::Missing; };
    if (has(kTimeNs)) {
        return 2;
    }
    return (has(kClient) || has(kDurationNs)) && !isForeign(line, scratch) ? 2 : 0;
}

class NeutralFormat final : public LogFormat {
public:
    explicit NeutralFormat(std::vector<FieldMapping> mappings)
        : m_mappings(std::move(mappings))
    {
    }

    [[nodiscard]] std::string name() const override { return "weir"; }

    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> names(engine::kBuiltInAttributes.begin(),
                                       engine::kBuiltInAttributes.end());
        for (const FieldMapping& mapping : m_mappings) {
            if (!engine::isBuiltIn(mapping.name)) {
                names.push_back(mapping.name);
            }
        }
        return names;
    }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        std::vector<std::string> keys;
        names.leaveOut(collectJsonKeys(line, FieldNames::kLongest, keys));
        for (const std::string& key : keys) {
            const bool nested = key.find('.') != std::string::npos && !names.has(key)
                && line.find('"' + key + '"') == std::string_view::npos;
            if (!isReserved(key) && !engine::isBuiltIn(key) && !nested) {
                names.add(key);
            }
        }
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& fields) const override
    {
        return std::make_unique<NeutralParser>(m_mappings, fields);
    }

private:
    std::vector<FieldMapping> m_mappings;
};

} // namespace

MadeFormat makeNeutralFormat(std::string_view /*name*/, const FormatOptions& options)
{
    for (const FieldMapping& mapping : options.mappings) {
        if (isReserved(mapping.name) || isReserved(mapping.field)) {
            engine::Failure failure = engine::fail(
                "log.map", fmt::format("{} cannot be mapped in the neutral format", mapping.name),
                "its times have fixed names; map attributes only");
            failure.diagnostic.place = mapping.place;
            return failure;
        }
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<NeutralFormat>(options.mappings));
}

} // namespace storage::logs
