#include "policies/edit_address.h"

#include "policies/editing/parts.h"
#include "policies/language/field_table.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace policies {
namespace {

FieldPath splitAtDots(std::string_view rest)
{
    FieldPath field;
    while (!rest.empty()) {
        const std::size_t dot = std::min(rest.find('.'), rest.size());
        field.emplace_back(rest.substr(0, dot));
        rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    return field;
}

/// The longest of the names that the path begins with; what is behind it begins with one of
/// `joints` or is nothing.
std::optional<std::string> longestOf(const std::vector<std::string>& names, std::string_view path,
                                     std::string_view joints)
{
    std::optional<std::string> best;
    for (const std::string& name : names) {
        const bool isPrefix = !name.empty() && path.starts_with(name)
            && (path.size() == name.size()
                || joints.find(path[name.size()]) != std::string_view::npos);
        if (isPrefix && (!best || name.size() > best->size())) {
            best = name;
        }
    }
    return best;
}

std::string_view behind(std::string_view path, std::string_view name)
{
    return path.substr(std::min(name.size() + 1, path.size()));
}

std::vector<std::string> namesOf(const yaml::Node& list)
{
    std::vector<std::string> names;
    for (const yaml::Item& item : list.items) {
        if (const auto name = editing::fieldIndex(item.value, "name")) {
            names.push_back(item.value.items[*name].value.text);
        }
    }
    return names;
}

std::vector<std::string> namesIn(const yaml::Node& root, const Part& owner)
{
    const auto list = editing::findList(root, owner);
    return list && *list ? namesOf(editing::nodeAt(root, **list)) : std::vector<std::string> {};
}

std::vector<std::string> classesIn(const yaml::Node& root, const std::string& rule)
{
    const auto path = editing::find(root, Part::ofRule(rule));
    const yaml::Node* map = path ? &editing::nodeAt(root, *path) : nullptr;
    const auto classes = map ? editing::fieldIndex(*map, "classes") : std::nullopt;
    return classes ? namesOf(map->items[*classes].value) : std::vector<std::string> {};
}

std::optional<Address> inRules(const yaml::Node& root, std::string_view path)
{
    std::vector<std::string> rules;
    for (const auto& [name, way] : editing::rulesIn(root)) {
        rules.push_back(name);
    }
    const auto rule = longestOf(rules, path, "./");
    if (!rule) {
        return std::nullopt;
    }
    const std::string_view rest = behind(path, *rule);
    const bool isSlash = path.size() > rule->size() && path[rule->size()] == '/';
    if (const auto name = longestOf(namesIn(root, Part::ofRule(*rule)), rest, ".")) {
        return Address {Part::ofOverride(*rule, *name), splitAtDots(behind(rest, *name))};
    }
    const auto shed = isSlash ? std::nullopt : longestOf(classesIn(root, *rule), rest, ".");
    if (shed) {
        return Address {Part::ofClass(*rule, *shed), splitAtDots(behind(rest, *shed))};
    }
    if (isSlash) {
        const std::size_t dot = std::min(rest.find('.'), rest.size());
        return Address {Part::ofOverride(*rule, std::string(rest.substr(0, dot))),
                        splitAtDots(behind(rest, rest.substr(0, dot)))};
    }
    return Address {Part::ofRule(*rule), splitAtDots(rest)};
}

std::optional<Address> inPolicy(const yaml::Node& root, std::string_view path)
{
    constexpr std::string_view kExempt = "exempt.";
    constexpr std::string_view kTiers = "tiers.";
    if (path.starts_with(kExempt)) {
        const std::string_view rest = path.substr(kExempt.size());
        if (const auto name = longestOf(namesIn(root, Part::ofPolicy()), rest, ".")) {
            return Address {Part::ofExemption(*name), splitAtDots(behind(rest, *name))};
        }
        return Address {Part::ofExemption(std::string(rest)), {}};
    }
    if (path.starts_with(kTiers)) {
        return Address {Part {Part::Kind::Tier, std::string(path.substr(kTiers.size()))}, {}};
    }
    FieldPath field = splitAtDots(path);
    const std::vector<std::string_view> known = language::fieldNames(language::Owner::Policy);
    if (!field.empty() && std::find(known.begin(), known.end(), field.front()) != known.end()) {
        return Address {Part::ofPolicy(), std::move(field)};
    }
    return std::nullopt;
}

/// Can the field be one of such a part?
bool isKnown(const Address& address)
{
    const std::vector<std::string_view> known = language::fieldNames(
        address.part.kind == Part::Kind::Override    ? language::Owner::Override
            : address.part.kind == Part::Kind::Class ? language::Owner::Class
                                                     : language::Owner::Rule);
    return address.field.empty()
        || std::find(known.begin(), known.end(), address.field.front()) != known.end();
}

engine::Result<Address> addressIn(const yaml::Node& root, std::string_view path)
{
    const std::optional<Address> rule = inRules(root, path);
    if (rule && isKnown(*rule)) {
        return *rule;
    }
    if (const auto other = inPolicy(root, path);
        other && (!rule || editing::find(root, other->part))) {
        return *other;
    }
    if (rule) {
        return *rule;
    }
    const std::size_t joint = std::min(path.find_first_of("./"), path.size());
    const auto missing = editing::find(root, Part::ofRule(std::string(path.substr(0, joint))));
    return engine::fail(missing.error());
}

} // namespace

engine::Result<Address> addressOf(std::string_view text, std::string_view path)
{
    const engine::Result<editing::Draft> draft = editing::Draft::open(text);
    return draft ? addressIn(draft->root(), path) : engine::fail(draft.error());
}

engine::Result<Assignment> assignmentOf(std::string_view text, std::string_view written,
                                        bool hasField)
{
    const engine::Result<editing::Draft> draft = editing::Draft::open(text);
    if (!draft) {
        return engine::fail(draft.error());
    }
    const std::size_t first = written.find('=');
    if (first == std::string_view::npos || first == 0) {
        return engine::fail("edit.form", "this is not of the form NAME=VALUE",
                            "write what is to be changed before a `=`");
    }
    std::optional<Assignment> best;
    std::size_t longest = 0;
    for (std::size_t at = first; at != std::string_view::npos; at = written.find('=', at + 1)) {
        const engine::Result<Address> address = addressIn(draft->root(), written.substr(0, at));
        if (!address || address->field.empty() == hasField
            || !editing::find(draft->root(), address->part)) {
            continue;
        }
        const std::size_t length = address->part.rule.size() + address->part.name.size();
        if (!best || length > longest) {
            best = Assignment {*address, written.substr(at + 1)};
            longest = length;
        }
    }
    if (best) {
        return *best;
    }
    const engine::Result<Address> address = addressIn(draft->root(), written.substr(0, first));
    return address ? engine::Result<Assignment>({*address, written.substr(first + 1)})
                   : engine::fail(address.error());
}

} // namespace policies
