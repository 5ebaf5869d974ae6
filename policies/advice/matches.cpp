#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace policies::advice {
namespace {

bool saysAbsent(const MatchEntry& entry)
{
    return std::any_of(entry.tests.begin(), entry.tests.end(), [](const engine::Test& test) {
        return test.kind == engine::TestKind::Absent;
    });
}

class Matches {
public:
    Matches(const Survey& survey, const LogFacts* log, Findings& findings)
        : m_survey(survey)
        , m_log(log)
        , m_findings(findings)
    {
        for (const SurveyedRule& rule : survey.rules) {
            if (rule.isEnforced() && rule.rule->match) {
                for (const MatchEntry& entry : rule.rule->match->entries) {
                    if (!entry.negated && saysAbsent(entry)) {
                        m_absentHandled.emplace(rule.rule->tier, entry.attribute.text);
                    }
                }
            }
        }
    }

    void check()
    {
        for (const Exempt& exempt : m_survey.policy.exempt) {
            checkLate(exempt.match, exempt,
                      fmt::format("exemption `{}`", language::shown(exempt.name.value)));
        }
        for (const SurveyedRule& rule : m_survey.rules) {
            if (!rule.isOff()) {
                checkRule(rule);
            }
        }
    }

private:
    void checkRule(const SurveyedRule& rule)
    {
        if (rule.rule->match) {
            checkLate(*rule.rule->match, *rule.rule, rule.named());
            checkNot(rule);
        }
        for (const Word& word : rule.rule->key.value) {
            if (m_survey.origin(word.text).isAfterResponse) {
                m_findings.add("match.after-response", word.at, *rule.rule,
                               fmt::format("{} counts by {}, which is not known when a request "
                                           "arrives",
                                           rule.named(), late(word.text)));
            }
        }
        for (const Override& override : rule.rule->overrides) {
            checkLate(override.match, *rule.rule,
                      fmt::format("override `{}` of {}", language::shown(override.name.value),
                                  rule.named()));
        }
        for (const ShedClass& shed : classesOf(*rule.rule)) {
            checkLate(
                shed.match, *rule.rule,
                fmt::format("class `{}` of {}", language::shown(shed.name.value), rule.named()));
        }
        for (const Part& part : rule.parts) {
            if (!rule.isRepeated(part) && !part.hasFixedCost()) {
                checkLateCost(rule, part);
            }
        }
    }

    template <class Owner>
    void checkLate(const MatchList& match, const Owner& owner, const std::string& named)
    {
        for (const MatchEntry& entry : match.entries) {
            if (m_survey.origin(entry.attribute.text).isAfterResponse) {
                m_findings.add("match.after-response", entry.attribute.at, owner,
                               fmt::format("{} matches on {}, which is not known when a request "
                                           "arrives",
                                           named, late(entry.attribute.text)));
            }
        }
    }

    void checkLateCost(const SurveyedRule& rule, const Part& part)
    {
        if (m_survey.origin(part.cost.attribute).isAfterResponse) {
            const bool isOwn = part.override != nullptr && part.override->values.cost;
            const Span& at = isOwn ? part.override->values.cost->at : rule.rule->values.cost->at;
            m_findings.add("match.after-response", at, *rule.rule,
                           fmt::format("the cost at {} is made of {}, which is not known when a "
                                       "request arrives",
                                       rule.named(part), late(part.cost.attribute)));
        }
    }

    /// A derived attribute is named with what it comes from.
    [[nodiscard]] std::string late(const std::string& attribute) const
    {
        const Origin& origin = m_survey.origin(attribute);
        return origin.derived == nullptr ? fmt::format("`{}`", attribute)
                                         : fmt::format("`{}` (from `{}`)", attribute, origin.root);
    }

    void checkNot(const SurveyedRule& rule)
    {
        for (const MatchEntry& entry : rule.rule->match->entries) {
            const std::string& name = entry.attribute.text;
            if (!entry.negated || saysAbsent(entry) || m_survey.origin(name).isAlwaysThere
                || m_absentHandled.count({rule.rule->tier, name}) != 0) {
                continue;
            }
            const auto known = m_log == nullptr ? nullptr : havingOf(name);
            if (known != nullptr && *known == m_log->requests) {
                continue;
            }
            std::string message = fmt::format(
                "{} does not match a request without `{}`: `not` needs it to be there",
                rule.named(), language::shown(name));
            if (known != nullptr) {
                message += fmt::format("; {} of the log's requests have none",
                                       share(m_log->requests - *known, m_log->requests));
            }
            m_findings.add(
                "match.not-missing", entry.attribute.at, *rule.rule, std::move(message),
                fmt::format("add a rule with `match: {{ {}: absent }}` for these requests, "
                            "or allow it if they need no limit",
                            language::shown(name)));
        }
    }

    [[nodiscard]] const std::uint64_t* havingOf(const std::string& attribute) const
    {
        const auto found = m_log->having.find(attribute);
        return found == m_log->having.end() ? nullptr : &found->second;
    }

    const Survey& m_survey;
    const LogFacts* m_log;
    Findings& m_findings;
    std::set<std::pair<engine::Tier, std::string>> m_absentHandled;
};

} // namespace

void checkMatches(const Survey& survey, const LogFacts* log, Findings& findings)
{
    Matches(survey, log, findings).check();
}

} // namespace policies::advice
