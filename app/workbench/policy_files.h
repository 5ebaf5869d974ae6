#pragma once
#include "app/workbench/progress.h"
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/adjust.h"
#include "policies/read.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// How a policy is read from disk.
struct PolicyOptions {
    std::optional<std::string> lookupDir; ///< looked into before the policy's own folder
    policies::Adjustments adjustments; ///< --set and --mode
    const StopFlag* stop = nullptr; ///< ends the wait for a pipe, of the policy or a lookup
};

/// A policy from disk with its lookups: the plan where there are no errors, and all that was found.
///
/// Example: "public-api.yaml" that names plans.csv gives policy, plan and fingerprint; if plans.csv
/// is missing, policy but no plan, and policy.lookup-file among the diagnostics.
struct LoadedPolicy {
    std::string file;
    std::string text; ///< as read, also of a policy with errors
    std::optional<policies::Policy> policy;
    std::optional<policies::Policy> draft; ///< in its place, see policies::Checked
    std::optional<engine::Plan> plan;
    std::string fingerprint; ///< of the plan
    std::vector<std::pair<std::string, std::string>> lookups; ///< name in the policy, bytes
    std::vector<engine::Diagnostic> diagnostics; ///< errors and advice, by place

    [[nodiscard]] bool isValid() const { return plan.has_value(); }
};

/// The bytes of a policy and of its lookups, each read once, however often they are loaded with
/// other adjustments: a stream cannot be read again, and a file may change between.
class PolicySource {
public:
    /// `file` "-" is stdin, its lookups are looked for in the folder of the process. Of the options
    /// the adjustments are not looked at. Keeps `options.stop`. Errors: file.stopped.
    static engine::Result<PolicySource> read(std::string file, const PolicyOptions& options);
    /// A text that `file` has or might have. Keeps `stop`.
    PolicySource(std::string file, std::string text, std::optional<std::string> lookupDir,
                 const StopFlag* stop = nullptr);

    /// Checks and compiles. Errors: policy.adjust-rule, policy.adjust-form, file.stopped (while a
    /// lookup was read).
    engine::Result<LoadedPolicy> load(const policies::Adjustments& adjustments = {});

private:
    engine::Result<std::string> lookup(const std::string& name);

    std::string m_file;
    std::string m_text;
    std::optional<std::string> m_lookupDir;
    const StopFlag* m_stop;
    std::optional<engine::Diagnostic> m_unreadable; ///< instead of the text
    std::map<std::string, engine::Result<std::string>> m_lookups; ///< that were asked for
};

/// Reads, checks and compiles. A file that cannot be read is the diagnostic policy.unreadable.
///
/// `file` "-" is stdin, its lookups are looked for in the folder of the process.
/// Errors, each a mistake of whoever asked: policy.adjust-rule, policy.adjust-form. And
/// file.stopped.
/// A policy has at most 16 MB, a lookup file 256 MB.
engine::Result<LoadedPolicy> loadPolicy(const std::string& file, const PolicyOptions& options);

/// The same for a text that `file` has or might have. Errors: as loadPolicy.
engine::Result<LoadedPolicy> loadPolicyText(const std::string& file, const std::string& text,
                                            const PolicyOptions& options);

/// The text of a policy, unread. Errors: policy.unreadable, file.stopped.
engine::Result<std::string> readPolicyText(const std::string& file, const StopFlag* stop = nullptr);

} // namespace app
