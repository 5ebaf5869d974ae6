#pragma once
#include "app/workbench/given_options.h"
#include "storage/run_store.h"

#include <string>
#include <vector>

namespace tests {

/// Replays the demonstration's day (app/demo/access.log.gz) by a policy of policies/examples into a
/// store, as `weir replay` does. `sets`: as --set has them; `conditions`: nodes, clients and the
/// others.
storage::RunId replayDemo(storage::RunStore& store, const std::string& policy,
                          const std::string& runName, const std::vector<std::string>& sets = {},
                          const app::GivenOptions& conditions = {});

} // namespace tests
