#include "engine/limiter/parts.h"

namespace engine {

/// Judges one rule; true if it denies and is enforced.
inline bool Limiter::Parts::judgePlainly(Flight& flight, const Program::Step& step,
                                         PlainlyJudged& judged)
{
    RuleState& rule = *step.rule;
    rule.tidy(flight.nowNs);
    judged.cell = flight.places->cells[step.place] + step.lane;
    judged.cost = rule.costIndex() == Intake::kFixedCost
        ? rule.fixedCost()
        : intake.layout().cost(*flight.arrival, rule.costIndex());
    judged.admits = rule.judge(*judged.cell, judged.cost, flight.nowNs);
    judged.cell->judged += warmup ? 0 : 1;
    if (judged.admits) [[likely]] {
        return false;
    }
    noteDenial(flight, step.index, flight.arrival->ids()[rule.idAt()]);
    return rule.enforced();
}

/// Counts what one rule judged; `passes`: no rule of its tier rejects.
inline void Limiter::Parts::countPlainly(const Flight& flight, RuleState& rule,
                                         const PlainlyJudged& judged, bool passes)
{
    if (judged.cost == 0) {
        return;
    }
    if (judged.admits && passes) {
        concurrency::Ticket none {};
        rule.count(*judged.cell, judged.cost, flight.nowNs, flight.arrival->durationNs, none);
    } else if (rule.countsRejected()) { // of a rejected request, or denied in shadow (A1)
        rule.countRejected(*judged.cell, judged.cost, flight.nowNs);
    }
}

/// Judges and counts a tier; gives the first enforced rule that denies, or kNoId.
inline std::uint32_t Limiter::Parts::passPlainly(Flight& flight,
                                                 const std::vector<Program::Step>& steps)
{
    std::uint32_t denial = kNoId;
    if (steps.size() == 1) { // as most tiers: what is judged stays in registers
        PlainlyJudged judged;
        denial = judgePlainly(flight, steps[0], judged) ? steps[0].index : kNoId;
        countPlainly(flight, *steps[0].rule, judged, denial == kNoId);
        return denial;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (judgePlainly(flight, steps[i], m_plainlyJudged[i]) && denial == kNoId) {
            denial = steps[i].index;
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        countPlainly(flight, *steps[i].rule, m_plainlyJudged[i], denial == kNoId);
    }
    return denial;
}

/// advancePerTier() where nobody wants details, no rule delays or holds, and the states were found
/// before: most requests of most policies.
void Limiter::Parts::decidePlainly(Flight& flight, const Program& program)
{
    for (std::size_t tier = 0; tier < kTierCount; ++tier) {
        const std::uint32_t denial = passPlainly(flight, program.steps[tier]);
        if (denial != kNoId) {
            reject(flight, tier, denial);
            return;
        }
    }
    flight.verdict.tiersJudged = kTierCount;
}

} // namespace engine
