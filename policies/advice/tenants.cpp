#include "policies/advice/checks.h"
#include "policies/advice/wider_index.h"
#include "policies/advice/words.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

/// tenant.per-key: whoever has many keys has many limits, unless something counts them together.
namespace policies::advice {
namespace {

constexpr std::int64_t kExampleKeys = 10;

/// What one tenant can have many of, at little cost.
bool isOneOfMany(const Survey& survey, std::string_view attribute)
{
    const Origin& origin = survey.origin(attribute);
    return origin.isOneToOne
        && (attribute == "api_key" || attribute == "user" || origin.root == "api_key"
            || origin.root == "user" || origin.root == "authorization");
}

const Word* perKey(const Survey& survey, const Rule& rule)
{
    const auto& key = rule.key.value;
    const auto found = std::find_if(
        key.begin(), key.end(), [&](const Word& word) { return isOneOfMany(survey, word.text); });
    return found == key.end() ? nullptr : &*found;
}

/// The loosest of what a key gets, in words.
std::string timesKeys(const Part& part)
{
    if (engine::holdsSlots(part.limit.algorithm)) {
        return fmt::format("{} in flight instead of {}", grouped(times(kExampleKeys, part.most())),
                           grouped(part.most()));
    }
    engine::Rate all = part.limit.rate;
    all.count = times(kExampleKeys, all.count);
    return fmt::format("{} instead of {}", inWords(all), grouped(part.limit.rate.count));
}

bool isJoint(const Survey& survey, const SurveyedRule& rule)
{
    return rule.isEnforced() && rule.parts.back().override == nullptr
        && rule.parts.back().isEnforced() && perKey(survey, *rule.rule) == nullptr;
}

std::string pluralOf(const std::string& attribute)
{
    return attribute == "api_key" ? "API keys"
        : attribute == "user"     ? "users"
                                  : fmt::format("values of `{}`", language::shown(attribute));
}

/// The rules of the tenant tier that count many keys together, and what they take.
class Joint {
public:
    Joint(const Survey& survey, const engine::Plan* plan)
        : m_values(lookupValues(plan))
        , m_knowsLookups(plan != nullptr)
    {
        for (const SurveyedRule& rule : survey.rules) {
            if (rule.rule->tier == engine::Tier::Tenant && isJoint(survey, rule)) {
                m_index.add(rule.place, {}, rule.match);
                addCase(rule.match);
            }
        }
    }

    [[nodiscard]] WiderIndex::Found takes(const engine::Match& match) const
    {
        return takesEveryCase() ? WiderIndex::Found::Yes
                                : m_index.find({}, match, [](std::size_t) { return true; });
    }

private:
    /// `match: { plan: pro }`: one case of several that may add up to everybody.
    void addCase(const engine::Match& match)
    {
        if (match.size() == 1 && isOnly(match.front(), engine::TestKind::Equals)) {
            for (const engine::Test& test : match.front().anyOf) {
                m_cases[match.front().attribute].insert(test.text);
            }
        }
    }

    [[nodiscard]] bool takesEveryCase() const
    {
        return std::any_of(m_cases.begin(), m_cases.end(), [&](const auto& one) {
            const auto known = m_values.find(one.first);
            return known == m_values.end()
                ? !m_knowsLookups
                : std::includes(one.second.begin(), one.second.end(), known->second.begin(),
                                known->second.end());
        });
    }

    WiderIndex m_index;
    LookupValues m_values;
    bool m_knowsLookups;
    LookupValues m_cases; ///< by attribute: values that some rule takes
};

} // namespace

void checkTenants(const Survey& survey, const engine::Plan* plan, Findings& findings)
{
    const Joint joint(survey, plan);
    for (const SurveyedRule& rule : survey.rules) {
        const bool isBelow
            = rule.rule->tier == engine::Tier::Gateway || rule.rule->tier == engine::Tier::Endpoint;
        const Word* word = isBelow && rule.isEnforced() ? perKey(survey, *rule.rule) : nullptr;
        const WiderIndex::Found taken
            = word == nullptr ? WiderIndex::Found::Yes : joint.takes(rule.match);
        if (taken == WiderIndex::Found::GaveUp) {
            findings.gaveUp("tenant.per-key", *rule.rule);
        }
        if (taken != WiderIndex::Found::No) {
            continue;
        }
        const auto part = std::find_if(rule.parts.rbegin(), rule.parts.rend(), [](const Part& one) {
            return one.isEnforced() && !one.deniesAll();
        });
        if (part == rule.parts.rend()) {
            continue;
        }
        findings.add(
            "tenant.per-key", word->at, *rule.rule,
            fmt::format("{} counts by `{}`, and no rule of tier `tenant` counts all its requests "
                        "together: it lets a tenant with {} {} have {}",
                        rule.named(*part), language::shown(word->text), kExampleKeys,
                        pluralOf(word->text), timesKeys(*part)));
    }
}

} // namespace policies::advice
