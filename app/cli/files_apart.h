#pragma once
#include "app/cli/context.h"
#include "app/workbench/log_choice.h"
#include "engine/result.h"
#include "storage/run_results.h"

#include <vector>

namespace app::cli {

/// Would a file that the options name to be written (-o, --decisions, --rejects; the FILE of `new`)
/// take the place of one that is read, or of another one that is written? Asked before anything is
/// written, with all that any verb reads: the policies with their lookup files, the LOGs, the
/// descriptions and lists that name them, --mask-key, the store (unless --no-store), and what
/// stands behind stdin. Errors: cli.usage.
engine::Status checkOutputs(const Context& context, const std::vector<LogChoice>& logs,
                            const std::vector<const LoadedPolicy*>& policies);

/// The same for what is made of stored runs: the files that they were made from are not to be
/// written over, either. Errors: cli.usage.
engine::Status checkOutputs(const Context& context, const std::vector<storage::RunDetail>& runs);

} // namespace app::cli
