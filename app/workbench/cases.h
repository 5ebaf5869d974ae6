#pragma once
#include "engine/plan.h"
#include "policies/cases.h"

#include <cstdint>
#include <string>
#include <vector>

/// Cases in YAML, played against a policy. The format: app/README.md, "Cases".
namespace app {

/// A step that did not go as expected.
struct FailedStep {
    std::size_t step = 0; ///< from 1
    std::int64_t line = 0;
    std::size_t request = 0; ///< from 1, in the step: the first that was not as expected
    std::size_t requests = 0; ///< of the step
    std::size_t wrong = 0; ///< requests of the step that were not as expected
    std::int64_t afterNs = 0; ///< when, since the test's start
    std::string expected; ///< "rejected by search"
    std::string seen; ///< "admitted"
    std::vector<std::string> said; ///< by each rule that was judged
};

struct PlayedTest {
    std::string name;
    std::int64_t line = 0;
    std::size_t requests = 0;
    std::vector<FailedStep> failed;
};

struct PlayedCases {
    std::vector<PlayedTest> tests;
    /// For --update: what the steps that failed, or that expect nothing, would have to expect.
    std::vector<policies::Expected> seen;
};

/// Plays each test from nothing counted.
///
/// Errors, with their place: cases.time, cases.number, cases.outcome, cases.count (outcomes of more
/// or fewer requests than the step has), cases.too-many (above 1,000,000 requests in a test),
/// scenario.rule, scenario.attribute, sort.disk.
engine::Result<PlayedCases> playCases(const policies::Cases& cases, const engine::Plan& plan);

} // namespace app
