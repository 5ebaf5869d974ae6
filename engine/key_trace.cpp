#include "engine/key_trace.h"

#include "engine/limiter/rule_state.h"

namespace engine {
namespace {

PlanRule ruleOf(const Limit& limit)
{
    PlanRule rule;
    rule.limit = limit;
    return rule;
}

} // namespace

class KeyTrace::Parts {
public:
    explicit Parts(const Limit& limit)
        : isWindow(limit.algorithm == Algorithm::FixedWindow)
        , rule(ruleOf(limit), limit, 0, 0, group)
    {
    }

    bool isWindow;
    CellGroup group;
    RuleState rule;
};

KeyTrace::KeyTrace(const Limit& limit)
    : m_parts(std::make_unique<Parts>(limit))
{
}

KeyTrace::~KeyTrace() = default;

KeyTrace::Answer KeyTrace::judge(const KeyRequest& request)
{
    RuleState& rule = m_parts->rule;
    KeyCell& key = rule.cells.at(0);
    Answer answer;
    answer.admits = rule.judge(key, request.cost, request.atNs);
    if (answer.admits && rule.delays()) {
        answer.delayNs = rule.delayNs(key);
    }
    if (request.cost > 0 && answer.admits && request.counts) {
        rule.admit(key, request.cost, request.atNs, request.durationNs);
    } else if (request.cost > 0 && rule.countsRejected()) {
        rule.countRejected(key, request.cost, request.atNs);
    }
    return answer;
}

std::vector<StateFigure> KeyTrace::state(std::int64_t nowNs)
{
    RuleState& rule = m_parts->rule;
    KeyCell& key = rule.cells.at(0);
    const KeyState before = key.state;
    rule.judge(key, 0, nowNs); // brings it to nowNs
    std::vector<StateFigure> figures = rule.describe(key, nowNs);
    if (m_parts->isWindow) {
        key.state = before; // being judged may have opened a window; what others own is not copied
    }
    return figures;
}

} // namespace engine
