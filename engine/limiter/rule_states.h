#pragma once
#include "engine/intake.h"
#include "engine/limiter/rule_state.h"

#include <deque>
#include <functional>
#include <vector>

namespace engine {

/// The states of all rules of a plan, once: of the one server that there usually is, or of one of
/// several.
class RuleStates {
public:
    using Adjust = std::function<Limit(const PlanRule& rule)>;

    /// With the limits as they are in the plan, or as `adjust` has them.
    RuleStates(const Intake& intake, std::size_t plan, const Adjust& adjust = {});

    /// Where the state of a key of a rule is: classes of a load_shedder share it.
    KeyCell& cellOf(std::uint32_t rule, std::uint32_t key)
    {
        return rules[rule - m_stateBefore[rule]].cells.at(key);
    }

private:
    std::vector<std::uint32_t> m_stateBefore; ///< by rule
    std::deque<CellGroup> m_groups; ///< outlive the rules

public:
    std::vector<RuleState> rules; ///< by index in the plan
};

} // namespace engine
