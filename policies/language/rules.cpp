#include "policies/language/rules.h"

#include "policies/language/fields.h"
#include "policies/language/limits.h"
#include "policies/language/match.h"
#include "policies/language/names.h"
#include "policies/language/numbers.h"
#include "policies/language/slot_fields.h"
#include "policies/language/words.h"

#include <algorithm>
#include <set>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 29> kRuleFields {"name",        "match",
                                                        "key",         "algorithm",
                                                        "rate",        "burst",
                                                        "tolerance",   "queue",
                                                        "delay_after", "align",
                                                        "anchor",      "rounding",
                                                        "in_flight",   "capacity",
                                                        "classes",     "strategy",
                                                        "initial",     "min",
                                                        "max",         "assume_duration",
                                                        "cost",        "tighten",
                                                        "mode",        "count_rejected",
                                                        "overrides",   "on_store_failure",
                                                        "status",      "allow",
                                                        "note"};
constexpr std::array<std::string_view, 12> kOverrideFields {
    "name",        "match",     "rate",     "burst", "tolerance", "queue",
    "delay_after", "in_flight", "capacity", "cost",  "mode",      "note"};
constexpr std::array<std::string_view, 4> kExemptFields {"name", "match", "note", "allow"};

constexpr std::array<std::pair<std::string_view, engine::Mode>, 3> kModes {{
    {"enforce", engine::Mode::Enforce},
    {"shadow", engine::Mode::Shadow},
    {"off", engine::Mode::Off},
}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kBooleans {
    {{"true", true}, {"false", false}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kAligns {
    {{"epoch", false}, {"first_request", true}}};
constexpr std::array<std::pair<std::string_view, bool>, 1> kRoundings {{{"floor", true}}};
constexpr std::array<std::pair<std::string_view, engine::StoreFailure>, 3> kFailures {{
    {"open", engine::StoreFailure::Open},
    {"closed", engine::StoreFailure::Closed},
    {"local", engine::StoreFailure::Local},
}};

std::string ownerOf(std::string_view kind, const yaml::Node& map)
{
    const yaml::Item* name = yaml::find(map, "name");
    const bool isNamed
        = name != nullptr && name->value.kind == yaml::Kind::Scalar && !name->value.text.empty();
    return isNamed ? fmt::format("{} `{}`", kind, shown(name->value.text))
                   : fmt::format("{} {}", kind == "rule" ? "a" : "an", kind);
}

Given<engine::Cost> readCost(Report& report, const Fields& fields)
{
    const yaml::Item* item = fields.item("cost");
    if (item == nullptr) {
        return std::nullopt;
    }
    if (item->value.kind != yaml::Kind::Map) {
        const auto whole = fields.parsed<std::int64_t>("cost", "1", parseWhole);
        return whole ? Given<engine::Cost> {{engine::Cost {whole->value, {}, 1}, whole->key,
                                             whole->at, whole->quoted}}
                     : Given<engine::Cost> {};
    }
    static constexpr std::array<std::string_view, 2> kCostFields {"attribute", "per"};
    const Fields parts(report, item->value, fmt::format("the cost of {}", fields.owner()),
                       kCostFields);
    parts.require("attribute", "write `cost: { attribute: NAME, per: K }`, or a whole number");
    const Given<std::string> attribute = parts.text("attribute");
    const auto atLeastOne = [](std::string_view text) -> engine::Result<std::int64_t> {
        engine::Result<std::int64_t> whole = parseWhole(text);
        return whole && *whole < 1
            ? engine::fail("policy.number-range", fmt::format("`{}` is too small", text),
                           "write at least `1`")
            : whole;
    };
    const auto per = parts.parsed<std::int64_t>("per", "1000", atLeastOne);
    if (attribute && attribute->value.empty()) {
        report.error("policy.empty-value", attribute->at,
                     fmt::format("{} is empty", parts.subject("attribute")),
                     "write the name of an attribute");
    }
    engine::Cost cost;
    cost.attribute = attribute ? attribute->value : std::string();
    cost.per = per ? per->value : 1;
    return Field<engine::Cost> {std::move(cost), item->key.at, item->value.at, false};
}

Given<engine::Rate> readRate(Report& report, const Fields& fields)
{
    const yaml::Item* item = fields.item("rate");
    if (item != nullptr && item->value.kind == yaml::Kind::Map) {
        report.error("policy.later-version", item->value.at,
                     fmt::format("a map as {} comes in a later version", fields.subject("rate")),
                     "write a rate, as `60/min`");
        return std::nullopt;
    }
    return fields.parsed<engine::Rate>("rate", "60/min", parseRate);
}

Values readValues(Report& report, const Fields& fields)
{
    Values values;
    values.rate = readRate(report, fields);
    values.burst = fields.parsed<Burst>("burst", "60", parseBurst);
    values.toleranceNs = fields.parsed<std::int64_t>("tolerance", "1s", parseDuration);
    values.queue = fields.parsed<std::int64_t>("queue", "20", parseWhole);
    values.delayAfter = fields.parsed<std::int64_t>("delay_after", "5", parseWhole);
    values.inFlight = fields.parsed<std::int64_t>("in_flight", "50", parseWhole);
    values.capacity = fields.parsed<std::int64_t>("capacity", "100", parseWhole);
    values.cost = readCost(report, fields);
    values.mode = fields.choice("mode", kModes);
    return values;
}

Given<std::vector<Word>> readAllow(Report& report, const Fields& fields)
{
    const yaml::Item* item = fields.item("allow");
    if (item == nullptr) {
        return std::nullopt;
    }
    return Field<std::vector<Word>> {wordsOf(report, item->value, fields.subject("allow"), false),
                                     item->key.at, item->value.at, false};
}

void readName(const Fields& fields, std::string_view kind, Field<std::string>& name)
{
    fields.require("name", fmt::format("write `name: WORD`; results show the {} by it", kind));
    if (auto given = fields.text("name")) {
        name = std::move(*given);
    }
}

Override readOverride(Report& report, const yaml::Item& item, const std::string& rule)
{
    const std::string owner = fmt::format("{} of {}", ownerOf("override", item.value), rule);
    Override override;
    override.at = item.at;
    yaml::Node known
        = item.value; // without what only a rule may say, which has a message of its own
    std::erase_if(known.items, [&](const yaml::Item& entry) {
        const std::string& field = entry.key.text;
        const bool isOfRules
            = std::find(kRuleFields.begin(), kRuleFields.end(), field) != kRuleFields.end();
        const bool isOurs = std::find(kOverrideFields.begin(), kOverrideFields.end(), field)
            != kOverrideFields.end();
        if (isOfRules && !isOurs) {
            report.error("policy.override-field", entry.key.at,
                         fmt::format("{} cannot have a `{}` of its own", owner, field),
                         fmt::format("leave it out; an override has {}", listOf(kOverrideFields)));
        }
        return isOfRules && !isOurs;
    });
    const Fields fields(report, known, owner, kOverrideFields);
    readName(fields, "override", override.name);
    fields.require("match",
                   "write `match: { ATTRIBUTE: VALUE }`; it says whom the override is for");
    if (const yaml::Item* match = fields.item("match")) {
        override.match = readMatch(report, *match, owner);
    }
    override.values = readValues(report, fields);
    override.note = fields.text("note");
    return override;
}

class RuleReader {
public:
    RuleReader(Report& report, const yaml::Item& item, engine::Tier tier)
        : m_report(report)
        , m_fields(report, item.value, ownerOf("rule", item.value), kRuleFields)
    {
        m_rule.tier = tier;
        m_rule.at = item.at;
    }

    std::optional<Rule> read()
    {
        if (!m_fields.isMap()) {
            return std::nullopt;
        }
        readName(m_fields, "rule", m_rule.name);
        if (const yaml::Item* match = m_fields.item("match")) {
            m_rule.match = readMatch(m_report, *match, m_fields.owner());
        }
        readKey();
        m_rule.values = readValues(m_report, m_fields);
        readOptions();
        readOverrides();
        if (readAlgorithm()) {
            requireNumbers();
            checkLimits(m_report, m_rule);
        }
        return std::move(m_rule);
    }

private:
    void readKey()
    {
        m_fields.require("key", "write `key: [api_key]`, or `key: []` for one bucket for everyone");
        const yaml::Item* item = m_fields.item("key");
        if (item == nullptr) {
            return;
        }
        m_rule.key = {wordsOf(m_report, item->value, m_fields.subject("key"), false), item->key.at,
                      item->value.at, false};
        std::set<std::string_view> seen;
        for (const Word& word : m_rule.key.value) {
            if (word.text.empty()) {
                m_report.error(
                    "policy.empty-value", word.at,
                    fmt::format("an attribute in {} has no name", m_fields.subject("key")),
                    "write the name of an attribute, or `[]` for one bucket");
            } else if (!seen.insert(word.text).second) {
                m_report.error("policy.key-twice", word.at,
                               fmt::format("`{}` stands twice in {}", shown(word.text),
                                           m_fields.subject("key")),
                               "keep one of the two");
            }
        }
    }

    bool readAlgorithm()
    {
        m_fields.require("algorithm", "write `algorithm: sliding_window_counter`, or another");
        const yaml::Item* item = m_fields.scalar("algorithm", "sliding_window_counter");
        if (item == nullptr) {
            return false;
        }
        const std::string& text = item->value.text;
        const auto algorithm = engine::algorithmNamed(text);
        if (!algorithm) {
            static constexpr std::array<std::string_view, 9> kNames {
                "fixed_window", "sliding_window_log",   "sliding_window_counter",
                "token_bucket", "leaky_bucket",         "gcra",
                "concurrency",  "adaptive_concurrency", "load_shedder"};
            const bool isSliding = text == "sliding_window" || text == "sliding-window";
            m_report.error(
                "policy.choice", item->value.at,
                fmt::format("`{}` is no value of {}", shown(text), m_fields.subject("algorithm")),
                isSliding
                    ? "write `sliding_window_counter`, or `sliding_window_log` for an exact one"
                    : suggest(text, kNames, "write"));
            return false;
        }
        m_rule.algorithm = {*algorithm, item->key.at, item->value.at, item->value.quoted};
        return true;
    }

    void readOptions()
    {
        const yaml::Item* align = m_fields.item("align");
        if (align != nullptr && align->value.kind == yaml::Kind::Scalar
            && align->value.text == "month") {
            m_report.error(
                "policy.later-version", align->value.at,
                fmt::format("`month` as {} comes in a later version", m_fields.subject("align")),
                "write `epoch` or `first_request`");
        } else {
            m_rule.alignToFirstRequest = m_fields.choice("align", kAligns);
        }
        m_rule.anchorNs = m_fields.parsed<std::int64_t>("anchor", "15h", parseDuration);
        m_rule.floorEstimate = m_fields.choice("rounding", kRoundings);
        m_rule.countRejected = m_fields.choice("count_rejected", kBooleans);
        m_rule.assumeDurationNs
            = m_fields.parsed<std::int64_t>("assume_duration", "200ms", parseDuration);
        readLearning(m_fields, m_rule);
        m_rule.classes = readClasses(m_report, m_fields);
        m_rule.tighten = readTighten(m_report, m_fields);
        m_rule.onStoreFailure = m_fields.choice("on_store_failure", kFailures);
        m_rule.status = m_fields.parsed<int>(
            "status", "429", [](std::string_view text) -> engine::Result<int> {
                const engine::Result<std::int64_t> whole = parseWhole(text);
                if (!whole) {
                    return engine::Failure {whole.error()};
                }
                if (*whole < 400 || *whole > 599) {
                    return engine::fail("policy.number-range",
                                        fmt::format("{} is no status of a rejection", *whole),
                                        "write 400 to 599, as `429`");
                }
                return static_cast<int>(*whole);
            });
        m_rule.allow = readAllow(m_report, m_fields);
        m_rule.note = m_fields.text("note");
    }

    void readOverrides()
    {
        const yaml::Item* item = m_fields.item("overrides");
        if (item == nullptr) {
            return;
        }
        if (item->value.kind != yaml::Kind::Sequence) {
            reportType(m_report, item->value, m_fields.subject("overrides"), "a list",
                       "write `- { name: ..., match: ... }` on lines of its own");
            return;
        }
        Names names(m_report, fmt::format("override of {}", m_fields.owner()));
        for (const yaml::Item& entry : item->value.items) {
            if (entry.value.unusable) {
                continue;
            }
            m_rule.overrides.push_back(readOverride(m_report, entry, m_fields.owner()));
            names.add(m_rule.overrides.back().name);
        }
    }

    /// What the algorithm cannot be without.
    void requireNumbers()
    {
        using engine::Algorithm;
        const Algorithm algorithm = m_rule.algorithm.value;
        if (algorithm == Algorithm::Concurrency) {
            m_fields.require("in_flight", "write `in_flight: N`, the most requests at a time");
        } else if (algorithm == Algorithm::LoadShedder) {
            m_fields.require("capacity", "write `capacity: N`, the most requests at a time");
        } else if (algorithm != Algorithm::AdaptiveConcurrency) {
            m_fields.require("rate", "write `rate: N/UNIT`, as `60/min`");
        }
        if (algorithm == Algorithm::LeakyBucket) {
            m_fields.require("queue", "write `queue: N`, how many requests may wait");
        }
        if (algorithm == Algorithm::Gcra && !m_fields.has("tolerance")) {
            m_fields.require("burst", "write `burst: N` or `tolerance: D`");
        }
    }

    Report& m_report;
    Fields m_fields;
    Rule m_rule;
};

} // namespace

std::optional<Rule> readRule(Report& report, const yaml::Item& item, engine::Tier tier)
{
    return RuleReader(report, item, tier).read();
}

std::optional<Exempt> readExempt(Report& report, const yaml::Item& item)
{
    const std::string owner = ownerOf("exemption", item.value);
    const Fields fields(report, item.value, owner, kExemptFields);
    if (!fields.isMap()) {
        return std::nullopt;
    }
    Exempt exempt;
    exempt.at = item.at;
    readName(fields, "exemption", exempt.name);
    fields.require("match", "write `match: { ATTRIBUTE: VALUE }`; it says what passes unjudged");
    if (const yaml::Item* match = fields.item("match")) {
        exempt.match = readMatch(report, *match, owner);
    }
    exempt.note = fields.text("note");
    exempt.allow = readAllow(report, fields);
    return exempt;
}

} // namespace policies::language
