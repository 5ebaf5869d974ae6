#include "engine/attributes.h"

#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

/// attribute.unknown: a name that is neither built in nor derived may be a field of the log, or a
/// slip.
namespace policies::advice {
namespace {

constexpr std::size_t kMostNames = 1000; ///< of which near ones are looked for

class Unknown {
public:
    Unknown(const Survey& survey, const LogFacts* log, Findings& findings)
        : m_survey(survey)
        , m_log(log)
        , m_findings(findings)
    {
    }

    void check()
    {
        checkSources();
        for (const Exempt& exempt : m_survey.policy.exempt) {
            checkMatch(exempt.match, exempt.allow);
        }
        for (const SurveyedRule& rule : m_survey.rules) {
            if (!rule.isOff()) {
                checkRule(*rule.rule);
            }
        }
        for (const std::string& name : m_order) {
            const Use& use = m_uses[name];
            if (!use.places.empty()) {
                tell(name, use);
            }
        }
    }

private:
    struct Use {
        std::vector<Span> places; ///< where it stands and nobody lives with it
    };

    [[nodiscard]] bool isKnown(const std::string& name) const
    {
        if (engine::isBuiltIn(name) || m_survey.origin(name).derived != nullptr) {
            return true;
        }
        if (m_log == nullptr) {
            return false;
        }
        const auto found = m_log->having.find(name);
        return found != m_log->having.end() && found->second > 0;
    }

    void use(const std::string& name, const Span& at, const Given<std::vector<Word>>& allow)
    {
        if (isKnown(name)) {
            return;
        }
        const auto [known, isNew] = m_uses.try_emplace(name);
        if (isNew) {
            m_order.push_back(name);
        }
        if (!m_findings.isAllowed(allow, "attribute.unknown")) {
            known->second.places.push_back(at);
        }
    }

    /// `from`: lived with if a rule that uses the derived attribute lives with it.
    void checkSources()
    {
        std::set<std::string_view> derived;
        std::map<std::string_view, const Attribute*> unknown;
        for (const Attribute& attribute : m_survey.policy.attributes) {
            const std::string& from = attribute.from.value;
            if (!engine::isBuiltIn(from) && derived.count(from) == 0) {
                unknown.emplace(attribute.name.text, &attribute);
            }
            derived.insert(attribute.name.text);
        }
        std::set<const Attribute*> allowed;
        for (const SurveyedRule& rule : m_survey.rules) {
            if (rule.rule->allow && !rule.isOff()) {
                addAllowed(*rule.rule, unknown, allowed);
            }
        }
        for (const auto& [name, attribute] : unknown) {
            if (allowed.count(attribute) == 0) {
                use(attribute->from.value, attribute->from.at, std::nullopt);
            }
        }
    }

    void addAllowed(const Rule& rule, const std::map<std::string_view, const Attribute*>& unknown,
                    std::set<const Attribute*>& allowed)
    {
        const auto add = [&](const Word& word) {
            for (const std::string& name : m_survey.origin(word.text).chain) {
                const auto found = unknown.find(name);
                if (found != unknown.end()
                    && m_findings.isAllowed(rule.allow, "attribute.unknown")) {
                    allowed.insert(found->second);
                }
            }
        };
        const auto addMatch = [&](const MatchList& match) {
            for (const MatchEntry& entry : match.entries) {
                add(entry.attribute);
            }
        };
        std::for_each(rule.key.value.begin(), rule.key.value.end(), add);
        if (rule.match) {
            addMatch(*rule.match);
        }
        for (const Override& override : rule.overrides) {
            addMatch(override.match);
        }
        for (const ShedClass& shed : classesOf(rule)) {
            addMatch(shed.match);
        }
    }

    void checkMatch(const MatchList& match, const Given<std::vector<Word>>& allow)
    {
        for (const MatchEntry& entry : match.entries) {
            use(entry.attribute.text, entry.attribute.at, allow);
        }
    }

    void checkCost(const Given<engine::Cost>& cost, const Given<std::vector<Word>>& allow)
    {
        if (cost && !cost->value.attribute.empty()) {
            use(cost->value.attribute, cost->at, allow);
        }
    }

    void checkRule(const Rule& rule)
    {
        if (rule.match) {
            checkMatch(*rule.match, rule.allow);
        }
        for (const Word& word : rule.key.value) {
            use(word.text, word.at, rule.allow);
        }
        checkCost(rule.values.cost, rule.allow);
        for (const Override& override : rule.overrides) {
            checkMatch(override.match, rule.allow);
            checkCost(override.values.cost, rule.allow);
        }
        for (const ShedClass& shed : classesOf(rule)) {
            checkMatch(shed.match, rule.allow);
        }
    }

    void tell(const std::string& name, const Use& use)
    {
        std::vector<std::string_view> names(engine::kBuiltInAttributes.begin(),
                                            engine::kBuiltInAttributes.end());
        for (const Attribute& attribute : m_survey.policy.attributes) {
            names.push_back(attribute.name.text);
        }
        names.resize(std::min(names.size(), kMostNames));
        const std::string_view near = language::nearest(name, names);
        const auto count = static_cast<std::int64_t>(use.places.size());
        m_findings.tell(
            "attribute.unknown", use.places.front(),
            fmt::format("`{}` is neither built in nor derived here{}{}", language::shown(name),
                        count == 1 ? "" : fmt::format(" (used {} times)", grouped(count)),
                        m_log == nullptr ? "; it must be a field of the log"
                                         : ", and no request of the log has it"),
            near.empty() ? std::string() : fmt::format("did you mean `{}`?", near));
    }

    const Survey& m_survey;
    const LogFacts* m_log;
    Findings& m_findings;
    std::map<std::string, Use> m_uses;
    std::vector<std::string> m_order;
};

} // namespace

void checkAttributes(const Survey& survey, const LogFacts* log, Findings& findings)
{
    Unknown(survey, log, findings).check();
}

} // namespace policies::advice
