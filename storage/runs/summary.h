#pragma once
#include "storage/run_results.h"
#include "storage/runs/steps.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace storage::runs {

/// All runs with their policy and recording; a condition or an order follows.
extern const char* const kSummaries;
/// Places in a row of kSummaries behind what summaryFrom() reads.
inline constexpr int kOptionsColumn = 27;
inline constexpr int kPolicyColumn = 28;
inline constexpr int kRecordingColumn = 29;
inline constexpr int kWhosColumn = 30;

RunSummary summaryFrom(const Statement& row);

engine::Failure unknownRun(const std::string& path, RunId run);

/// store.damaged: what cannot be decoded, or does not fit the rest.
engine::Failure damaged(const std::string& path, std::string reason);

/// A statement with the run (or another id) as its first parameter.
std::optional<Statement> ofRun(Steps& steps, std::string_view sql, std::int64_t run);

/// Calls `visit` with each row of it, until one of the steps fails.
template <class Visit>
void eachOfRun(Steps& steps, std::string_view sql, std::int64_t run, const Visit& visit)
{
    std::optional<Statement> rows = ofRun(steps, sql, run);
    while (steps.next(rows)) {
        visit(std::as_const(*rows));
    }
}

/// Takes the columns from `column` on into `counts`, and gives the one behind them.
int takeCounts(const Statement& row, int column, std::initializer_list<std::uint64_t*> counts);

} // namespace storage::runs
