#pragma once
#include "app/workbench/explain.h"
#include "engine/decision.h"
#include "engine/plan.h"

namespace app {

/// Follows a request from its first decision through those that its client asks for again. Borrows
/// the plan.
class AttemptFollower {
public:
    explicit AttemptFollower(const engine::Plan& plan)
        : m_plan(plan)
    {
    }

    void clear();

    /// Each decision of the request, in order.
    void add(const engine::Decision& decision);

    /// No other attempt follows.
    [[nodiscard]] bool isEnded() const { return m_isEnded; }

    [[nodiscard]] const ClientStory& story() const { return m_story; }

private:
    const engine::Plan& m_plan;
    ClientStory m_story;
    bool m_isEnded = false;
};

} // namespace app
