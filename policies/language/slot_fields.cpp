#include "policies/language/slot_fields.h"

#include "policies/language/match.h"
#include "policies/language/names.h"
#include "policies/language/numbers.h"
#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/language/words.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 3> kClassFields {"name", "match", "up_to"};
constexpr std::array<std::string_view, 3> kTightenFields {"rule", "above", "factor"};
constexpr std::size_t kMostCompared = 1000; ///< names, for each one that there is not
constexpr int kMostShare = 100;
constexpr int kMostAbove = 1'000'000; // an adaptive limit may fall far below what is in flight

/// A whole number of at least `least` and at most `most`.
auto wholeWithin(std::int64_t least, std::int64_t most)
{
    return [least, most](std::string_view text) -> engine::Result<std::int64_t> {
        engine::Result<std::int64_t> whole = parseWhole(text);
        if (whole && *whole < least) {
            return engine::fail("policy.number-range", fmt::format("`{}` is too small", text),
                                fmt::format("write at least `{}`", least));
        }
        if (whole && *whole > most) {
            return engine::fail("policy.number-range", fmt::format("`{}` is too large", text),
                                fmt::format("write at most `{}`", most));
        }
        return whole;
    };
}

Given<int> readPercent(const Fields& fields, std::string_view name, int most)
{
    return fields.parsed<int>(name, "80%",
                              [most](std::string_view text) { return parsePercent(text, most); });
}

ShedClass readClass(Report& report, const yaml::Item& item, const std::string& rule)
{
    const yaml::Item* named = yaml::find(item.value, "name");
    const bool hasName = named != nullptr && named->value.kind == yaml::Kind::Scalar;
    const std::string owner = hasName
        ? fmt::format("class `{}` of {}", shown(named->value.text), rule)
        : fmt::format("a class of {}", rule);
    const Fields fields(report, item.value, owner, kClassFields);
    ShedClass made;
    made.at = item.at;
    fields.require("name", "write `name: WORD`; results show the class by it");
    if (auto name = fields.text("name")) {
        made.name = std::move(*name);
    }
    fields.require("match", "write `match: { ATTRIBUTE: VALUE }`; it says what is in the class");
    if (const yaml::Item* match = fields.item("match")) {
        made.match = readMatch(report, *match, owner);
    }
    fields.require("up_to", "write `up_to: 80%`, how much of the capacity the class may fill");
    if (auto upTo = readPercent(fields, "up_to", kMostShare)) {
        made.upTo = std::move(*upTo);
    }
    return made;
}

std::string listed(const std::vector<std::string_view>& rules)
{
    constexpr std::size_t kMost = 20;
    return rules.empty()        ? "the policy has no such rule; write one, or leave `tighten` out"
        : rules.size() <= kMost ? fmt::format("write {}", listOf(rules))
                                : "name a concurrency, adaptive_concurrency or load_shedder rule "
                                  "with `key: []`";
}

/// Why the rule cannot tighten another one; nothing if it can.
std::string whyNot(const Rule& rule)
{
    if (!engine::holdsSlots(rule.algorithm.value)) {
        return fmt::format("goes by {} and holds no slots", engine::nameOf(rule.algorithm.value));
    }
    if (!rule.key.value.empty()) {
        return "counts each key by itself, and a `key` of `[]` is needed";
    }
    return rule.overrides.empty() ? "" : "has overrides, each of which counts by itself";
}

bool isRead(const Rule& rule)
{
    return rule.algorithm.at.line != 0 || rule.algorithm.at.source != 0;
}

/// `other` is what the rule's `tighten` names; nullptr: nothing is called so.
void checkOne(Report& report, const Rule& rule, const Rule* other,
              const std::vector<std::string_view>& good)
{
    const Field<std::string>& name = rule.tighten->value.rule;
    const std::string why = other == nullptr ? "is no rule of the policy"
        : isRead(*other)                     ? whyNot(*other)
                                             : "";
    if (why.empty()) {
        return;
    }
    const std::string_view near
        = other == nullptr && good.size() <= kMostCompared ? nearest(name.value, good) : "";
    report.error("policy.tighten", name.at,
                 fmt::format("`tighten` of rule `{}` names `{}`, which {}", shown(rule.name.value),
                             shown(name.value), why),
                 near.empty() ? listed(good) : fmt::format("did you mean `{}`?", near));
}

} // namespace

void readLearning(const Fields& fields, Rule& rule)
{
    const auto slots = wholeWithin(1, std::numeric_limits<std::int32_t>::max());
    rule.strategy = fields.choice("strategy", kStrategies);
    rule.initial = fields.parsed<std::int64_t>("initial", "20", slots);
    rule.minimum = fields.parsed<std::int64_t>("min", "1", slots);
    rule.maximum = fields.parsed<std::int64_t>("max", "1000", slots);
}

Given<std::vector<ShedClass>> readClasses(Report& report, const Fields& fields)
{
    const yaml::Item* item = fields.item("classes");
    if (item == nullptr) {
        return std::nullopt;
    }
    Field<std::vector<ShedClass>> classes {{}, item->key.at, item->value.at, false};
    if (item->value.kind != yaml::Kind::Sequence) {
        reportType(report, item->value, fields.subject("classes"), "a list",
                   "write `- { name: ..., match: ..., up_to: 80% }` on lines of its own");
        return classes;
    }
    Names names(report, fmt::format("class of {}", fields.owner()));
    for (const yaml::Item& entry : item->value.items) {
        if (!entry.value.unusable) {
            classes.value.push_back(readClass(report, entry, fields.owner()));
            names.add(classes.value.back().name);
        }
    }
    return classes;
}

Given<Tighten> readTighten(Report& report, const Fields& fields)
{
    const yaml::Item* item = fields.item("tighten");
    if (item == nullptr) {
        return std::nullopt;
    }
    const Fields parts(report, item->value, fields.subject("tighten"), kTightenFields);
    if (!parts.isMap()) {
        return std::nullopt;
    }
    parts.require("rule", "write `rule: NAME`, the rule whose slots decide");
    parts.require("above", "write `above: 80%`, how full that rule must be");
    parts.require("factor", "write `factor: 2`, how many times the cost then counts");
    Field<Tighten> tighten {{}, item->key.at, item->value.at, false};
    if (auto rule = parts.text("rule")) {
        tighten.value.rule = std::move(*rule);
        if (tighten.value.rule.value.empty()) {
            report.error("policy.empty-value", tighten.value.rule.at,
                         fmt::format("{} is empty", parts.subject("rule")),
                         "write the name of a rule");
        }
    }
    if (auto above = readPercent(parts, "above", kMostAbove)) {
        tighten.value.above = std::move(*above);
    }
    const auto factor = parts.parsed<std::int64_t>(
        "factor", "2", wholeWithin(2, std::numeric_limits<std::int64_t>::max()));
    if (factor) {
        tighten.value.factor = *factor;
    }
    return tighten;
}

void checkTightening(Report& report, const Policy& policy)
{
    std::unordered_map<std::string_view, const Rule*> known;
    std::vector<std::string_view> good;
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            known.emplace(rule.name.value, &rule);
            if (isRead(rule) && whyNot(rule).empty()) {
                good.push_back(rule.name.value);
            }
        }
    }
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            if (rule.tighten && !rule.tighten->value.rule.value.empty()) {
                const auto other = known.find(rule.tighten->value.rule.value);
                checkOne(report, rule, other == known.end() ? nullptr : other->second, good);
            }
        }
    }
}

} // namespace policies::language
