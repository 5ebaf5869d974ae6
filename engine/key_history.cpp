#include "engine/key_history.h"

#include "engine/limiter/rule_state.h"

namespace engine {

bool admitsAll(const Limit& limit, std::span<const KeyRequest> requests)
{
    PlanRule only;
    only.limit = limit;
    CellGroup group;
    RuleState rule(only, limit, 0, 0, group);
    KeyCell& key = rule.cells.at(0);
    for (const KeyRequest& request : requests) {
        const bool admits = rule.judge(key, request.cost, request.atNs);
        if (!admits && !request.mayBeDenied) {
            return false;
        }
        if (request.cost > 0 && admits && request.counts) {
            rule.admit(key, request.cost, request.atNs, request.durationNs);
        } else if (request.cost > 0 && rule.countsRejected()) {
            rule.countRejected(key, request.cost, request.atNs);
        }
    }
    return true;
}

} // namespace engine
