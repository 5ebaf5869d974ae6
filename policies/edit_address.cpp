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

std::vector<std::string> namesIn(const yaml::Node& root, const Part& owner)
{
    std::vector<std::string> names;
    const auto list = editing::findList(root, owner);
    if (!list || !*list) {
        return names;
    }
    for (const yaml::Item& item : editing::nodeAt(root, **list).items) {
        if (const auto name = editing::fieldIndex(item.value, "name")) {
            names.push_back(item.value.items[*name].value.text);
        }
    }
    return names;
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

} // namespace

engine::Result<Address> addressOf(std::string_view text, std::string_view path)
{
    const engine::Result<editing::Draft> draft = editing::Draft::open(text);
    if (!draft) {
        return engine::fail(draft.error());
    }
    if (auto address = inRules(draft->root(), path)) {
        return *address;
    }
    if (auto address = inPolicy(draft->root(), path)) {
        return *address;
    }
    const std::size_t joint = std::min(path.find_first_of("./"), path.size());
    const auto missing
        = editing::find(draft->root(), Part::ofRule(std::string(path.substr(0, joint))));
    return engine::fail(missing.error());
}

} // namespace policies
