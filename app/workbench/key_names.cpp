#include "app/workbench/key_names.h"

#include "app/workbench/pseudonym.h"

#include <algorithm>

namespace app {
namespace {

bool saysWhat(const std::string& attribute)
{
    const std::set<std::string> kWhat {"method", "host", "path", "scheme", "status"};
    return kWhat.contains(attribute);
}

} // namespace

std::string KeyNames::of(const std::string& attribute, std::string_view value) const
{
    const bool isHidden = m_secret && !value.empty()
        && (m_attributes.contains(attribute) || m_credentials.has(attribute));
    if (!isHidden) {
        return m_credentials.shown(attribute, value);
    }
    // The name goes in: an address as client_ip and as user are two things.
    std::string text = attribute;
    text += '\0';
    return pseudonym(text.append(value), *m_secret);
}

std::optional<std::string> KeyNames::ofLine(std::string_view line) const
{
    return hides() ? std::nullopt : std::optional(m_credentials.shownLine(line));
}

std::set<std::string> identities(const std::vector<const engine::Plan*>& plans,
                                 const std::string& who)
{
    std::set<std::string> names {"api_key", "user", "client_ip", "request_id", who};
    for (const engine::Plan* plan : plans) {
        for (const engine::PlanRule& rule : plan->rules) {
            std::copy_if(rule.key.begin(), rule.key.end(), std::inserter(names, names.end()),
                         [](const std::string& attribute) { return !saysWhat(attribute); });
        }
        // In their order: one may be derived from another.
        for (const engine::Derivation& derived : plan->attributes) {
            const bool isCut = derived.kind != engine::DerivationKind::Lookup;
            if (isCut && names.contains(derived.from)) {
                names.insert(derived.name);
            }
        }
    }
    return names;
}

PseudonymSecret secretOfLog(std::string_view fingerprint)
{
    return {sipHash(fingerprint, PseudonymSecret {1, 0}),
            sipHash(fingerprint, PseudonymSecret {2, 0})};
}

engine::Result<PseudonymSecret> secretOfKey(std::string_view bytes)
{
    const engine::Result<MaskKey> key = MaskKey::ofBytes(bytes);
    if (!key) {
        return engine::fail(key.error());
    }
    return PseudonymSecret {key->words[0], key->words[1]};
}

} // namespace app
