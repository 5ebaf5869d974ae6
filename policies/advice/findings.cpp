#include "policies/advice/findings.h"

#include "policies/advice/words.h"
#include "policies/language/limits.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::advice {

Findings::Findings(const Policy& policy)
    : m_policy(policy)
    , m_report(policy.file, policy.adjustments)
{
}

bool Findings::isAllowed(const Given<std::vector<Word>>& allow, std::string_view code)
{
    bool found = false;
    if (allow) {
        for (const Word& word : allow->value) {
            if (word.text == code) {
                m_used[&word] = true;
                found = true;
            }
        }
    }
    return found;
}

void Findings::tell(std::string_view code, const Span& at, std::string message, std::string help)
{
    const AdviceCode* kind = adviceCode(code);
    engine::Diagnostic diagnostic;
    diagnostic.severity = engine::Severity::Advice;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.reason = kind->reason;
    diagnostic.help = help.empty() ? std::string(kind->fix) : std::move(help);
    m_report.add(std::move(diagnostic), at);
}

void Findings::tellPartial()
{
    for (const auto& [code, partial] : m_partial) {
        const std::int64_t others = partial.owners - 1;
        tell("advice.partial", partial.first->at,
             fmt::format("`{}` was looked for in part only for `{}`{}", code,
                         language::shown(partial.first->value),
                         others == 0 ? std::string() : " and " + counted(others, "more", "more")));
    }
}

void Findings::tellAboutAllow(bool isWhole)
{
    for (const Exempt& exempt : m_policy.exempt) {
        tellAboutAllow(exempt.allow,
                       fmt::format("exemption `{}`", language::shown(exempt.name.value)), isWhole);
    }
    for (const std::vector<Rule>& rules : m_policy.tiers) {
        for (const Rule& rule : rules) {
            const bool isOff = language::modeOf(rule.values) == engine::Mode::Off;
            tellAboutAllow(rule.allow, fmt::format("rule `{}`", language::shown(rule.name.value)),
                           isWhole && !isOff);
        }
    }
}

void Findings::tellAboutAllow(const Given<std::vector<Word>>& allow, const std::string& owner,
                              bool isWhole)
{
    if (!allow) {
        return;
    }
    for (const Word& word : allow->value) {
        const AdviceCode* code = adviceCode(word.text);
        if (code == nullptr) {
            std::vector<std::string_view> names;
            for (const AdviceCode& known : adviceCodes()) {
                names.push_back(known.code);
            }
            const std::string_view near = language::nearest(word.text, names);
            tell("allow.unknown", word.at,
                 fmt::format("{} allows `{}`, which is no code of advice", owner,
                             language::shown(word.text)),
                 near.empty() ? std::string() : fmt::format("did you mean `{}`?", near));
        } else if (isWhole && code->needs == AdviceNeeds::Policy && m_used.count(&word) == 0) {
            tell("allow.unused", word.at,
                 fmt::format("{} allows `{}`, but nothing of the kind is said about it", owner,
                             word.text));
        }
    }
}

} // namespace policies::advice
