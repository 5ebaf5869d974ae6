#include "app/console/session/job_run.h"

#include "app/console/session/log_request.h"
#include "app/workbench/files.h"
#include "app/workbench/notes.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay_options.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace app::console {

namespace {

JobResult failed(engine::Diagnostic why)
{
    JobResult result;
    result.failure = std::move(why);
    return result;
}

engine::Result<LoadedPolicy> load(const JobPolicy& policy, const StopFlag& stop)
{
    const QTemporaryDir folder; // that they are read from, like those beside a file
    for (const auto& [name, bytes] : policy.lookups) {
        const QString path = folder.filePath(QString::fromStdString(name));
        if (const engine::Status written = writeFile(path.toStdString(), bytes); !written) {
            return engine::fail(written.error());
        }
    }
    PolicyOptions options;
    options.stop = &stop;
    if (!policy.lookups.empty()) {
        options.lookupDir = folder.path().toStdString();
    }
    engine::Result<LoadedPolicy> loaded = loadPolicyText(policy.file, policy.text, options);
    if (!loaded || loaded->isValid()) {
        return loaded;
    }
    const auto error = std::find_if(loaded->diagnostics.begin(), loaded->diagnostics.end(),
                                    [](const engine::Diagnostic& diagnostic) {
                                        return diagnostic.severity == engine::Severity::Error;
                                    });
    return engine::fail(*error);
}

void take(const ReplayOutcome& outcome, JobResult& result)
{
    for (const std::optional<storage::RunId>& run : outcome.runs) {
        if (run) {
            result.runs.push_back(*run);
        }
    }
    result.requests = outcome.tally->run(0).requests;
    result.isInterrupted = outcome.pass.interrupted;
    for (const ReadLog& log : outcome.pass.logs) {
        result.warnings.insert(result.warnings.end(), log.warnings.begin(), log.warnings.end());
    }
    if (!result.isInterrupted && nothingRead(outcome.pass)) {
        result.failure = unreadable(outcome.pass);
    }
}

} // namespace

std::string JobOrder::name() const
{
    const JobPolicy& last = policies.back();
    return last.runName.empty() ? std::filesystem::path(last.file).filename().string()
                                : last.runName;
}

JobResult runJob(const JobOrder& order, const std::string& storePath, const StopFlag& stop,
                 Progress& progress)
{
    std::vector<LoadedPolicy> policies;
    for (const JobPolicy& policy : order.policies) {
        engine::Result<LoadedPolicy> loaded = load(policy, stop);
        if (!loaded) {
            return failed(loaded.error());
        }
        policies.push_back(std::move(*loaded));
    }
    engine::Result<ReplayRequest> request = logRequest(order.logs, order.given, stop);
    if (!request) {
        return failed(request.error());
    }
    const auto store = storage::RunStore::open(storePath, storage::Access::Write);
    if (!store) {
        return failed(store.error());
    }
    for (std::size_t i = 0; i < policies.size(); ++i) {
        request->policies.push_back(replayPolicyOf(policies[i], {}, order.policies[i].runName));
    }
    constexpr unsigned kMostThreads = 256;
    request->store = store->get();
    request->seed = order.seed;
    request->pass.jobs = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
    request->pass.progress = &progress;
    const engine::Result<ReplayOutcome> outcome = replay(*request);
    if (!outcome) {
        return failed(outcome.error());
    }
    JobResult result;
    take(*outcome, result);
    return result;
}

} // namespace app::console
