#include "engine/limiter/parts.h"

#include <algorithm>

// What goes into states once a tier is judged, and comes out again.
namespace engine {

/// Before a cost is counted.
inline void Limiter::Parts::noteCount(const Flight& flight, Judged& judged) const
{
    judged.counted = true;
    if (tracksCounts) {
        const bool fromRest = judged.at.rule->atRest(*judged.at.cell, judged.at.nowNs);
        decisions->counted(plan,
                           {judged.rule, judged.key, flight.arrival, flight.nowNs, judged.cost,
                            fromRest, judged.at.state});
    }
}

/// Puts the cost into the state; slots are held until they are given back.
inline void Limiter::Parts::take(Flight& flight, const Judged& judged) const
{
    const StateAt& at = judged.at;
    if (!at.rule->holds()) {
        at.rule->count(*at.cell, judged.cost, at.nowNs);
        return;
    }
    Flight::Held& held = flight.held.emplace_back();
    held.rule = judged.rule;
    held.key = judged.key;
    held.state = at.rule;
    held.cell = at.cell;
    held.sinceNs = at.nowNs;
    held.holdingNs = at.rule->holdingNs(flight.arrival->durationNs);
    held.ticket = at.rule->take(*at.cell, judged.cost, at.nowNs, held.holdingNs);
}

/// Counts the cost of a rule that admitted, where its store is there.
inline void Limiter::Parts::count(Flight& flight, Judged& judged)
{
    const StateAt& at = judged.at;
    if (at.rule != nullptr) {
        noteCount(flight, judged);
        if (at.isSynced) {
            at.rule->countBeyond(*at.cell, judged.cost, at.nowNs);
            servers->counted(judged.rule, judged.key, at, judged.cost);
        } else {
            take(flight, judged);
        }
    }
    if (servers && !flight.verdict.warmup) {
        noteAdmitted(flight, judged);
    }
}

/// For what all servers together let through.
void Limiter::Parts::noteAdmitted(Flight& flight, const Judged& judged)
{
    const RuleState& rule = rules[judged.rule];
    if (!rule.holds()) {
        servers->admitted(judged.rule, judged.key, judged.cost, flight.nowNs);
        return;
    }
    const bool isOne = rule.algorithm() == Algorithm::LoadShedder; // whatever the cost
    const concurrency::Ticket ticket
        = servers->noteSlots(judged.rule, judged.key, isOne ? 1 : judged.cost, flight.nowNs,
                             rule.holdingNs(flight.arrival->durationNs));
    if (judged.at.rule != nullptr) {
        flight.held.back().together = ticket;
        flight.held.back().isTogether = true;
    }
}

void Limiter::Parts::countRejected(const Flight& flight, Judged& judged)
{
    const StateAt& at = judged.at;
    if (at.rule == nullptr || judged.cost == 0 || !rules[judged.rule].countsRejected()) {
        return;
    }
    noteCount(flight, judged);
    at.rule->countRejected(*at.cell, judged.cost, at.nowNs);
    if (at.isSynced) {
        servers->counted(judged.rule, judged.key, at, judged.cost);
    }
}

/// Counts what admitted; returns the delay of the request (the largest of the enforced rules').
std::int64_t Limiter::Parts::countTier(Flight& flight, std::size_t firstJudged, std::size_t end)
{
    std::int64_t delayNs = 0;
    for (std::size_t i = firstJudged; i < end; ++i) {
        Judged& judged = m_judged[i];
        if (!judged.admits) {
            countRejected(flight, judged); // a shadow rule while the tier admitted (A1)
            continue;
        }
        if (judged.delayNs > 0) {
            flight.delays.push_back({judged.rule, judged.delayNs});
            delayNs = rules[judged.rule].enforced() ? std::max(delayNs, judged.delayNs) : delayNs;
        }
        if (judged.cost > 0) {
            count(flight, judged);
        }
    }
    return delayNs;
}

void Limiter::Parts::countRejectedOnes(Flight& flight, std::size_t firstJudged, std::size_t end)
{
    for (std::size_t i = firstJudged; i < end; ++i) {
        countRejected(flight, m_judged[i]);
    }
}

/// Slots that earlier tiers gave are free again from this instant on.
void Limiter::Parts::giveBack(Flight& flight)
{
    const std::int64_t nowNs
        = servers ? servers->clockTime(flight.server, flight.nowNs) : flight.nowNs;
    for (const Flight::Held& held : flight.held) {
        // A clock that is behind may not have come to where the holding began.
        const bool isHeld = nowNs < held.sinceNs
            || wide::between(held.sinceNs, nowNs) < static_cast<std::uint64_t>(held.holdingNs);
        if (isHeld) {
            held.state->giveBack(*held.cell, held.ticket);
            if (held.isTogether) {
                servers->gaveBack(held.rule, held.key, held.together);
            }
            if (tracksCounts) {
                decisions->givenBack(plan, held.rule, held.key, *flight.arrival);
            }
        }
    }
    flight.held.clear();
}

} // namespace engine
