#include "tests/console/demo_runs.h"

#include "app/workbench/policy_files.h"
#include "app/workbench/replay_options.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tests {
namespace {

const std::string kSource = WEIR_SOURCE_DIR;

std::string formatOfDemo()
{
    std::ifstream file(kSource + "/app/demo/log_format.txt");
    std::string text {std::istreambuf_iterator<char>(file), {}};
    while (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text;
}

template <class T> T need(engine::Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::abort();
    }
    return std::move(*result);
}

} // namespace

storage::RunId replayDemo(storage::RunStore& store, const std::string& policy,
                          const std::string& runName, const std::vector<std::string>& sets,
                          const app::GivenOptions& conditions)
{
    app::PolicyOptions options;
    options.adjustments.sets = sets;
    const app::LoadedPolicy loaded
        = need(app::loadPolicy(kSource + "/policies/examples/" + policy, options));
    app::ReplayPolicy replayed;
    replayed.plan = &*loaded.plan;
    replayed.record = {loaded.plan->name, loaded.file, loaded.policy->text, loaded.fingerprint, {}};
    for (const auto& [name, bytes] : loaded.lookups) {
        replayed.record.lookups.push_back({name, bytes});
    }
    replayed.runName = runName;
    for (const std::string& set : sets) {
        replayed.options.push_back({"set", set});
    }
    app::ReplayRequest request = need(app::replayRequestOf(conditions, {}));
    request.policies.push_back(replayed);
    app::LogChoice& log = request.pass.logs.emplace_back();
    log.path = kSource + "/app/demo/access.log.gz";
    log.format = formatOfDemo();
    request.store = &store;
    request.startedNs = 1'773'220'320'000'000'000;
    request.clock = [] { return std::int64_t {1'773'220'320'200'000'000}; };
    request.version = "0.1.0";
    return need(app::replay(request)).runs.front().value();
}

} // namespace tests
