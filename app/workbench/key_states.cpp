#include "app/workbench/key_states.h"

#include "app/workbench/key_episodes.h"
#include "engine/key_trace.h"

#include <algorithm>

namespace app {
namespace {

std::int64_t usedOf(const std::vector<engine::StateFigure>& figures)
{
    std::int64_t capacity = 0;
    std::int64_t remaining = 0;
    for (const engine::StateFigure& figure : figures) {
        capacity = figure.name == "capacity" ? figure.value : capacity;
        remaining = figure.name == "remaining" ? figure.value : remaining;
    }
    return capacity - remaining;
}

} // namespace

std::int64_t tellingFromNs(const ExplainedRule& rule)
{
    if (rule.visits.empty()) {
        return 0;
    }
    const std::int64_t last = rule.visits.back().atNs;
    const std::int64_t span = quietSpanNs(rule.rule.limit);
    const auto from
        = std::find_if(rule.visits.begin(), rule.visits.end(),
                       [&](const KeyVisit& visit) { return last - visit.atNs <= span; });
    return from->atNs; // the last one at least
}

std::vector<KeyState> keyStates(const ExplainedRule& rule, std::int64_t fromNs, std::size_t points)
{
    if (rule.visits.empty() || rule.hasEarlier || points == 0
        || engine::holdsSlots(rule.rule.limit.algorithm)) {
        return {};
    }
    engine::KeyTrace trace(rule.rule.limit);
    std::vector<KeyState> states;
    const std::int64_t last = rule.visits.back().atNs;
    const std::int64_t step
        = std::max<std::int64_t>(1, (last - fromNs) / static_cast<std::int64_t>(points));
    std::int64_t nextNs = fromNs;
    for (const KeyVisit& visit : rule.visits) {
        for (; nextNs < visit.atNs; nextNs += step) {
            states.push_back({nextNs, usedOf(trace.state(nextNs))});
        }
        if (usedOf(trace.state(visit.atNs)) != visit.before) {
            return {};
        }
        const engine::KeyTrace::Answer answer
            = trace.judge({visit.atNs, visit.cost, engine::kUnknownDuration, visit.counted, false});
        if (answer.admits != visit.admits || usedOf(trace.state(visit.atNs)) != visit.after) {
            return {};
        }
        if (visit.atNs >= fromNs) {
            states.push_back({visit.atNs, visit.before});
            states.push_back({visit.atNs, visit.after});
        }
    }
    return states;
}

} // namespace app
