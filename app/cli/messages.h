#pragma once
#include "app/cli/output.h"
#include "app/workbench/json.h"
#include "engine/diagnostic.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

/// A diagnostic as a person reads it, escaped, with its line end:
///
///   weir: error[policy.unknown-field]: `brust` is not a field of token_bucket
///    --> rules.yaml:12:7
///   help: did you mean `burst`?
std::string rendered(const engine::Diagnostic& diagnostic, bool colour);

/// The list `"diagnostics": [...]` that every --json document carries.
void writeDiagnostics(Json& json, std::span<const engine::Diagnostic> diagnostics);

std::size_t countOf(std::span<const engine::Diagnostic> diagnostics, engine::Severity severity);

/// Everything that is no result, on its way to stderr: errors, warnings, notes, and one transient
/// line (progress) that gives way to each of them. Results written before appear before. One
/// thread.
class Messages {
public:
    struct Options {
        bool colour = false;
        bool quiet = false; ///< no warnings, no notes
        bool transient = false; ///< stderr is a terminal, and progress is wanted
    };

    Messages(int descriptor, Output& results, Options options);

    void show(const engine::Diagnostic& diagnostic);
    void show(std::span<const engine::Diagnostic> diagnostics);
    void error(std::string code, std::string message, std::string help = {});
    void warning(std::string code, std::string message, std::string help = {});
    void note(std::string_view sentence);

    [[nodiscard]] bool wantsTransient() const { return m_options.transient; }

    /// Replaces the transient line; "" takes it away. Nothing where it is not wanted.
    void transient(std::string_view line);

    /// What was shown, quiet or not, in order: the `diagnostics` of a --json document.
    [[nodiscard]] const std::vector<engine::Diagnostic>& all() const { return m_all; }

private:
    void write(const std::string& text);

    int m_descriptor;
    Output& m_results;
    Options m_options;
    std::vector<engine::Diagnostic> m_all;
    bool m_hasTransient = false;
};

} // namespace app::cli
