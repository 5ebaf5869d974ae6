#include "app/console/author/policy_desk.h"

#include "app/console/session/document.h"

namespace app::console {

namespace {

constexpr qint64 kSoonMs = 25; ///< a check that took no longer is made at once

const policies::Policy* readable(const CheckedText& checked)
{
    const LoadedPolicy& loaded = checked.loaded;
    return loaded.policy ? &*loaded.policy : loaded.draft ? &*loaded.draft : nullptr;
}

} // namespace

const policies::Policy* PolicyDesk::policy() const
{
    if (m_document.checked()) {
        if (const policies::Policy* const policy = readable(*m_document.checked())) {
            return policy;
        }
    }
    return m_document.lastGood() ? &*m_document.lastGood()->loaded.policy : nullptr;
}

const std::vector<engine::Diagnostic>& PolicyDesk::problems() const
{
    static const std::vector<engine::Diagnostic> kNone;
    return m_document.checked() ? m_document.checked()->loaded.diagnostics : kNone;
}

bool PolicyDesk::isReadable() const
{
    return m_document.checked() && readable(*m_document.checked()) != nullptr;
}

bool PolicyDesk::isCurrent() const
{
    return m_document.isCurrent() && isReadable();
}

const policies::Rule* PolicyDesk::rule(const std::string& name) const
{
    const policies::Policy* const known = policy();
    return known == nullptr ? nullptr : known->rule(name);
}

std::string PolicyDesk::text()
{
    if (m_document.isOpen() && !m_document.isCurrent()) {
        m_document.checkNow();
    }
    return m_document.currentText();
}

bool PolicyDesk::apply(const engine::Result<policies::Edits>& edits)
{
    if (edits && edits->empty()) {
        return true;
    }
    const bool isSoon = m_document.checked() && m_document.checked()->milliseconds <= kSoonMs;
    if (!m_document.apply(edits)) {
        return false;
    }
    if (isSoon) {
        m_document.checkNow();
    }
    return true;
}

} // namespace app::console
