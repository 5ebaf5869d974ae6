#include "app/workbench/key_names.h"

#include "app/workbench/pseudonym.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

bool saysWhat(const std::string& attribute)
{
    const std::set<std::string> kWhat {"method", "host", "path", "scheme", "status"};
    return kWhat.contains(attribute);
}

/// What is cut from one of `names`, and what one of them is cut from. Were any added?
bool addRelated(const engine::Plan& plan, std::set<std::string>& names)
{
    const std::size_t before = names.size();
    for (const engine::Derivation& derived : plan.attributes) {
        if (derived.kind == engine::DerivationKind::Lookup) {
            continue;
        }
        if (names.contains(derived.from)) {
            names.insert(derived.name);
        } else if (names.contains(derived.name) && !saysWhat(derived.from)) {
            names.insert(derived.from);
        }
    }
    return names.size() > before;
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

std::string KeyNames::remark() const
{
    if (!hides()) {
        return {};
    }
    switch (m_scope) {
    case Scope::Log:
        return "Keys are shown as pseudonyms: one key has one name in all reports about the same "
               "log. Paths are shown as they are.";
    case Scope::MaskKey:
        return "Keys are shown as pseudonyms: one key has one name in all reports under the same "
               "mask key. Paths are shown as they are.";
    case Scope::Run:
        return "The run was killed before it knew how its log was read, so that all values of "
               "requests are shown as pseudonyms: one has one name in the reports of this run, and "
               "another one elsewhere.";
    }
    return {};
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
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (const engine::Plan* plan : plans) {
            grows = addRelated(*plan, names) || grows;
        }
    }
    return names;
}

PseudonymSecret secretOfLog(std::string_view fingerprint)
{
    return {sipHash(fingerprint, PseudonymSecret {1, 0}),
            sipHash(fingerprint, PseudonymSecret {2, 0})};
}

PseudonymSecret secretOfRun(const storage::RunSummary& run)
{
    return secretOfLog(
        fmt::format("{} {} {}", run.policyFingerprint, run.id, run.startedNs)); // to the ns
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
