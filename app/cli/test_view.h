#pragma once
#include "app/cli/context.h"
#include "app/workbench/cases.h"
#include "app/workbench/scenario.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// A table or cases that were played; one of the two is there.
struct PlayedFile {
    std::string file;
    std::optional<ScenarioReport> table;
    std::optional<PlayedCases> cases;
    std::size_t updated = 0; ///< expectations that --update wrote
};

/// Lines of a table, and steps of cases, that did not go as expected.
std::size_t failuresIn(const std::vector<PlayedFile>& all);

void writeText(Output& out, const std::vector<PlayedFile>& all);
void writeJson(Context& context, const std::vector<PlayedFile>& all);

/// A test suite for each file, a test case for each test, or for a table as a whole.
void writeJunit(Output& out, const std::vector<PlayedFile>& all);

} // namespace app::cli
