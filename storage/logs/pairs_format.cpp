#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/pair_cutters.h"
#include "storage/logs/pair_layout.h"
#include "storage/logs/written_times.h"

#include <algorithm>
#include <array>

/// Lines of named values: logfmt (key=value key="value") and LTSV (label:value by tabs).
namespace storage::logs {
namespace {

class PairParser final : public RecordParser {
public:
    PairParser(const PairLayout& made, PairSyntax syntax, const std::vector<std::string>& wanted);

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override;

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;

private:
    template <class Cutter>
    LineOutcome cutWith(Cutter cutter, bool isCut, LineScratch& scratch, Cut& cut) const;
    void settle(Cut& cut, Arena& arena, std::string_view connect, std::string_view service) const;

    PairSyntax m_syntax;
    KeyTable m_keys;
    std::size_t m_ranked;
    std::size_t m_size;
    std::size_t m_client;
    std::size_t m_list;
    std::size_t m_host;
    std::size_t m_hostOrClient;
    std::size_t m_total;
    std::size_t m_prefix;
    std::size_t m_method;
};

PairParser::PairParser(const PairLayout& made, PairSyntax syntax,
                       const std::vector<std::string>& wanted)
    : RecordParser(made.layout, wanted)
    , m_syntax(syntax)
    , m_keys(made.keys)
    , m_ranked(made.ranked)
    , m_size(made.layout.fields.size())
    , m_client(*made.layout.indexOf("client_ip"))
    , m_list(*made.layout.indexOf("x_forwarded_for"))
    , m_host(*made.layout.indexOf("host"))
    , m_hostOrClient(*made.layout.indexOf(PairLayout::kHost))
    , m_total(*made.layout.indexOf(PairLayout::kTotal))
    , m_prefix(*made.layout.indexOf(PairLayout::kPrefix))
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
    std::int64_t total = 0;
    if (connected && served && !__builtin_add_overflow(*connected, *served, &total)) {
        values[m_total] = digitsOf(total, arena);
    }
}

template <class Cutter>
LineOutcome PairParser::cutWith(Cutter cutter, bool isCut, LineScratch& scratch, Cut& cut) const
{
    constexpr std::size_t kMostRanked = 64;
    std::array<std::uint8_t, kMostRanked> ranks {};
    cut.reach(m_size);
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
    return m_syntax == PairSyntax::Ltsv ? cutWith(LtsvCutter(line), isCut, scratch, cut)
                                        : cutWith(LogfmtCutter(line), isCut, scratch, cut);
}

int PairParser::likeness(std::string_view line, LineScratch& scratch) const
{
    const bool mayFit = m_syntax == PairSyntax::Ltsv ? line.find('\t') != std::string_view::npos
                                                     : line.front() != '{';
    return mayFit ? RecordParser::likeness(line, scratch) : 0;
}

class PairsFormat final : public LogFormat {
public:
    PairsFormat(std::string_view name, FormatOptions options)
        : m_name(name)
        , m_syntax(pairSyntax(name))
        , m_options(std::move(options))
        , m_used(usedPairKeys(m_syntax, m_options))
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
            if (!mapsTime(mapping)
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

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        const auto collect = [&](auto cutter) {
            for (Pair pair; cutter.next(pair);) {
                if (!std::binary_search(m_used.begin(), m_used.end(), pair.key)) {
                    names.add(pair.key);
                }
            }
        };
        m_syntax == PairSyntax::Ltsv ? collect(LtsvCutter(line)) : collect(LogfmtCutter(line));
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        const auto made = PairLayout::make(m_syntax, m_options, wanted); // more fields: no errors
        return std::make_unique<PairParser>(made.value(), m_syntax, wanted);
    }

private:
    std::string m_name;
    PairSyntax m_syntax;
    FormatOptions m_options;
    std::vector<std::string> m_used; ///< sorted
};

} // namespace

MadeFormat makePairsFormat(std::string_view name, const FormatOptions& options)
{
    if (const auto made = PairLayout::make(pairSyntax(name), options, {}); !made) {
        return engine::fail(made.error());
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<PairsFormat>(name, options));
}

} // namespace storage::logs
