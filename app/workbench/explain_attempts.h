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

    void clear()
    {
        m_story = {};
        m_isEnded = false;
    }

    /// Each decision of the request, in order.
    void add(const engine::Decision& decision)
    {
        const bool isAdmitted = decision.verdict.outcome == engine::Outcome::Admitted;
        if (decision.attempt > 1) {
            LaterAttempt attempt {decision.attempt, decision.arrival->timeNs, decision.decidedNs,
                                  decision.server};
            if (!isAdmitted) {
                attempt.rejectedBy = m_plan.rules[decision.verdict.rule];
                attempt.isStoreAway = decision.isStoreAway;
                attempt.retryAfterNs = decision.retryAfterNs;
            }
            m_story.attempts.push_back(std::move(attempt));
        }
        m_isEnded = decision.client != engine::ClientMove::ComesAgain;
        m_story.end = isAdmitted ? ClientStory::End::Admitted : endOf(decision.client);
    }

    /// No other attempt follows.
    [[nodiscard]] bool isEnded() const { return m_isEnded; }

    [[nodiscard]] const ClientStory& story() const { return m_story; }

private:
    static ClientStory::End endOf(engine::ClientMove move)
    {
        switch (move) {
        case engine::ClientMove::OutOfBudget:
            return ClientStory::End::OutOfBudget;
        case engine::ClientMove::None:
            return ClientStory::End::Nameless;
        case engine::ClientMove::ComesAgain:
        case engine::ClientMove::OutOfAttempts:
            break;
        }
        return ClientStory::End::OutOfAttempts;
    }

    const engine::Plan& m_plan;
    ClientStory m_story;
    bool m_isEnded = false;
};

} // namespace app
