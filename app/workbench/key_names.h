#pragma once
#include "app/workbench/secrets.h"
#include "app/workbench/text.h"
#include "engine/plan.h"
#include "engine/result.h"
#include "storage/run_results.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// How the values of attributes are shown: as they are, or, in what leaves the house, those that
/// say who somebody is as pseudonyms. What carries Authorization or Cookie is never shown as it is.
///
/// Example: of "api_key", "k-free" may be "key-3f0c9a41d27e"; the same key has the same name in
/// every table and every comparison of that log, and a free plan stays "free".
class KeyNames {
public:
    /// Values as they are, but for credentials.
    explicit KeyNames(SecretAttributes credentials = {})
        : m_credentials(std::move(credentials))
    {
    }

    /// In which reports one value has one name.
    enum class Scope : std::uint8_t {
        Log, ///< in all about the same log
        MaskKey, ///< in all under the same --mask-key
        Run ///< in those of this run alone
    };

    /// Of these attributes, and of credentials, pseudonyms under `secret`.
    KeyNames(SecretAttributes credentials, PseudonymSecret secret, std::set<std::string> attributes,
             Scope scope = Scope::Log)
        : m_credentials(std::move(credentials))
        , m_secret(secret)
        , m_attributes(std::move(attributes))
        , m_scope(scope)
    {
    }

    /// Raw bytes: escape them. "" stays "".
    [[nodiscard]] std::string of(const std::string& attribute, std::string_view value) const;

    /// The begin of a line that could not be read, see SecretAttributes::shownLine(); nothing where
    /// keys are hidden: it may hold any of them.
    [[nodiscard]] std::optional<std::string> ofLine(std::string_view line) const;

    [[nodiscard]] bool hides() const { return m_secret.has_value(); }

    /// What the reader of pseudonyms must know; "" where there are none.
    [[nodiscard]] std::string remark() const;

private:
    SecretAttributes m_credentials;
    std::optional<PseudonymSecret> m_secret;
    std::set<std::string> m_attributes;
    Scope m_scope = Scope::Log;
};

/// The attributes whose values say who somebody is: `who`, what the rules' keys are made of, the
/// built-in ones that name a client, what is cut from any of these (a network, a part of a key) and
/// what any of these is cut from. Not: method, host, path, scheme and status; nor what a lookup
/// file gives (a plan), unless a rule's key is made of it.
///
/// Example: with a rule's key `acct: { from: email, pattern: "{acct}@x.test" }`, acct and email are
/// identities, and so is `domain`, if it is cut from email, too.
std::set<std::string> identities(const std::vector<const engine::Plan*>& plans,
                                 const std::string& who);

/// The secret of a log: from the fingerprint of its bytes, so that its pseudonyms are the same in
/// every report and nobody finds out which is whose without the log.
PseudonymSecret secretOfLog(std::string_view fingerprint);

/// The secret of a run that was killed before it knew its log's fingerprint: the same for each of
/// its reports, and of what only the store has.
PseudonymSecret secretOfRun(const storage::RunSummary& run);

/// The secret of `--mask-key`: the same pseudonyms across logs. Errors: mask.key.
engine::Result<PseudonymSecret> secretOfKey(std::string_view bytes);

} // namespace app
