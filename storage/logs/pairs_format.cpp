#include "engine/attributes.h"
#include "storage/logs/column_guesses.h"
#include "storage/logs/formats.h"
#include "storage/logs/guesses.h"

#include <algorithm>
#include <array>

/// Lines of named values: logfmt (key=value key="value") and LTSV (label:value by tabs).
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

// Fields that no key names.
constexpr std::string_view kHostField = "(host)"; ///< of LTSV: the client, or the Host
constexpr std::string_view kRequestField = "(request)";
constexpr std::string_view kTotalField = "(total)"; ///< Heroku's connect and service
constexpr std::string_view kPrefixField = "(prefix)"; ///< a time before the first pair
constexpr std::string_view kOuterField = "(outer)"; ///< of the wrapper that the line came in

enum class Syntax : std::uint8_t { Logfmt, Ltsv };

/// Which fields a key fills; a lower rank is better.
struct KeyUse {
    std::string key;
    std::size_t field = 0;
    std::uint8_t rank = 0;
};

/// Keys and what they fill, by a hash of the key.
class KeyTable {
public:
    void add(std::string key, std::size_t field, std::size_t rank)
    {
        m_uses.push_back(
            {std::move(key), field, static_cast<std::uint8_t>(std::min<std::size_t>(rank, 254))});
    }

    void settle()
    {
        std::stable_sort(m_uses.begin(), m_uses.end(),
                         [](const KeyUse& a, const KeyUse& b) { return a.key < b.key; });
        std::size_t size = 64;
        while (size < m_uses.size() * 4) {
            size *= 2;
        }
        m_slots.assign(size, 0);
        for (std::size_t i = 0; i < m_uses.size(); ++i) {
            if (i > 0 && m_uses[i].key == m_uses[i - 1].key) {
                continue;
            }
            std::size_t at = hash(m_uses[i].key) & (size - 1);
            while (m_slots[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            m_slots[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    /// Calls `use` for each field that the key fills.
    template <class Use> void find(std::string_view key, Use use) const
    {
        for (std::size_t at = hash(key) & (m_slots.size() - 1); m_slots[at] != 0;
             at = (at + 1) & (m_slots.size() - 1)) {
            std::size_t i = m_slots[at] - 1;
            if (m_uses[i].key == key) {
                for (; i < m_uses.size() && m_uses[i].key == key; ++i) {
                    use(m_uses[i]);
                }
                return;
            }
        }
    }

private:
    static std::size_t hash(std::string_view key)
    {
        std::uint64_t value = key.size();
        for (const char c : key) {
            value = (value ^ static_cast<unsigned char>(c)) * 0x9E37'79B9'7F4A'7C15U;
        }
        return value >> 32;
    }

    std::vector<KeyUse> m_uses;
    std::vector<std::uint32_t> m_slots;
};

/// The fields of one list of attributes, and the keys that fill them.
struct PairLayout {
    RecordLayout layout;
    KeyTable keys;
    std::size_t ranked = 0; ///< fields before this one have several keys
};

bool isTimeName(std::string_view name)
{
    return name == "time" || name == "start" || name == "duration";
}

std::vector<RecordSource> sourcesOf(Syntax syntax)
{
    std::vector<RecordSource> sources;
    if (syntax == Syntax::Ltsv) {
        sources.assign(std::begin(kLtsvSources), std::end(kLtsvSources));
    }
    for (const RecordSource& guess : guessedSources()) {
        const bool isList = guess.attribute == "client_ip"
            && (guess.field == "fwd" || guess.field == "xff"
                || guess.field.ends_with("forwarded_for"));
        const bool isLtsvHost = syntax == Syntax::Ltsv && guess.field == "host";
        if (!isList && !isLtsvHost) {
            sources.push_back(guess);
        }
    }
    return sources;
}

std::vector<RecordDuration> durationsOf(Syntax syntax)
{
    std::vector<RecordDuration> durations {{kTotalField, 1}};
    if (syntax == Syntax::Ltsv) {
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
    stamps.push_back({kPrefixField});
    stamps.push_back({kOuterField});
    return stamps;
}

class LayoutMaker {
public:
    LayoutMaker(Syntax syntax, const FormatOptions& options)
        : m_syntax(syntax)
        , m_options(options)
        , m_sources(sourcesOf(syntax))
        , m_stamps(stampsOf())
        , m_durations(durationsOf(syntax))
    {
    }

    engine::Result<PairLayout> make(const std::vector<std::string>& wanted);
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

    [[nodiscard]] std::vector<std::string_view> keysOf(std::string_view attribute) const;

    [[nodiscard]] std::span<const std::string_view> requests() const
    {
        return m_syntax == Syntax::Ltsv ? std::span<const std::string_view>(kLtsvRequests)
                                        : requestLineGuesses();
    }

    Syntax m_syntax;
    const FormatOptions& m_options;
    std::vector<RecordSource> m_sources;
    std::vector<RecordStamp> m_stamps;
    std::vector<RecordDuration> m_durations;
    std::vector<std::string> m_fields;
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

engine::Result<PairLayout> LayoutMaker::make(const std::vector<std::string>& wanted)
{
    PairLayout made;
    m_fields.clear();
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
        if (!isTimeName(mapping.name) && mapping.name != "path") {
            addAttribute(mapping.name);
        }
    }
    for (const std::string& attribute : attributes) {
        const auto keys = keysOf(attribute);
        for (std::size_t rank = 0; rank < keys.size(); ++rank) {
            made.keys.add(std::string(keys[rank]), fieldOf(attribute), rank + 1);
        }
    }
    for (std::size_t rank = 0; rank < requests().size(); ++rank) {
        made.keys.add(std::string(requests()[rank]), fieldOf(kRequestField), rank + 1);
    }
    made.ranked = m_fields.size();
    for (const std::string& attribute : wanted) {
        const bool isOwn = attributeKind(attribute) == AttributeKind::Text
            && std::find(m_fields.begin(), m_fields.end(), attribute) == m_fields.end();
        if (isOwn) {
            made.keys.add(attribute, fieldOf(attribute), 1);
        }
    }
    FormatOptions times; // only these are left to the layout
    for (FieldMapping mapping : m_options.mappings) {
        if (isTimeName(mapping.name)) {
            const std::string key(mapping.name == "duration" ? durationField(mapping.field).field
                                                             : mapping.field);
            made.keys.add(key, fieldOf(key), 1);
            times.mappings.push_back(std::move(mapping));
        }
    }
    times.zone = m_options.zone;
    for (const RecordStamp& stamp : m_stamps) {
        made.keys.add(std::string(stamp.field), fieldOf(stamp.field), 1);
    }
    for (const RecordDuration& duration : m_durations) {
        made.keys.add(std::string(duration.field), fieldOf(duration.field), 1);
    }
    made.keys.add(std::string(m_syntax == Syntax::Ltsv ? "host" : kHostField), fieldOf(kHostField),
                  1);
    made.keys.settle();
    constexpr std::array<std::string_view, 1> kTargets {"target"};
    RecordRules rules;
    rules.stamps = m_stamps;
    rules.durations = m_durations;
    rules.request = kRequestField;
    rules.targets = kTargets;
    rules.escape = m_syntax == Syntax::Ltsv ? Escape::Hex : Escape::None;
    auto layout = RecordLayout::make(rules, m_fields, times);
    if (!layout) {
        return engine::fail(layout.error());
    }
    made.layout = std::move(*layout);
    made.layout.rules = {};
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
    used.emplace_back(m_syntax == Syntax::Ltsv ? "host" : kHostField);
    std::sort(used.begin(), used.end());
    return used;
}

/// One pair of a line.
struct Pair {
    std::string_view key;
    std::string_view value;
    bool hasEscapes = false;
};

/// Takes pairs off a line of logfmt.
class LogfmtCutter {
public:
    explicit LogfmtCutter(std::string_view line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    {
    }

    /// False at the end, or where a quote has none (isBroken()).
    bool next(Pair& pair)
    {
        while (m_at < m_end) {
            if (isBlank(*m_at) || *m_at == ',') {
                ++m_at;
                continue;
            }
            const char* const from = m_at;
            while (m_at < m_end && *m_at != '=' && !isBlank(*m_at)) {
                ++m_at;
            }
            if (m_at < m_end && *m_at == '=' && m_at > from) {
                pair.key = {from, static_cast<std::size_t>(m_at - from)};
                ++m_at;
                takeValue(pair);
                m_hasPairs = true;
                return !m_isBroken;
            }
            m_at += m_at < m_end && *m_at == '=' ? 1 : 0;
            if (!m_hasPairs) {
                noteWord({from, static_cast<std::size_t>(m_at - from)});
            }
        }
        return false;
    }

    [[nodiscard]] bool isBroken() const { return m_isBroken; }

    /// A time that stands before the first pair.
    [[nodiscard]] std::string_view prefixTime() const { return m_time; }

private:
    void takeValue(Pair& pair)
    {
        pair.hasEscapes = false;
        if (m_at < m_end && (*m_at == '"' || *m_at == '[')) {
            const char close = *m_at == '"' ? '"' : ']';
            const char* const from = m_at + (close == '"' ? 1 : 0);
            for (m_at = from; m_at < m_end && *m_at != close; ++m_at) {
                if (*m_at == '\\' && close == '"' && m_at + 1 < m_end) {
                    pair.hasEscapes = true;
                    ++m_at;
                }
            }
            m_isBroken = m_at >= m_end;
            const char* const to = m_isBroken ? m_end : m_at + (close == '"' ? 0 : 1);
            pair.value = {from, static_cast<std::size_t>(to - from)};
            m_at = m_isBroken ? m_end : m_at + 1;
            return;
        }
        const char* const from = m_at;
        while (m_at < m_end && !isBlank(*m_at)) {
            ++m_at;
        }
        pair.value = {from, static_cast<std::size_t>(m_at - from)};
        if (pair.value.ends_with(',')) {
            pair.value.remove_suffix(1);
        }
    }

    /// "2012-10-11T03:47:20+00:00", or a date and the clock behind it.
    void noteWord(std::string_view word)
    {
        constexpr std::size_t kDate = 10;
        const bool isDated = word.size() >= kDate && isDigit(word[0]) && word[4] == '-'
            && word[7] == '-' && isDigit(word[9]);
        if (m_time.empty() && isDated) {
            m_time = word;
        } else if (m_time.size() == kDate && word.size() >= 8 && word[2] == ':') {
            m_time = {m_time.data(),
                      static_cast<std::size_t>(word.data() + word.size() - m_time.data())};
        }
    }

    const char* m_at;
    const char* m_end;
    bool m_hasPairs = false;
    bool m_isBroken = false;
    std::string_view m_time;
};

/// Takes pairs off a line of LTSV.
class LtsvCutter {
public:
    explicit LtsvCutter(std::string_view line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    {
    }

    bool next(Pair& pair)
    {
        while (m_at < m_end) {
            const char* const from = m_at;
            const char* const stop = findByte(m_at, m_end, '\t');
            m_at = stop + 1;
            const char* const colon = findByte(from, stop, ':');
            if (colon < stop && colon > from) {
                pair.key = {from, static_cast<std::size_t>(colon - from)};
                pair.value = {colon + 1, static_cast<std::size_t>(stop - colon - 1)};
                return true;
            }
        }
        return false;
    }

    static bool isBroken() { return false; }

    static std::string_view prefixTime() { return {}; }

private:
    const char* m_at;
    const char* m_end;
};

class PairParser final : public RecordParser {
public:
    PairParser(const PairLayout& made, Syntax syntax, const std::vector<std::string>& wanted);

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override;

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;

private:
    template <class Cutter>
    LineOutcome cutWith(Cutter cutter, bool isCut, LineScratch& scratch, Cut& cut) const;
    void settle(Cut& cut, Arena& arena, std::string_view connect, std::string_view service) const;

    Syntax m_syntax;
    KeyTable m_keys;
    std::size_t m_ranked;
    std::size_t m_size;
    std::size_t m_client;
    std::size_t m_list;
    std::size_t m_host;
    std::size_t m_hostOrClient;
    std::size_t m_total;
    std::size_t m_prefix;
    std::size_t m_outer;
    std::size_t m_method;
};

PairParser::PairParser(const PairLayout& made, Syntax syntax,
                       const std::vector<std::string>& wanted)
    : RecordParser(made.layout, wanted)
    , m_syntax(syntax)
    , m_keys(made.keys)
    , m_ranked(made.ranked)
    , m_size(made.layout.fields.size())
    , m_client(*made.layout.indexOf("client_ip"))
    , m_list(*made.layout.indexOf("x_forwarded_for"))
    , m_host(*made.layout.indexOf("host"))
    , m_hostOrClient(*made.layout.indexOf(kHostField))
    , m_total(*made.layout.indexOf(kTotalField))
    , m_prefix(*made.layout.indexOf(kPrefixField))
    , m_outer(*made.layout.indexOf(kOuterField))
    , m_method(*made.layout.indexOf("method"))
{
}

bool isNone(std::string_view value)
{
    return value.empty() || value == "-";
}

/// What follows from several values of a line.
void PairParser::settle(Cut& cut, Arena& arena, std::string_view connect,
                        std::string_view service) const
{
    auto& values = cut.values;
    if (!values[m_hostOrClient].empty()) {
        std::string_view& place = isNone(values[m_client]) ? values[m_client] : values[m_host];
        place = isNone(place) ? values[m_hostOrClient] : place;
    }
    if (isNone(values[m_client])) {
        const std::string_view list = values[m_list];
        values[m_client] = trimmed(list.substr(list.rfind(',') + 1)); // npos + 1 is the start
    }
    const auto connected = logs::readDuration(connect, 0);
    const auto served = logs::readDuration(service, 0);
    if (connected && served) {
        values[m_total] = digitsOf(*connected + *served, arena);
    }
}

template <class Cutter>
LineOutcome PairParser::cutWith(Cutter cutter, bool isCut, LineScratch& scratch, Cut& cut) const
{
    constexpr std::size_t kMostRanked = 64;
    std::array<std::uint8_t, kMostRanked> ranks {};
    if (cut.values.size() < m_size) {
        cut.values.resize(m_size);
    }
    std::fill_n(cut.values.begin(), m_size, std::string_view {});
    std::size_t pairs = 0;
    std::string_view connect;
    std::string_view service;
    Pair pair;
    while (cutter.next(pair)) {
        ++pairs;
        std::string_view value = pair.value;
        if (pair.hasEscapes) {
            value = undoJsonEscapes(value, true, *scratch.arena);
        }
        connect = pair.key == "connect" ? value : connect;
        service = pair.key == "service" ? value : service;
        m_keys.find(pair.key, [&](const KeyUse& use) {
            const bool isRanked = use.field < std::min(m_ranked, kMostRanked);
            if (isRanked) {
                if (isNone(value) || (ranks[use.field] != 0 && ranks[use.field] <= use.rank)) {
                    return;
                }
                ranks[use.field] = use.rank;
            }
            cut.values[use.field] = value;
        });
    }
    if (cutter.isBroken() || (isCut && pairs < 2)) {
        return LineOutcome::Truncated;
    }
    cut.values[m_prefix] = cutter.prefixTime();
    cut.values[m_outer] = scratch.outer.time;
    settle(cut, *scratch.arena, connect, service);
    cut.whole = m_size;
    const auto has
        = [&](const std::optional<std::size_t>& field) { return !isNone(cut.values[*field]); };
    const bool asks = has(layout().request) || has(layout().target) || has(m_method);
    cut.exact = asks && pairs >= 3;
    return asks || has(layout().status) ? LineOutcome::Request : LineOutcome::NoMatch;
}

LineOutcome PairParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                            LineScratch& scratch, Cut& cut) const
{
    return m_syntax == Syntax::Ltsv ? cutWith(LtsvCutter(line), isCut, scratch, cut)
                                    : cutWith(LogfmtCutter(line), isCut, scratch, cut);
}

int PairParser::likeness(std::string_view line, LineScratch& scratch) const
{
    const bool mayFit = m_syntax == Syntax::Ltsv ? line.find('\t') != std::string_view::npos
                                                 : line.front() != '{';
    return mayFit ? RecordParser::likeness(line, scratch) : 0;
}

class PairsFormat final : public LogFormat {
public:
    PairsFormat(std::string_view name, FormatOptions options)
        : m_name(name)
        , m_syntax(name == "ltsv" ? Syntax::Ltsv : Syntax::Logfmt)
        , m_options(std::move(options))
        , m_used(LayoutMaker(m_syntax, m_options).usedKeys())
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> names(engine::kBuiltInAttributes.begin(),
                                       engine::kBuiltInAttributes.end());
        names.emplace_back("x_forwarded_for");
        for (const FieldMapping& mapping : m_options.mappings) {
            if (!isTimeName(mapping.name)
                && std::find(names.begin(), names.end(), mapping.name) == names.end()) {
                names.push_back(mapping.name);
            }
        }
        return names;
    }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {"a stamp is of a request's end unless its key is called start",
                "a duration without a unit is in seconds unless its key names one"};
    }

    void collectFields(std::string_view line, std::vector<std::string>& names) const override
    {
        const auto collect = [&](auto cutter) {
            for (Pair pair; cutter.next(pair);) {
                if (!std::binary_search(m_used.begin(), m_used.end(), pair.key)
                    && std::find(names.begin(), names.end(), pair.key) == names.end()) {
                    names.emplace_back(pair.key);
                }
            }
        };
        m_syntax == Syntax::Ltsv ? collect(LtsvCutter(line)) : collect(LogfmtCutter(line));
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        auto made = LayoutMaker(m_syntax, m_options).make(wanted);
        return std::make_unique<PairParser>(*made, m_syntax, wanted);
    }

private:
    std::string m_name;
    Syntax m_syntax;
    FormatOptions m_options;
    std::vector<std::string> m_used; ///< sorted
};

} // namespace

MadeFormat makePairsFormat(std::string_view name, const FormatOptions& options)
{
    return std::shared_ptr<const LogFormat>(std::make_shared<PairsFormat>(name, options));
}

} // namespace storage::logs
