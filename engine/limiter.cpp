#include "engine/limiter.h"

#include "engine/limiter/parts.h"

#include <algorithm>

namespace engine {

void Flight::start(const Arrival& arrived, std::uint64_t orderOfArrival)
{
    arrival = &arrived;
    order = orderOfArrival;
    nowNs = arrived.timeNs;
    decidedNs = arrived.timeNs;
    nextTier = 0;
    attempt = 1;
    server = kNoId;
    isCounted = true;
    wantsRetryAfter = false;
    retryAfterNs.reset();
    comeback.reset();
    awayRule.reset();
    verdict = {};
    denied.clear();
    delays.clear();
    held.clear();
    detail.reset();
}

namespace {

const Conditions& conditionsOf(const LimiterOptions& options)
{
    static const Conditions kUsual;
    return options.conditions == nullptr ? kUsual : *options.conditions;
}

bool hasServers(const Conditions& conditions)
{
    Conditions without = conditions;
    without.clients.reset();
    return !without.areUsual();
}

} // namespace

Limiter::Parts::Parts(const Intake& source, std::size_t planIndex, const LimiterOptions& options)
    : intake(source)
    , plan(planIndex)
    , policy(*source.plans()[planIndex])
    , decisions(options.decisions)
    , tracksCounts(decisions != nullptr && decisions->tracksCounts())
    , mayBePlain(decisions == nullptr && policy.counting == Counting::PerTier
                 && conditionsOf(options).areUsual())
    , profileAt(source.layout().profileAt(planIndex))
    , states(source, planIndex)
    , rules(states.rules)
    , conditions(conditionsOf(options))
    , series(options.series)
    , m_learning(policy.rules.size())
{
    if (hasServers(conditions)) {
        servers = std::make_unique<ServerStates>(intake, plan, conditions, states);
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
            program->isPlain = program->isPlain && !rule.delays() && !rule.holds()
                && !policy.rules[index].tighten;
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

Limiter::Limiter(const Intake& intake, std::size_t plan, const LimiterOptions& options)
    : m_parts(std::make_unique<Parts>(intake, plan, options))
{
}

Limiter::~Limiter() = default;

Limiter::Progress Limiter::advance(Flight& flight)
{
    return m_parts->advance(flight);
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

void Limiter::finish()
{
    m_parts->finish();
}

KeyTally Limiter::keyTally(std::uint32_t rule, std::uint32_t key) const
{
    const RuleState& state = m_parts->rules[rule];
    const KeyCell* cell = state.cells.find(key);
    const std::uint64_t* denied = state.denied.find(key);
    return {cell != nullptr ? cell->judged : 0, denied != nullptr ? *denied : 0};
}

StateMemory Limiter::memoryOf(std::uint32_t rule) const
{
    StateMemory memory = m_parts->rules[rule].memory();
    memory.bytes += m_parts->servers ? m_parts->servers->memoryBytes(rule) : 0;
    return memory;
}

const ServerStates* Limiter::servers() const
{
    return m_parts->servers.get();
}

} // namespace engine
