#include "policies/advice/checks.h"
#include "policies/advice/wider_index.h"
#include "policies/advice/words.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace policies::advice {
namespace {

/// From /64 on a block is one household or host; what is longer counts single addresses of it.
constexpr int kHousehold = 64;

constexpr std::size_t kMostAttributes = 500;

bool isAddress(const Survey& survey, std::string_view attribute)
{
    const Origin& origin = survey.origin(attribute);
    return origin.root == "client_ip" && origin.isOneToOne;
}

/// A rule for those who lack something better to count by, such as `match: { api_key: absent }`.
bool isFallback(const SurveyedRule& rule)
{
    return std::any_of(rule.match.begin(), rule.match.end(), [](const engine::Matcher& entry) {
        return isOnly(entry, engine::TestKind::Absent);
    });
}

/// Does the match take addresses of IPv4 alone?
bool isIpv4Only(const Survey& survey, const SurveyedRule& rule)
{
    return std::any_of(rule.match.begin(), rule.match.end(), [&](const engine::Matcher& entry) {
        return isAddress(survey, entry.attribute) && !entry.negated
            && std::all_of(entry.anyOf.begin(), entry.anyOf.end(), [](const engine::Test& test) {
                   const bool isOneOrBlock = test.kind == engine::TestKind::Equals
                       || test.kind == engine::TestKind::Network;
                   return isOneOrBlock && test.text.find(':') == std::string::npos;
               });
    });
}

void checkShared(const Survey& survey, const SurveyedRule& rule, Findings& findings)
{
    const std::vector<Word>& key = rule.rule->key.value;
    if (key.size() == 1 && isAddress(survey, key.front().text) && !isFallback(rule)) {
        findings.add("key.shared-address", key.front().at, *rule.rule,
                     fmt::format("{} counts by `{}` alone: everybody behind one shared address has "
                                 "one limit together",
                                 rule.named(), language::shown(key.front().text)));
    }
}

void checkIpv6(const Survey& survey, const SurveyedRule& rule, Findings& findings)
{
    if (isIpv4Only(survey, rule)) {
        return;
    }
    for (const Word& word : rule.rule->key.value) {
        const Attribute* derived = survey.origin(word.text).derived;
        const bool hasPrefix
            = derived != nullptr && derived->kind == engine::DerivationKind::Prefix;
        const int bits = hasPrefix && derived->ipv6Bits ? derived->ipv6Bits->value : 128;
        if ((hasPrefix || isAddress(survey, word.text)) && bits > kHousehold) {
            findings.add(
                "key.ipv6", word.at, *rule.rule,
                fmt::format("{} counts each IPv6 /{} by itself, and one customer has a whole "
                            "/64",
                            rule.named(), bits));
        }
    }
}

/// key.missing: requests that no limit is for, since they have no such attribute.
class Missing {
public:
    Missing(const Survey& survey, const LogFacts* log, Findings& findings)
        : m_survey(survey)
        , m_log(log)
        , m_findings(findings)
    {
        for (const SurveyedRule& rule : survey.rules) {
            if (rule.isEnforced() && rule.parts.back().isEnforced() && takesAnybody(rule)) {
                m_index.add(rule.place, {}, rule.match);
            }
        }
    }

    void check()
    {
        // Each rule is held against each of them.
        const bool areTooMany = m_survey.policy.attributes.size() > kMostAttributes;
        for (const SurveyedRule& rule : m_survey.rules) {
            if (rule.isEnforced() && areTooMany) {
                m_findings.gaveUp("key.missing", *rule.rule);
            } else if (rule.isEnforced()) {
                checkRule(rule);
            }
        }
        for (const std::string& attribute : m_order) {
            tell(attribute, m_groups[attribute]);
        }
    }

private:
    struct Group {
        std::vector<std::pair<const SurveyedRule*, const Word*>> rules;
    };

    bool takesAnybody(const SurveyedRule& rule) const
    {
        const auto& key = rule.rule->key.value;
        return rule.parts.back().override == nullptr
            && std::all_of(key.begin(), key.end(), [&](const Word& word) {
                   return m_survey.origin(word.text).isAlwaysThere;
               });
    }

    void checkRule(const SurveyedRule& rule)
    {
        for (const Word& word : rule.rule->key.value) {
            if (m_survey.origin(word.text).isAlwaysThere || isKnownToBeThere(word.text)
                || asksFor(rule, word.text) || areTaken(rule, word.text)) {
                continue;
            }
            const auto [group, isNew] = m_groups.try_emplace(word.text);
            if (isNew) {
                m_order.push_back(word.text);
            }
            group->second.rules.emplace_back(&rule, &word);
        }
    }

    [[nodiscard]] const std::uint64_t* having(const std::string& attribute) const
    {
        if (m_log == nullptr) {
            return nullptr;
        }
        const auto found = m_log->having.find(attribute);
        return found == m_log->having.end() ? nullptr : &found->second;
    }

    [[nodiscard]] bool isKnownToBeThere(const std::string& attribute) const
    {
        const std::uint64_t* known = having(attribute);
        return known != nullptr && *known == m_log->requests;
    }

    /// Does the match say that only requests with the attribute are meant?
    static bool asksFor(const SurveyedRule& rule, const std::string& attribute)
    {
        return std::any_of(rule.match.begin(), rule.match.end(), [&](const engine::Matcher& entry) {
            const bool isListed
                = std::any_of(entry.anyOf.begin(), entry.anyOf.end(), [](const engine::Test& test) {
                      return test.kind == engine::TestKind::Absent;
                  });
            return entry.attribute == attribute && entry.negated == isListed;
        });
    }

    /// Does some enforced rule take every request that has no such attribute and else matches this
    /// rule? What is derived from it is missing, too.
    bool areTaken(const SurveyedRule& rule, const std::string& attribute)
    {
        engine::Match without;
        for (const engine::Matcher& entry : rule.match) {
            if (!m_survey.needs(entry.attribute, attribute)) {
                without.push_back(entry);
            }
        }
        const auto addAbsent = [&](const std::string& name) {
            without.push_back({name, false, {{engine::TestKind::Absent, {}, 0, 0}}});
        };
        addAbsent(attribute);
        for (const Attribute& derived : m_survey.policy.attributes) {
            if (derived.name.text != attribute && m_survey.needs(derived.name.text, attribute)) {
                addAbsent(derived.name.text);
            }
        }
        const WiderIndex::Found found = m_index.find({}, without, [](std::size_t) { return true; });
        if (found == WiderIndex::Found::GaveUp) {
            m_findings.gaveUp("key.missing", *rule.rule);
        }
        return found != WiderIndex::Found::No;
    }

    void tell(const std::string& attribute, const Group& group)
    {
        std::vector<std::pair<const SurveyedRule*, const Word*>> left;
        for (const auto& [rule, word] : group.rules) {
            if (!m_findings.isAllowed(rule->rule->allow, "key.missing")) {
                left.emplace_back(rule, word);
            }
        }
        if (left.empty()) {
            return;
        }
        const auto others = static_cast<std::int64_t>(left.size()) - 1;
        std::string message
            = fmt::format("requests without `{}` pass {}{} uncounted, and no other enforced rule "
                          "takes all of them",
                          language::shown(attribute), left.front().first->named(),
                          others == 0 ? "" : " and " + counted(others, "more rule", "more rules"));
        if (const std::uint64_t* known = having(attribute)) {
            message += fmt::format("; {} of the log's requests have none",
                                   share(m_log->requests - *known, m_log->requests));
        }
        message += lookupNote(attribute);
        m_findings.tell("key.missing", left.front().second->at, std::move(message));
    }

    /// The default of a lookup is for keys that are not in the file, not for requests without one.
    [[nodiscard]] std::string lookupNote(const std::string& attribute) const
    {
        for (const Attribute& derived : m_survey.policy.attributes) {
            const bool isHere = derived.name.text == attribute || derived.from.value == attribute;
            if (isHere && derived.fallback && !m_survey.origin(derived.name.text).isAlwaysThere) {
                return fmt::format(
                    "; the default `{}` of `{}` does not help them: it is for values of "
                    "`{}` that are not in its file",
                    language::shown(derived.fallback->value), language::shown(derived.name.text),
                    language::shown(derived.from.value));
            }
        }
        return {};
    }

    const Survey& m_survey;
    const LogFacts* m_log;
    Findings& m_findings;
    WiderIndex m_index; ///< enforced rules that every request they match meets
    std::map<std::string, Group> m_groups;
    std::vector<std::string> m_order;
};

} // namespace

void checkKeys(const Survey& survey, const LogFacts* log, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        if (!rule.isOff()) {
            checkShared(survey, rule, findings);
            checkIpv6(survey, rule, findings);
        }
    }
    Missing(survey, log, findings).check();
}

} // namespace policies::advice
