#include "app/workbench/secrets.h"

#include "app/workbench/stored_run.h"
#include "app/workbench/text.h"

#include <algorithm>

namespace app {
namespace {

/// Of everybody: a pseudonym tells values apart, and the same one in two places is one value. It
/// hides what nobody guesses; who knows a value can find it again.
constexpr PseudonymSecret kSecret {0x7765697220736563, 0x7265747320313233};

constexpr std::string_view kNotShown = "(not shown)";

} // namespace

void SecretAttributes::add(const std::vector<LogChoice>& logs)
{
    for (const LogChoice& log : logs) {
        m_isInLines = m_isInLines || isSecretAttribute(log.format);
        for (const storage::FieldMapping& mapping : log.mappings) {
            if (isSecretAttribute(mapping.field) && !has(mapping.name)) {
                m_names.push_back(mapping.name);
            }
        }
    }
}

void SecretAttributes::add(const engine::Plan& plan)
{
    for (const engine::Derivation& derivation : plan.attributes) { // what others use stands first
        if (derivation.kind != engine::DerivationKind::Lookup && has(derivation.from)
            && !has(derivation.name)) {
            m_names.push_back(derivation.name);
        }
    }
}

void SecretAttributes::add(const SecretAttributes& others)
{
    m_names.insert(m_names.end(), others.m_names.begin(), others.m_names.end());
    m_isAll = m_isAll || others.m_isAll;
    m_isInLines = m_isInLines || others.m_isInLines;
}

bool SecretAttributes::has(std::string_view attribute) const
{
    return m_isAll || isSecretAttribute(attribute)
        || std::find(m_names.begin(), m_names.end(), attribute) != m_names.end();
}

std::string SecretAttributes::shown(std::string_view attribute, std::string_view value) const
{
    return has(attribute) && !value.empty() ? pseudonym(value, kSecret) : std::string(value);
}

std::vector<std::string> SecretAttributes::shown(const std::vector<std::string>& attributes,
                                                 const std::vector<std::string_view>& values) const
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < values.size(); ++i) {
        all.push_back(shown(attributes[i], values[i]));
    }
    return all;
}

std::string SecretAttributes::shownLine(std::string_view line,
                                        const std::vector<std::string>& fields) const
{
    const bool hasSecret = m_isAll || m_isInLines || !m_names.empty() || isSecretAttribute(line)
        || std::any_of(fields.begin(), fields.end(),
                       [this](const std::string& field) { return has(field); });
    return std::string(hasSecret ? kNotShown : line);
}

SecretAttributes secretsOf(const storage::RunDetail& run)
{
    SecretAttributes secrets;
    if (const engine::Result<StoredPlan> stored = planOfRun(run)) {
        secrets.add(stored->logs);
        secrets.add(stored->plan);
    } else {
        secrets.addAll();
    }
    return secrets;
}

} // namespace app
