#include "engine/match_order.h"
#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/wider_index.h"
#include "policies/advice/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

/// rule.never-rejects: a wider rule that is asked no later admits nothing that this one would deny.
///
/// Proved from what the semantics say: whoever gets as far as the narrower rule has been judged by
/// the wider one (its match covers, its key is part of the narrower key, its tier is not later),
/// the wider one rejects what it denies, and any sequence of costs that it admits for its key the
/// narrower limit admits, too, for any part of that sequence. The times must be the same, so no
/// leaky bucket may delay between the two tiers.
namespace policies::advice {
namespace {

bool costsNoMore(const engine::Cost& narrower, const engine::Cost& wider)
{
    if (narrower.attribute.empty() != wider.attribute.empty()) {
        return false;
    }
    return narrower.attribute.empty()
        ? narrower.fixed <= wider.fixed
        : narrower.attribute == wider.attribute && narrower.per >= wider.per;
}

class Strength {
public:
    Strength(const Survey& survey, Findings& findings)
        : m_survey(survey)
        , m_findings(findings)
    {
        for (const SurveyedRule& rule : survey.rules) {
            if (const Part* part = rule.alone()) {
                m_index.add(rule.place, sortedKey(*rule.rule), rule.match);
                if (part->limit.algorithm == engine::Algorithm::LeakyBucket) {
                    m_delays[tierOf(rule)] = true;
                }
            } else if (rule.isEnforced()
                       && rule.rule->algorithm.value == engine::Algorithm::LeakyBucket) {
                m_delays[tierOf(rule)] = true;
            }
        }
    }

    void check()
    {
        for (const SurveyedRule& rule : m_survey.rules) {
            if (!rule.isEnforced()) {
                continue;
            }
            if (costsNothing(rule)) {
                m_findings.add(
                    "rule.never-rejects", rule.rule->name.at, *rule.rule,
                    fmt::format("{} never rejects: a cost of 0 is never counted", rule.named()),
                    "write a cost of 1 or more, or remove the rule");
            } else if (rule.rule->algorithm.value != engine::Algorithm::LeakyBucket) {
                checkAgainstWider(rule);
            }
        }
    }

private:
    static std::size_t tierOf(const SurveyedRule& rule)
    {
        return static_cast<std::size_t>(rule.rule->tier);
    }

    static bool costsNothing(const SurveyedRule& rule)
    {
        return std::all_of(rule.parts.begin(), rule.parts.end(), [](const Part& part) {
            return !part.isEnforced() || (part.hasFixedCost() && part.cost.fixed == 0);
        });
    }

    void checkAgainstWider(const SurveyedRule& narrower)
    {
        const auto tellOf = [&](std::size_t place) {
            const SurveyedRule& wider = m_survey.rules[place];
            if (!isAlwaysTighter(wider, narrower)) {
                return false;
            }
            tell(wider, narrower);
            return true;
        };
        if (m_index.find(sortedKey(*narrower.rule), narrower.match, tellOf)
            == WiderIndex::Found::GaveUp) {
            m_findings.gaveUp("rule.never-rejects", *narrower.rule);
        }
    }

    [[nodiscard]] bool isAlwaysTighter(const SurveyedRule& wider,
                                       const SurveyedRule& narrower) const
    {
        if (wider.place == narrower.place || !isAskedNoLater(wider, narrower)
            || wider.onStoreFailure() != narrower.onStoreFailure()) {
            return false;
        }
        const bool isWall = wider.alone()->deniesAll() && wider.alone()->judgesAll()
            && tierOf(wider) < tierOf(narrower);
        if (isWall || !admitAllOf(narrower, *wider.alone())) {
            return false; // of a wall rule.never-matches is told
        }
        // Of two that are alike the later one is told about.
        const Part* other = narrower.alone();
        const bool isMutual = other != nullptr && wider.rule->tier == narrower.rule->tier
            && wider.place > narrower.place && admitAllOf(wider, *other)
            && sortedKey(*wider.rule) == sortedKey(*narrower.rule)
            && engine::covers(narrower.match, wider.match);
        return !isMutual;
    }

    [[nodiscard]] bool isAskedNoLater(const SurveyedRule& wider, const SurveyedRule& narrower) const
    {
        for (std::size_t tier = tierOf(wider); tier < tierOf(narrower); ++tier) {
            if (m_delays[tier]) {
                return false;
            }
        }
        return tierOf(wider) <= tierOf(narrower);
    }

    /// What it admits is a matter of its own numbers, not of durations, classes or other rules.
    static bool isPlain(const engine::Limit& limit)
    {
        return limit.algorithm != engine::Algorithm::AdaptiveConcurrency
            && limit.algorithm != engine::Algorithm::LoadShedder;
    }

    static bool admitAllOf(const SurveyedRule& narrower, const Part& wider)
    {
        if (narrower.rule->tighten || !isPlain(wider.limit)
            || !isPlain(narrower.parts.front().limit)) {
            return false;
        }
        return std::all_of(narrower.parts.begin(), narrower.parts.end(), [&](const Part& part) {
            return !part.isEnforced()
                || (costsNoMore(part.cost, wider.cost)
                    && engine::admitsAllOf(part.limit, wider.limit));
        });
    }

    void tell(const SurveyedRule& wider, const SurveyedRule& narrower)
    {
        const auto enforced = std::find_if(narrower.parts.begin(), narrower.parts.end(),
                                           [](const Part& part) { return part.isEnforced(); });
        m_findings.add(
            "rule.never-rejects", narrower.rule->name.at, *narrower.rule,
            fmt::format("{} ({}) never rejects what {} in line {} ({}) would let through",
                        narrower.named(), inWords(enforced->limit), wider.named(),
                        wider.rule->name.at.line, inWords(wider.alone()->limit)));
    }

    const Survey& m_survey;
    Findings& m_findings;
    WiderIndex m_index;
    std::array<bool, engine::kTierCount> m_delays {};
};

} // namespace

void checkStrength(const Survey& survey, Findings& findings)
{
    Strength(survey, findings).check();
}

} // namespace policies::advice
