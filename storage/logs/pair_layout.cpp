#include "storage/logs/pair_layout.h"

#include "storage/logs/column_guesses.h"
#include "storage/logs/guesses.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

/// Labels as ltsv.org has them, beside what anyone may write. `host` is the client there.
constexpr RecordSource kLtsvSources[] = {
    {"client_ip", "remote_addr"},
    {"client_ip", "client_ip"},
    {"client_ip", "remote_host"},
    {"host", "vhost"},
    {"user", "user"},
    {"target", "uri"},
    {"bytes", "size"},
    {"user_agent", "ua"},
    {"x_forwarded_for", "forwardedfor"},
    {"x_forwarded_for", "xff"},
};

constexpr RecordDuration kLtsvDurations[]
    = {{"reqtime", kSecondNs},   {"reqtime_microsec", 1'000}, {"request_time", kSecondNs},
       {"taken_sec", kSecondNs}, {"runtime", kSecondNs},      {"apptime", kSecondNs}};

constexpr std::array<std::string_view, 3> kLtsvRequests {"req", "request", "request_line"};

std::vector<RecordSource> sourcesOf(PairSyntax syntax)
{
    std::vector<RecordSource> sources;
    if (syntax == PairSyntax::Ltsv) {
        sources.assign(std::begin(kLtsvSources), std::end(kLtsvSources));
    }
    for (const RecordSource& guess : guessedSources()) {
        const bool isList = guess.attribute == "client_ip"
            && (guess.field == "fwd" || guess.field == "xff"
                || guess.field.ends_with("forwarded_for"));
        const bool isLtsvHost = syntax == PairSyntax::Ltsv && guess.field == "host";
        if (!isList && !isLtsvHost) {
            sources.push_back(guess);
        }
    }
    return sources;
}

std::vector<RecordDuration> durationsOf(PairSyntax syntax)
{
    std::vector<RecordDuration> durations {{PairLayout::kTotal, 1}};
    if (syntax == PairSyntax::Ltsv) {
        durations.insert(durations.end(), std::begin(kLtsvDurations), std::end(kLtsvDurations));
    }
    for (const RecordDuration& guess : guessedDurations()) {
        const bool isThere
            = std::any_of(durations.begin(), durations.end(), [&](const RecordDuration& duration) {
                  return duration.field == guess.field;
              });
        if (!isThere) {
            durations.push_back(guess);
        }
    }
    return durations;
}

std::vector<RecordStamp> stampsOf()
{
    const auto guesses = guessedColumns().stamps;
    std::vector<RecordStamp> stamps(guesses.begin(), guesses.end());
    stamps.push_back({PairLayout::kPrefix});
    return stamps;
}

/// Collects the fields of a layout and the keys that fill them.
class LayoutMaker {
public:
    LayoutMaker(PairSyntax syntax, const FormatOptions& options)
        : m_syntax(syntax)
        , m_options(options)
        , m_sources(sourcesOf(syntax))
        , m_stamps(stampsOf())
        , m_durations(durationsOf(syntax))
    {
    }

    engine::Result<PairLayout> make(const std::vector<std::string>& wanted); ///< once
    /// The keys that are no further fields.
    [[nodiscard]] std::vector<std::string> usedKeys() const;

private:
    std::size_t fieldOf(std::string_view name)
    {
        const auto found = std::find(m_fields.begin(), m_fields.end(), name);
        if (found == m_fields.end()) {
            m_fields.emplace_back(name);
            return m_fields.size() - 1;
        }
        return static_cast<std::size_t>(found - m_fields.begin());
    }

    void addSources();
    void addWanted(const std::vector<std::string>& wanted);
    FormatOptions addTimes();

    [[nodiscard]] std::string_view hostKey() const
    {
        return m_syntax == PairSyntax::Ltsv ? "host" : PairLayout::kHost;
    }

    void add(std::string_view key, std::string_view field, std::size_t rank = 1)
    {
        m_keys.add(std::string(key), fieldOf(field), rank);
    }

    [[nodiscard]] std::vector<std::string_view> keysOf(std::string_view attribute) const;

    [[nodiscard]] std::span<const std::string_view> requests() const
    {
        return m_syntax == PairSyntax::Ltsv ? std::span<const std::string_view>(kLtsvRequests)
                                            : requestLineGuesses();
    }

    PairSyntax m_syntax;
    const FormatOptions& m_options;
    std::vector<RecordSource> m_sources;
    std::vector<RecordStamp> m_stamps;
    std::vector<RecordDuration> m_durations;
    std::vector<std::string> m_fields;
    KeyTable m_keys;
};

/// Best first; as mapped, if the attribute is.
std::vector<std::string_view> LayoutMaker::keysOf(std::string_view attribute) const
{
    std::vector<std::string_view> keys;
    const std::string_view mapped = attribute == "target" ? "path" : attribute;
    for (const FieldMapping& mapping : m_options.mappings) {
        if (mapping.name == mapped) {
            keys.push_back(mapping.field);
        }
    }
    const bool isMapped = !keys.empty();
    for (const RecordSource& source : m_sources) {
        if (!isMapped && source.attribute == attribute) {
            keys.push_back(source.field);
        }
    }
    return keys;
}

/// Fields of attributes, which may have several keys; the best counts.
void LayoutMaker::addSources()
{
    std::vector<std::string> attributes;
    const auto addAttribute = [&](std::string_view name) {
        if (std::find(attributes.begin(), attributes.end(), name) == attributes.end()) {
            attributes.emplace_back(name);
        }
    };
    for (const RecordSource& source : m_sources) {
        addAttribute(source.attribute);
    }
    for (const FieldMapping& mapping : m_options.mappings) {
        if (!mapsTime(mapping) && mapping.name != "path") {
            addAttribute(mapping.name);
        }
    }
    for (const std::string& attribute : attributes) {
        const auto keys = keysOf(attribute);
        for (std::size_t rank = 0; rank < keys.size(); ++rank) {
            add(keys[rank], attribute, rank + 1);
        }
    }
    for (std::size_t rank = 0; rank < requests().size(); ++rank) {
        add(requests()[rank], PairLayout::kRequest, rank + 1);
    }
}

void LayoutMaker::addWanted(const std::vector<std::string>& wanted)
{
    for (const std::string& attribute : wanted) {
        const bool isOwn = attributeKind(attribute) == AttributeKind::Text
            && std::find(m_fields.begin(), m_fields.end(), attribute) == m_fields.end();
        if (isOwn) {
            add(attribute, attribute);
        }
    }
}

/// What is left to the record's layout: the mappings of times.
FormatOptions LayoutMaker::addTimes()
{
    FormatOptions times;
    for (const FieldMapping& mapping : m_options.mappings) {
        if (mapsTime(mapping)) {
            const std::string_view key
                = mapping.name == "duration" ? durationField(mapping.field).field : mapping.field;
            add(key, key);
            times.mappings.push_back(mapping);
        }
    }
    times.zone = m_options.zone;
    for (const RecordStamp& stamp : m_stamps) {
        add(stamp.field, stamp.field);
    }
    for (const RecordDuration& duration : m_durations) {
        add(duration.field, duration.field);
    }
    return times;
}

engine::Result<PairLayout> LayoutMaker::make(const std::vector<std::string>& wanted)
{
    PairLayout made;
    addSources();
    made.ranked = m_fields.size();
    addWanted(wanted);
    const FormatOptions times = addTimes();
    add(hostKey(), PairLayout::kHost);
    m_keys.settle();
    made.keys = std::move(m_keys);
    constexpr std::array<std::string_view, 1> kTargets {"target"};
    RecordRules rules;
    rules.stamps = m_stamps;
    rules.durations = m_durations;
    rules.request = PairLayout::kRequest;
    rules.targets = kTargets;
    rules.escape = m_syntax == PairSyntax::Ltsv ? Escape::Hex : Escape::None;
    auto layout = RecordLayout::make(rules, m_fields, times);
    if (!layout) {
        return engine::fail(layout.error());
    }
    made.layout = std::move(*layout);
    made.layout.rules = {}; // they look into this object
    made.layout.rules.escape = rules.escape;
    made.layout.lastRequired = 0;
    return made;
}

std::vector<std::string> LayoutMaker::usedKeys() const
{
    std::vector<std::string> used;
    const auto add = [&](const auto& guesses) {
        for (const auto& guess : guesses) {
            used.emplace_back(guess.field);
        }
    };
    add(m_sources);
    add(m_stamps);
    add(m_durations);
    add(m_options.mappings);
    used.insert(used.end(), requests().begin(), requests().end());
    used.emplace_back(hostKey());
    std::sort(used.begin(), used.end());
    return used;
}

} // namespace

PairSyntax pairSyntax(std::string_view format)
{
    return format == "ltsv" ? PairSyntax::Ltsv : PairSyntax::Logfmt;
}

bool mapsTime(const FieldMapping& mapping)
{
    return mapping.name == "time" || mapping.name == "start" || mapping.name == "duration";
}

engine::Result<PairLayout> PairLayout::make(PairSyntax syntax, const FormatOptions& options,
                                            const std::vector<std::string>& wanted)
{
    return LayoutMaker(syntax, options).make(wanted);
}

std::vector<std::string> usedPairKeys(PairSyntax syntax, const FormatOptions& options)
{
    return LayoutMaker(syntax, options).usedKeys();
}

} // namespace storage::logs
