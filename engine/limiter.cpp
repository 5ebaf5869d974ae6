#include "engine/limiter.h"

#include "engine/limiter/parts.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace engine {
namespace {

constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

std::int64_t later(std::int64_t timeNs, std::int64_t delayNs)
{
    return timeNs > kEndOfTime - delayNs ? kEndOfTime : timeNs + delayNs;
}

} // namespace

void Flight::start(const Arrival& arrived, std::uint64_t orderOfArrival)
{
    arrival = &arrived;
    order = orderOfArrival;
    nowNs = arrived.timeNs;
    decidedNs = arrived.timeNs;
    nextTier = 0;
    verdict = {};
    denied.clear();
    delays.clear();
    held.clear();
    detail.reset();
}

Limiter::Parts::Parts(const Intake& source, std::size_t planIndex, DecisionSink* sink)
    : intake(source)
    , plan(planIndex)
    , policy(*source.plans()[planIndex])
    , decisions(sink)
    , tracksCounts(sink != nullptr && sink->tracksCounts())
    , mayBePlain(sink == nullptr && policy.counting == Counting::PerTier)
    , profileAt(source.layout().profileAt(planIndex))
{
    std::unordered_map<std::size_t, CellGroup*> open; // by tuple: the group that has room
    rules.reserve(policy.rules.size());
    for (std::size_t i = 0; i < policy.rules.size(); ++i) {
        const std::size_t tuple = intake.tupleOf(plan, i);
        CellGroup*& group = open[tuple];
        if (group == nullptr || group->rules() == CellGroup::kMost) {
            group = &groups.emplace_back();
        }
        rules.emplace_back(policy.rules[i], intake.layout().tupleAt(tuple), intake.costOf(plan, i),
                           *group);
    }
}

void Limiter::Parts::makeProgram(std::uint32_t profile)
{
    const Profile& met = intake.profile(plan, profile);
    auto program = std::make_unique<Program>();
    program->rules = met.rules;
    program->passed.exemption = met.exemption;
    program->passed.tiersJudged = met.exemption == kNoId ? kTierCount : 0;
    for (std::uint32_t tier = 0; tier < kTierCount; ++tier) {
        std::vector<Program::Step> steps;
        for (const std::uint32_t index : met.rules[tier]) {
            RuleState& rule = rules[index];
            program->isPlain = program->isPlain && !rule.delays() && !rule.holds();
            CellGroup* const group = rule.cells.group();
            const auto found
                = std::find_if(program->keys.begin(), program->keys.end(),
                               [group](const Program::Keys& keys) { return keys.group == group; });
            const auto place = static_cast<std::uint32_t>(found - program->keys.begin());
            if (found == program->keys.end()) {
                program->keys.push_back({group, rule.idAt()});
            }
            steps.push_back(
                {&rule, index, place, rule.cells.lane(), rule.costIndex(), rule.fixedCost()});
        }
        if (!steps.empty()) {
            program->tiers.push_back({tier, std::move(steps)});
        }
        m_plainlyJudged.resize(std::max(m_plainlyJudged.size(), met.rules[tier].size()));
    }
    program->isPlain = program->isPlain && program->keys.size() <= StatePlaces::kMost;
    if (profile >= programs.size()) {
        programs.resize(profile + std::size_t {1});
    }
    programs[profile] = std::move(program);
}

/// What a rule that denies leaves behind, whatever the tier says.
void Limiter::Parts::noteDenial(std::uint32_t index, std::uint32_t key, Verdict& verdict,
                                std::vector<std::uint32_t>& denied)
{
    RuleState& rule = rules[index];
    denied.push_back(index);
    rule.denied.at(key) += verdict.warmup ? 0 : 1;
    if (!rule.enforced() && verdict.shadowRule == kNoId) {
        verdict.shadowRule = index;
    }
}

/// Judges all applying rules of a tier; counts nothing.
void Limiter::Parts::judgeTier(Flight& flight, const std::vector<std::uint32_t>& applying)
{
    const std::uint32_t* ids = flight.arrival->ids();
    for (const std::uint32_t index : applying) {
        RuleState& rule = rules[index];
        rule.tidy(flight.nowNs);
        Judged judged;
        judged.rule = index;
        judged.key = ids[rule.idAt()];
        judged.cell = &rule.cells.at(judged.key);
        judged.cost = rule.costIndex() == Intake::kFixedCost
            ? rule.fixedCost()
            : intake.layout().cost(*flight.arrival, rule.costIndex());
        judged.admits = rule.judge(*judged.cell, judged.cost, flight.nowNs);
        if (rule.delays() && judged.admits) {
            judged.delayNs = rule.delayNs(*judged.cell);
        }
        judged.cell->judged += flight.verdict.warmup ? 0 : 1;
        if (!judged.admits) {
            noteDenial(index, judged.key, flight.verdict, flight.denied);
        }
        if (flight.detail) {
            beginDetail(flight, judged);
        }
        m_judged.push_back(judged);
    }
    flight.decidedNs = flight.nowNs;
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
    if (decisions->wantsStates(plan, *flight.arrival)) {
        detail.before = rules[judged.rule].describe(*judged.cell, flight.nowNs);
    }
}

/// Fills in the figures as they are once the tier (or with all_or_nothing the request) was counted.
void Limiter::Parts::endDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const
{
    if (!flight.detail) {
        return;
    }
    const bool states = decisions->wantsStates(plan, *flight.arrival);
    for (std::size_t i = firstJudged; i < end; ++i) {
        const Judged& judged = m_judged[i];
        RuleDecision& detail = flight.detail->rules[judged.detail];
        detail.counted = judged.counted;
        detail.delayNs = judged.counted || judged.cost == 0 ? judged.delayNs : 0;
        detail.figures
            = rules[judged.rule].figures(*judged.cell, judged.cost, judged.admits, flight.nowNs);
        if (states) {
            detail.after = rules[judged.rule].describe(*judged.cell, flight.nowNs);
        }
    }
}

/// Before a cost is counted.
void Limiter::Parts::noteCount(const Flight& flight, Judged& judged) const
{
    judged.counted = true;
    if (tracksCounts) {
        const bool fromRest = rules[judged.rule].atRest(*judged.cell, flight.nowNs);
        decisions->counted(
            plan, {judged.rule, judged.key, flight.arrival, flight.nowNs, judged.cost, fromRest});
    }
}

/// Counts what admitted; returns the delay of the request (the largest of the enforced rules').
std::int64_t Limiter::Parts::countTier(Flight& flight, std::size_t firstJudged, std::size_t end)
{
    std::int64_t delayNs = 0;
    for (std::size_t i = firstJudged; i < end; ++i) {
        Judged& judged = m_judged[i];
        RuleState& rule = rules[judged.rule];
        if (!judged.admits) {
            // A shadow rule that denied while the tier admitted (A1).
            if (rule.countsRejected() && judged.cost > 0) {
                noteCount(flight, judged);
                rule.countRejected(*judged.cell, judged.cost, flight.nowNs);
            }
            continue;
        }
        if (judged.delayNs > 0) {
            flight.delays.push_back({judged.rule, judged.delayNs});
            delayNs = rule.enforced() ? std::max(delayNs, judged.delayNs) : delayNs;
        }
        if (judged.cost > 0) {
            Flight::Held held {judged.rule,
                               judged.key,
                               {},
                               flight.nowNs,
                               rule.holdingNs(flight.arrival->durationNs)};
            noteCount(flight, judged);
            rule.count(*judged.cell, judged.cost, flight.nowNs, flight.arrival->durationNs,
                       held.ticket);
            if (rule.holds()) {
                flight.held.push_back(held);
            }
        }
    }
    return delayNs;
}

void Limiter::Parts::countRejectedOnes(Flight& flight, std::size_t firstJudged, std::size_t end)
{
    for (std::size_t i = firstJudged; i < end; ++i) {
        Judged& judged = m_judged[i];
        if (rules[judged.rule].countsRejected() && judged.cost > 0) {
            noteCount(flight, judged);
            rules[judged.rule].countRejected(*judged.cell, judged.cost, flight.nowNs);
        }
    }
}

/// Slots that earlier tiers gave are free again from this instant on.
void Limiter::Parts::giveBack(Flight& flight)
{
    for (const Flight::Held& held : flight.held) {
        // Unsigned, for times that lie further apart than an int64 can say.
        const std::uint64_t heldNs
            = static_cast<std::uint64_t>(flight.nowNs) - static_cast<std::uint64_t>(held.sinceNs);
        if (heldNs < static_cast<std::uint64_t>(held.holdingNs)) {
            rules[held.rule].giveBack(rules[held.rule].cells.at(held.key), held.ticket);
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
        reject(flight, tier, denial);
        return;
    }
    flight.verdict.delayNs = countTier(flight, 0, m_judged.size());
    endDetail(flight, 0, m_judged.size());
    flight.verdict.tiersJudged = kTierCount;
}

Limiter::Limiter(const Intake& intake, std::size_t plan, DecisionSink* decisions)
    : m_parts(std::make_unique<Parts>(intake, plan, decisions))
{
}

Limiter::~Limiter() = default;

Limiter::Progress Limiter::advance(Flight& flight)
{
    Parts& parts = *m_parts;
    const LimiterProgram& program = parts.programOf(*flight.arrival);
    if (program.passed.exemption != kNoId) {
        flight.verdict.exemption = program.passed.exemption;
        flight.verdict.tiersJudged = 0;
        return Progress::Decided;
    }
    if (parts.policy.counting == Counting::AllOrNothing) {
        parts.decideAtOnce(flight, program);
        return Progress::Decided;
    }
    return parts.advancePerTier(flight, program);
}

void Limiter::expect(std::span<Upcoming> requests)
{
    for (Upcoming& request : requests) {
        const std::uint32_t* const ids = request.arrival->ids();
        const LimiterProgram& program = m_parts->programOf(*request.arrival);
        request.program = &program;
        request.isPlain = m_parts->isPlain(program);
        auto place = request.places.cells.begin();
        for (const LimiterProgram::Keys& keys : program.keys) {
            KeyCell* const cells = keys.group->at(ids[keys.idAt]);
            if (program.isPlain) { // others have any number of them, and look for themselves
                *place++ = cells;
            }
            // The row's first and last cache line, of two at the usual most.
            __builtin_prefetch(cells, 1);
            __builtin_prefetch(cells + keys.group->rules() - 1, 1);
        }
    }
}

void Limiter::decideRun(std::span<Upcoming> requests)
{
    for (Upcoming& request : requests) {
        m_parts->decidePlainly(request);
    }
}

KeyTally Limiter::keyTally(std::uint32_t rule, std::uint32_t key) const
{
    const RuleState& state = m_parts->rules[rule];
    const KeyCell* cell = state.cells.find(key);
    const std::uint64_t* denied = state.denied.find(key);
    return {cell != nullptr ? cell->judged : 0, denied != nullptr ? *denied : 0};
}

} // namespace engine
