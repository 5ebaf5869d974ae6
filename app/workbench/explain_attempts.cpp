#include "app/workbench/explain_attempts.h"

#include <utility>

namespace app {
namespace {

/// Of a request whose last attempt was rejected.
ClientStory::End endOf(engine::ClientMove move)
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

} // namespace

std::string_view nameOf(ClientStory::End end)
{
    switch (end) {
    case ClientStory::End::Admitted:
        return "admitted";
    case ClientStory::End::OutOfAttempts:
        return "out_of_attempts";
    case ClientStory::End::OutOfBudget:
        return "out_of_budget";
    case ClientStory::End::Nameless:
        break;
    }
    return "nameless";
}

void AttemptFollower::clear()
{
    m_story = {};
    m_isEnded = false;
}

void AttemptFollower::add(const engine::Decision& decision)
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

} // namespace app
