#include "app/workbench/log_facts.h"

#include <algorithm>
#include <set>

namespace app {
namespace {

void addNames(const engine::Match& match, std::set<std::string>& names)
{
    for (const engine::Matcher& entry : match) {
        names.insert(entry.attribute);
    }
}

/// Every attribute that a plan names, but those that each request has.
std::set<std::string> attributesOf(const engine::Plan& plan)
{
    std::set<std::string> names;
    for (const engine::Derivation& derivation : plan.attributes) {
        names.insert(derivation.from);
    }
    for (const engine::Exemption& exempt : plan.exempt) {
        addNames(exempt.match, names);
    }
    for (const engine::PlanRule& rule : plan.rules) {
        addNames(rule.match, names);
        addNames(rule.overrideMatch, names);
        addNames(rule.classMatch, names);
        names.insert(rule.key.begin(), rule.key.end());
        if (!rule.cost.attribute.empty()) {
            names.insert(rule.cost.attribute);
        }
    }
    for (const char* sure : {"client_ip", "method", "path"}) {
        names.erase(sure);
    }
    return names;
}

class Counter final : public PassListener {
public:
    Counter(const std::vector<const engine::Plan*>& plans, std::vector<std::string> attributes)
        : m_plans(plans)
        , m_attributes(std::move(attributes))
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& /*replay*/) override
    {
        m_requests = 0;
        m_withDuration = 0;
        m_having.assign(m_plans.size() * m_attributes.size(), 0);
        m_places.clear();
        for (std::size_t plan = 0; plan < m_plans.size(); ++plan) {
            for (std::size_t i = 0; i < m_attributes.size(); ++i) {
                m_places.push_back(intake.layout().tupleAt(intake.facetTuple(plan, i)));
            }
        }
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        const engine::Arrival& arrival = *settled.arrival;
        m_firstNs = m_requests == 0 ? arrival.timeNs : m_firstNs;
        m_lastNs = arrival.timeNs;
        ++m_requests;
        m_withDuration += arrival.durationNs == engine::kUnknownDuration ? 0U : 1U;
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            m_having[i] += arrival.ids()[m_places[i]] == engine::kNoId ? 0U : 1U;
        }
    }

    [[nodiscard]] policies::LogFacts facts(std::size_t plan, const Pass& pass) const
    {
        policies::LogFacts facts;
        facts.requests = m_requests;
        facts.spanNs = m_requests == 0 ? 0 : m_lastNs - m_firstNs;
        facts.withDuration = m_withDuration;
        for (std::size_t i = 0; i < m_attributes.size(); ++i) {
            facts.having[m_attributes[i]] = m_having[plan * m_attributes.size() + i];
        }
        addKeys(plan, pass, facts);
        return facts;
    }

private:
    /// Of rules that remember each request of a key. A rule's overrides share its key tuple.
    void addKeys(std::size_t plan, const Pass& pass, policies::LogFacts& facts) const
    {
        std::map<std::string, std::vector<std::uint32_t>> parts;
        const auto& rules = m_plans[plan]->rules;
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
            if (rules[rule].limit.algorithm == engine::Algorithm::SlidingWindowLog) {
                parts[rules[rule].rule].push_back(static_cast<std::uint32_t>(rule));
            }
        }
        for (const auto& [name, indices] : parts) {
            const std::size_t keys
                = pass.intake->keyCount(pass.intake->tupleOf(plan, indices.front()));
            std::uint64_t& bytes = facts.stateBytes[name];
            for (const std::uint32_t rule : indices) {
                bytes += pass.replay->memoryOf(plan, rule).bytes;
            }
            std::uint64_t& seen = facts.keys[name];
            for (std::uint32_t key = 0; key < keys; ++key) {
                seen += std::any_of(indices.begin(), indices.end(),
                                    [&](std::uint32_t rule) {
                                        return pass.replay->keyTally(plan, rule, key).judged > 0;
                                    })
                    ? 1U
                    : 0U;
            }
        }
    }

    const std::vector<const engine::Plan*>& m_plans;
    std::vector<std::string> m_attributes;
    std::vector<std::size_t> m_places; ///< where an arrival has them, by plan and attribute
    std::vector<std::uint64_t> m_having;
    std::uint64_t m_requests = 0;
    std::uint64_t m_withDuration = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
};

} // namespace

engine::Result<FactsOutcome> factsOf(const std::vector<const engine::Plan*>& plans,
                                     PassOptions options)
{
    std::set<std::string> names;
    for (const engine::Plan* plan : plans) {
        names.merge(attributesOf(*plan));
    }
    options.intake.facets.assign(names.begin(), names.end());
    const std::int64_t warmupNs = options.warmupNs;
    options.warmupNs = 0;
    Counter counter(plans, options.intake.facets);
    engine::Result<Pass> pass = runWholePass(plans, options, counter);
    if (!pass) {
        return engine::fail(pass.error());
    }
    FactsOutcome outcome;
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        outcome.facts.push_back(counter.facts(plan, *pass));
        outcome.facts.back().warmupNs = warmupNs;
    }
    outcome.pass = std::move(*pass);
    return outcome;
}

} // namespace app
