#pragma once
#include "app/cli/context.h"
#include "app/cli/log_args.h"
#include "app/cli/replay_args.h"
#include "app/workbench/compare.h"
#include "app/workbench/key_names.h"
#include "app/workbench/run_tables.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

inline constexpr std::string_view kRecorded = "recorded"; ///< a base: what production did

/// BASE and CANDIDATE of the command line as runs. Errors: cli.usage.
struct ComparedRuns {
    StoredBase base;
    storage::RunId candidate = 0;
};

engine::Result<ComparedRuns> comparedRunsOf(const LowArgs& args);

/// What the store keeps of runs, in their order. Errors: the store's.
engine::Result<std::vector<storage::RunDetail>> detailsOf(storage::RunStore& store,
                                                          const std::vector<storage::RunId>& runs);

/// The names that the policies and the recording of two runs know. Errors: those of planOfRun().
engine::Result<KnownNames> namesOfRuns(storage::RunStore& store, const ComparedRuns& runs);

/// Whose values are shown: those of a log, as policies make them.
struct KeyOwners {
    std::vector<const engine::Plan*> plans {};
    std::vector<LogChoice> logs {};
    std::string fingerprint {}; ///< of the log
    std::string who {};
};

/// How values are shown in a form: where it is pasted or mailed where others read it (markdown,
/// github, html), pseudonyms stand for keys, under --mask-key, else under the secret of the log;
/// with --show-keys, and in the other forms, they are shown as they are. Errors: file.*, mask.key.
engine::Result<KeyNames> keyNamesOf(const Context& context, std::string_view format,
                                    const KeyOwners& owners);

/// The same for stored runs of one log, or for one that was killed: its pseudonyms are its own.
/// Errors: the store's; those of planOfRun() where pseudonyms stand for keys.
engine::Result<KeyNames> keyNamesOfRuns(const Context& context, std::string_view format,
                                        storage::RunStore& store,
                                        const std::vector<storage::RunId>& runs);

/// --by of a stored run: its log is read again. Errors: cli.usage, those of countByAttributes().
engine::Result<std::vector<Attribute>> attributesOf(const Context& context,
                                                    storage::RunStore& store, storage::RunId run,
                                                    const Period& period, PassProgress& progress);

} // namespace app::cli
