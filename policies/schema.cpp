#include "policies/schema.h"

#include "engine/plan.h"
#include "policies/language/field_table.h"
#include "policies/language/limits.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace policies {
namespace {

using language::Owner;

// Kinds of values, each a definition of its own. A text of YAML may look like a number or a truth
// value to an editor: `name: 404` is a name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kKinds {{
    {"text", R"({"type": ["string", "number", "boolean"], "minLength": 1})"},
    {"words", R"({"type": "array", "items": {"$ref": "#/$defs/text"}})"},
    {"key", R"({"type": "array", "items": {"$ref": "#/$defs/text"}, "uniqueItems": true})"},
    {"whole",
     R"({"anyOf": [{"type": "integer", "minimum": 0},)"
     R"( {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}]})"},
    {"duration", R"({"type": "string", "pattern": "^(0|[1-9][0-9]*)(ms|s|min|h|day|week)$"})"},
    {"rate",
     R"({"type": "string", "pattern": "^(0|[1-9][0-9]*)/([1-9][0-9]*)?(ms|s|min|h|day|week)$"})"},
    {"burst",
     R"({"anyOf": [{"type": "integer", "minimum": 1},)"
     R"( {"type": "string", "pattern": "^[1-9][0-9]*x?$"}]})"},
    {"slots",
     R"({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2147483647},)"
     R"( {"type": "string", "pattern": "^[1-9][0-9]{0,9}$"}]})"},
    {"factor",
     R"({"anyOf": [{"type": "integer", "minimum": 2},)"
     R"( {"type": "string", "pattern": "^([2-9]|[1-9][0-9]+)$"}]})"},
    {"share", R"({"type": "string", "pattern": "^([0-9]|[1-9][0-9]|100)%$"})"},
    {"percent", R"({"type": "string", "pattern": "^(0|[1-9][0-9]{0,6})%$"})"},
    {"classes", R"({"type": "array", "items": {"$ref": "#/$defs/class"}})"},
    {"boolean", R"({"enum": [true, false, "true", "false"]})"},
    {"status",
     R"({"anyOf": [{"type": "integer", "minimum": 400, "maximum": 599},)"
     R"( {"type": "string", "pattern": "^[45][0-9][0-9]$"}]})"},
    {"cost",
     R"({"anyOf": [{"$ref": "#/$defs/whole"}, {"type": "object", "properties": {)"
     R"("attribute": {"$ref": "#/$defs/text"}, "per": {"$ref": "#/$defs/burst"}},)"
     R"( "required": ["attribute"], "additionalProperties": false}]})"},
    {"bits4",
     R"({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 32},)"
     R"( {"type": "string", "pattern": "^([0-9]|[12][0-9]|3[0-2])$"}]})"},
    {"bits6",
     R"({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 128},)"
     R"( {"type": "string", "pattern": "^([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$"}]})"},
    {"prefix",
     R"({"type": "object", "properties": {"ipv4": {"$ref": "#/$defs/bits4"},)"
     R"( "ipv6": {"$ref": "#/$defs/bits6"}}, "additionalProperties": false, "minProperties": 1})"},
    {"values",
     R"({"anyOf": [{"$ref": "#/$defs/text"}, {"type": "array",)"
     R"( "items": {"$ref": "#/$defs/text"}, "minItems": 1}]})"},
    {"match",
     R"({"type": "object", "additionalProperties": {"anyOf": [{"$ref": "#/$defs/values"},)"
     R"( {"type": "object", "properties": {"not": {"$ref": "#/$defs/values"}},)"
     R"( "required": ["not"], "additionalProperties": false}]}})"},
}};

/// The kind of a field by its name: a name means the same wherever it stands.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> kKindOf {{
    {"match", "match"},
    {"key", "key"},
    {"allow", "words"},
    {"rate", "rate"},
    {"burst", "burst"},
    {"tolerance", "duration"},
    {"anchor", "duration"},
    {"assume_duration", "duration"},
    {"queue", "whole"},
    {"delay_after", "whole"},
    {"in_flight", "whole"},
    {"capacity", "whole"},
    {"classes", "classes"},
    {"up_to", "share"},
    {"initial", "slots"},
    {"min", "slots"},
    {"max", "slots"},
    {"tighten", "tighten"},
    {"above", "percent"},
    {"factor", "factor"},
    {"cost", "cost"},
    {"count_rejected", "boolean"},
    {"status", "status"},
    {"exempt", "exemptions"},
    {"attributes", "attributes"},
    {"tiers", "tiers"},
    {"overrides", "overrides"},
    {"prefix", "prefix"},
    {"note", "any_text"},
    {"description", "any_text"},
    {"default", "any_text"},
}};

/// Closed sets.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kChoices {{
    {"weir", R"([1, "1"])"},
    {"counting", R"(["per_tier", "all_or_nothing"])"},
    {"mode", R"(["enforce", "shadow", "off", false])"},
    {"align", R"(["epoch", "first_request"])"},
    {"rounding", R"(["floor"])"},
    {"on_store_failure", R"(["open", "closed", "local"])"},
    {"strategy", R"(["vegas", "gradient2", "aimd", "fleet", "utilisation"])"},
}};

constexpr std::array kAlgorithms {
    engine::Algorithm::FixedWindow,          engine::Algorithm::SlidingWindowLog,
    engine::Algorithm::SlidingWindowCounter, engine::Algorithm::TokenBucket,
    engine::Algorithm::LeakyBucket,          engine::Algorithm::Gcra,
    engine::Algorithm::Concurrency,          engine::Algorithm::AdaptiveConcurrency,
    engine::Algorithm::LoadShedder};

std::string quoted(std::string_view text)
{
    return fmt::format("\"{}\"", text); // descriptions and names of ours: nothing to escape
}

template <std::size_t Count>
std::string_view
lookUp(const std::array<std::pair<std::string_view, std::string_view>, Count>& table,
       std::string_view name)
{
    const auto* found = std::find_if(table.begin(), table.end(),
                                     [name](const auto& row) { return row.first == name; });
    return found == table.end() ? std::string_view {} : found->second;
}

std::string algorithmNames()
{
    std::string names;
    for (const engine::Algorithm algorithm : kAlgorithms) {
        names += (names.empty() ? "" : ", ") + quoted(engine::nameOf(algorithm));
    }
    return "[" + names + "]";
}

std::string valueOf(Owner owner, std::string_view name)
{
    if (owner == Owner::Policy && name == "name") {
        return R"("type": ["string", "integer", "boolean"], "pattern": "^[A-Za-z0-9_-]+$")";
    }
    if (name == "algorithm") {
        return "\"enum\": " + algorithmNames();
    }
    if (const std::string_view choices = lookUp(kChoices, name); !choices.empty()) {
        return fmt::format("\"enum\": {}", choices);
    }
    const std::string_view kind = lookUp(kKindOf, name);
    return fmt::format(R"("$ref": "#/$defs/{}")", kind.empty() ? "text" : kind);
}

std::string mapOf(Owner owner, const std::vector<std::string_view>& required, std::string_view more)
{
    std::string properties;
    for (const language::FieldInfo& field : language::fieldsOf(owner)) {
        properties
            += fmt::format(R"({}"{}": {{"description": "{}", {}}})", properties.empty() ? "" : ", ",
                           field.name, field.description, valueOf(owner, field.name));
    }
    std::string names;
    for (const std::string_view name : required) {
        names += (names.empty() ? "" : ", ") + quoted(name);
    }
    return fmt::format(
        R"({{"type": "object", "properties": {{{}}}, "required": [{}], "additionalProperties": false{}}})",
        properties, names, more);
}

std::string listOf(std::string_view kind)
{
    return fmt::format(R"({{"type": "array", "items": {{"$ref": "#/$defs/{}"}}}})", kind);
}

std::string tiers()
{
    std::string properties;
    for (std::size_t t = 0; t < engine::kTierCount; ++t) {
        properties += fmt::format(R"({}"{}": {{"$ref": "#/$defs/rules"}})", t == 0 ? "" : ", ",
                                  engine::nameOf(static_cast<engine::Tier>(t)));
    }
    return fmt::format(
        R"({{"type": "object", "properties": {{{}}}, "additionalProperties": false}})", properties);
}

/// Beside one field of a rule, its overrides cannot have the other.
std::string noOverride(std::string_view field, std::string_view other)
{
    return fmt::format(R"({{"if": {{"required": ["{}"]}}, "then": {{"properties": {{"overrides": )"
                       R"({{"items": {{"properties": {{"{}": false}}}}}}}}}}}})",
                       field, other);
}

/// One of the ways to compute an attribute, each with what belongs to it.
std::string attributeRules()
{
    constexpr std::array<std::string_view, 4> kWays {"pattern", "prefix", "lookup", "param"};
    std::string rules = R"({"if": {"required": ["param"]},)"
                        R"( "then": {"properties": {"from": {"const": "query"}}}})";
    for (std::size_t i = 0; i < kWays.size(); ++i) {
        for (std::size_t k = i + 1; k < kWays.size(); ++k) {
            rules += fmt::format(R"(, {{"not": {{"required": ["{}", "{}"]}}}})", kWays.at(i),
                                 kWays.at(k));
        }
    }
    return fmt::format(
        R"(, "dependentRequired": {{"take": ["pattern"], "default": ["lookup"]}}, "allOf": [{}])",
        rules);
}

/// What a limit must have, and must not.
std::string needsOf(engine::Algorithm algorithm)
{
    switch (algorithm) {
    case engine::Algorithm::Gcra:
        return R"("required": ["rate"], "anyOf": [{"required": ["burst"]}, {"required": ["tolerance"]}],)"
               R"( "not": {"required": ["burst", "tolerance"]}, "allOf": [)"
            + noOverride("burst", "tolerance") + ", " + noOverride("tolerance", "burst") + "]";
    case engine::Algorithm::LeakyBucket:
        return R"("required": ["rate", "queue"])";
    case engine::Algorithm::Concurrency:
        return R"("required": ["in_flight"])";
    case engine::Algorithm::AdaptiveConcurrency:
        return R"("required": [])";
    case engine::Algorithm::LoadShedder:
        return R"("required": ["capacity"])";
    case engine::Algorithm::FixedWindow:
        return R"("required": ["rate"], "not": {"required": ["align", "anchor"],)"
               R"( "properties": {"align": {"const": "first_request"}}})";
    default:
        return R"("required": ["rate"])";
    }
}

/// Fields of all rules that such a one has not, or with fewer values.
std::string narrowedBy(engine::Algorithm algorithm)
{
    switch (algorithm) {
    case engine::Algorithm::AdaptiveConcurrency:
        return R"(, "strategy": {"enum": ["vegas", "gradient2", "aimd"]})";
    case engine::Algorithm::LoadShedder:
        return R"(, "strategy": {"enum": ["fleet", "utilisation"]}, "cost": false, "tighten": false)";
    default:
        return {};
    }
}

std::string algorithmRules()
{
    std::string rules;
    for (const engine::Algorithm algorithm : kAlgorithms) {
        const std::vector<std::string_view> has = language::limitFieldsOf(algorithm);
        std::string others;
        for (const std::string_view field : language::limitFields()) {
            if (std::find(has.begin(), has.end(), field) == has.end()) {
                others += fmt::format(R"({}"{}": false)", others.empty() ? "" : ", ", field);
            }
        }
        others += narrowedBy(algorithm);
        rules += fmt::format(
            R"({}{{"if": {{"required": ["algorithm"], "properties": {{"algorithm": {{"const": "{}"}}}}}}, )",
            rules.empty() ? "" : ", ", engine::nameOf(algorithm));
        rules += fmt::format(
            R"("then": {{"properties": {{{0}, "overrides": {{"items": {{"properties": {{{0}}}}}}}}}, {1}}}}})",
            others, needsOf(algorithm));
    }
    return fmt::format(R"(, "allOf": [{}])", rules);
}

std::string definitions()
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [name, schema] : kKinds) {
        all.emplace_back(name, schema);
    }
    all.emplace_back("any_text", R"({"type": ["string", "number", "boolean"]})");
    all.emplace_back("attribute", mapOf(Owner::Attribute, {"from"}, attributeRules()));
    all.emplace_back(
        "attributes",
        R"({"type": "object", "additionalProperties": {"$ref": "#/$defs/attribute"}})");
    all.emplace_back("exemption", mapOf(Owner::Exemption, {"name", "match"}, ""));
    all.emplace_back("exemptions", listOf("exemption"));
    all.emplace_back("class", mapOf(Owner::Class, {"name", "match", "up_to"}, ""));
    all.emplace_back("tighten", mapOf(Owner::Tighten, {"rule", "above", "factor"}, ""));
    all.emplace_back("override", mapOf(Owner::Override, {"name", "match"}, ""));
    all.emplace_back("overrides", listOf("override"));
    all.emplace_back("rule", mapOf(Owner::Rule, {"name", "key", "algorithm"}, algorithmRules()));
    all.emplace_back("rules", listOf("rule"));
    all.emplace_back("tiers", tiers());
    std::string text;
    for (const auto& [name, schema] : all) {
        text += fmt::format(R"({}"{}": {})", text.empty() ? "" : ", ", name, schema);
    }
    return text;
}

/// Line by line, two blanks a level. A short map or list without others in it stays on its line.
std::string indented(std::string_view json)
{
    constexpr std::size_t kShort = 90;
    std::string out;
    std::size_t level = 0;
    const auto feed = [&] { out += "\n" + std::string(2 * level, ' '); };
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (c == '"') {
            const std::size_t end = json.find('"', at + 1);
            out += json.substr(at, end + 1 - at);
            at = end;
        } else if (c == '{' || c == '[') {
            const std::size_t end = json.find(c == '{' ? '}' : ']', at);
            const std::string_view inner = json.substr(at + 1, end - at - 1);
            if (inner.size() < kShort && inner.find_first_of("{[") == std::string_view::npos) {
                out += json.substr(at, end + 1 - at);
                at = end;
                continue;
            }
            out.push_back(c);
            ++level;
            feed();
        } else if (c == '}' || c == ']') {
            --level;
            feed();
            out.push_back(c);
        } else if (c == ',') {
            out.push_back(c);
            feed();
        } else if (c != ' ' || out.back() == ':') {
            out.push_back(c);
        }
    }
    return out + "\n";
}

} // namespace

std::string jsonSchema()
{
    const std::string root = mapOf(Owner::Policy, {"weir", "name", "tiers"},
                                   fmt::format(R"(, "$defs": {{{}}})", definitions()));
    return indented(fmt::format(
        R"({{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "weir policy", {})",
        std::string_view(root).substr(1)));
}

} // namespace policies
