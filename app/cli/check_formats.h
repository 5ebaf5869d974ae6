#pragma once
#include "app/workbench/policy_files.h"

#include <string>
#include <vector>

/// The findings of `check` in the forms that other programs read. Everything is escaped() first,
/// then as the form asks for.
namespace app::cli {

/// Workflow commands of GitHub, one line a finding, which it shows beside the line of the file:
///
///   ::warning file=limits.yaml,line=8,col=18,title=window.edge::rule `a` admits ...%0Ahelp: ...
///
/// Nothing else is written, so that no name of a file can be taken for a command.
std::string githubAnnotations(const std::vector<LoadedPolicy>& policies);

/// SARIF 2.1.0, one run. Columns count code points; what has no line is about its whole file,
/// and what came by `--set` or `--mode` has no location.
std::string sarifLog(const std::vector<LoadedPolicy>& policies);

/// JUnit's XML: a suite for each policy, in it a case for each error, which fails, and for each
/// advice, which passes and says so in its output; without errors also a case `valid`.
std::string junitReport(const std::vector<LoadedPolicy>& policies);

} // namespace app::cli
