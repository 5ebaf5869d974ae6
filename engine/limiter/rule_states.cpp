#include "engine/limiter/rule_states.h"

#include <algorithm>
#include <unordered_map>

namespace engine {
namespace {

/// Of each rule, how many classes of its load_shedder can be shed.
std::vector<int> classesOf(const std::vector<PlanRule>& rules)
{
    std::vector<int> classes(rules.size(), 0);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        int& most = classes[i - rules[i].stateBefore];
        most = std::max(most, rules[i].limit.shedAfter.value_or(-1) + 1);
    }
    for (std::size_t i = 0; i < rules.size(); ++i) {
        classes[i] = classes[i - rules[i].stateBefore];
    }
    return classes;
}

} // namespace

RuleStates::RuleStates(const Intake& intake, std::size_t plan, const Adjust& adjust)
{
    const std::vector<PlanRule>& planned = intake.plans()[plan]->rules;
    const std::vector<int> classes = classesOf(planned);
    std::unordered_map<std::size_t, CellGroup*> open; // by tuple: the group that has room
    rules.reserve(planned.size());
    for (std::size_t i = 0; i < planned.size(); ++i) {
        const std::size_t tuple = intake.tupleOf(plan, i);
        CellGroup*& group = open[tuple];
        if (group == nullptr || group->rules() == CellGroup::kMost) {
            group = &m_groups.emplace_back();
        }
        rules.emplace_back(planned[i], adjust ? adjust(planned[i]) : planned[i].limit,
                           intake.layout().tupleAt(tuple), intake.costOf(plan, i), *group);
        rules.back().setClasses(classes[i]);
        m_stateBefore.push_back(planned[i].stateBefore);
        if (planned[i].stateBefore > 0) {
            rules.back().keepStatesWith(rules[i - planned[i].stateBefore]);
        }
    }
}

} // namespace engine
