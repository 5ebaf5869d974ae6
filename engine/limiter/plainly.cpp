#include "engine/limiter/parts.h"

namespace engine {

/// What a rule will judge: where, and how much.
inline Limiter::Parts::PlainlyJudged Limiter::Parts::lookPlainly(const Upcoming& request,
                                                                 const Program::Step& step) const
{
    PlainlyJudged judged;
    judged.cell = request.places.cells[step.place] + step.lane;
    judged.cost = step.costIndex == Intake::kFixedCost
        ? step.fixedCost
        : intake.layout().cost(*request.arrival, step.costIndex);
    return judged;
}

void Limiter::Parts::denyPlainly(Upcoming& request, const Program::Step& step)
{
    noteDenial(step.index, request.arrival->ids()[step.rule->idAt()], true, *request.verdict,
               request.denied);
}

/// A tier of one rule, as most are: true unless it rejects.
inline bool Limiter::Parts::passOne(Upcoming& request, const Program::Step& step)
{
    const std::int64_t nowNs = request.arrival->timeNs;
    const PlainlyJudged judged = lookPlainly(request, step);
    ++judged.cell->judged;
    if (step.rule->pass(*judged.cell, judged.cost, nowNs)) [[likely]] {
        return true;
    }
    denyPlainly(request, step);
    if (step.rule->countsRejected() && judged.cost > 0) { // rejected, or denied in shadow (A1)
        step.rule->countRejected(*judged.cell, judged.cost, nowNs);
    }
    return !step.rule->enforced();
}

/// Judges all rules of a tier, then counts; gives the first enforced rule that denies, or kNoId.
std::uint32_t Limiter::Parts::passSeveral(Upcoming& request,
                                          const std::vector<Program::Step>& steps)
{
    const std::int64_t nowNs = request.arrival->timeNs;
    bool admits = true;
    PlainlyJudged* judged = m_plainlyJudged.data();
    for (const Program::Step& step : steps) {
        *judged = lookPlainly(request, step);
        step.rule->tidy(nowNs);
        ++judged->cell->judged;
        judged->admits = step.rule->judge(*judged->cell, judged->cost, nowNs);
        admits = admits && judged->admits;
        ++judged;
    }
    if (!admits) [[unlikely]] {
        return countDenied(request, steps);
    }
    judged = m_plainlyJudged.data();
    for (const Program::Step& step : steps) {
        if (judged->cost > 0) {
            step.rule->count(*judged->cell, judged->cost, nowNs);
        }
        ++judged;
    }
    return kNoId;
}

/// The same once all are judged and some deny.
std::uint32_t Limiter::Parts::countDenied(Upcoming& request,
                                          const std::vector<Program::Step>& steps)
{
    const std::int64_t nowNs = request.arrival->timeNs;
    std::uint32_t denial = kNoId;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!m_plainlyJudged[i].admits) {
            denyPlainly(request, steps[i]);
            denial = denial == kNoId && steps[i].rule->enforced() ? steps[i].index : denial;
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        RuleState& rule = *steps[i].rule;
        const PlainlyJudged& judged = m_plainlyJudged[i];
        if (judged.cost == 0) {
            continue;
        }
        if (judged.admits && denial == kNoId) {
            rule.count(*judged.cell, judged.cost, nowNs);
        } else if (rule.countsRejected()) { // of a rejected request, or denied in shadow (A1)
            rule.countRejected(*judged.cell, judged.cost, nowNs);
        }
    }
    return denial;
}

/// advancePerTier() where nobody wants details, no rule delays or holds, and the states were found
/// before: most requests of most policies.
void Limiter::Parts::decidePlainly(Upcoming& request)
{
    const Program& program = *request.program;
    Verdict& verdict = *request.verdict;
    verdict = program.passed;
    request.denied.clear();
    for (const Program::PlainTier& tier : program.tiers) {
        std::uint32_t denial = kNoId;
        if (tier.steps.size() == 1) {
            const Program::Step& step = tier.steps.front();
            denial = passOne(request, step) ? kNoId : step.index;
        } else {
            denial = passSeveral(request, tier.steps);
        }
        if (denial != kNoId) {
            verdict.outcome = Outcome::Rejected;
            verdict.rule = denial;
            verdict.tiersJudged = static_cast<std::uint8_t>(tier.tier + 1);
            return;
        }
    }
}

} // namespace engine
