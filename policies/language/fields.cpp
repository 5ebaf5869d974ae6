#include "policies/language/fields.h"

#include "policies/language/words.h"

#include <algorithm>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 2> kForLater {"block_for", "during"};

std::string_view kindName(const yaml::Node& node)
{
    switch (node.kind) {
    case yaml::Kind::Null:
        return "nothing";
    case yaml::Kind::Scalar:
        return "a text";
    case yaml::Kind::Sequence:
        return "a list";
    case yaml::Kind::Map:
        break;
    }
    return "a map";
}

/// `-a` for a list, `a:1` for a map: a blank is missing.
std::string blankHelp(const yaml::Node& node, std::string help)
{
    if (node.kind != yaml::Kind::Scalar || node.quoted) {
        return help;
    }
    if (node.text.size() > 1 && node.text[0] == '-' && node.text[1] != ' ') {
        return "write a blank behind each `-`";
    }
    const std::size_t colon = node.text.find(':');
    if (colon != std::string::npos && colon > 0 && node.text.find(' ') == std::string::npos) {
        return fmt::format("write a blank behind the colon: `{}: {}`", node.text.substr(0, colon),
                           shown(node.text.substr(colon + 1)));
    }
    return help;
}

} // namespace

bool isForLater(std::string_view field)
{
    return std::find(kForLater.begin(), kForLater.end(), field) != kForLater.end();
}

void reportType(Report& report, const yaml::Node& node, std::string_view subject,
                std::string_view needed, std::string help)
{
    if (node.unusable) {
        return;
    }
    const std::string text
        = node.kind == yaml::Kind::Scalar ? fmt::format(" (`{}`)", shown(node.text)) : "";
    report.error("policy.type", node.at,
                 fmt::format("{} is {}{}, and {} is needed", subject, kindName(node), text, needed),
                 blankHelp(node, std::move(help)));
}

void reportNoValue(Report& report, const yaml::Item& item, std::string_view subject)
{
    if (item.value.unusable) {
        return;
    }
    std::string help = "write a value behind it, or remove the line";
    const std::size_t colon = item.key.text.find(':');
    if (item.value.at.end > item.value.at.begin) {
        help = "put it in quotes if this text is meant, or remove the line";
    } else if (!item.key.quoted && colon != std::string::npos && colon > 0) {
        help = fmt::format("write a blank behind the colon: `{}: {}`",
                           item.key.text.substr(0, colon), shown(item.key.text.substr(colon + 1)));
    }
    const bool isAdjusted = item.value.at.source != item.key.at.source;
    report.error("policy.no-value", isAdjusted ? item.value.at : item.key.at,
                 fmt::format("{} has no value", subject), std::move(help));
}

Field<std::string> fieldOf(const yaml::Item& item)
{
    return {item.value.text, item.key.at, item.value.at, item.value.quoted};
}

std::vector<Word> wordsOf(Report& report, const yaml::Node& node, std::string_view subject,
                          bool allowSingle)
{
    std::vector<Word> words;
    if (allowSingle && node.kind == yaml::Kind::Scalar) {
        if (!node.unusable) {
            words.push_back({node.text, node.quoted, node.at});
        }
        return words;
    }
    if (node.kind != yaml::Kind::Sequence) {
        reportType(report, node, subject, "a list",
                   node.kind == yaml::Kind::Scalar ? fmt::format("write `[{}]`", shown(node.text))
                                                   : "write `[a, b]`");
        return words;
    }
    for (const yaml::Item& item : node.items) {
        if (item.value.kind == yaml::Kind::Scalar && !item.value.unusable) {
            words.push_back({item.value.text, item.value.quoted, item.value.at});
        } else {
            reportType(report, item.value, fmt::format("an item of {}", subject), "a text",
                       item.value.kind == yaml::Kind::Null ? "remove the empty item"
                                                           : "write single texts, as `[a, b]`");
        }
    }
    return words;
}

Fields::Fields(Report& report, const yaml::Node& map, std::string owner,
               std::span<const std::string_view> known)
    : m_report(report)
    , m_map(map)
    , m_owner(std::move(owner))
{
    if (map.kind != yaml::Kind::Map) {
        reportType(report, map, m_owner, "a map of fields",
                   fmt::format("write `{}: ...`", known.front()));
        return;
    }
    checkNames(known);
}

void Fields::checkNames(std::span<const std::string_view> known)
{
    for (const yaml::Item& item : m_map.items) {
        if (std::find(known.begin(), known.end(), item.key.text) != known.end()) {
            if (item.value.kind == yaml::Kind::Null) {
                reportNoValue(m_report, item, subject(item.key.text));
            }
        } else if (isForLater(item.key.text)) {
            m_report.error(
                "policy.later-version", item.key.at,
                fmt::format("`{}` of {} comes in a later version", item.key.text, m_owner),
                "leave it out");
        } else if (item.value.kind == yaml::Kind::Null
                   && item.key.text.find(':') != std::string::npos) {
            reportNoValue(m_report, item, fmt::format("`{}`", shown(item.key.text)));
        } else {
            m_meant.push_back(nearest(item.key.text, known));
            m_report.error("policy.unknown-field", item.key.at,
                           fmt::format("`{}` is not a field of {}", shown(item.key.text), m_owner),
                           suggest(item.key.text, known, "leave it out; the fields here are"));
        }
    }
}

const yaml::Item* Fields::item(std::string_view name) const
{
    const yaml::Item* found = yaml::find(m_map, name);
    return found == nullptr || found->value.kind == yaml::Kind::Null || found->value.unusable
        ? nullptr
        : found;
}

std::string Fields::subject(std::string_view name) const
{
    return fmt::format("`{}` of {}", name, m_owner);
}

void Fields::require(std::string_view name, std::string help) const
{
    const bool isMeant = std::find(m_meant.begin(), m_meant.end(), name) != m_meant.end();
    if (isMap() && !m_map.unusable && !has(name) && !isMeant) {
        m_report.error("policy.missing-field", m_map.at,
                       fmt::format("{} has no `{}`", m_owner, name), std::move(help));
    }
}

const yaml::Item* Fields::scalar(std::string_view name, std::string_view wanted) const
{
    const yaml::Item* found = item(name);
    if (found != nullptr && found->value.kind != yaml::Kind::Scalar) {
        reportType(m_report, found->value, subject(name), "one value",
                   fmt::format("write `{}: {}`", name, wanted));
        return nullptr;
    }
    return found;
}

Given<std::string> Fields::text(std::string_view name) const
{
    const yaml::Item* found = scalar(name, "TEXT");
    return found == nullptr ? Given<std::string> {} : Given<std::string> {fieldOf(*found)};
}

void Fields::reportChoice(std::string_view name, const yaml::Item& item,
                          std::span<const std::string_view> names) const
{
    m_report.error("policy.choice", item.value.at,
                   fmt::format("`{}` is no value of {}", shown(item.value.text), subject(name)),
                   suggest(item.value.text, names, "write"));
}

} // namespace policies::language
