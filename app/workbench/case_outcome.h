#pragma once
#include "app/workbench/scenario_answers.h"
#include "policies/cases.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Whole numbers, or nanoseconds: low <= x <= high.
struct CaseRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// One more thing that is asked of an outcome: `retry_after 50s..60s`, `remaining search:3`.
struct CaseClause {
    Expectation asked; ///< its value in normal form where there is no range
    std::string name; ///< "retry_after"
    std::optional<CaseRange> range; ///< of figures; else the value itself
};

/// What cases expect of a request: `rejected by search retry_after 50s..60s`, in a list also how
/// many requests in a row (`60 admitted`).
struct CaseOutcome {
    std::string text; ///< as written
    engine::Place place;
    std::optional<std::int64_t> count;
    std::string outcome; ///< admitted, rejected, exempt
    std::optional<std::string> rule; ///< behind `by` or `as`
    std::vector<CaseClause> clauses;

    [[nodiscard]] bool holds(const Answers& answers, std::size_t request) const;
    /// All that it asks of the policy's rules, so that unknown names are found.
    [[nodiscard]] std::vector<Expectation> named() const;
};

/// Errors: cases.outcome.
engine::Result<CaseOutcome> readOutcome(const policies::CaseText& text);

/// "3" or "2..4"; with units where `isTime`. Nothing if it is none.
std::optional<CaseRange> readRange(std::string_view text, bool isTime);

/// What came of requests (at least one), all with the same outcome and rule, in the words that
/// readOutcome takes, with what `like` asks: "rejected by search retry_after 57s..59s".
std::string outcomeText(const Answers& answers, const std::vector<std::size_t>& requests,
                        const CaseOutcome* like);

/// Have both the same outcome and rule, and the same names where `like` asks for some?
bool isAlike(const Answers& answers, std::size_t a, std::size_t b,
             const CaseOutcome* like = nullptr);

} // namespace app
