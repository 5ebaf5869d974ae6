#pragma once
#include "engine/diagnostic.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <string>
#include <vector>

namespace policies::language {

/// Collects what is found while a policy is read. One for each reading.
class Report {
public:
    Report(std::string file, const std::vector<std::string>& adjustments);

    void error(std::string code, const Span& at, std::string message, std::string help);
    /// A value that a grammar refused: its diagnostic, with the place added.
    void error(const engine::Diagnostic& diagnostic, const Span& at);
    void add(engine::Diagnostic diagnostic);
    /// Adds the place to a diagnostic that has none.
    void add(engine::Diagnostic diagnostic, const Span& at);

    [[nodiscard]] bool hasErrors() const;
    /// Sorted by place: the file's own first, then those of adjustments.
    std::vector<engine::Diagnostic> take();

private:
    [[nodiscard]] engine::Place placeOf(const Span& at) const;

    std::string m_file;
    std::vector<std::string> m_adjustments;
    std::vector<engine::Diagnostic> m_found;
};

} // namespace policies::language
