#pragma once
#include "app/workbench/scenario.h"
#include "engine/decision.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What is kept of the decision about one request of a scenario.
struct Answer {
    engine::Verdict verdict;
    std::int64_t decidedNs = 0;
    std::optional<std::int64_t> retryAfterNs;
    std::vector<engine::RuleDecision> rules;
    bool isLate = false;
};

/// What a policy answered to the requests of a scenario, in the words of tables. Borrows the plan.
class Answers {
public:
    Answers(const engine::Plan& plan, std::vector<Answer> answers)
        : m_plan(plan)
        , m_answers(std::move(answers))
    {
    }

    /// "rejected", "search", "0.25", "-"; the value of the expectation says nothing here.
    [[nodiscard]] std::string seen(std::size_t request, const Expectation& expectation) const;
    [[nodiscard]] bool isAsExpected(std::size_t request, const Expectation& expectation) const;

    /// What each rule that was judged said: "search (endpoint): admits, remaining 9".
    [[nodiscard]] std::vector<std::string> said(std::size_t request) const;

private:
    const engine::Plan& m_plan;
    std::vector<Answer> m_answers; ///< by request
};

/// Plays the requests of a scenario against a plan, through the same intake, order and replay as a
/// log. Errors: those of runScenario.
engine::Result<Answers> answersTo(const Scenario& scenario, const engine::Plan& plan);

} // namespace app
