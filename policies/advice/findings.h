#pragma once
#include "policies/advice.h"
#include "policies/language/report.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace policies::advice {

/// Takes advice in, lets a rule's `allow` silence it, and knows which `allow` was of use.
/// One for each policy; borrows it.
class Findings {
public:
    explicit Findings(const Policy& policy);

    /// Advice about one rule (or exemption). `help` says more exactly what the code's fix says in
    /// general; empty: the code's.
    template <class Owner>
    void add(std::string_view code, const Span& at, const Owner& owner, std::string message,
             std::string help = {})
    {
        if (!isAllowed(owner.allow, code)) {
            tell(code, at, std::move(message), std::move(help));
        }
    }

    /// Does the rule live with this? Asking counts as use, so ask only where it would be told.
    bool isAllowed(const Given<std::vector<Word>>& allow, std::string_view code);

    /// Advice that nobody can silence, or of which it is known that nobody did.
    void tell(std::string_view code, const Span& at, std::string message, std::string help = {});

    /// This code was not, or not wholly, looked for in this rule (or exemption).
    template <class Owner> void gaveUp(std::string_view code, const Owner& owner)
    {
        if (!isAllowed(owner.allow, "advice.partial")) {
            Partial& partial = m_partial[code];
            partial.first = partial.first == nullptr ? &owner.name : partial.first;
            ++partial.owners;
        }
    }

    /// Tells each such code once, with the number of those.
    void tellPartial();

    /// Codes in `allow` that there are not, and those that silenced nothing. Last of all; with
    /// `isWhole` false only the former, since not everything was looked at.
    void tellAboutAllow(bool isWhole);

    std::vector<engine::Diagnostic> take() { return m_report.take(); }

private:
    void tellAboutAllow(const Given<std::vector<Word>>& allow, const std::string& owner,
                        bool isWhole);

    struct Partial {
        const Field<std::string>* first = nullptr; ///< name of it
        std::int64_t owners = 0;
    };

    const Policy& m_policy;
    std::map<std::string_view, Partial> m_partial; ///< by code
    language::Report m_report;
    std::unordered_map<const Word*, bool> m_used;
};

} // namespace policies::advice
