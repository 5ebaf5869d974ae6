#include "engine/draws.h"
#include "engine/limiter/parts.h"

#include <algorithm>

namespace engine {
namespace {

std::int64_t later(std::int64_t timeNs, std::int64_t delayNs)
{
    return timeNs > wide::kLastNs - delayNs ? wide::kLastNs : timeNs + delayNs;
}

} // namespace

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

/// Where the state is by which a rule judges this request.
inline StateAt Limiter::Parts::find(const Flight& flight, std::uint32_t rule, std::uint32_t key)
{
    if (servers) {
        return servers->find(rule, key, flight.server, flight.nowNs);
    }
    StateAt at;
    at.rule = &rules[rule];
    at.cell = &states.cellOf(rule, key);
    at.nowNs = flight.nowNs;
    return at;
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

std::int64_t Limiter::Parts::costOf(const Flight& flight, std::uint32_t index)
{
    const RuleState& rule = rules[index];
    const std::int64_t cost = rule.costIndex() == Intake::kFixedCost
        ? rule.fixedCost()
        : intake.layout().cost(*flight.arrival, rule.costIndex());
    const std::optional<Tighten>& tighten = policy.rules[index].tighten;
    if (!tighten || !isTight(flight, *tighten)) {
        return cost;
    }
    const wide::Int128 more = wide::Int128 {cost} * tighten->factor;
    return static_cast<std::int64_t>(std::min<wide::Int128>(more, wide::kLastNs));
}

/// The rule's answer, by its state or because the store is away.
bool Limiter::Parts::judge(const Flight& flight, Judged& judged)
{
    const StateAt& at = judged.at;
    if (at.rule == nullptr) {
        return at.failure == StoreFailure::Open;
    }
    const std::uint64_t draw
        = draws::of(conditions.seed, draws::For::Shedding, flight.arrival->n,
                    static_cast<std::uint64_t>(flight.attempt) << 32 | judged.rule);
    if (conditions.servers.skewNs == 0) { // else another key's next server may be behind
        at.rule->tidy(at.nowNs);
    }
    const bool admits
        = at.rule->judge(*at.cell, judged.cost, at.nowNs, draw >> (64 - shed_ramp::kDrawBits));
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
        Judged judged;
        judged.rule = index;
        judged.key = ids[rule.idAt()];
        judged.at = find(flight, index, judged.key);
        judged.cost = costOf(flight, index);
        judged.admits = judge(flight, judged);
        if (servers && !flight.verdict.warmup) {
            servers->judged(index, judged.at, judged.admits);
        }
        rule.cells.at(judged.key).judged += flight.isCounted ? 1 : 0;
        if (!judged.admits) {
            noteDenial(index, judged.key, flight.isCounted, flight.verdict, flight.denied);
        }
        if (series != nullptr && rule.learns() && !flight.verdict.warmup) {
            noteLimit(judged, flight.nowNs);
        }
        if (flight.detail) {
            beginDetail(flight, judged);
        }
        m_judged.push_back(judged);
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
    const auto now = static_cast<std::int64_t>(wide::floorDivide(nowNs, 1'000'000'000));
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
    if (!detail.isStoreAway && decisions->wantsStates(plan, *flight.arrival)) {
        detail.before = judged.at.rule->describe(*judged.at.cell, judged.at.nowNs);
    }
}

/// Fills in the figures as they are once the tier (or with all_or_nothing the request) was counted.
void Limiter::Parts::endDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const
{
    if (!flight.detail) {
        return;
    }
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

/// Before a cost is counted.
void Limiter::Parts::noteCount(const Flight& flight, Judged& judged) const
{
    judged.counted = true;
    if (tracksCounts) {
        const bool fromRest = judged.at.rule->atRest(*judged.at.cell, judged.at.nowNs);
        decisions->counted(
            plan, {judged.rule, judged.key, flight.arrival, flight.nowNs, judged.cost, fromRest});
    }
}

/// Counts the cost of a rule that admitted, where its store is there.
void Limiter::Parts::count(Flight& flight, Judged& judged)
{
    const StateAt& at = judged.at;
    if (servers && !flight.verdict.warmup) {
        servers->admitted(judged.rule, judged.key, judged.cost, flight.nowNs);
    }
    if (at.rule == nullptr) {
        return;
    }
    noteCount(flight, judged);
    if (at.isSynced) {
        at.rule->countBeyond(*at.cell, judged.cost, at.nowNs);
        servers->counted(judged.rule, judged.key, at, judged.cost);
        return;
    }
    const std::int64_t durationNs = flight.arrival->durationNs;
    concurrency::Ticket ticket {};
    at.rule->count(*at.cell, judged.cost, at.nowNs, durationNs, ticket);
    if (at.rule->holds()) {
        flight.held.push_back({judged.rule, judged.key, at.rule, at.cell, ticket, at.nowNs,
                               at.rule->holdingNs(durationNs)});
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
            if (tracksCounts) {
                decisions->givenBack(plan, held.rule, held.key, *flight.arrival);
            }
        }
    }
    flight.held.clear();
}

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
            flight.verdict.delayNs = later(flight.verdict.delayNs, delayNs);
            const bool more
                = std::any_of(program.rules.begin() + static_cast<std::ptrdiff_t>(tier) + 1,
                              program.rules.end(), [](const auto& r) { return !r.empty(); });
            if (more) {
                flight.nowNs = later(flight.nowNs, delayNs);
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
