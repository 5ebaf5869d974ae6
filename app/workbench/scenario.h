#pragma once
#include "engine/plan.h"
#include "engine/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Scenario tables: requests and what a policy is to answer, as text that people write.
/// The format: app/README.md, "Scenario tables".
namespace app {

/// What a column behind the arrow asks about.
enum class Asked : std::uint8_t {
    Outcome, ///< admitted, rejected, exempt
    Rule, ///< that rejected, or the exempt entry
    Tier, ///< that rejected
    Shadow, ///< first rule in shadow that denied
    Remaining,
    Retry,
    Next,
    Full,
    Delay,
    Decided, ///< when, in seconds
    Late
};

std::string_view nameOf(Asked asked); ///< "outcome"

/// One expected value in its normal form: digits, seconds without zeros at the end, `never`, `-`.
struct Expectation {
    Asked asked = Asked::Outcome;
    std::optional<std::string> rule; ///< of `search:1`; else the request's own
    std::string value;
    std::int64_t column = 0; ///< 1-based, in bytes
};

struct ScenarioCase {
    std::int64_t line = 0;
    std::int64_t atNs = 0;
    std::int64_t durationNs = -1; ///< -1: not known
    std::vector<std::pair<std::string, std::string>> attributes; ///< those that are there
    std::vector<Expectation> expected;
};

struct Scenario {
    std::string file;
    std::optional<std::string> policy; ///< as written after `policy:`
    std::optional<std::int64_t> reorderNs; ///< nothing: exact order of time
    std::vector<std::pair<std::string, engine::Place>> attributes; ///< columns, where first named
    std::vector<ScenarioCase> cases;
};

/// A scenario if the text is one, else all that is wrong with it.
struct ReadScenario {
    std::optional<Scenario> scenario;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Reads a table. Codes: scenario.column, scenario.value, scenario.header, scenario.setting,
/// scenario.empty. Pure.
ReadScenario readScenario(std::string file, std::string_view text);

/// One value that is not as expected: {"remaining", "3", "4"}.
struct Mismatch {
    std::string column;
    std::string expected;
    std::string seen;
    engine::Place place;
};

/// A case with mismatches, and what each rule that was judged said.
struct FailedCase {
    std::size_t number = 0; ///< from 1, in the table
    std::int64_t line = 0;
    std::vector<Mismatch> mismatches;
    std::vector<std::string> said; ///< "search (endpoint): admits, remaining 9"
};

struct ScenarioReport {
    std::size_t cases = 0;
    std::vector<FailedCase> failed; ///< in the order of the table
};

/// Plays a table against a plan, through the same intake, order and replay as a log.
///
/// Errors: scenario.rule (an expectation names a rule that the plan lacks), scenario.attribute (a
/// column that is neither built in nor used by the plan, or that the policy derives), sort.disk.
engine::Result<ScenarioReport> runScenario(const Scenario& scenario, const engine::Plan& plan);

} // namespace app
