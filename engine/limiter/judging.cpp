#include "engine/draws.h"
#include "engine/limiter/parts.h"

#include <algorithm>

// What the rules of a tier answer; nothing is counted here.
namespace engine {

/// What a rule that denies leaves behind, whatever the tier says.
void Limiter::Parts::noteDenial(std::uint32_t index, std::uint32_t key, bool isCounted,
                                Verdict& verdict, std::vector<std::uint32_t>& denied)
{
    RuleState& rule = rules[index];
    denied.push_back(index);
    rule.denied.at(key) += isCounted ? 1 : 0;
    if (!rule.enforced() && verdict.shadowRule == kNoId) {
        verdict.shadowRule = index;
    }
}

/// Where the state is by which a rule judges this request. `at` is new.
inline void Limiter::Parts::find(const Flight& flight, std::uint32_t rule, std::uint32_t key,
                                 StateAt& at)
{
    if (servers) {
        at = servers->find(rule, key, flight.server, flight.nowNs);
        return;
    }
    at.rule = &rules[rule];
    at.cell = &at.rule->keeper().cells.at(key);
    at.nowNs = flight.nowNs;
}

/// Of a rule with one key, whose state is looked at without judging anything.
StateAt Limiter::Parts::look(const Flight& flight, std::uint32_t rule)
{
    StateAt at;
    if (servers) {
        at = servers->look(rule, flight.server, flight.nowNs);
    } else {
        at.rule = &rules[rule];
        at.cell = &states.cellOf(rule, 0);
        at.nowNs = flight.nowNs;
    }
    return at;
}

/// Where clocks differ a look must not move the key on: the next server may be behind.
RuleState::Fill Limiter::Parts::fillOf(const StateAt& at) const
{
    if (conditions.servers.skewNs != 0) {
        return at.rule->fillAt(*at.cell, at.nowNs);
    }
    at.rule->tidy(at.nowNs);
    at.rule->advance(*at.cell, at.nowNs);
    return at.rule->fillOf(*at.cell);
}

bool Limiter::Parts::isTight(const Flight& flight, const Tighten& tighten)
{
    const StateAt at = look(flight, tighten.rule);
    if (at.rule == nullptr) {
        return false; // nobody knows what is in flight
    }
    const RuleState::Fill fill = fillOf(at);
    return wide::Int128 {fill.inFlight} * 100 >= wide::Int128 {fill.limit} * tighten.above;
}

inline std::int64_t Limiter::Parts::costOf(const Flight& flight, std::uint32_t index)
{
    const RuleState& rule = rules[index];
    const std::int64_t cost = rule.costIndex() == Intake::kFixedCost
        ? rule.fixedCost()
        : intake.layout().cost(*flight.arrival, rule.costIndex());
    return rule.tightens() ? tightened(flight, *policy.rules[index].tighten, cost) : cost;
}

std::int64_t Limiter::Parts::tightened(const Flight& flight, const Tighten& tighten,
                                       std::int64_t cost)
{
    if (!isTight(flight, tighten)) {
        return cost;
    }
    const wide::Int128 more = wide::Int128 {cost} * tighten.factor;
    return static_cast<std::int64_t>(std::min<wide::Int128>(more, wide::kLastNs));
}

/// From the seed and the request alone: another rule in the policy changes nothing.
std::uint64_t Limiter::Parts::drawOf(const Flight& flight) const
{
    const std::uint64_t draw = draws::of(conditions.seed, draws::For::Shedding, flight.arrival->n,
                                         static_cast<std::uint64_t>(flight.attempt));
    return draw >> (64 - shed_ramp::kDrawBits);
}

/// The rule's answer, by its state or because the store is away.
inline bool Limiter::Parts::judge(const Flight& flight, Judged& judged)
{
    const StateAt& at = judged.at;
    if (at.rule == nullptr) {
        return at.failure == StoreFailure::Open;
    }
    const std::uint64_t draw = at.rule->learns() ? drawOf(flight) : 0;
    if (conditions.servers.skewNs == 0) { // else another key's next server may be behind
        at.rule->keeper().tidy(at.nowNs);
    }
    const bool admits = at.rule->judge(*at.cell, judged.cost, at.nowNs, draw);
    if (at.rule->delays() && admits) {
        judged.delayNs = at.rule->delayNs(*at.cell);
    }
    return admits;
}

/// Judges all applying rules of a tier; counts nothing.
void Limiter::Parts::judgeTier(Flight& flight, const std::vector<std::uint32_t>& applying)
{
    const std::uint32_t* ids = flight.arrival->ids();
    for (const std::uint32_t index : applying) {
        RuleState& rule = rules[index];
        Judged& judged = m_judged.emplace_back();
        judged.rule = index;
        judged.key = ids[rule.idAt()];
        find(flight, index, judged.key, judged.at);
        judged.cost = costOf(flight, index);
        judged.admits = judge(flight, judged);
        if (servers && !flight.verdict.warmup) {
            servers->judged(index, judged.at, judged.admits);
        }
        // Who judges may be a server, and a class has its state with the first one.
        const bool isOwn = !servers && rule.keepsOwnStates();
        (isOwn ? *judged.at.cell : rule.cells.at(judged.key)).judged += flight.isCounted ? 1 : 0;
        if (!judged.admits) {
            noteDenial(index, judged.key, flight.isCounted, flight.verdict, flight.denied);
        }
        if (series != nullptr && rule.learns() && !flight.verdict.warmup) {
            noteLimit(judged, flight.nowNs);
        }
        if (flight.detail) {
            beginDetail(flight, judged);
        }
    }
    flight.decidedNs = flight.nowNs;
}

void Limiter::Parts::tellLimit(Learning& learning)
{
    if (learning.isOpen) {
        series->limits(plan, learning.second);
        learning.isOpen = false;
    }
}

/// What a rule that learns goes by now, for the series.
void Limiter::Parts::noteLimit(const Judged& judged, std::int64_t nowNs)
{
    if (judged.at.rule == nullptr) {
        return;
    }
    Learning& learning = m_learning[judged.rule];
    LimitSecond& second = learning.second;
    const auto now = wide::floored(nowNs, 1'000'000'000);
    const std::int64_t limit = judged.at.rule->learned(*judged.at.cell);
    if (learning.isOpen && second.second != now) {
        tellLimit(learning);
    }
    if (!learning.isOpen) {
        second = {judged.rule, now, limit, limit, limit};
        learning.isOpen = true;
        return;
    }
    second.lowest = std::min(second.lowest, limit);
    second.highest = std::max(second.highest, limit);
    second.last = limit;
}

void Limiter::Parts::finish()
{
    for (Learning& learning : m_learning) {
        tellLimit(learning);
    }
}

void Limiter::Parts::beginDetail(Flight& flight, Judged& judged) const
{
    judged.detail = flight.detail->rules.size();
    RuleDecision& detail = flight.detail->rules.emplace_back();
    detail.rule = judged.rule;
    detail.key = judged.key;
    detail.judgedNs = flight.nowNs;
    detail.cost = judged.cost;
    detail.admits = judged.admits;
    detail.isStoreAway = judged.at.rule == nullptr;
    detail.state = judged.at.state;
    if (!detail.isStoreAway && decisions->wantsStates(plan, *flight.arrival)) {
        detail.before = judged.at.rule->describe(*judged.at.cell, judged.at.nowNs);
    }
}

/// Fills in the figures as they are once the tier (or with all_or_nothing the request) was counted.
void Limiter::Parts::fillDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const
{
    const bool wantsStates = decisions->wantsStates(plan, *flight.arrival);
    for (std::size_t i = firstJudged; i < end; ++i) {
        const Judged& judged = m_judged[i];
        RuleDecision& detail = flight.detail->rules[judged.detail];
        detail.counted = judged.counted;
        detail.delayNs = judged.counted || judged.cost == 0 ? judged.delayNs : 0;
        if (judged.at.rule == nullptr) {
            detail.figures.retryAfterNs
                = judged.admits ? std::optional<std::int64_t>(0) : std::nullopt;
            continue;
        }
        const StateAt& at = judged.at;
        detail.figures = at.rule->figures(*at.cell, judged.cost, judged.admits, at.nowNs);
        detail.capacity = at.rule->capacity(*at.cell);
        if (wantsStates) {
            detail.after = at.rule->describe(*at.cell, at.nowNs);
        }
    }
}

} // namespace engine
