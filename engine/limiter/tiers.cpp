#include "engine/limiter/parts.h"

#include <algorithm>

// The way of a request from tier to tier, and how it ends.
namespace engine {

void Limiter::Parts::reject(Flight& flight, std::size_t tier, std::uint32_t rule) const
{
    flight.verdict.outcome = Outcome::Rejected;
    for (const Judged& judged : m_judged) {
        if (judged.rule == rule && judged.at.rule == nullptr) {
            flight.awayRule = rule;
        }
    }
    flight.verdict.rule = rule;
    flight.verdict.tiersJudged = static_cast<std::uint8_t>(tier + 1);
    if (!flight.detail) {
        return;
    }
    std::optional<std::int64_t> retryAfterNs = 0;
    for (const RuleDecision& detail : flight.detail->rules) {
        const PlanRule& planned = policy.rules[detail.rule];
        if (static_cast<std::size_t>(planned.tier) != tier || planned.mode != Mode::Enforce
            || detail.admits) {
            continue;
        }
        if (!detail.figures.retryAfterNs) {
            retryAfterNs.reset();
            break;
        }
        retryAfterNs = std::max(*retryAfterNs, *detail.figures.retryAfterNs);
    }
    flight.detail->retryAfterNs = retryAfterNs;
}

/// What a rejected client is told, where somebody wants it without the whole decision.
void Limiter::Parts::tellRetryAfter(Flight& flight, std::size_t tier, std::size_t firstJudged)
{
    if (!flight.wantsRetryAfter) {
        return;
    }
    flight.retryAfterNs = 0;
    for (std::size_t i = firstJudged; i < m_judged.size(); ++i) {
        const Judged& judged = m_judged[i];
        const bool denies = !judged.admits && rules[judged.rule].enforced()
            && static_cast<std::size_t>(policy.rules[judged.rule].tier) == tier;
        if (!denies) {
            continue;
        }
        const StateAt& at = judged.at;
        const std::optional<std::int64_t> wait = at.rule == nullptr
            ? std::nullopt
            : at.rule->figures(*at.cell, judged.cost, false, at.nowNs).retryAfterNs;
        if (!wait) {
            flight.retryAfterNs.reset();
            return;
        }
        flight.retryAfterNs = std::max(*flight.retryAfterNs, *wait);
    }
}

/// The first enforcing rule of the tier that denied, or kNoId.
std::uint32_t Limiter::Parts::firstDenial(std::size_t firstJudged) const
{
    for (std::size_t i = firstJudged; i < m_judged.size(); ++i) {
        if (!m_judged[i].admits && rules[m_judged[i].rule].enforced()) {
            return m_judged[i].rule;
        }
    }
    return kNoId;
}

Limiter::Progress Limiter::Parts::advancePerTier(Flight& flight, const Program& program)
{
    for (std::size_t tier = flight.nextTier; tier < kTierCount; ++tier) {
        if (program.rules[tier].empty()) {
            continue;
        }
        m_judged.clear();
        judgeTier(flight, program.rules[tier]);
        const std::uint32_t denial = flight.denied.empty() ? kNoId : firstDenial(0);
        if (denial != kNoId) {
            countRejectedOnes(flight, 0, m_judged.size());
            endDetail(flight, 0, m_judged.size());
            tellRetryAfter(flight, tier, 0);
            giveBack(flight);
            reject(flight, tier, denial);
            return Progress::Decided;
        }
        const std::int64_t delayNs = countTier(flight, 0, m_judged.size());
        endDetail(flight, 0, m_judged.size());
        if (delayNs > 0) {
            flight.verdict.delayNs = wide::later(flight.verdict.delayNs, delayNs);
            const bool more
                = std::any_of(program.rules.begin() + static_cast<std::ptrdiff_t>(tier) + 1,
                              program.rules.end(), [](const auto& r) { return !r.empty(); });
            if (more) {
                flight.nowNs = wide::later(flight.nowNs, delayNs);
                flight.nextTier = tier + 1;
                return Progress::Delayed;
            }
        }
    }
    flight.verdict.tiersJudged = kTierCount;
    return Progress::Decided;
}

void Limiter::Parts::decideAtOnce(Flight& flight, const Program& program)
{
    m_judged.clear();
    std::uint32_t denial = kNoId;
    std::size_t tier = 0;
    for (; tier < kTierCount; ++tier) {
        if (program.rules[tier].empty()) {
            continue;
        }
        const std::size_t first = m_judged.size();
        judgeTier(flight, program.rules[tier]);
        denial = firstDenial(first);
        if (denial != kNoId) {
            break;
        }
    }
    if (denial != kNoId) {
        countRejectedOnes(flight, 0, m_judged.size());
        endDetail(flight, 0, m_judged.size());
        tellRetryAfter(flight, tier, 0);
        reject(flight, tier, denial);
        return;
    }
    flight.verdict.delayNs = countTier(flight, 0, m_judged.size());
    endDetail(flight, 0, m_judged.size());
    flight.verdict.tiersJudged = kTierCount;
}

Limiter::Progress Limiter::Parts::advance(Flight& flight)
{
    if (servers && flight.server == kNoId) {
        const Servers& all = conditions.servers;
        const bool byValue = all.balance == Balance::ByAttribute || all.balance == Balance::Logged;
        const std::size_t at = byValue ? intake.layout().tupleAt(intake.facetTuple(plan, all.facet))
                                       : ArrivalLayout::kWho;
        flight.server
            = servers->serverOf(*flight.arrival, flight.attempt, flight.arrival->ids()[at]);
    }
    const Program& program = programOf(*flight.arrival);
    Progress progress = Progress::Decided;
    if (program.passed.exemption != kNoId) {
        flight.verdict.exemption = program.passed.exemption;
        flight.verdict.tiersJudged = 0;
    } else if (policy.counting == Counting::AllOrNothing) {
        decideAtOnce(flight, program);
    } else {
        progress = advancePerTier(flight, program);
    }
    if (servers && progress == Progress::Decided && !flight.verdict.warmup) {
        servers->decided(flight.server, flight.verdict.outcome == Outcome::Admitted);
    }
    return progress;
}

} // namespace engine
