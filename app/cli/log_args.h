#pragma once
#include "app/cli/context.h"
#include "app/cli/progress.h"
#include "app/workbench/log_options.h"
#include "app/workbench/notes.h"
#include "app/workbench/pass.h"
#include "storage/run_store.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// The options for logs and replays, for the readers that all faces share.
GivenOptions givenOf(const LowArgs& args);

/// What the options for logs mean. Errors: cli.usage, log.map, log.zone, attribute.network.
engine::Result<LogChoice> logChoiceOf(const LowArgs& args, std::string path,
                                      storage::Spread spread);

/// The same for all that `paths` and --files-from name: one choice for each LOG, in the order
/// given; its index is its place. Says what folders and descriptions gave; shows all errors but the
/// one that it returns. Errors: those of logChoiceOf() and expandLogs(), cli.usage (no LOG).
engine::Result<std::vector<LogChoice>>
logChoicesOf(const Context& context, const std::vector<std::string>& paths, storage::Spread spread);

/// All values of an option that takes a list, `a,b` or given several times.
std::vector<std::string> listOf(const LowArgs& args, OptionId id);

/// --jobs, else as many as there are processors. Errors: cli.usage.
engine::Result<unsigned> jobsOf(const LowArgs& args);

/// --top N: how many rows of each table of keys; 10 if not given. Errors: cli.usage.
engine::Result<std::size_t> topOf(const LowArgs& args);

/// --db opened. The exit code for a failure is StoreUnusable.
engine::Result<std::unique_ptr<storage::RunStore>> openStore(const Context& context,
                                                             storage::Access access);

/// A run's number as `weir runs` shows it. Errors: cli.usage.
engine::Result<storage::RunId> runIdOf(std::string_view text);

/// What was found while the logs were read: damaged ends and the like.
void showWarnings(Messages& messages, const std::vector<ReadLog>& logs);

std::vector<std::string> pathsOf(const std::vector<LogChoice>& logs);

/// Shows the progress of a pass.
class PassProgress final : public app::Progress {
public:
    PassProgress(Messages& messages, std::string what);

    void update(const ProgressState& state) override;

private:
    Messages& m_messages;
    std::string m_what;
    std::unique_ptr<cli::Progress> m_line;
    bool m_secondPass = false;
};

} // namespace app::cli
