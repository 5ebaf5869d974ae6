#include "app/workbench/masked_figures.h"

#include "app/workbench/conditions_options.h"
#include "engine/attributes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {
namespace {

bool isCut(const engine::Derivation& derived)
{
    return derived.kind != engine::DerivationKind::Lookup;
}

/// An attribute and the field that logs mostly have it in.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSameThing {
    {{"client_ip", "remote_addr"}, {"user", "remote_user"}, {"api_key", "http_x_api_key"}}};

/// Makes one of two that are of the same text bring the other.
bool join(std::set<std::string>& names, std::string_view one, std::string_view other)
{
    const std::string a(one);
    const std::string b(other);
    return names.contains(a) != names.contains(b) && (names.insert(a), names.insert(b), true);
}

/// "192.0.2.7", "192.0.2.0/24" and "192.0.2.7, 198.51.100.1:443".
bool isOfAddresses(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        std::string_view one = text.substr(0, comma);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (!engine::parseAddress(one.substr(0, one.find('/')))) {
            return false;
        }
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return true;
}

} // namespace

std::set<std::string> masked(const std::vector<const engine::Plan*>& plans,
                             const std::set<std::string>& named)
{
    std::set<std::string> all = named;
    bool isMore = true;
    while (isMore) {
        isMore = false;
        for (const auto& [attribute, field] : kSameThing) {
            isMore = join(all, attribute, field) || isMore;
        }
        for (const engine::Plan* plan : plans) {
            for (const engine::Derivation& derived : plan->attributes) {
                isMore = (isCut(derived) && join(all, derived.name, derived.from)) || isMore;
            }
        }
    }
    return all;
}

MaskedFigures::MaskedFigures(const storage::RunFigures& figures,
                             const std::vector<const engine::Plan*>& plans, std::size_t which,
                             std::string who, const Masking& masking,
                             const engine::Conditions* conditions)
    : m_figures(figures)
    , m_plan(*plans[which])
    , m_who(std::move(who))
    , m_client(conditions == nullptr ? m_who : clientAttribute(*conditions, m_who))
    , m_server(conditions == nullptr ? std::string() : serverAttribute(*conditions))
    , m_masked(masked(plans, masking.attributes))
    , m_pseudonyms(masking.key)
{
}

std::string_view MaskedFigures::shown(const std::string& attribute, std::string_view value,
                                      std::size_t i) const
{
    const bool isNamed = m_masked.contains(attribute);
    if (value.empty() || (!isNamed && !(m_masked.contains("client_ip") && isOfAddresses(value)))) {
        return value;
    }
    if (m_texts.size() <= i) {
        m_texts.resize(i + 1);
    }
    m_texts[i] = m_pseudonyms.of(isNamed ? attribute : "client_ip", value);
    return m_texts[i];
}

std::vector<std::string_view> MaskedFigures::keyText(std::size_t rule, std::uint32_t key) const
{
    const std::vector<std::string>& attributes = m_plan.rules[rule].key;
    std::vector<std::string_view> values = m_figures.keyText(rule, key);
    m_texts.resize(std::max(m_texts.size(), values.size())); // no view may move
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = shown(attributes[i], values[i], i);
    }
    return values;
}

std::string_view MaskedFigures::whoText(std::uint32_t id) const
{
    return shown(m_who, m_figures.whoText(id), 0);
}

std::string_view MaskedFigures::pathGroupText(std::uint32_t id) const
{
    return shown("path", m_figures.pathGroupText(id), 0);
}

void MaskedFigures::hide(const std::string& attribute, std::string& value) const
{
    value = std::string(shown(attribute, value, 0));
}

void MaskedFigures::hideKey(std::size_t rule, std::vector<std::string>& values) const
{
    const std::vector<std::string>& attributes = m_plan.rules[rule].key;
    for (std::size_t i = 0; i < values.size(); ++i) {
        hide(attributes[i], values[i]);
    }
}

storage::RunConditions MaskedFigures::conditions() const
{
    storage::RunConditions conditions = m_figures.conditions();
    for (storage::ServerTotal& server : conditions.servers) {
        if (!m_server.empty()) {
            hide(m_server, server.name);
        }
    }
    for (storage::ServerRuleTotal& rule : conditions.rules) {
        hideKey(rule.rule, rule.inWindow.key);
        hideKey(rule.rule, rule.inSecond.key);
    }
    if (conditions.clients) {
        for (storage::LockoutTotal& lockout : conditions.clients->longest) {
            hide(m_client, lockout.client);
        }
    }
    return conditions;
}

std::vector<storage::BadLines> withoutTexts(std::vector<storage::BadLines> lines)
{
    for (storage::BadLines& bad : lines) {
        for (storage::BadLineExample& example : bad.examples) {
            example.text = "(not shown)";
        }
    }
    return lines;
}

} // namespace app
