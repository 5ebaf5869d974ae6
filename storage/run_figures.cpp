#include "storage/run_writer.h"

namespace storage {

RunShape RunShape::of(const engine::Intake& intake, std::size_t plan)
{
    RunShape shape;
    shape.plan = plan;
    shape.layout = intake.layout();
    for (std::size_t rule = 0; rule < intake.plans()[plan]->rules.size(); ++rule) {
        shape.tupleOfRule.push_back(intake.tupleOf(plan, rule));
    }
    return shape;
}

EngineFigures::EngineFigures(const engine::Intake& intake, const engine::Replay& replay,
                             const engine::Tally& tally, std::size_t plan)
    : m_intake(intake)
    , m_replay(replay)
    , m_tally(tally)
    , m_plan(plan)
{
}

const engine::RunTally& EngineFigures::run() const
{
    return m_tally.run(m_plan);
}

std::uint64_t EngineFigures::costMissing(std::size_t rule) const
{
    return m_intake.costMissing(m_plan, rule);
}

std::size_t EngineFigures::keyCount(std::size_t rule) const
{
    return m_intake.keyCount(m_intake.tupleOf(m_plan, rule));
}

engine::KeyTally EngineFigures::keyTally(std::size_t rule, std::uint32_t key) const
{
    return m_replay.keyTally(m_plan, static_cast<std::uint32_t>(rule), key);
}

std::vector<std::string_view> EngineFigures::keyText(std::size_t rule, std::uint32_t key) const
{
    return m_intake.keyText(m_intake.tupleOf(m_plan, rule), key);
}

std::size_t EngineFigures::whoCount() const
{
    return m_intake.whoCount();
}

engine::WhoTally EngineFigures::who(std::uint32_t id) const
{
    return m_tally.who(m_plan, id);
}

std::string_view EngineFigures::whoText(std::uint32_t id) const
{
    return m_intake.whoText(id);
}

std::string_view EngineFigures::pathGroupText(std::uint32_t id) const
{
    return m_intake.pathGroupText(m_plan, id);
}

} // namespace storage
