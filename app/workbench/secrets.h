#pragma once
#include "app/workbench/log_choice.h"
#include "engine/plan.h"
#include "storage/run_results.h"

#include <string>
#include <string_view>
#include <vector>

/// The one door through which values of attributes are shown.
namespace app {

/// Which attributes carry values of Authorization and Cookie: those that are named so, those that a
/// mapping fills from a field that is named so, and those that a policy makes of one of them, but
/// for a lookup, whose values are the table's own.
///
/// Example: with `--map api_key=request.headers.Authorization` and `attributes: { account: { from:
/// api_key, pattern: "Bearer {account}" } }`, api_key and account are secret, and
/// http_authorization is always.
class SecretAttributes {
public:
    void add(const std::vector<LogChoice>& logs);
    void add(const engine::Plan& plan);
    void add(const SecretAttributes& others);

    [[nodiscard]] bool has(std::string_view attribute) const;

    /// A value as it may be shown: itself, or a pseudonym that is the same for the same value in
    /// every run and every report. Raw bytes: escape them.
    [[nodiscard]] std::string shown(std::string_view attribute, std::string_view value) const;

    /// The values of a key, in the order of its attributes.
    [[nodiscard]] std::vector<std::string> shown(const std::vector<std::string>& attributes,
                                                 const std::vector<std::string_view>& values) const;

    /// The begin of a line that could not be read, or "(not shown)" where it or its log has such
    /// values: nobody can say where in it they end. `fields`: what the log is known to have.
    [[nodiscard]] std::string shownLine(std::string_view line,
                                        const std::vector<std::string>& fields = {}) const;

    void addAll() { m_isAll = true; } ///< nobody can say which: all of them

private:
    std::vector<std::string> m_names;
    bool m_isAll = false;
    bool m_isInLines = false; ///< a format text names one
};

/// Of a stored run: as its log was read, and as its policy derives. All where that is not known.
SecretAttributes secretsOf(const storage::RunDetail& run);

} // namespace app
