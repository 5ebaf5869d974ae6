#pragma once
#include "storage/run_store.h"

#include <string>
#include <vector>

namespace tests {

/// Replays the demonstration's day (app/demo/access.log.gz) by a policy of policies/examples into a
/// store, as `weir replay` does. `sets`: as --set has them.
storage::RunId replayDemo(storage::RunStore& store, const std::string& policy,
                          const std::string& runName, const std::vector<std::string>& sets = {});

} // namespace tests
