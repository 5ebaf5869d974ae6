#include "engine/match_order.h"
#include "policies/advice/checks.h"
#include "policies/advice/wider_index.h"
#include "policies/language/match.h"
#include "policies/language/words.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

/// rule.never-matches: no request ever gets to a rule, an override, a class or an exemption.
namespace policies::advice {
namespace {

using engine::Matcher;
using engine::TestKind;

class Reach {
public:
    Reach(const Survey& survey, const engine::Plan* plan, Findings& findings)
        : m_survey(survey)
        , m_findings(findings)
        , m_values(lookupValues(plan))
    {
    }

    void check()
    {
        for (const Exempt& exempt : m_survey.policy.exempt) {
            checkExempt(exempt);
        }
        engine::Tier tier = engine::Tier::Edge;
        for (const SurveyedRule& rule : m_survey.rules) {
            if (rule.rule->tier != tier) {
                closeTier();
                tier = rule.rule->tier;
            }
            if (!rule.isOff()) {
                checkRule(rule);
                checkChoices(rule, rule.rule->overrides, "override");
                checkChoices(rule, classesOf(*rule.rule), "class");
                keepIfWall(rule);
            }
        }
    }

private:
    void checkExempt(const Exempt& exempt)
    {
        const engine::Match& match = m_exempt.emplace_back(language::matchOf(exempt.match));
        const std::string named = fmt::format("exemption `{}`", language::shown(exempt.name.value));
        if (const auto lookup = valueNobodyHas(match)) {
            m_findings.add("rule.never-matches", exempt.name.at, exempt,
                           fmt::format("{} never matches: {}", named, *lookup));
        } else if (const Exempt* wider = exemptOver(match, exempt)) {
            m_findings.add("rule.never-matches", exempt.name.at, exempt,
                           fmt::format("{} never matches: exemption `{}` in line {} takes all its "
                                       "requests",
                                       named, language::shown(wider->name.value),
                                       wider->name.at.line));
        }
        m_exemptIndex.add(m_exempt.size() - 1, {}, match);
    }

    /// The exemption above `owner` that takes all that it matches.
    template <class Owner>
    [[nodiscard]] const Exempt* exemptOver(const engine::Match& match, const Owner& owner)
    {
        const Exempt* over = nullptr;
        const auto takeIt = [&](std::size_t id) {
            over = &m_survey.policy.exempt[id];
            return true;
        };
        noteIfPart(m_exemptIndex.find({}, match, takeIt), owner);
        return over;
    }

    /// Rules of one tier are judged together: only those of earlier tiers stand in the way.
    void closeTier()
    {
        for (const SurveyedRule* wall : m_wallsOfTier) {
            m_walls.add(wall->place, sortedKey(*wall->rule), wall->match);
        }
        m_wallsOfTier.clear();
    }

    void keepIfWall(const SurveyedRule& rule)
    {
        const bool deniesAll
            = std::all_of(rule.parts.begin(), rule.parts.end(), [](const Part& part) {
                  return part.isEnforced() && part.deniesAll() && part.judgesAll();
              });
        const bool isWhole = rule.parts.size() == rule.rule->overrides.size() + 1;
        if (deniesAll && isWhole) {
            m_wallsOfTier.push_back(&rule);
        }
    }

    void checkRule(const SurveyedRule& rule)
    {
        std::string why;
        if (const auto nobody = valueNobodyHas(rule.match)) {
            why = *nobody;
        } else if (const auto absent = keyThatIsAbsent(rule)) {
            why = *absent;
        } else if (const Exempt* exempt = exemptOver(rule.match, *rule.rule)) {
            why = fmt::format("exemption `{}` in line {} takes all its requests",
                              language::shown(exempt->name.value), exempt->name.at.line);
        } else {
            const auto tellOf = [&](std::size_t place) {
                const SurveyedRule& wall = m_survey.rules[place];
                why = fmt::format("{} in line {} rejects all its requests in an earlier tier",
                                  wall.named(), wall.rule->name.at.line);
                return true;
            };
            noteIfPart(m_walls.find(sortedKey(*rule.rule), rule.match, tellOf), *rule.rule);
        }
        if (!why.empty()) {
            m_findings.add("rule.never-matches", rule.rule->name.at, *rule.rule,
                           fmt::format("{} never judges a request: {}", rule.named(), why));
        }
    }

    template <class Owner> void noteIfPart(WiderIndex::Found found, const Owner& owner)
    {
        if (found == WiderIndex::Found::GaveUp) {
            m_findings.gaveUp("rule.never-matches", owner);
        }
    }

    /// `match: { plan: fre }` where neither the lookup file nor its default says `fre`.
    [[nodiscard]] std::optional<std::string> valueNobodyHas(const engine::Match& match) const
    {
        for (const Matcher& entry : match) {
            const auto known = m_values.find(entry.attribute);
            if (known == m_values.end() || !isOnly(entry, TestKind::Equals)) {
                continue;
            }
            const auto& values = known->second;
            const bool isKnown = std::any_of(
                entry.anyOf.begin(), entry.anyOf.end(),
                [&](const engine::Test& test) { return values.count(test.text) != 0; });
            if (!isKnown) {
                return fmt::format("its lookup file has no `{}` that is {}", entry.attribute,
                                   listed(entry));
            }
        }
        return std::nullopt;
    }

    static std::string listed(const Matcher& entry)
    {
        std::vector<std::string_view> texts;
        for (const engine::Test& test : entry.anyOf) {
            texts.push_back(test.text);
        }
        return language::listOf(texts);
    }

    [[nodiscard]] std::optional<std::string> keyThatIsAbsent(const SurveyedRule& rule) const
    {
        for (const Matcher& entry : rule.match) {
            if (!isOnly(entry, TestKind::Absent)) {
                continue;
            }
            for (const Word& word : rule.rule->key.value) {
                if (m_survey.needs(word.text, entry.attribute)) {
                    return fmt::format("it matches requests without `{}`, and its key needs it",
                                       language::shown(entry.attribute));
                }
            }
        }
        return std::nullopt;
    }

    /// Overrides of a rule, or its classes: the first that matches takes the request.
    template <class Choice>
    void checkChoices(const SurveyedRule& rule, const std::vector<Choice>& choices,
                      std::string_view kind)
    {
        WiderIndex earlier;
        std::deque<engine::Match> matches;
        for (const Choice& choice : choices) {
            const engine::Match& match = matches.emplace_back(language::matchOf(choice.match));
            std::string why;
            if (engine::excludes(match, rule.match)) {
                why = fmt::format("no request matches both the rule and the {}", kind);
            } else if (const auto nobody = valueNobodyHas(match)) {
                why = *nobody;
            } else {
                const auto tellOf = [&](std::size_t id) {
                    why = fmt::format("{} `{}` above it takes all its requests", kind,
                                      language::shown(choices[id].name.value));
                    return true;
                };
                noteIfPart(earlier.find({}, match, tellOf), *rule.rule);
            }
            if (!why.empty()) {
                m_findings.add("rule.never-matches", choice.name.at, *rule.rule,
                               fmt::format("{} `{}` of {} never judges a request: {}", kind,
                                           language::shown(choice.name.value), rule.named(), why));
            }
            earlier.add(matches.size() - 1, {}, match);
        }
    }

    const Survey& m_survey;
    Findings& m_findings;
    LookupValues m_values;
    std::deque<engine::Match> m_exempt;
    WiderIndex m_exemptIndex;
    WiderIndex m_walls; ///< rules of earlier tiers that reject all that they match
    std::vector<const SurveyedRule*> m_wallsOfTier;
};

} // namespace

void checkReach(const Survey& survey, const engine::Plan* plan, Findings& findings)
{
    Reach(survey, plan, findings).check();
}

} // namespace policies::advice
