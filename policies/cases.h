#pragma once
#include "engine/diagnostic.h"
#include "policies/edit.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Cases: requests and what a policy is to answer, as YAML beside the policy. What times, durations
/// and outcomes mean is for the application; here is where they stand.
namespace policies {

/// A text of the cases and where it stands.
struct CaseText {
    std::string text;
    engine::Place place;
};

/// One request, or several at even distances.
struct CaseStep {
    engine::Place place;
    std::optional<CaseText> at;
    std::optional<CaseText> times;
    std::optional<CaseText> every;
    std::optional<CaseText> duration;
    std::vector<std::pair<CaseText, CaseText>> attributes; ///< name, value; defaults among them
    std::vector<CaseText> inOrder; ///< `expect: admitted`, `expect: [60 admitted, 3 rejected]`
    std::vector<std::pair<CaseText, CaseText>> totals; ///< `expect: { admitted: 60..61 }`
};

/// Steps that begin with nothing counted.
struct CaseTest {
    std::string name; ///< "test 2" where it has none
    engine::Place place;
    std::optional<CaseText> start;
    std::vector<CaseStep> steps; ///< at least one
};

struct Cases {
    std::optional<CaseText> policy; ///< beside the cases
    std::vector<CaseTest> tests; ///< at least one
};

/// As Checked of read.h.
struct CheckedCases {
    std::optional<Cases> cases;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Reads cases; every mistake is told, with file, line and column.
///
///     cases: 1
///     policy: limits.yaml
///     defaults: { client_ip: 192.0.2.1 }
///     tests:
///       - name: two searches a minute
///         steps:
///           - { path: /search/a, times: 2, every: 1s, expect: admitted }
///           - { path: /search/a, at: +1s, expect: rejected by search }
///
/// Codes: those of the YAML layer and of fields with `cases.` for `policy.`. Pure; any thread.
CheckedCases readCases(std::string fileName, std::string_view bytes);

/// What a step is to expect: one outcome, several in order, or totals.
struct Expected {
    std::size_t test = 0; ///< index in Cases::tests
    std::size_t step = 0;
    std::vector<std::string> inOrder;
    std::vector<std::pair<std::string, std::string>> totals;
};

/// Edits that make the steps expect this; all else in the text stays byte for byte.
/// Errors: edit.layout, codes of the YAML layer.
engine::Result<Edits> withExpected(std::string_view text, const std::vector<Expected>& expected);

} // namespace policies
