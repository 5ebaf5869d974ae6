#include "app/workbench/masked_figures.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

bool isCut(const engine::Derivation& derived)
{
    return derived.kind != engine::DerivationKind::Lookup;
}

} // namespace

std::set<std::string> masked(const engine::Plan& plan, const std::set<std::string>& named)
{
    std::set<std::string> all = named;
    // What a masked value was cut from has it in its text. Sources stand before what is derived.
    for (auto derived = plan.attributes.rbegin(); derived != plan.attributes.rend(); ++derived) {
        if (isCut(*derived) && all.contains(derived->name)) {
            all.insert(derived->from);
        }
    }
    for (const engine::Derivation& derived : plan.attributes) {
        if (isCut(derived) && all.contains(derived.from)) {
            all.insert(derived.name);
        }
    }
    return all;
}

MaskedFigures::MaskedFigures(const storage::RunFigures& figures, const engine::Plan& plan,
                             std::string who, const Masking& masking)
    : m_figures(figures)
    , m_plan(plan)
    , m_who(std::move(who))
    , m_masked(masked(plan, masking.attributes))
    , m_pseudonyms(masking.key)
{
}

std::string_view MaskedFigures::shown(const std::string& attribute, std::string_view value,
                                      std::size_t i) const
{
    if (value.empty() || !m_masked.contains(attribute)) {
        return value;
    }
    if (m_texts.size() <= i) {
        m_texts.resize(i + 1);
    }
    m_texts[i] = m_pseudonyms.of(attribute, value);
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
